package main

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
)

// personal has texts of which no byte may remain.
var personal = []string{"zoe.quimby", "ZOE.QUIMBY", "Quimby", "QUIMBY", "quimby"}

// leaveTraces stores what a person can leave in every table.
func leaveTraces(t *testing.T, db string) {
	t.Helper()
	withStore(t, db, func(store storage.Store) {
		guard, ctx := apguard.New(store, apguard.Options{}), t.Context()
		accounttest.Organizations(t, store, 1)
		require.NoError(t, guard.Accounts.PutUser(ctx, account.User{ID: 50, FullName: "Zoe Quimby", Email: "Zoe.Quimby@acme.test"}))
		require.NoError(t, guard.Accounts.PutUser(ctx, account.User{ID: 51, FullName: "Quimby, Z.", Email: "zoe.quimby@acme.test"}))
		_, err := guard.Keys.Create(ctx, account.KeyRequest{UserID: 50, Name: "Quimby's laptop", Scopes: account.Scopes()})
		require.NoError(t, err)
		for _, content := range []string{"https://a.example", "https://b.example"} {
			_, err := guard.SetStatus(ctx, content, asset.StatusBlocked, asset.Origin{Actor: 50})
			require.NoError(t, err)
			created, err := guard.Disputes.Create(ctx, dispute.CreateRequest{
				Content: strings.Replace(content, "//", "//quimby@", 1), Email: "ZOE.QUIMBY@acme.test", AccountEmail: "zoe.quimby@acme.test", Description: "I am Zoe Quimby", Actor: 50,
				OrganizationID: 1, Idempotency: idempotency.Key{Text: "quimby-" + content}, ViaAPI: true,
			})
			require.NoError(t, err)
			_, err = guard.DisputeQueue.AddNote(ctx, dispute.AddNoteRequest{DisputeID: created.Dispute.ID, Text: "Quimby called"})
			require.NoError(t, err)
			_, err = guard.DisputeQueue.StartReview(ctx, dispute.TransitionRequest{DisputeID: created.Dispute.ID, Reason: "Quimby called again"})
			require.NoError(t, err)
		}
		_, err = guard.Allowlist.Add(ctx, allowlist.AddRequest{
			OrganizationID: 1, Actor: 50, Items: []allowlist.Item{{Content: "https://c.example"}}, Idempotency: idempotency.Key{Text: "quimby"},
		})
		require.NoError(t, err)
		_, err = guard.Reports.File(ctx, report.FileRequest{
			OrganizationID: 1, Title: "Report", ReporterID: 50,
			Proposals: []report.ProposalRequest{{Content: "https://d.example", ProposedStatus: asset.StatusBlocked}},
		})
		require.NoError(t, err)
	})
}

// erase runs the command.
func erase(t *testing.T, args ...string) string {
	t.Helper()
	stdout, _ := mustRun(t, noVariables, append([]string{"erase"}, args...)...)
	return stdout
}

func requireTraces(t *testing.T, content []byte, want bool) {
	t.Helper()
	found := false
	for _, text := range personal {
		found = found || bytes.Contains(content, []byte(text))
		if !want {
			require.False(t, bytes.Contains(content, []byte(text)), text)
		}
	}
	require.Equal(t, want, found)
}

func TestRunErase_SQLite(t *testing.T) {
	t.Parallel()
	requirePrograms(t, "sqlite3")
	vacuum := codeBlocks(t, "SECURITY.md", "## Erase a person", "sh")
	require.Len(t, vacuum, 2, "the command, and how to remove what SQLite keeps")
	dir := t.TempDir()
	db := filepath.Join(dir, "apguard.db")
	// Reading the files of a database releases the locks of the process, so the server needs
	// one of its own.
	s, process := startProcess(t, "-db", db, "-seed", writeFile(t, seed))
	leaveTraces(t, db)
	files := func() (all []byte) {
		for _, suffix := range []string{"", "-wal", "-shm"} {
			content, err := os.ReadFile(db + suffix)
			require.NoError(t, err)
			all = append(all, content...)
		}
		return all
	}
	requireTraces(t, files(), true)
	require.JSONEq(t, `{"users":2,"disputes":2}`, erase(t, "-email", "zoe.quimby@ACME.test", "-db", db))
	shell(t, dir, vacuum[1])
	requireTraces(t, files(), false)
	require.JSONEq(t, `{"users":0,"disputes":0}`, erase(t, "-email", "zoe.quimby@acme.test", "-user", "50", "-db", db), "a second time")
	require.NoError(t, process.Kill())
	require.Error(t, s.stop())
	content, err := os.ReadFile(db)
	require.NoError(t, err)
	requireTraces(t, content, false)
	withStore(t, db, func(store storage.Store) {
		page, err := report.NewService(store, report.Options{}).List(t.Context(), report.ListRequest{Scope: report.InOrganization(1), Limit: 1})
		require.NoError(t, err)
		require.Equal(t, report.Reporter{ID: 50}, page.Reports[0].Reporter, "what the person did stays")
	})
}

func TestRunErase_Postgres(t *testing.T) {
	t.Parallel()
	db := postgresSchema(t)
	requirePrograms(t, "pg_dump")
	server, err := url.Parse(db)
	require.NoError(t, err)
	schema := server.Query().Get("search_path")
	query := server.Query()
	query.Del("search_path")
	server.RawQuery = query.Encode()
	s := start(t, "-db", db, "-seed", writeFile(t, seed))
	require.NoError(t, s.stop())
	leaveTraces(t, db)
	dump := func() []byte {
		return []byte(shell(t, t.TempDir(), "pg_dump --inserts --schema="+schema+" '"+server.String()+"'"))
	}
	requireTraces(t, dump(), true)
	require.JSONEq(t, `{"users":2,"disputes":2}`, erase(t, "-user", "50", "-db", db))
	require.JSONEq(t, `{"users":0,"disputes":0}`, erase(t, "-email", "zoe.quimby@acme.test", "-db", db))
	requireTraces(t, dump(), false)
}
