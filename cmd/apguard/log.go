package main

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

const (
	// logDelay is how long a line below the level WARN may wait for others. They are written together, because a
	// system call for the line of each request takes a tenth of the time of a check from memory.
	logDelay = 100 * time.Millisecond
	// maxLogWaiting is the size in bytes of lines that wait, beyond which they are written at once.
	maxLogWaiting = 64 << 10
)

// newLogger returns a logger, and the function that writes the lines that wait, which must be called at the end.
func newLogger(to io.Writer) (*slog.Logger, func()) {
	lines := &logLines{to: to}
	return slog.New(logHandler{slog.NewTextHandler(lines, nil), lines}), lines.flush
}

// logHandler writes warnings and errors at once, after the lines before them.
type logHandler struct {
	slog.Handler
	lines *logLines
}

// Handle implements [slog.Handler].
func (h logHandler) Handle(ctx context.Context, record slog.Record) error {
	err := h.Handler.Handle(ctx, record)
	if record.Level >= slog.LevelWarn {
		h.lines.flush()
	}
	return err
}

// WithAttrs implements [slog.Handler].
func (h logHandler) WithAttrs(attributes []slog.Attr) slog.Handler {
	return logHandler{h.Handler.WithAttrs(attributes), h.lines}
}

// WithGroup implements [slog.Handler].
func (h logHandler) WithGroup(name string) slog.Handler {
	return logHandler{h.Handler.WithGroup(name), h.lines}
}

// logLines are lines that wait. It is safe for concurrent use.
type logLines struct {
	to io.Writer

	mu        sync.Mutex
	waiting   []byte
	scheduled bool
}

// Write adds a line. It never fails: there is nobody to tell that the log cannot be written.
func (l *logLines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = append(l.waiting, line...)
	if len(l.waiting) >= maxLogWaiting {
		l.write()
	} else if !l.scheduled {
		l.scheduled = true
		time.AfterFunc(logDelay, l.flush)
	}
	return len(line), nil
}

// flush writes the lines that wait.
func (l *logLines) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.scheduled = false
	l.write()
}

// write is flush for a caller that holds the lock.
func (l *logLines) write() {
	if len(l.waiting) > 0 {
		_, _ = l.to.Write(l.waiting)
		l.waiting = l.waiting[:0]
	}
}
