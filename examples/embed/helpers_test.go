package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// program is a running program.
type program struct {
	url string
	// printed is the output up to the URL.
	printed string
	log     *syncBuffer
	stop    func()
}

// syncBuffer is a buffer for concurrent use.
type syncBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *syncBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *syncBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// start runs the program on a free port and waits until it listens. It stops at the end of
// the test.
func start(t *testing.T, file string) program {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	done := make(chan error, 1)
	log := new(syncBuffer)
	go func() {
		err := run(ctx, []string{"-addr", "127.0.0.1:0", "-db", file}, in, log)
		in.CloseWithError(errors.Join(err, io.EOF))
		done <- err
	}()
	p := program{log: log, stop: sync.OnceFunc(func() {
		cancel()
		require.NoError(t, <-done, log.String())
	})}
	t.Cleanup(p.stop)
	p.printed, p.url = readUntilListening(t, out)
	return p
}

func readUntilListening(t *testing.T, out io.Reader) (printed, url string) {
	t.Helper()
	var text strings.Builder
	buffer := make([]byte, 4096)
	for {
		n, err := out.Read(buffer)
		text.Write(buffer[:n])
		if line := regexp.MustCompile(`(?m)^listening on (http://\S+)\n`).FindStringSubmatch(text.String()); line != nil {
			return text.String(), line[1]
		}
		require.NoError(t, err, "the program stopped; it printed:\n%s", text.String())
	}
}

// token returns the printed token with a name.
func (p program) token(t *testing.T, name string) string {
	t.Helper()
	line := regexp.MustCompile(`(?m)^export ` + name + `=(desk_\w+)$`).FindStringSubmatch(p.printed)
	require.NotNil(t, line, p.printed)
	return line[1]
}

// call sends a request and returns the reply. An empty token is not sent.
func (p program) call(t *testing.T, method, path, token, body string) (status int, header http.Header, reply string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, p.url+path, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, response.Header, string(text)
}

// newFile returns the path of a file that does not exist. The name looks like it has
// settings.
func newFile(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "a desk?mode=memory.db")
}

// open opens the database of a running program.
func open(t *testing.T, file string) *sql.DB {
	t.Helper()
	db, err := openDatabase(t.Context(), file)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}
