package lists

import "bytes"

// readLines reads a list with one asset on each line. A line that begins with # is a
// comment.
func (l *reader) readLines() error {
	return l.each(func(line []byte) error {
		if bytes.HasPrefix(bytes.TrimSpace(line), []byte("#")) {
			return nil
		}
		identity, err := l.identify(string(line))
		if err != nil {
			return l.refuse(l.lines.number, string(line), err)
		}
		return l.found(l.lines.number, identity, l.opts.Status)
	})
}
