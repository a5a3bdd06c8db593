package lists

import (
	"fmt"

	"github.com/apguard/apguard/asset"
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
				host, _, reason := allowed.find(one.Identity)
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
