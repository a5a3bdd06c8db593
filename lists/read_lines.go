package lists

import (
	"strings"

	"github.com/apguard/apguard/asset"
)

// readLines reads a list with one asset on each line. A # at the start of a line or after white
// space begins a comment.
func (l *reader) readLines() error {
	return l.each(func(line []byte) error {
		text := withoutComment(string(line))
		if text == "" {
			return nil
		}
		identity, err := l.identifyLine(text)
		if err != nil {
			return l.refuse(l.lines.number, string(line), err)
		}
		return l.found(l.lines.number, identity, l.opts.Status)
	})
}

// identifyLine returns the identity of a line without its comment.
func (l *reader) identifyLine(text string) (asset.Identity, error) {
	if l.opts.Refang {
		text = refang(text)
	}
	if entity.MatchString(text) {
		return asset.Identity{}, ErrEntity
	}
	if hasMark(text) {
		return asset.Identity{}, ErrMark
	}
	if domain, had := withoutWildcard(text); had {
		return l.identifyHost(domain)
	}
	return l.identify(text)
}

// withoutComment returns a line without its comment and the white space around the rest.
func withoutComment(line string) string {
	for at := range len(line) {
		if line[at] == '#' && (at == 0 || line[at-1] == ' ' || line[at-1] == '\t') {
			line = line[:at]
			break
		}
	}
	return strings.TrimSpace(line)
}

// hasMark reports whether a text has a # that does not begin a route of a link, "#/" or "#!". A
// filter such as example.com##.ad hides a part of a page, which nobody wants to block.
func hasMark(text string) bool {
	_, after, found := strings.Cut(text, "#")
	return found && !strings.HasPrefix(after, "/") && !strings.HasPrefix(after, "!")
}
