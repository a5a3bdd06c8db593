package lists

import (
	"strconv"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/wire"
)

// writeCSV writes a CSV file (RFC 4180) with a header.
func (l *writer) writeCSV(source Source) error {
	if _, err := l.out.WriteString("id,type,content,canonical,status,updatedAt,reason,note,since,by,list\n"); err != nil {
		return err
	}
	return l.each(source, l.opts.Statuses, func(line []byte, one asset.Listed) ([]byte, string) {
		line = strconv.AppendInt(line, one.ID, 10)
		line = append(append(append(line, ','), one.Type...), ',')
		line = append(appendField(line, one.Canonical), ',')
		line = append(appendField(line, one.Canonical), ',')
		line = append(append(line, one.Status...), ',')
		line = append(appendTime(line, one.UpdatedAt), ',')
		line = append(append(line, one.Reason...), ',')
		line = append(appendField(line, one.Note), ',')
		line = append(appendTime(line, one.Since), ',')
		line = append(append(line, one.By...), ',')
		return append(appendField(line, one.List), '\n'), ""
	})
}

// appendTime appends a time, or nothing for the zero time.
func appendTime(line []byte, t time.Time) []byte {
	if t.IsZero() {
		return line
	}
	return wire.AppendTime(line, t)
}

// appendField appends a field, in quotes if it needs them.
func appendField(line []byte, text string) []byte {
	if !strings.ContainsAny(text, "\",\r\n") && strings.TrimSpace(text) == text {
		return append(line, text...)
	}
	line = append(line, '"')
	line = append(line, strings.ReplaceAll(text, `"`, `""`)...)
	return append(line, '"')
}

// writeJSONLines writes one JSON object for each asset.
func (l *writer) writeJSONLines(source Source) error {
	return l.each(source, l.opts.Statuses, func(line []byte, one asset.Listed) ([]byte, string) {
		return append(AppendJSON(line, one), '\n'), ""
	})
}

// AppendJSON appends an asset as a JSON object with the members id, type, content, canonical,
// status and updatedAt, and those of its [asset.Basis]: reason, note, since, by and list. What there is
// not is null.
func AppendJSON(line []byte, one asset.Listed) []byte {
	line = append(line, `{"id":`...)
	line = strconv.AppendInt(line, one.ID, 10)
	line = append(append(line, `,"type":"`...), one.Type...)
	line = append(line, `","content":`...)
	start := len(line)
	line = wire.AppendText(line, one.Canonical)
	end := len(line)
	line = append(line, `,"canonical":`...)
	line = append(line, line[start:end]...)
	line = append(append(line, `,"status":"`...), one.Status...)
	line = wire.AppendTimeOrNull(append(line, `","updatedAt":`...), one.UpdatedAt)
	return append(wire.AppendBasis(line, one.Basis), '}')
}
