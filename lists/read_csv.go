package lists

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
)

// readCSV reads a CSV file (RFC 4180) with a header. It ignores columns that Read does not use,
// even duplicate ones.
func (l *reader) readCSV() error {
	c := &csvReader{lines: l.lines, separators: separators}
	columns, err := c.header(l.opts.Column)
	if err != nil {
		return err
	}
	for {
		line, fields, err := c.record()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, ErrMalformed), errors.Is(err, ErrLineTooLong):
			err = l.refuse(line, "", err)
		case err == nil && len(fields) > 0:
			err = l.record(line, columns.record(fields))
		}
		if err != nil {
			return err
		}
	}
}

// csvReader reads the records of a CSV file.
type csvReader struct {
	lines *lineReader
	// separators has the separator of the fields or, within the header, all that are possible.
	separators string
	// held is a record that was read but not returned.
	held *heldRecord
}

// heldRecord is the first line of a record and its text, or why it has none.
type heldRecord struct {
	line int
	text []byte
	err  error
}

// record returns the first line and the fields of the next record, no fields for a blank line.
func (c *csvReader) record() (line int, fields []string, err error) {
	next := c.held
	if c.held = nil; next == nil {
		next = &heldRecord{line: c.lines.number + 1}
		next.text, next.err = c.text(false)
	}
	if next.err != nil || next.text == nil {
		return next.line, nil, next.err
	}
	fields, err = parseRecord(next.text, c.separators[0])
	return next.line, fields, err
}

// text returns the text of the next record, nothing for a blank line. A quoted field may contain
// line breaks. A record that is too long is skipped to its end. If a quote is never closed, that is
// the end of the file. A record of comments ends with its line.
func (c *csvReader) text(comments bool) ([]byte, error) {
	var (
		text    []byte
		tooLong bool
		state   = fieldStart
	)
	c.lines.skipped = func(part []byte) { state = state.after(part, c.separators) }
	for {
		line, err := c.lines.next()
		switch {
		case errors.Is(err, ErrLineTooLong):
			tooLong = true
		case errors.Is(err, io.EOF) && state == quoted:
			return nil, ErrMalformed
		case err != nil:
			return nil, err
		case comments && len(text) == 0 && isComment(line):
		default:
			state = state.after(line, c.separators)
		}
		if tooLong = tooLong || len(text)+len(line) > maxLine; !tooLong {
			text = append(append(text, line...), '\n')
		}
		switch {
		case state == quoted:
		case tooLong:
			return nil, ErrLineTooLong
		case len(bytes.TrimSpace(text)) == 0:
			return nil, nil
		default:
			return text, nil
		}
	}
}

func isComment(line []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(line), []byte("#")) }

func parseRecord(text []byte, separator byte) ([]string, error) {
	parser := csv.NewReader(bytes.NewReader(text))
	parser.FieldsPerRecord = -1
	parser.Comma = rune(separator)
	fields, err := parser.Read()
	if err != nil {
		return nil, ErrMalformed
	}
	return fields, nil
}

// csvState is a state within a record.
type csvState int

const (
	fieldStart csvState = iota
	unquoted
	quoted
	// quoteInQuoted is after a quote that ends a quoted field or is one of two.
	quoteInQuoted
)

// after returns the state after a part of a line.
func (s csvState) after(part []byte, separators string) csvState {
	for _, c := range part {
		switch {
		case s == quoted && c == '"':
			s = quoteInQuoted
		case s == quoted:
		case c == '"' && s != unquoted:
			s = quoted
		case strings.IndexByte(separators, c) >= 0:
			s = fieldStart
		default:
			s = unquoted
		}
	}
	return s
}
