package lists

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"github.com/apguard/apguard/asset"
)

// readCSV reads a CSV file (RFC 4180), which commas, semicolons or tabs may separate. Its header names
// the column of the contents, and may have the columns type, status and expiresAt, in any order and letter case.
// It ignores other columns, even duplicate ones. A line that begins with # is a comment. If the first
// record is not a header, the last comment before it is one, as in the files of URLhaus.
func (l *reader) readCSV() error {
	layout, first, err := l.csvLayout()
	if err != nil {
		return err
	}
	for {
		row := csvRow{line: l.lines.number + 1}
		if first != nil {
			row, first = *first, nil
		} else {
			row.text, err = l.csvText(layout.separator)
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, ErrMalformed), errors.Is(err, ErrLineTooLong):
			err = l.refuse(row.line, "", err)
		case err == nil && len(row.text) > 0 && !isCSVComment(row.text):
			err = l.csvRow(row, layout)
		}
		if err != nil {
			return err
		}
	}
}

// csvRow yields the entry of a row.
func (l *reader) csvRow(row csvRow, layout csvLayout) error {
	fields, err := parseRecord(row.text, layout.separator[0])
	if err != nil {
		return l.refuse(row.line, "", err)
	}
	field := func(name string) string {
		if i, has := layout.columns[name]; has && i < len(fields) {
			return strings.TrimSpace(fields[i])
		}
		return ""
	}
	r := record{field("content"), field("canonical"), field("type"), field("status"), field("expiresat")}
	if l.opts.Column != "" && !asset.Type(r.Type).Valid() {
		r.Type = "" // a column of another meaning
	}
	return l.record(row.line, r)
}

// csvLayout says how a CSV file is to be read.
type csvLayout struct {
	separator string
	// columns has the index of each column that Read uses.
	columns map[string]int
}

// csvRow is the text of a row.
type csvRow struct {
	line int
	text []byte
}

// csvSeparators are the separators, in the order in which a header is tried with them.
const csvSeparators = ",;\t"

// csvLayout reads the header. It also returns the first row, if it had to be read.
func (l *reader) csvLayout() (csvLayout, *csvRow, error) {
	var inComment *csvLayout
	for {
		line := l.lines.number + 1
		text, err := l.csvText(csvSeparators)
		switch {
		case errors.Is(err, ErrMalformed), errors.Is(err, ErrLineTooLong), errors.Is(err, io.EOF):
			_, err = l.layoutOf(nil)
			return csvLayout{}, nil, err
		case err != nil:
			return csvLayout{}, nil, err
		case len(text) == 0:
			continue
		}
		comment := isCSVComment(text)
		header := text
		if comment {
			header = bytes.TrimLeft(text, "# \t")
		}
		layout, err := l.layoutOf(header)
		switch {
		case comment && err == nil:
			inComment = &layout
		case comment:
		case err == nil:
			return layout, nil, nil
		case inComment != nil:
			return *inComment, &csvRow{line, text}, nil
		default:
			return csvLayout{}, nil, err
		}
	}
}

// isCSVComment reports whether the text of a record is a comment.
func isCSVComment(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(text, " \t"), []byte("#"))
}

// layoutOf returns the layout that a header gives, with the first separator that makes it one. The
// error is that of the separator that makes the most columns.
func (l *reader) layoutOf(header []byte) (csvLayout, error) {
	_, missing := l.columnsOf(nil)
	most := 0
	for at := range len(csvSeparators) {
		fields, err := parseRecord(header, csvSeparators[at])
		if err != nil {
			continue
		}
		columns, err := l.columnsOf(fields)
		if err == nil {
			return csvLayout{csvSeparators[at : at+1], columns}, nil
		}
		if len(fields) > most {
			most, missing = len(fields), err
		}
	}
	return csvLayout{}, missing
}

// columnsOf returns the index of each column that Read uses.
func (l *reader) columnsOf(header []string) (map[string]int, error) {
	var issues asset.Issues
	columns := make(map[string]int)
	wanted := strings.ToLower(strings.TrimSpace(l.opts.Column))
	for i, name := range header {
		name = strings.ToLower(strings.TrimSpace(name))
		switch {
		case name == wanted && wanted != "":
			name = "content"
		case name == "type", name == "status", name == "expiresat":
		case wanted == "" && (name == "content" || name == "canonical" || name == "url"):
		default:
			continue
		}
		if _, duplicate := columns[name]; duplicate {
			issues.Add("header", "must have the column "+name+" only once")
		}
		columns[name] = i
	}
	_, content := columns["content"]
	_, canonical := columns["canonical"]
	if url, has := columns["url"]; has && !content && !canonical {
		columns["content"], content = url, true
	}
	message := "must have the column content, canonical or url"
	if wanted != "" {
		message = "must have the column " + wanted
	}
	issues.Check(content || canonical, "header", message)
	return columns, issues.Err()
}

// csvText returns the text of the next record, none for a blank line. A quoted field may contain line
// breaks, but a comment ends with its line. A record that is too long is skipped to its end. If a quote
// is never closed, that is the end of the file.
func (l *reader) csvText(separators string) ([]byte, error) {
	var (
		text    []byte
		tooLong bool
		state   = csvStart
		begun   bool
	)
	l.lines.skipped = func(part []byte) { state = state.after(part, separators) }
	for {
		line, err := l.lines.next()
		switch {
		case errors.Is(err, ErrLineTooLong):
			tooLong = true
		case errors.Is(err, io.EOF) && state == quoted:
			return nil, ErrMalformed
		case err != nil:
			return nil, err
		case !begun && isCSVComment(line):
			return bytes.Clone(line), nil
		default:
			state = state.after(line, separators)
		}
		begun = true
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
	csvStart csvState = iota // of a field
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
			s = csvStart
		default:
			s = unquoted
		}
	}
	return s
}
