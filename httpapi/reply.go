package httpapi

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/apguard/apguard/account"
)

// partSize is how many bytes of a reply are sent together.
const partSize = 32 << 10

// reply writes the reply to one request and keeps the account of both.
type reply struct {
	http.ResponseWriter
	// request is the one that is answered. Its context knows its name.
	request *http.Request
	// timeout is how long the client may take to accept a part.
	timeout  time.Duration
	began    time.Time
	exchange Exchange
	// whole says that the reply came to its end, and late that the client did not
	// take a part in time.
	whole, late bool
}

// begin begins the reply with what every reply has: the name of the request; it
// is what its type says it is, and nobody keeps it.
func (a *API) begin(w http.ResponseWriter, r *http.Request, operation string) *reply {
	began := time.Now()
	id := RequestID(r.Context())
	header := w.Header()
	header.Set(requestIDHeader, id)
	header.Set("Content-Type", "application/json")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-store")
	begun := &reply{
		ResponseWriter: w,
		request:        r,
		timeout:        a.writeTimeout,
		began:          began,
		exchange:       Exchange{ID: id, Operation: operation, Method: knownMethod(r.Method)},
	}
	begun.rest()
	return begun
}

// rest takes the deadline away while there is nothing to send. Over HTTP/2 a deadline
// that passes ends the stream also then, and the time that the service takes is not
// the client's.
func (w *reply) rest() {
	if w.request.ProtoMajor >= 2 {
		_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Time{}) // fails where there is none to set
	}
}

// awaitBody sets the deadline for what net/http writes when the body is asked for:
// over HTTP/1, that the client may send it.
func (w *reply) awaitBody() {
	if w.request.ProtoMajor < 2 {
		_ = w.limit() // fails where there is none to set
	}
}

// limit gives the client its time to accept what is written next.
func (w *reply) limit() error {
	return http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(w.timeout))
}

// WriteHeader implements [http.ResponseWriter].
func (w *reply) WriteHeader(status int) {
	w.exchange.Status = status
	w.ResponseWriter.WriteHeader(status)
}

// caller notes whom the request speaks for.
func (w *reply) caller(p account.Principal) {
	w.exchange.OrganizationID = p.OrganizationID
	w.exchange.UserID = p.UserID
	w.exchange.Fingerprint = p.Fingerprint
}

// conceal notes an error that the client is not told, unless the client has left
// and the error is most likely the end of its request.
func (w *reply) conceal(err error) {
	if clientGone(w.request) {
		w.exchange.ClientGone = true
		return
	}
	w.exchange.Err = errors.Join(w.exchange.Err, err)
}

// accept answers 200 with a body. When it returns an error, it has written
// nothing. That the client does not take the reply is no error.
func (w *reply) accept(body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encode reply: %w", err)
	}
	w.write(http.StatusOK, text)
	return nil
}

// refuse answers with a refusal, whose body is made by the given function.
func (w *reply) refuse(answer refusal, body func(refusal) any) {
	text, _ := json.Marshal(body(answer)) // fails on invalid UTF-8, which no refusal has
	if answer.status == http.StatusUnauthorized && w.Header().Get("WWW-Authenticate") == "" {
		w.Header().Set("WWW-Authenticate", "ApiKey") // RFC 9110, section 15.5.2, demands a challenge
	}
	w.write(answer.status, text)
}

// write sends a whole reply, unless the client stops to take it.
func (w *reply) write(status int, text []byte) {
	w.exchange.ClientGone = w.exchange.ClientGone || clientGone(w.request)
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	for part := range slices.Chunk(text, partSize) {
		if w.send(part) != nil {
			return
		}
	}
	w.whole = true
}

// send sends a part of a reply and sees that it leaves. The error is that of the
// connection, also when the client does not take the part in time. The deadline of
// the last part stays, because net/http writes the end of a stream after it. For
// the next request on the connection, net/http takes it away.
func (w *reply) send(part []byte) error {
	if err := w.limit(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	n, err := w.Write(part)
	if w.request.Method != http.MethodHead {
		w.exchange.Sent += int64(n)
	}
	if err == nil {
		if err = http.NewResponseController(w.ResponseWriter).Flush(); errors.Is(err, http.ErrNotSupported) {
			return nil
		}
	}
	w.late = errors.Is(err, os.ErrDeadlineExceeded)
	return err
}

// timestamp returns t as every reply writes it: RFC 3339 in UTC with milliseconds.
func timestamp(t time.Time) string {
	return t.UTC().Format(timestampLayout)
}

const timestampLayout = "2006-01-02T15:04:05.000Z"
