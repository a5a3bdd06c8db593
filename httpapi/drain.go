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

// mustDrain reports whether the body of a request that is refused unread must be read. HTTP/2
// ends a stream without losing the response. A client that expects the status 100 has sent
// no body yet. Reading a part of a body that is far too large does not help.
func mustDrain(r *http.Request) bool {
	return r.ProtoMajor < 2 && r.Body != nil && r.Body != http.NoBody &&
		r.ContentLength <= 2*maxDrain && r.Header.Get("Expect") == ""
}

// drain reads the rest of the body of a request that is refused, and returns how long that
// took. Simple clients read no response before they have sent the whole body. If the server
// closed the connection before, they would not see the response.
func (a *API) drain(w *responseWriter) time.Duration {
	if w.unread == nil || a.load.BeginDrain(w.info.ClientAddr) != nil {
		return 0
	}
	defer a.load.EndDrain(w.info.ClientAddr)
	began := time.Now()
	control := http.NewResponseController(w.ResponseWriter)
	part := make([]byte, drainPart)
	for read := 0; read < maxDrain; {
		deadline := time.Now().Add(drainPause)
		if end := began.Add(drainTime); end.Before(deadline) {
			deadline = end
		}
		if control.SetReadDeadline(deadline) != nil {
			return time.Since(began) // a client could take forever
		}
		n, err := w.unread.Read(part)
		read += n
		if errors.Is(err, io.EOF) {
			// The connection stays open. The deadline must not end its next request.
			_ = control.SetReadDeadline(time.Time{}) // it was supported before
			return time.Since(began)
		}
		if err != nil {
			break
		}
	}
	w.Header().Set("Connection", "close")
	return time.Since(began)
}
