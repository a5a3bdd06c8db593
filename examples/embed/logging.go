package main

import (
	"crypto/rand"
	"log/slog"
	"net/http"
	"time"
)

// logRequests names each request, in the header X-Request-Id of its reply, and
// writes a line for it, also when its connection is broken on purpose. The
// operations take the name from there and write a line of their own with it. The
// line tells no header of the request, where the tokens are, and no query.
func logRequests(logger *slog.Logger) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Request-Id", rand.Text())
			seen := &recorder{ResponseWriter: w, status: http.StatusOK}
			defer logRequest(logger, r, seen, time.Now()) // a panic passes: only net/http breaks connections
			next.ServeHTTP(seen, r)
		})
	}
}

// maxLogged bounds what a client can put into the log by its method and its path.
const maxLogged = 256

func logRequest(logger *slog.Logger, r *http.Request, seen *recorder, begin time.Time) {
	method, path := r.Method, r.URL.Path
	logger.InfoContext(r.Context(), "request", "id", seen.Header().Get("X-Request-Id"),
		"method", method[:min(len(method), maxLogged)], "path", path[:min(len(path), maxLogged)],
		"status", seen.status, "bytes", seen.bytes, "took", time.Since(begin))
}

// recorder remembers what passes through to a client.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// WriteHeader remembers the status.
func (s *recorder) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes.
func (s *recorder) Write(b []byte) (int, error) {
	n, err := s.ResponseWriter.Write(b)
	s.bytes += int64(n)
	return n, err
}

// Unwrap lets [http.ResponseController] through to the connection: the operations
// flush each part of a reply and set its deadline.
func (s *recorder) Unwrap() http.ResponseWriter {
	return s.ResponseWriter
}
