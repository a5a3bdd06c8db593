package lists

import (
	"net/netip"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
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

// host yields the entry for a host.
func (l *reader) host(line int, text string, status asset.Status) error {
	identity, ok := l.hostIdentity(text)
	if !ok {
		return l.refuse(line, text, ErrNotHost)
	}
	return l.found(line, identity, status)
}

// hostIdentity returns the asset of a host: the PAGE, or the identifier of a platform whose
// own host it is. A number is a host only as the four decimal parts of an IPv4 address.
func (l *reader) hostIdentity(text string) (asset.Identity, bool) {
	if l.opts.Refang {
		text = refang(text)
	}
	if strings.ContainsAny(text, "/\\?#@%") {
		return asset.Identity{}, false
	}
	link, err := classify.Classify("https://" + text)
	if err != nil {
		return asset.Identity{}, false
	}
	host := strings.TrimPrefix(link.Canonical, "https://")
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is4() && strings.TrimSuffix(text, ".") != host {
		return asset.Identity{}, false
	}
	result, err := classify.Classify(host)
	if err != nil || result.Canonical != host {
		return asset.Identity{}, false
	}
	bare, ok := classify.Host(result.Identity)
	return result.Identity, ok && bare == host && result.Type != asset.TypeURL
}
