package httpapi

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
)

// setCommonHeaders sets what every reply has: it is what its type says it is, and
// nobody keeps it.
func setCommonHeaders(header http.Header) {
	header.Set("Content-Type", "application/json")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-store")
}

// writeReply answers 200 with a body. When it returns an error, it has written
// nothing. That the client does not take the reply is no error.
func writeReply(w http.ResponseWriter, body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encode reply: %w", err)
	}
	write(w, http.StatusOK, text)
	return nil
}

// writeRefusal answers with a refusal, whose body is made by the given function.
func writeRefusal(w http.ResponseWriter, answer refusal, body func(refusal) any) {
	text, _ := json.Marshal(body(answer)) // fails on invalid UTF-8, which no refusal has
	write(w, answer.status, text)
}

func write(w http.ResponseWriter, status int, text []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

// timestamp returns t as every reply writes it: RFC 3339 in UTC with milliseconds.
func timestamp(t time.Time) string {
	return t.UTC().Format(timestampLayout)
}

const timestampLayout = "2006-01-02T15:04:05.000Z"
