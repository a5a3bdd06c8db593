package lists

import (
	"fmt"
	"strings"

	"github.com/apguard/apguard/asset"
)

// hostFormat is a format with hosts.
type hostFormat struct {
	header string
	// comment begins a comment.
	comment string
	// add adds a host to the line, or returns why it is left out.
	add func(line []byte, host string, kind hostKind) ([]byte, string)
}

// maxZoneDomain is the maximum length of a domain in a zone. It leaves room for "*." and for
// the name of the zone.
const maxZoneDomain = 180

func hostFormats(opts WriteOptions) map[Format]hostFormat {
	return map[Format]hostFormat{
		Domains: {"# blocked domains\n", "# ", onlyDomains(func(line []byte, host string) []byte {
			return append(append(line, host...), '\n')
		})},
		Hosts: {"# blocked hosts\n", "# ", onlyDomains(func(line []byte, host string) []byte {
			return append(append(append(line, "0.0.0.0 "...), host...), '\n')
		})},
		RPZ:     {zoneHeader(opts.Serial), "; ", addToZone},
		AdBlock: {"[Adblock Plus 2.0]\n! Title: blocked hosts\n", "! ", addRules},
	}
}

// onlyDomains returns the function that leaves out IP addresses.
func onlyDomains(add func(line []byte, host string) []byte) func([]byte, string, hostKind) ([]byte, string) {
	return func(line []byte, host string, kind hostKind) ([]byte, string) {
		if kind == ipv4 || kind == ipv6 {
			return line, isIP
		}
		return add(line, host), ""
	}
}

// zoneHeader returns the records that every zone has. The names are relative to the name
// under which the zone is loaded.
func zoneHeader(serial uint32) string {
	return fmt.Sprintf("$TTL 300\n@ SOA localhost. hostmaster.localhost. %d 3600 600 86400 300\n@ NS localhost.\n", serial)
}

// addToZone adds the records that make a resolver deny the domain and its subdomains.
func addToZone(line []byte, host string, kind hostKind) ([]byte, string) {
	const deny = " CNAME .\n"
	switch {
	case kind == deepDomain:
		return line, manyLabels
	case kind != domain:
		return line, isIP
	case len(host) > maxZoneDomain:
		return line, longForZone
	case strings.HasPrefix(host[strings.LastIndexByte(host, '.')+1:], "rpz-"):
		return line, zoneTrigger
	}
	line = append(append(line, host...), deny...)
	return append(append(append(line, "*."...), host...), deny...), ""
}

// addRules adds the rules that make an ad blocker block the host and its subdomains. Not all
// ad blockers find an IPv6 address after "||".
func addRules(line []byte, host string, kind hostKind) ([]byte, string) {
	if kind == deepDomain {
		return line, manyLabels
	}
	starts := []string{"||"}
	if kind == ipv6 {
		starts = []string{"|https://", "|http://"}
	}
	for _, start := range starts {
		line = append(append(append(line, start...), host...), "^\n"...)
	}
	return line, ""
}

// writeHosts writes a list of hosts. At its end it says what was left out.
func (l *writer) writeHosts(source Source, format hostFormat) error {
	if _, err := l.out.WriteString(format.header); err != nil {
		return err
	}
	blocked := []asset.Status{asset.StatusBlocked}
	if err := read(source, asset.Filter{Type: asset.TypeURL}, blocked, l.noteURL); err != nil {
		return err
	}
	err := l.each(source, blocked, func(line []byte, one asset.Listed) ([]byte, string) {
		return l.addHost(line, one, format.add)
	})
	if err != nil {
		return err
	}
	for _, left := range l.summary().LeftOut {
		if _, err := fmt.Fprintf(l.out, "%sleft out: %d (%s)\n", format.comment, left.Count, left.Reason); err != nil {
			return err
		}
	}
	return nil
}

// noteURL notes the host of a BLOCKED URL. Other forms of the same host are BLOCKED too, and only
// one of them is written.
func (l *writer) noteURL(one asset.Listed) error {
	if host, _, reason := hostOf(one.Identity); one.Type == asset.TypeURL && reason == "" {
		l.urls[keyOf(host)] = false
	}
	return nil
}

// addHost adds the host of a BLOCKED asset to the line, unless the list has it already.
func (l *writer) addHost(line []byte, one asset.Listed, add func([]byte, string, hostKind) ([]byte, string)) ([]byte, string) {
	host, kind, reason := hostOf(one.Identity)
	if reason != "" {
		return line, reason
	}
	key := keyOf(host)
	written, isURL := l.urls[key]
	if written {
		return line, duplicate
	}
	line, reason = add(line, host, kind)
	if reason == "" && isURL {
		l.urls[key] = true
	}
	return line, reason
}
