package lists

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/apguard/apguard/asset"
)

// separators are the characters that can separate the fields of a CSV file.
const separators = ",;\t"

// csvColumns are the columns that Read uses.
type csvColumns struct {
	// contents are the names of the columns of contents. The first one that is not empty counts.
	contents []string
	index    map[string]int
}

// record returns the record of some fields.
func (c *csvColumns) record(fields []string) record {
	field := func(name string) string {
		if i, has := c.index[name]; has && i < len(fields) {
			return strings.TrimSpace(fields[i])
		}
		return ""
	}
	r := record{Type: field("type"), Status: strings.ToUpper(field("status"))}
	for _, name := range c.contents {
		if r.Content = field(name); r.Content != "" {
			break
		}
	}
	return r
}

// header reads the header. Comments may be before it, and the last of them that can be one is the
// header if the first record is not.
func (c *csvReader) header(column string) (*csvColumns, error) {
	var columns *csvColumns
	for {
		first := &heldRecord{line: c.lines.number + 1}
		first.text, first.err = c.text(true)
		isEnd := errors.Is(first.err, ErrMalformed) || errors.Is(first.err, ErrLineTooLong) || errors.Is(first.err, io.EOF)
		switch {
		case first.err != nil && !isEnd:
			return nil, first.err
		case first.err == nil && first.text == nil: // a blank line
			continue
		}
		found, separator, err := columnsOf(first.text, column)
		if isComment(first.text) {
			if found != nil && err == nil {
				columns, c.separators = found, string(separator)
			}
			continue
		}
		switch {
		case found != nil:
			columns, c.separators = found, string(separator)
		case columns != nil:
			c.held = first
		default:
			err = noColumn(column)
		}
		return columns, err
	}
}

// noColumn is the error of a header without a column of contents.
func noColumn(column string) error {
	if column == "" {
		column = "content"
	}
	var issues asset.Issues
	issues.Add("header", "must have the column "+column)
	return issues.Err()
}

// columnsOf returns the columns of a header and their separator: the first one that makes a column
// of contents. It returns nil if none does. A header may be a comment.
func columnsOf(header []byte, column string) (*csvColumns, byte, error) {
	header = bytes.TrimLeft(header, "# \t")
	for _, separator := range []byte(separators) {
		names, err := parseRecord(header, separator)
		if err != nil {
			continue
		}
		for i, name := range names {
			names[i] = strings.ToLower(strings.TrimSpace(name))
		}
		for _, contents := range contentColumns(column) {
			if slices.ContainsFunc(contents, func(name string) bool { return slices.Contains(names, name) }) {
				columns, err := newColumns(names, contents)
				return columns, separator, err
			}
		}
	}
	return nil, 0, nil
}

// contentColumns returns the columns that can have the contents, by preference: the one that was
// asked for, or those of apguard, or else the one of URLhaus and PhishTank.
func contentColumns(column string) [][]string {
	if column != "" {
		return [][]string{{strings.ToLower(strings.TrimSpace(column))}}
	}
	return [][]string{{"content", "canonical"}, {"url"}}
}

func newColumns(names, contents []string) (*csvColumns, error) {
	var issues asset.Issues
	columns := &csvColumns{contents: contents, index: make(map[string]int)}
	for i, name := range names {
		if name != "type" && name != "status" && !slices.Contains(contents, name) {
			continue
		}
		_, duplicate := columns.index[name]
		issues.Check(!duplicate, "header", "must have the column "+name+" only once")
		columns.index[name] = i
	}
	return columns, issues.Err()
}
