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

// program is one run of the program inside the test.
type program struct {
	url string
	// printed is all that it printed before it listened.
	printed string
	log     *logbook
	stop    func()
}

// logbook is a log that may be read while it is written.
type logbook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logbook) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// start runs the program until it listens. It is stopped at the end of the test.
func start(t *testing.T, file string) program {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	done := make(chan error, 1)
	log := new(logbook)
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

// token returns the token that was printed under a name.
func (p program) token(t *testing.T, name string) string {
	t.Helper()
	line := regexp.MustCompile(`(?m)^export ` + name + `=(desk_\w+)$`).FindStringSubmatch(p.printed)
	require.NotNil(t, line, p.printed)
	return line[1]
}

// call sends a request with a token, if there is one, and returns the reply.
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

// newFile returns the name of a file that does not exist yet. A name like this one
// is a name and holds no settings.
func newFile(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "a desk?mode=memory.db")
}

// look opens the database beside the program.
func look(t *testing.T, file string) *sql.DB {
	t.Helper()
	db, err := openDatabase(t.Context(), file)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}
