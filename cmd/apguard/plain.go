package main

import (
	"strconv"
	"strings"
	"time"
)

// plain quotes a text that could be read as several columns or as a terminal's control
// sequence.
func plain(text string) string {
	quoted := strconv.Quote(text)
	switch {
	case text == "":
		return "-"
	case quoted != `"`+text+`"`, text == "-", strings.Contains(text, " "):
		return quoted
	default:
		return text
	}
}

func number(id int64) string {
	if id == 0 {
		return "-"
	}
	return strconv.FormatInt(id, 10)
}

// joined returns a list in one column.
func joined[T ~string](values []T) string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = string(value)
	}
	return plain(strings.Join(texts, ","))
}

// minute returns the time to the minute, in UTC.
func minute(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02T15:04Z")
}
