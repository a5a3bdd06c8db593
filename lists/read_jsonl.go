package lists

import "github.com/go-json-experiment/json"

// readJSONLines reads a list with one JSON object on each line. It ignores other members
// than those of a record.
func (l *reader) readJSONLines() error {
	return l.each(func(line []byte) error {
		var r *record
		if err := json.Unmarshal(line, &r); err != nil || r == nil {
			return l.refuse(l.lines.number, string(line), ErrMalformed)
		}
		return l.record(l.lines.number, *r)
	})
}
