package main

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestNewLogger(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		log  func(*slog.Logger)
		wait time.Duration
		want string // the messages that are written
	}{
		"a line that waits":                     {func(l *slog.Logger) { l.Info("a") }, logDelay - 1, ""},
		"a line that has waited":                {func(l *slog.Logger) { l.Info("a") }, logDelay, "a"},
		"lines that are written together":       {func(l *slog.Logger) { l.Info("a"); l.Info("b") }, logDelay, "a b"},
		"a warning, after the line before it":   {func(l *slog.Logger) { l.Info("a"); l.Warn("b"); l.Info("c") }, 0, "a b"},
		"an error with attributes, in a group":  {func(l *slog.Logger) { l.With("k", 1).WithGroup("g").Error("a") }, 0, "a"},
		"a line after one that was written":     {func(l *slog.Logger) { l.Info("a"); time.Sleep(2 * logDelay); l.Info("b") }, logDelay, "a b"},
		"more lines than may wait":              {func(l *slog.Logger) { l.Info(strings.Repeat("a", maxLogWaiting)) }, 0, strings.Repeat("a", maxLogWaiting)},
		"what is below the level is not logged": {func(l *slog.Logger) { l.Debug("a") }, logDelay, ""},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var written bytes.Buffer
				logger, flush := newLogger(&written)
				test.log(logger)
				time.Sleep(test.wait) // the clock of the bubble
				synctest.Wait()
				require.Equal(t, test.want, messages(written.String()))
				flush()
			})
		})
	}
}

// messages returns the messages of a log, separated by spaces.
func messages(log string) string {
	var found []string
	for line := range strings.Lines(log) {
		_, message, _ := strings.Cut(strings.TrimSpace(line), " msg=")
		message, _, _ = strings.Cut(message, " ")
		found = append(found, message)
	}
	return strings.Join(found, " ")
}

func TestNewLogger_End(t *testing.T) {
	t.Parallel()
	var written bytes.Buffer
	logger, flush := newLogger(&written)
	logger.Info("last words")
	flush()
	require.Contains(t, written.String(), "last words")
}

// A log that cannot be written for a while goes on afterwards.
func TestNewLogger_Fails(t *testing.T) {
	t.Parallel()
	var written bytes.Buffer
	to := &switching{Writer: &written, fails: true}
	logger, _ := newLogger(to)
	logger.Error("lost")
	to.fails = false
	logger.Error("kept")
	require.Equal(t, "kept", messages(written.String()))
}

// switching is a Writer that can fail.
type switching struct {
	io.Writer
	fails bool
}

func (s *switching) Write(data []byte) (int, error) {
	if s.fails {
		return 0, errors.New("no space left")
	}
	return s.Writer.Write(data)
}
