package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
)

// backedUp is the number of batches that are answered before a backup.
const backedUp = 8

// load adds batches to a server until stop is called.
type load struct {
	mu       sync.Mutex
	sent     []string
	answered map[string]bool
	enough   chan struct{}
	stop     func()
}

// startLoad starts several clients, and returns when enough batches are answered.
func startLoad(t *testing.T, s server) *load {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	l := &load{answered: make(map[string]bool), enough: make(chan struct{})}
	var clients sync.WaitGroup
	l.stop = sync.OnceFunc(func() {
		cancel()
		clients.Wait()
	})
	t.Cleanup(l.stop)
	for client := range 3 {
		clients.Go(func() {
			for i := 0; l.add(ctx, s.url, fmt.Sprintf("c%d-b%d", client, i)); i++ {
			}
		})
	}
	select {
	case <-l.enough:
	case <-t.Context().Done():
	}
	return l
}

// add adds a batch, and reports whether the server answered.
func (l *load) add(ctx context.Context, url, batch string) bool {
	l.mu.Lock()
	l.sent = append(l.sent, batch)
	l.mu.Unlock()
	if !addBatch(ctx, url, batch) {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answered[batch] = true
	if len(l.answered) == backedUp {
		close(l.enough)
	}
	return true
}

// acknowledged returns the batches that are answered.
func (l *load) acknowledged() map[string]bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.answered)
}

// codeBlocks returns the blocks in a language of a section of a file in the root. The section
// begins with the title and ends with the next title.
func codeBlocks(t *testing.T, file, title, language string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", file))
	require.NoError(t, err)
	_, section, found := strings.Cut(string(text), "\n"+title+"\n")
	require.True(t, found, "no section %s", title)
	section, _, _ = strings.Cut(section, "\n#")
	matches := regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(section, -1)
	blocks := make([]string, len(matches))
	for i, match := range matches {
		blocks[i] = match[1]
	}
	return blocks
}

// shell runs commands in a directory, and returns their output.
func shell(t *testing.T, dir, commands string, variables ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", commands)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), variables...)
	output, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s: %s", commands, output)
	return string(output)
}

// requirePrograms skips the test unless all programs are installed.
func requirePrograms(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("NOT RUN: %v", err)
		}
	}
}

// endOfFeed returns the last cursor of a database.
func endOfFeed(t *testing.T, db string) asset.FeedCursor {
	t.Helper()
	var cursor asset.FeedCursor
	withStore(t, db, func(store storage.Store) {
		feed := asset.NewFeedService(store)
		require.NoError(t, feed.Publish(t.Context()), "a feed without changes has no cursor of its own")
		var err error
		cursor, err = feed.End(t.Context())
		require.NoError(t, err)
	})
	return cursor
}

