package lists

import (
	"io"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/phishlist"
)

// phishingHost is an entry of an eth-phishing-detect file.
type phishingHost struct {
	line     int
	identity asset.Identity
	allowed  bool
	err      error
}

// readPhishingDetect reads an eth-phishing-detect file. It keeps the hosts until the end, as
// an allowlist there wins over all blocklists, and a truncated file lacks it.
func (l *reader) readPhishingDetect(r io.Reader) error {
	var hosts []phishingHost
	allowed := make(map[asset.Identity]bool)
	for e, err := range phishlist.Entries(r, phishlist.Options{}) {
		if err != nil {
			return err
		}
		host := phishingHost{line: e.Line, allowed: e.Allowed, err: e.Err}
		if host.err == nil {
			text := e.Host
			if l.opts.Refang {
				text = refang(text)
			}
			var ok bool
			if host.identity, ok = hostIdentity(text); !ok {
				host.err = ErrNotHost
			}
		}
		if host.err == nil && host.allowed {
			allowed[host.identity] = true
		}
		hosts = append(hosts, host)
	}
	for _, host := range hosts {
		if err := l.phishingHost(host, allowed[host.identity]); err != nil {
			return err
		}
	}
	return nil
}

// phishingHost yields a host. It is allowed if any allowlist has it.
func (l *reader) phishingHost(host phishingHost, allowed bool) error {
	switch {
	case host.err != nil:
		return l.refuse(host.line, host.err)
	case allowed:
		return l.found(host.line, host.identity, asset.StatusAllowed)
	default:
		return l.found(host.line, host.identity, asset.StatusBlocked)
	}
}
