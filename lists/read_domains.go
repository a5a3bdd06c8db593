package lists

import (
	"strings"

	"github.com/apguard/apguard/asset"
)

// readDomains reads a list with one host on each line. A # begins a comment, and ! does at the
// beginning of a line, as in filter lists that were reduced to their hosts.
func (l *reader) readDomains() error {
	return l.each(func(line []byte) error {
		text := cutComment(string(line))
		if text == "" || text[0] == '!' {
			return nil
		}
		identity, err := l.domainLine(text)
		if err != nil {
			return l.refuse(l.lines.number, string(line), err)
		}
		return l.found(l.lines.number, identity, l.opts.Status)
	})
}

// domainLine returns the identity of a line, in which a comment may directly follow the host.
func (l *reader) domainLine(text string) (asset.Identity, error) {
	host, behind, found := strings.Cut(text, "#")
	host = l.restore(host)
	switch {
	case hasEntity(text):
		return asset.Identity{}, ErrEntity
	case isCosmetic(text):
		return asset.Identity{}, ErrCosmetic
	case found && (strings.HasPrefix(behind, "/") || strings.HasPrefix(behind, "!")):
		return asset.Identity{}, ErrNotHost // a route
	case isWithSubdomains(host):
		return domainIdentity(host)
	}
	return hostOrContent(host)
}

// hostOrContent returns the asset of a host, or of an IPFS content.
func hostOrContent(text string) (asset.Identity, error) {
	identity, err := hostIdentity(text)
	if err != nil {
		if link, ok := contentLink(text); ok {
			return link, nil
		}
	}
	return identity, err
}
