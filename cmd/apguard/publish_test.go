package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/apguard/apguard/publish"
	"github.com/apguard/apguard/publish/manifest"
)

// signingKey returns the name of a file with a new key, and the verifiers of the key.
func signingKey(t *testing.T) (file string, known note.Verifiers) {
	t.Helper()
	text, err := publish.GenerateKey("example.com")
	require.NoError(t, err)
	key, err := publish.ParseKey(text)
	require.NoError(t, err)
	verifier, err := note.NewVerifier(key.Verifier())
	require.NoError(t, err)
	return writeFile(t, text+"\n"), note.VerifierList(verifier)
}

// awaitManifest waits until a folder has a manifest that a function accepts.
func awaitManifest(t *testing.T, folder string, known note.Verifiers, accept func(manifest.Manifest) bool) (m manifest.Manifest) {
	t.Helper()
	require.Eventually(t, func() bool {
		data, err := os.ReadFile(filepath.Join(folder, manifest.Name))
		if err != nil {
			return false
		}
		m, err = manifest.Open(data, known)
		require.NoError(t, err)
		return accept(m)
	}, time.Minute, 10*time.Millisecond)
	return m
}

func TestServe_publish(t *testing.T) {
	t.Parallel()
	file, known := signingKey(t)
	folder := filepath.Join(t.TempDir(), "www")
	s := start(t, "-db", "memory", "-seed", writeFile(t, seed), "-metrics", "127.0.0.1:0",
		"-publish", folder, "-publish-exports", "jsonl,metamask", "-signing-key-file", file)
	m := awaitManifest(t, folder, known, func(manifest.Manifest) bool { return true })
	require.Len(t, m.Files, 4)
	export, err := m.Export(manifest.FormatJSONL)
	require.NoError(t, err)
	data, err := os.ReadFile(filepath.Join(folder, export.Name))
	require.NoError(t, err)
	require.Contains(t, string(data), `"content":"https://bad.example"`)
	served := hostileServer{metricsURL: metricsURL.FindStringSubmatch(s.printed)[1]}
	require.Eventually(t, func() bool {
		age, ok := scrape(t, served.metrics(t))["apguard_published_age_seconds"]
		return ok && age < time.Since(m.Time).Seconds()+1 && strings.Contains(s.logged(), "msg=published")
	}, time.Minute, 10*time.Millisecond)
	require.NoError(t, s.stop())
	require.Contains(t, s.logged(), "level=INFO msg=published version="+m.Version.String()+" files=4 bytes=")
	require.NotContains(t, s.logged(), "level=ERROR")
	require.NotContains(t, s.logged(), "PRIVATE")
}

func TestPublish_every(t *testing.T) {
	t.Parallel()
	file, known := signingKey(t)
	db, folder := filepath.Join(t.TempDir(), "assets.db"), t.TempDir()
	s := start(t, "-db", db, "-seed", writeFile(t, seed))
	cmd := subprocess(t, "publish", "-db", db, "-to", folder, "-every", "1s", "-signing-key-file", file)
	var logged lockedBuffer
	cmd.Stderr = &logged
	require.NoError(t, cmd.Start())
	first := awaitManifest(t, folder, known, func(manifest.Manifest) bool { return true })
	second := awaitManifest(t, folder, known, func(m manifest.Manifest) bool { return m.Time.After(first.Time) })
	require.Equal(t, first.Files, second.Files)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.NoError(t, cmd.Wait(), "an interrupt is no failure")
	require.Contains(t, logged.String(), "level=INFO msg=publishing to="+folder+" key=example.com+")
	require.NoError(t, s.stop())
}
