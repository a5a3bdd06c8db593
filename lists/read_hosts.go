package lists

import (
	"net/netip"
	"strings"
)

// readHosts reads a hosts file. A line has an address and hosts, and # begins a comment. An
// address at which a server could answer says where the hosts are, not that they are
// blocked. It skips the names of the machine itself.
func (l *reader) readHosts() error {
	return l.each(func(line []byte) error {
		text, _, _ := strings.Cut(string(line), "#")
		fields := strings.Fields(text)
		if len(fields) == 0 {
			return nil
		}
		address, hosts := fields[0], fields[1:]
		if namesOnlyMachine(hosts) && isAddress(address) {
			return nil
		}
		if !isBlocking(address) || len(hosts) == 0 {
			return l.refuse(l.lines.number, string(line), ErrNotBlocking)
		}
		for _, host := range hosts {
			if isOfMachine(host) {
				continue
			}
			if err := l.host(l.lines.number, host, l.opts.Status); err != nil {
				return err
			}
		}
		return nil
	})
}

func isAddress(text string) bool {
	_, err := netip.ParseAddr(text)
	return err == nil
}

func isBlocking(address string) bool {
	ip, err := netip.ParseAddr(address)
	return err == nil && (ip.IsUnspecified() || ip.IsLoopback())
}

// namesOnlyMachine reports whether a line has hosts, all of which name the machine itself.
func namesOnlyMachine(hosts []string) bool {
	for _, host := range hosts {
		if !isOfMachine(host) {
			return false
		}
	}
	return len(hosts) > 0
}

// isOfMachine reports whether a name is one that hosts files have for the machine itself or its
// network: those that operating systems install, and the address 0.0.0.0 as a name.
func isOfMachine(host string) bool {
	switch strings.ToLower(host) {
	case "localhost", "localhost.localdomain", "localhost4", "localhost4.localdomain4", "localhost6",
		"localhost6.localdomain6", "local", "broadcasthost", "ip6-localhost", "ip6-loopback", "ip6-localnet",
		"ip6-mcastprefix", "ip6-allnodes", "ip6-allrouters", "ip6-allhosts", "0.0.0.0":
		return true
	}
	return false
}
