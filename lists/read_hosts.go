package lists

import (
	"net/netip"
	"slices"
	"strings"
)

// readHosts reads a hosts file. A line has an address and hosts, and # begins a comment.
func (l *reader) readHosts() error {
	return l.each(func(line []byte) error { return l.hostsLine(string(line)) })
}

// hostsLine yields the entries of a line of a hosts file. An address at which a server could answer
// says where the hosts are, not that they are blocked.
func (l *reader) hostsLine(line string) error {
	text, _, _ := strings.Cut(line, "#")
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return nil
	}
	hosts := slices.DeleteFunc(fields[1:], isOwnHost)
	switch {
	case len(fields) > 1 && (len(hosts) == 0 || fields[0] == debianHost):
		return nil
	case len(hosts) == 0, !isBlocking(fields[0]):
		return l.refuse(l.lines.number, line, ErrNotBlocking)
	}
	for _, host := range hosts {
		if err := l.host(host); err != nil {
			return err
		}
	}
	return nil
}

// debianHost is the address at which Debian names the machine itself in /etc/hosts.
const debianHost = "127.0.1.1"

// isOwnHost reports whether a name of a hosts file stands for the machine itself or its network in
// the usual first lines, such as those of Debian, macOS and StevenBlack's lists.
func isOwnHost(name string) bool {
	switch name = strings.ToLower(name); name {
	case "localhost", "localhost.localdomain", "local", "broadcasthost", "localhost4", "localhost6",
		"localhost4.localdomain4", "localhost6.localdomain6":
		return true
	}
	return strings.HasPrefix(name, "ip6-") && !strings.Contains(name, ".") || isBlocking(name)
}

// isBlocking reports whether an address leads nowhere or to the machine itself.
func isBlocking(address string) bool {
	ip, err := netip.ParseAddr(address)
	return err == nil && (ip.IsUnspecified() || ip.IsLoopback())
}
