package lists

import (
	"net/netip"
	"strings"
)

// readHosts reads a hosts file. A line has an address and hosts, and # begins a comment. An
// address at which a server could answer says where the hosts are, not that they are
// blocked.
func (l *reader) readHosts() error {
	return l.each(func(line []byte) error {
		text, _, _ := strings.Cut(string(line), "#")
		fields := strings.Fields(text)
		if len(fields) == 0 {
			return nil
		}
		if !isBlocking(fields[0]) || len(fields) == 1 {
			return l.refuse(l.lines.number, string(line), ErrNotBlocking)
		}
		for _, host := range fields[1:] {
			if err := l.host(l.lines.number, host, l.opts.Status); err != nil {
				return err
			}
		}
		return nil
	})
}

func isBlocking(address string) bool {
	ip, err := netip.ParseAddr(address)
	return err == nil && (ip.IsUnspecified() || ip.IsLoopback())
}
