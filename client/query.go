package client

import (
	"net/url"
	"strconv"
	"time"
)

// setText adds a parameter unless it is empty.
func setText[T ~string](query url.Values, name string, value T) {
	if value != "" {
		query.Set(name, string(value))
	}
}

// setNumber adds a parameter unless it is 0.
func setNumber(query url.Values, name string, value int64) {
	if value != 0 {
		query.Set(name, strconv.FormatInt(value, 10))
	}
}

// setTime adds a parameter unless it is the zero time.
func setTime(query url.Values, name string, value time.Time) {
	if !value.IsZero() {
		query.Set(name, value.UTC().Format(time.RFC3339Nano))
	}
}

// setFlag adds a parameter if it is true.
func setFlag(query url.Values, name string, value bool) {
	if value {
		query.Set(name, "true")
	}
}

// setNumbers adds a parameter for each number.
func setNumbers(query url.Values, name string, values []int64) {
	for _, value := range values {
		query.Add(name, strconv.FormatInt(value, 10))
	}
}

// utf8Text returns the text as a server receives it in JSON: package json replaces each byte that is
// not UTF-8.
func utf8Text(text string) string { return string([]rune(text)) }
