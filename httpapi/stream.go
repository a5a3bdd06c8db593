package httpapi

import (
	"net/http"

	"github.com/apguard/apguard/httpapi/limit"
)

// stream sends a response in parts while it is being made.
type stream struct {
	w *responseWriter
	c call
	// part has what is not sent yet.
	part  []byte
	begun bool
}

func newStream(w *responseWriter, c call) *stream {
	return &stream{w: w, c: c, part: make([]byte, 0, partSize+partSize/4)}
}

// Write implements [io.Writer]. It never fails.
func (s *stream) Write(text []byte) (int, error) {
	if len(s.part) == 0 && len(text) >= partSize {
		s.send(text)
		return len(text), nil
	}
	s.part = append(s.part, text...)
	s.sendFull()
	return len(text), nil
}

// sendFull sends the part if it is large enough.
func (s *stream) sendFull() {
	if len(s.part) >= partSize {
		s.send(s.part)
		s.part = s.part[:0]
	}
}

// send sends a part. The time that the client takes does not count against the service.
func (s *stream) send(part []byte) {
	if !s.begun {
		s.w.WriteHeader(http.StatusOK)
		s.begun = true
	}
	s.c.work.Pause()
	defer s.c.work.Resume()
	sendOrAbort(s.w, part)
	s.w.clearDeadline()
}

// fail returns an error that occurs before the first part is sent. After that it can only
// abort the connection, which tells the client that the response is incomplete.
func (s *stream) fail(err error) error {
	if !s.begun {
		return err
	}
	s.w.recordError(limit.Cause(s.c.Context(), err))
	panic(http.ErrAbortHandler)
}

// end sends the rest.
func (s *stream) end() {
	if !s.begun {
		s.w.write(http.StatusOK, s.part)
		return
	}
	sendOrAbort(s.w, s.part)
	s.w.complete = true
}

// sendOrAbort sends a part of a stream. It aborts the connection if the client is gone or
// does not read.
func sendOrAbort(w *responseWriter, part []byte) {
	if w.send(part) != nil {
		panic(http.ErrAbortHandler)
	}
}
