package main

import (
	"crypto/rand"
	"log/slog"
	"net/http"
	"time"
)

// logRequests gives each request an ID in the header X-Request-Id of its reply, and logs a
// line for it, even if its reply is aborted. The operations log a line of their own with
// the same ID. The log contains no request headers, which have the tokens, and no query.
func logRequests(logger *slog.Logger) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Request-Id", rand.Text())
			seen := &recorder{ResponseWriter: w, status: http.StatusOK}
			defer logRequest(logger, r, seen, time.Now()) // it does not recover: net/http aborts the connection on a panic
			next.ServeHTTP(seen, r)
		})
	}
}

// maxLogged limits the bytes of a method or path from a client in the log.
const maxLogged = 256

func logRequest(logger *slog.Logger, r *http.Request, seen *recorder, begin time.Time) {
	method, path := r.Method, r.URL.Path
	logger.InfoContext(r.Context(), "request", "id", seen.Header().Get("X-Request-Id"),
		"method", method[:min(len(method), maxLogged)], "path", path[:min(len(path), maxLogged)],
		"status", seen.status, "bytes", seen.bytes, "took", time.Since(begin))
}

// recorder records the status and size of a reply.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// WriteHeader records the status.
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

// Unwrap gives [http.ResponseController] access to the connection, with which the
// operations flush each part of a reply and set its deadline.
func (s *recorder) Unwrap() http.ResponseWriter {
	return s.ResponseWriter
}
