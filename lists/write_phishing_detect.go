package lists

import (
	"fmt"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// writePhishingDetect writes the config.json of eth-phishing-detect. Its fuzzy matching is
// off. JSON has no comments, so the member leftOut says what was left out; readers ignore
// members that they do not know.
func (l *writer) writePhishingDetect(source Source) error {
	allowed, err := l.whitelist(source)
	if err != nil {
		return err
	}
	for _, part := range []struct {
		before string
		status asset.Status
		add    func(line []byte, one asset.Listed) ([]byte, string)
	}{
		{
			"{\n  \"version\": 2,\n  \"tolerance\": 0,\n  \"fuzzylist\": [],\n  \"whitelist\": [", asset.StatusAllowed,
			func(line []byte, one asset.Listed) ([]byte, string) {
				host, reason := allowedHost(one)
				if reason == "" && !allowed.has(host) {
					reason = aboveBlock
				}
				return append(line, host...), reason
			},
		},
		{
			"],\n  \"blacklist\": [", asset.StatusBlocked,
			func(line []byte, one asset.Listed) ([]byte, string) { return l.addHost(line, one, addBlacklisted) },
		},
	} {
		if _, err := l.out.WriteString(part.before); err != nil {
			return err
		}
		if err := l.writeHostArray(source, part.status, part.add); err != nil {
			return err
		}
	}
	return l.writeLeftOut()
}

// whitelist returns the hosts that are ALLOWED with everything on and below them. It also notes
// the URLs.
func (l *writer) whitelist(source Source) (hostSet, error) {
	allowed := make(hostSet)
	err := read(source, asset.Filter{}, []asset.Status{asset.StatusAllowed}, func(one asset.Listed) error {
		if host, reason := allowedHost(one); reason == "" {
			allowed.add(host)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = read(source, asset.Filter{}, []asset.Status{asset.StatusBlocked}, func(one asset.Listed) error {
		if one.Type != asset.TypeEmail {
			allowed.removeAbove(one.Identity)
		}
		return l.noteURL(one)
	})
	return allowed, err
}

// removeAbove removes the host of an asset and the domains above it.
func (s hostSet) removeAbove(identity asset.Identity) {
	host, _, _ := classify.SplitHost(identity)
	for more := len(s) > 0 && host != ""; more; {
		s.remove(host)
		_, host, more = strings.Cut(host, ".")
	}
}

// allowedHost returns the host of an ALLOWED asset that a whitelist may have, or why it may not.
func allowedHost(one asset.Listed) (host, reason string) {
	host, kind, reason := hostOf(one)
	switch {
	case reason != "":
		return "", reason
	case one.Type == asset.TypeURL:
		return "", allowedURL
	case kind == deepDomain:
		return "", manyLabels
	case classify.IsPlatformHost(host):
		return "", platform
	}
	return host, ""
}

// addBlacklisted adds a BLOCKED host to the line.
func addBlacklisted(line []byte, host string, kind hostKind) ([]byte, string) {
	if kind == deepDomain {
		return line, manyLabels
	}
	return append(line, host...), ""
}

// writeLeftOut writes the member leftOut and the end of the list.
func (l *writer) writeLeftOut() error {
	line := []byte("],\n  \"leftOut\": [")
	separator, end := "\n    ", ""
	for _, left := range l.summary().LeftOut {
		line = fmt.Appendf(line, "%s{\"reason\": %q, \"count\": %d}", separator, left.Reason, left.Count)
		separator, end = ",\n    ", "\n  "
	}
	_, err := l.out.Write(append(append(line, end...), "]\n}\n"...))
	return err
}

// writeHostArray writes the hosts with a status as elements of an array.
func (l *writer) writeHostArray(source Source, status asset.Status, add func([]byte, asset.Listed) ([]byte, string)) error {
	separator := "\n    \""
	err := l.each(source, []asset.Status{status}, func(line []byte, one asset.Listed) ([]byte, string) {
		line, reason := add(append(line, separator...), one)
		if reason == "" {
			separator = ",\n    \""
		}
		return append(line, '"'), reason
	})
	if err != nil || separator[0] != ',' {
		return err
	}
	_, err = l.out.WriteString("\n  ")
	return err
}
