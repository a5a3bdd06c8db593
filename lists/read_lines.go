package lists

import (
	"strings"

	"github.com/apguard/apguard/asset"
)

// readLines reads a list with one asset on each line. A # begins a comment at the beginning of a line
// or after white space.
func (l *reader) readLines() error {
	return l.each(func(line []byte) error {
		text := cutComment(string(line))
		if text == "" {
			return nil
		}
		identity, err := l.lineIdentity(l.restore(text))
		if err != nil {
			return l.refuse(l.lines.number, string(line), err)
		}
		return l.found(l.lines.number, identity, l.opts.Status)
	})
}

// lineIdentity returns the identity of a line. Filters that hide a part of a page have a # behind the
// host, so only routes of applications may have one.
func (l *reader) lineIdentity(text string) (asset.Identity, error) {
	_, behind, found := strings.Cut(text, "#")
	switch {
	case hasEntity(text):
		return asset.Identity{}, ErrEntity
	case found && !strings.HasPrefix(behind, "/") && !strings.HasPrefix(behind, "!"):
		return asset.Identity{}, ErrFragment
	case isWithSubdomains(text):
		return domainIdentity(text)
	default:
		return l.identify(text, false)
	}
}

// cutComment returns a line without a comment that begins it or follows white space, and without white
// space around it.
func cutComment(line string) string {
	line = strings.TrimSpace(line)
	for at := range len(line) {
		if line[at] == '#' && (at == 0 || line[at-1] == ' ' || line[at-1] == '\t') {
			return strings.TrimSpace(line[:at])
		}
	}
	return line
}
