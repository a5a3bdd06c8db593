package httpapi

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
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
func (a *API) writeReply(w http.ResponseWriter, body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encode reply: %w", err)
	}
	a.write(w, http.StatusOK, text)
	return nil
}

// writeRefusal answers with a refusal, whose body is made by the given function.
func (a *API) writeRefusal(w http.ResponseWriter, answer refusal, body func(refusal) any) {
	text, _ := json.Marshal(body(answer)) // fails on invalid UTF-8, which no refusal has
	if answer.status == http.StatusUnauthorized && w.Header().Get("WWW-Authenticate") == "" {
		w.Header().Set("WWW-Authenticate", "ApiKey") // RFC 9110, section 15.5.2, demands a challenge
	}
	a.write(w, answer.status, text)
}

// write sends a whole reply, unless the client stops to take it.
func (a *API) write(w http.ResponseWriter, status int, text []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	for part := range slices.Chunk(text, partSize) {
		if a.send(w, part) != nil {
			return
		}
	}
	endDeadline(w)
}

// partSize is how many bytes of a reply are sent together.
const partSize = 32 << 10

// send writes a part of a reply and sees that it leaves. The error is that of the
// connection, also when the client does not take the part in time.
func (a *API) send(w http.ResponseWriter, part []byte) error {
	controller := http.NewResponseController(w)
	if err := controller.SetWriteDeadline(time.Now().Add(a.writeTimeout)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := w.Write(part); err != nil {
		return err
	}
	if err := controller.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}

// endDeadline follows the last part of a reply. The connection may live on, and
// net/http sets a deadline anew for its next request only if the server has one
// of its own.
func endDeadline(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{}) // fails where there was none to set
}

// timestamp returns t as every reply writes it: RFC 3339 in UTC with milliseconds.
func timestamp(t time.Time) string {
	return t.UTC().Format(timestampLayout)
}

const timestampLayout = "2006-01-02T15:04:05.000Z"
