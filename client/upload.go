package client

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// upload returns a call that sends a file, which changes something and takes no idempotency key.
func upload(path string, query url.Values, from io.Reader) call {
	source := &file{reader: from}
	if seeker, ok := from.(io.Seeker); ok {
		if start, err := seeker.Seek(0, io.SeekCurrent); err == nil { // else it is a pipe
			source.seeker, source.start = seeker, start
		}
	}
	return call{method: http.MethodPost, path: path, query: query, once: true, file: source}
}

// file is the body of a call that is read while it is sent. A nil file is none.
type file struct {
	reader io.Reader
	// seeker is the reader if it can be read again from the start, or nil.
	seeker io.Seeker
	start  int64
	// reading is locked while the reader is read, which an HTTP client may still do after it has returned.
	reading sync.Mutex
	// failed is the error of the reader, other than io.EOF.
	failed atomic.Pointer[error]
}

// repeatable reports whether the file, which has been sent, can be sent again.
func (f *file) repeatable() bool { return f == nil || f.seeker != nil }

// err returns the error of the reader, or nil.
func (f *file) err() error {
	if f == nil || f.failed.Load() == nil {
		return nil
	}
	return *f.failed.Load()
}

// open returns the body of an attempt, from the start of the file.
func (f *file) open(watch *watch, timeout, wait time.Duration) (*sending, error) {
	if f.seeker != nil {
		f.reading.Lock()
		defer f.reading.Unlock()
		if _, err := f.seeker.Seek(f.start, io.SeekStart); err != nil {
			return nil, err
		}
	}
	return &sending{file: f, watch: watch, timeout: timeout, wait: wait}, nil
}

// sending is a file in an attempt.
type sending struct {
	file  *file
	watch *watch
	// timeout is how long a part of the file may wait for the server to take it, and wait how much longer the server
	// may take after the last one.
	timeout, wait time.Duration
	// closed is true when the attempt does not need the file any more.
	closed atomic.Bool
}

// Read implements [io.Reader]. The time that the file takes does not count as silence of the server.
func (s *sending) Read(p []byte) (int, error) {
	s.file.reading.Lock()
	defer s.file.reading.Unlock()
	if s.closed.Load() {
		return 0, io.ErrClosedPipe
	}
	s.watch.timer.Stop()
	n, err := s.file.reader.Read(p)
	limit := s.timeout
	switch {
	case errors.Is(err, io.EOF):
		limit += s.wait
	case err != nil:
		s.file.failed.Store(&err)
	}
	if !s.closed.Load() {
		s.watch.timer.Reset(limit)
	}
	return n, err
}

// Close implements [io.Closer]. It does not close the file.
func (s *sending) Close() error {
	s.closed.Store(true)
	return nil
}
