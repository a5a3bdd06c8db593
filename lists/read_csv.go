package lists

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"github.com/apguard/apguard/asset"
)

// readCSV reads a CSV file (RFC 4180). Its header has a column content or canonical, and may
// have the columns type and status, in any order and letter case. It ignores other columns,
// even duplicate ones.
func (l *reader) readCSV() error {
	header, err := l.csvRecord()
	if errors.Is(err, ErrMalformed) || errors.Is(err, ErrLineTooLong) || errors.Is(err, io.EOF) {
		header, err = nil, nil
	}
	if err != nil {
		return err
	}
	columns, err := columnsOf(header)
	if err != nil {
		return err
	}
	for {
		line := l.lines.number + 1
		fields, err := l.csvRecord()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, ErrMalformed), errors.Is(err, ErrLineTooLong):
			err = l.refuse(line, "", err)
		case err == nil && len(fields) > 0:
			field := func(name string) string {
				if i, has := columns[name]; has && i < len(fields) {
					return strings.TrimSpace(fields[i])
				}
				return ""
			}
			err = l.record(line, record{field("content"), field("canonical"), field("type"), field("status")})
		}
		if err != nil {
			return err
		}
	}
}

// columnsOf returns the index of each column that Read uses.
func columnsOf(header []string) (map[string]int, error) {
	var issues asset.Issues
	columns := make(map[string]int)
	for i, name := range header {
		name = strings.ToLower(strings.TrimSpace(name))
		switch name {
		case "content", "canonical", "type", "status":
			if _, duplicate := columns[name]; duplicate {
				issues.Add("header", "must have the column "+name+" only once")
			}
			columns[name] = i
		}
	}
	_, content := columns["content"]
	_, canonical := columns["canonical"]
	issues.Check(content || canonical, "header", "must have the column content")
	return columns, issues.Err()
}

// csvRecord returns the fields of the next record, none for a blank line. A quoted field may
// contain line breaks. A record that is too long is skipped to its end. If a quote is never
// closed, that is the end of the file.
func (l *reader) csvRecord() ([]string, error) {
	var (
		text    []byte
		tooLong bool
		state   = fieldStart
	)
	l.lines.skipped = func(part []byte) { state = state.after(part) }
	for {
		line, err := l.lines.next()
		switch {
		case errors.Is(err, ErrLineTooLong):
			tooLong = true
		case errors.Is(err, io.EOF) && state == quoted:
			return nil, ErrMalformed
		case err != nil:
			return nil, err
		default:
			state = state.after(line)
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
			return parseRecord(text)
		}
	}
}

func parseRecord(text []byte) ([]string, error) {
	parser := csv.NewReader(bytes.NewReader(text))
	parser.FieldsPerRecord = -1
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
func (s csvState) after(part []byte) csvState {
	for _, c := range part {
		switch {
		case s == quoted && c == '"':
			s = quoteInQuoted
		case s == quoted:
		case c == '"' && s != unquoted:
			s = quoted
		case c == ',':
			s = fieldStart
		default:
			s = unquoted
		}
	}
	return s
}
