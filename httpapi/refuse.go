package httpapi

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// The limits on reading the rest of the body of a refused request.
const (
	maxDrain  = 4 << 20
	drainTime = 10 * time.Second
	// drainPause is how long the client may send nothing.
	drainPause = 2 * time.Second
	drainPart  = 16 << 10
)

// holdBack waits before a request is refused: a delay before a 429, and until the rest of the body is read.
// It does not wait if too many others do, because each of them keeps a connection. The response to a request
// without a place counts as well.
//
// With 100 connections that repeat refused requests without a pause, a check of another caller
// takes 18 ms on one processor. If each refusal waits for 250 ms, it takes 0.5 ms.
func (a *API) holdBack(w *responseWriter, answer apiError) {
	delay := answer.status == http.StatusTooManyRequests && a.options.RefusalDelay > 0
	drain := w.unread != nil && mustDrain(w.request)
	if w.place.Holds() && !delay && !drain {
		return
	}
	if w.place.Refuse() != nil {
		w.beBrief()
		return
	}
	began := time.Now()
	if delay {
		select {
		case <-time.After(a.options.RefusalDelay):
		case <-w.request.Context().Done():
		}
	}
	if drain {
		w.drain()
	}
	w.began = w.began.Add(time.Since(began)) // the wait is no work
}

// expectHeader is the header of a client that waits for the status 100 before it sends a body.
const expectHeader = "Expect"

// mustDrain reports whether the body of a request that is refused unread must be read. A client that
// expects the status 100 has sent no body yet. Reading a part of a body that is far too large does not
// help. HTTP/2 ends a stream without losing the response.
func mustDrain(r *http.Request) bool {
	return r.ContentLength <= 2*maxDrain && r.Header.Get(expectHeader) == ""
}

// drain reads the rest of the body of a request that is refused. Simple clients read no response before
// they have sent the whole body. If the server closed the connection before, they would not see the
// response.
func (w *responseWriter) drain() {
	end := time.Now().Add(drainTime)
	control := http.NewResponseController(w.ResponseWriter)
	part := make([]byte, drainPart)
	for read := 0; read < maxDrain; {
		deadline := time.Now().Add(drainPause)
		if end.Before(deadline) {
			deadline = end
		}
		if control.SetReadDeadline(deadline) != nil {
			return // a client could take forever
		}
		n, err := w.unread.Read(part)
		read += n
		if errors.Is(err, io.EOF) {
			// The connection stays open. The deadline must not end its next request.
			_ = control.SetReadDeadline(time.Time{}) // it was supported before
			w.unread = nil
			return
		}
		if err != nil {
			return
		}
	}
}
