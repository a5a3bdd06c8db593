package lists

import (
	"fmt"

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
		if kind != domain {
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
	case kind != domain:
		return line, isIP
	case len(host) > maxZoneDomain:
		return line, longForZone
	}
	line = append(append(line, host...), deny...)
	return append(append(append(line, "*."...), host...), deny...), ""
}

// addRules adds the rules that make an ad blocker block the host and its subdomains. Not all
// ad blockers find an IPv6 address after "||".
func addRules(line []byte, host string, kind hostKind) ([]byte, string) {
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
	err := l.each(source, l.opts.Statuses, func(line []byte, one asset.Listed) ([]byte, string) {
		host, kind, reason := hostOf(one)
		if reason != "" {
			return line, reason
		}
		return format.add(line, host, kind)
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
