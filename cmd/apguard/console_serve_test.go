package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/console"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
)

// addEntry adds an entry with an end to the allowlist of the demo.
func addEntry(t *testing.T, store storage.Store, now, end time.Time) {
	t.Helper()
	guard := apguard.New(store, apguard.Options{Clock: func() time.Time { return now }})
	_, err := guard.Allowlist.Add(t.Context(), allowlist.AddRequest{
		OrganizationID: consoleOrganization, Items: []allowlist.Item{{Content: "https://ends.example", ExpiresAt: end}},
	})
	require.NoError(t, err)
}

// An entry that ended while nothing ran leaves the allowlist when the console starts.
func TestServeConsole_RegularWork(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "console.db")
	store, err := openFile(t.Context(), db)
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	require.NoError(t, fillConsole(t.Context(), store, time.Now()))
	now := time.Now()
	addEntry(t, store, now.Add(-2*time.Hour), now.Add(-time.Hour))

	ctx, stop := context.WithCancel(t.Context())
	reader, stdout := io.Pipe()
	ended := make(chan error, 1)
	listener, err := listenLocally(ctx, "127.0.0.1:0")
	require.NoError(t, err)
	go func() {
		err := serveConsole(ctx, listener, onePage(), consoleConfig{db: db}, stdout, io.Discard)
		_ = stdout.CloseWithError(err)
		ended <- err
	}()
	_, err = bufio.NewReader(reader).ReadString('\n')
	require.NoError(t, err)
	guard := apguard.New(store, apguard.Options{})
	require.Eventually(t, func() bool {
		found, err := guard.Asset(t.Context(), "https://ends.example")
		return err == nil && found.Status == asset.StatusUnknown
	}, time.Minute, 10*time.Millisecond)
	go func() { _, _ = io.Copy(io.Discard, reader) }()
	stop()
	require.NoError(t, <-ended)
}

func TestRunConsoleBuild(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t) // it builds the WebAssembly
	dir := filepath.Join(t.TempDir(), "site")
	var stdout bytes.Buffer
	require.NoError(t, runConsoleBuild(t.Context(), dir, console.Addresses{API: defaultBase, OperatorAPI: operatorBase}, &stdout))
	require.Regexp(t, `^\d+ files in .*site\n$`, stdout.String())
	require.FileExists(t, filepath.Join(dir, "index.html"))
}