func withStore(t *testing.T, db string, use func(store storage.Store)) {
	t.Helper()
	store, err := databaseOf(db).openExisting(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	use(store)
}

// afterBackup is a batch that is added after the backup.
const afterBackup = "after-backup"

// requireRestored starts a server on a restored database. It must have every batch that was
// answered before the backup, no part of any, nothing from after the backup, and refuse the
// cursor from before.
func requireRestored(t *testing.T, db string, l *load, before map[string]bool, cursor asset.FeedCursor) {
	t.Helper()
	withStore(t, db, func(store storage.Store) {
		_, err := asset.NewFeedService(store).Since(t.Context(), cursor, 1)
		require.ErrorIs(t, err, asset.ErrForeignCursor)
	})
	s := start(t, "-db", db)
	requireWholeBatches(t, s.url, l.sent, before)
	require.NotContains(t, changelog(t, s.url), batchContent(afterBackup, 0), "a file from before the restore is in use")
	require.True(t, addBatch(t.Context(), s.url, afterBackup), "the database can be written")
	require.NoError(t, s.stop())
}

func TestSecurity_BackupOfSQLite(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	requirePrograms(t, "sqlite3", "install")
	blocks := codeBlocks(t, "SECURITY.md", "### SQLite", "sh")
	require.Len(t, blocks, 3, "a backup while the server runs, one while it is stopped, and how to restore one")
	whileRunning, whileStopped, restore := blocks[0], blocks[1], blocks[2]

	dir := t.TempDir()
	db := filepath.Join(dir, "apguard.db")
	s, process := startProcess(t, "-db", db, "-seed", writeFile(t, seed), "-rate", "0")
	l := startLoad(t, s)
	before, cursor := l.acknowledged(), endOfFeed(t, db)
	require.Equal(t, "ok\n", shell(t, dir, whileRunning))
	info, err := os.Stat(filepath.Join(dir, "backup.db"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	l.stop()
	require.True(t, addBatch(t.Context(), s.url, afterBackup))
	require.NoError(t, process.Kill())
	require.Error(t, s.stop())
	require.FileExists(t, db+"-wal", "the killed server leaves files that do not belong to the backup")

	t.Run("all files", func(t *testing.T) {
		shell(t, dir, whileStopped)
		restored := filepath.Join(t.TempDir(), "copy.db")
		for _, suffix := range []string{"", "-wal", "-shm"} {
			content, err := os.ReadFile(filepath.Join(dir, "backup", "apguard.db"+suffix))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(restored+suffix, content, 0o600))
		}
		copied := start(t, "-db", restored)
		requireWholeBatches(t, copied.url, l.sent, l.acknowledged())
		require.Equal(t, "ok\n", shell(t, dir, "sqlite3 '"+restored+"' 'PRAGMA integrity_check'"))
	})
	t.Run("never the file alone", func(t *testing.T) {
		content, err := os.ReadFile(db)
		require.NoError(t, err)
		alone := filepath.Join(t.TempDir(), "alone.db")
		require.NoError(t, os.WriteFile(alone, content, 0o600))
		found := shell(t, dir, "sqlite3 '"+alone+"' 'SELECT count(*) FROM sqlite_master' 2>&1 || true")
		require.Equal(t, "0\n", found, "this small database is still in the write-ahead log")
	})
	t.Run("restore", func(t *testing.T) {
		shell(t, dir, restore)
		require.Equal(t, "ok\n", shell(t, dir, "sqlite3 apguard.db 'PRAGMA integrity_check'"))
		requireRestored(t, db, l, before, cursor)
	})
}

func TestSecurity_BackupOfPostgres(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	requirePrograms(t, "pg_dump", "pg_restore", "createdb", "psql")
	blocks := codeBlocks(t, "SECURITY.md", "### PostgreSQL", "sh")
	require.Len(t, blocks, 2, "a backup, and how to restore it")
	role := codeBlocks(t, "SECURITY.md", "## Harden a deployment", "sql")
	require.Len(t, role, 1)

	server, name := postgresWithout(t)
	for statement := range strings.SplitSeq(strings.ReplaceAll(role[0], " apguard", " "+name), ";") {
		execPostgres(t, server, statement)
	}
	restored := name + "_restored"
	t.Cleanup(func() {
		for _, statement := range []string{"DROP DATABASE IF EXISTS " + name, "DROP DATABASE IF EXISTS " + restored, "DROP ROLE " + name} {
			execPostgres(t, server, statement)
		}
	})
	owner := *server
	owner.User, owner.Path = url.UserPassword(name, "a long random password"), "/"+name
	db := owner.String()

	s, process := startProcess(t, "-db", db, "-seed", writeFile(t, seed), "-rate", "0")
	l := startLoad(t, s)
	before, cursor := l.acknowledged(), endOfFeed(t, db)
	dir := t.TempDir()
	variables := []string{"PGHOST=" + server.Hostname(), "PGPORT=" + server.Port(), "PGDATABASE=" + name}
	shell(t, dir, blocks[0], append(variables, "PGUSER="+name, "PGPASSWORD=a long random password")...)
	l.stop()
	require.True(t, addBatch(t.Context(), s.url, afterBackup))
	require.NoError(t, process.Kill())
	require.Error(t, s.stop())

	admin, _ := server.User.Password()
	shell(t, dir, strings.ReplaceAll(blocks[1], "apguard_restored", restored), append(variables, "PGUSER="+server.User.Username(), "PGPASSWORD="+admin)...)
	restoredDB := *server
	restoredDB.Path = "/" + restored
	requireRestored(t, restoredDB.String(), l, before, cursor)
}

// postgresWithout returns the URL of the server of the tests, and a name for a role and a
// database that do not exist.
func postgresWithout(t *testing.T) (server *url.URL, name string) {
	t.Helper()
	server, err := url.Parse(postgresSchema(t))
	require.NoError(t, err)
	name = server.Query().Get("search_path")
	query := server.Query()
	query.Del("search_path")
	server.RawQuery = query.Encode()
	return server, name
}

func execPostgres(t *testing.T, server *url.URL, statement string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	connection, err := pgx.Connect(ctx, server.String())
	require.NoError(t, err)
	_, err = connection.Exec(ctx, statement)
	require.NoError(t, err, statement)
	require.NoError(t, connection.Close(ctx))
}

// addedBatch is the number of contents that addBatch adds.
const addedBatch = 50

// addBatch reports whether the server answered that the whole batch was added.
func addBatch(ctx context.Context, url, batch string) bool {
	var body strings.Builder
	body.WriteString(`{"assets":[`)
	for i := range addedBatch {
		if i > 0 {
			body.WriteByte(',')
		}
		fmt.Fprintf(&body, `{"content":%q}`, batchContent(batch, i))
	}
	body.WriteString(`]}`)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/organization/assets", strings.NewReader(body.String()))
	if err != nil {
		return false
	}
	req.Header.Set("X-API-KEY", "apg_globex")
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false // the server was killed
	}
	defer resp.Body.Close() //nolint:errcheck // it is only read
	var reply struct {
		SuccessCount int `json:"successCount"`
	}
	return json.UnmarshalRead(resp.Body, &reply) == nil && reply.SuccessCount == addedBatch
}

func requireWholeBatches(t *testing.T, url string, sent []string, answered map[string]bool) {
	t.Helper()
	found := changelog(t, url)
	for _, batch := range sent {
		stored := 0
		for i := range addedBatch {
			if _, ok := found[batchContent(batch, i)]; ok {
				stored++
			}
		}
		if answered[batch] {
			require.Equal(t, addedBatch, stored, "the answered batch %s", batch)
		} else {
			require.Contains(t, []int{0, addedBatch}, stored, "the unanswered batch %s", batch)
		}
	}
}
