package lists

import "strings"

// readDomains reads a list with one domain on each line. A # begins a comment wherever it is, as
// no host has one.
func (l *reader) readDomains() error {
	return l.each(func(line []byte) error {
		text, _, _ := strings.Cut(string(line), "#")
		if text = strings.TrimSpace(text); text == "" {
			return nil
		}
		domain, _ := withoutWildcard(text)
		identity, err := l.identifyHostOrContent(domain)
		if err != nil {
			return l.refuse(l.lines.number, string(line), err)
		}
		return l.found(l.lines.number, identity, l.opts.Status)
	})
}
