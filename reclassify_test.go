package apguard_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/internal/test/postgrestest"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/postgres"
	"github.com/apguard/apguard/storage/sqlite"
)

// reclassifiable is a store that can be reclassified.
type reclassifiable interface {
	storage.Store
	storage.Reclassifier
}

// oldDatabase is a database whose rules the test makes older.
type oldDatabase struct {
	open func(ctx context.Context, reclassify bool) (reclassifiable, error)
	age  func(tb testing.TB)
}

const olderRules = "UPDATE apguard_rules SET version = 0"

func oldDatabases() map[string]func(testing.TB) oldDatabase {
	return map[string]func(testing.TB) oldDatabase{
		"sqlite": func(tb testing.TB) oldDatabase {
			tb.Helper()
			path := filepath.Join(tb.TempDir(), "a.db")
			return oldDatabase{
				func(ctx context.Context, reclassify bool) (reclassifiable, error) {
					return sqlite.Open(ctx, path, sqlite.Options{Reclassify: reclassify})
				},
				func(tb testing.TB) {
					tb.Helper()
					db, err := sql.Open("sqlite3", path)
					require.NoError(tb, err)
					_, err = db.ExecContext(tb.Context(), olderRules)
					require.NoError(tb, err)
					require.NoError(tb, db.Close())
				},
			}
		},
		"postgres": func(tb testing.TB) oldDatabase {
			tb.Helper()
			dsn := postgrestest.NewDatabase(tb)
			return oldDatabase{
				func(ctx context.Context, reclassify bool) (reclassifiable, error) {
					return postgres.Open(ctx, dsn, postgres.Options{Reclassify: reclassify})
				},
				func(tb testing.TB) { tb.Helper(); postgrestest.Execute(tb, dsn, olderRules) },
			}
		},
	}
}

// old opens the database, lets seed fill it, and opens it to be reclassified.
func (d oldDatabase) old(tb testing.TB, seed func(storage.Store)) reclassifiable {
	tb.Helper()
	store, err := d.open(tb.Context(), false)
	require.NoError(tb, err)
	seed(store)
	require.NoError(tb, store.Close())
	d.age(tb)
	return d.reopen(tb)
}

// reopen opens the database to be reclassified, which is refused otherwise.
func (d oldDatabase) reopen(tb testing.TB) reclassifiable {
	tb.Helper()
	_, err := d.open(tb.Context(), false)
	var refused *storage.RulesError
	require.ErrorAs(tb, err, &refused)
	require.Equal(tb, storage.RulesError{Have: 0, Want: classify.Version}, *refused)
	store, err := d.open(tb.Context(), true)
	require.NoError(tb, err)
	return store
}

func urlOf(canonical string) asset.Identity {
	return asset.Identity{Type: asset.TypeURL, Canonical: canonical}
}

// day returns a time that grows with n.
func day(n int) time.Time { return time.Date(2025, time.March, n, 0, 0, 0, 0, time.UTC) }

func setOld(tb testing.TB, store storage.Store, n int, status asset.Status, identities ...asset.Identity) {
	tb.Helper()
	cmd := asset.SetStatusesCommand{At: day(n), Origin: asset.Origin{Cause: asset.CauseManual}}
	for _, identity := range identities {
		cmd.Items = append(cmd.Items, asset.StatusItem{Identity: identity, Status: status})
	}
	_, err := store.SetAssetStatuses(tb.Context(), cmd)
	require.NoError(tb, err)
}

func allowOld(tb testing.TB, store storage.Store, n int, organization int64, name string, identity asset.Identity) {
	tb.Helper()
	accounttest.Organizations(tb, store, organization)
	_, err := store.AddToAllowlist(tb.Context(), allowlist.AddCommand{
		OrganizationID: organization, At: day(n), Origin: asset.Origin{Cause: asset.CauseAllowlist},
		Entries: []allowlist.Entry{{Asset: asset.Asset{Identity: identity}, Content: identity.Canonical, Name: name}},
	})
	require.NoError(tb, err)
}

func disputeOld(tb testing.TB, store storage.Store, n int, email string, identity asset.Identity) {
	tb.Helper()
	_, err := store.CreateDispute(tb.Context(), dispute.CreateCommand{
		Identity: identity, Content: identity.Canonical, Register: true, Email: email, EmailKey: email, At: day(n),
	})
	require.NoError(tb, err)
}

func statusesOf(tb testing.TB, store storage.Store) map[asset.Identity]asset.Status {
	tb.Helper()
	page, err := store.Assets(tb.Context(), asset.ListRequest{Limit: 10_000})
	require.NoError(tb, err)
	statuses := make(map[asset.Identity]asset.Status)
	for _, one := range page.Items {
		require.NotContains(tb, statuses, one.Identity, "two assets with one identity")
		statuses[one.Identity] = one.Status
	}
	return statuses
}

func TestReclassify(t *testing.T) {
	t.Parallel()
	var (
		old, form  = urlOf("https://h.example.com/a|b"), urlOf("https://h.example.com/a%7Cb")
		free       = urlOf("https://i.example.com/c|d")
		twin, pair = urlOf("https://j.example.com/e|f|g"), urlOf("https://j.example.com/e%7Cf|g")
		invitation = asset.Identity{Type: asset.TypePage, Canonical: "t.me/%2BAbCdEfGhIj"}
		refused    = urlOf("no content")
		same       = urlOf("https://k.example.com")
	)
	for name, create := range oldDatabases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			database := create(t)
			var cursor asset.FeedCursor
			store := database.old(t, func(store storage.Store) {
				allowOld(t, store, 1, 1, "older", old)
				allowOld(t, store, 2, 1, "newer", form)
				allowOld(t, store, 2, 2, "older", form)
				allowOld(t, store, 3, 2, "newer", old)
				allowOld(t, store, 3, 3, "only", old)
				setOld(t, store, 4, asset.StatusBlocked, old, free, invitation, refused, same, pair)
				setOld(t, store, 5, asset.StatusAllowed, twin)
				disputeOld(t, store, 1, "ada@acme.example", old)
				disputeOld(t, store, 2, "ada@acme.example", form)
				disputeOld(t, store, 3, "bob@acme.example", old)
				_, err := store.UpdateDispute(t.Context(), dispute.UpdateCommand{DisputeID: 1, Apply: dispute.Transition{
					TransitionRequest: dispute.TransitionRequest{Reason: "a reason"}, To: dispute.StateRejected, At: day(4),
				}.Apply})
				require.NoError(t, err)
				_, err = store.FileReport(t.Context(), report.FileCommand{OrganizationID: 1, Title: "Title", At: day(1), Proposals: []report.ProposedAsset{
					{Identity: old, Content: old.Canonical, ProposedStatus: asset.StatusBlocked},
					{Identity: free, Content: free.Canonical, ProposedStatus: asset.StatusBlocked},
				}})
				require.NoError(t, err)
				publishAll(t, store)
				feed, err := store.Feed(t.Context())
				require.NoError(t, err)
				cursor = feed.End()
			})
			var planned, done []asset.Reform
			plan, err := apguard.Reclassify(t.Context(), store, apguard.ReclassifyOptions{DryRun: true, Each: func(one asset.Reform) { planned = append(planned, one) }})
			require.NoError(t, err)
			want := apguard.Reclassified{Assets: 8, Moved: 3, Merged: 2, Differing: 2, Unrecognized: 1}
			require.Equal(t, want, plan)
			require.Contains(t, statusesOf(t, store), old, "a dry run stores nothing")

			counts, err := apguard.Reclassify(t.Context(), store, apguard.ReclassifyOptions{Each: func(one asset.Reform) { done = append(done, one) }})
			require.NoError(t, err)
			require.Equal(t, planned, done)
			want.Entries, want.Disputes = 2, 1
			require.Equal(t, want, counts)

			require.Equal(t, map[asset.Identity]asset.Status{
				form:                                     asset.StatusBlocked,
				urlOf("https://i.example.com/c%7Cd"):     asset.StatusBlocked,
				urlOf("https://j.example.com/e%7Cf%7Cg"): asset.StatusBlocked,
				{Type: asset.TypeTelegram, Canonical: "t.me/+AbCdEfGhIj"}: asset.StatusBlocked,
				refused: asset.StatusBlocked,
				same:    asset.StatusBlocked,
			}, statusesOf(t, store))
			requireKept(t, store, form, old.Canonical)

			_, err = store.Since(t.Context(), cursor, 10)
			require.ErrorIs(t, err, asset.ErrForeignCursor)
			require.NoError(t, store.Close())

			store, err = database.open(t.Context(), false)
			require.NoError(t, err, "a reclassified store has the rules of the program")
			defer store.Close() //nolint:errcheck // it has nothing left to write
			again, err := apguard.Reclassify(t.Context(), store, apguard.ReclassifyOptions{})
			require.NoError(t, err)
			require.Equal(t, apguard.Reclassified{Assets: 6, Unrecognized: 1}, again)
		})
	}
}

// requireKept requires the records of both assets that TestReclassify merges into form.
func requireKept(t *testing.T, store storage.Store, form asset.Identity, content string) {
	t.Helper()
	ctx := t.Context()
	for organization, name := range map[int64]string{1: "older", 2: "older", 3: "only"} {
		page, err := store.AllowlistEntries(ctx, allowlist.ListRequest{OrganizationID: organization, Limit: 10}, day(9))
		require.NoError(t, err)
		require.Len(t, page.Entries, 1)
		require.Equal(t, name, page.Entries[0].Name)
		require.Equal(t, form, page.Entries[0].Asset.Identity)
	}
	changes, err := store.Changes(ctx, asset.ListChangesRequest{Limit: 10, Filter: asset.ChangeFilter{Identity: form}})
	require.NoError(t, err)
	require.Len(t, changes.Items, 4)
	require.Equal(t, asset.CauseReclassification, changes.Items[0].Origin.Cause)
	require.Equal(t, asset.StatusBlocked, changes.Items[0].To)
	reports, err := store.Reports(ctx, report.ListRequest{Scope: report.InOrganization(1), Limit: 10, Filter: report.Filter{SearchQuery: "a%7cb"}})
	require.NoError(t, err)
	require.Len(t, reports.Reports, 1)
	require.Equal(t, form, reports.Reports[0].Proposals[0].Asset.Identity)
	require.Equal(t, content, reports.Reports[0].Proposals[0].Content, "the content is what was submitted")
	disputes, err := store.Disputes(ctx, dispute.ListRequest{Limit: 10})
	require.NoError(t, err)
	states := make(map[string]dispute.State)
	for _, one := range disputes.Items {
		require.Equal(t, reports.Reports[0].Proposals[0].Asset.ID, one.AssetID)
		states[one.Email] = one.State
	}
	require.Equal(t, map[string]dispute.State{
		"ada@acme.example": dispute.StateOpen, "bob@acme.example": dispute.StateOpen, "": dispute.StateRejected, // the closed one of Ada
	}, states)
}

// interrupted fails after some steps.
type interrupted struct {
	storage.Reclassifier
	steps int
}

var errInterrupted = errors.New("interrupted")

func (s *interrupted) Reclassify(ctx context.Context, cmd asset.ReclassifyCommand) (asset.ReclassifyStep, error) {
	if s.steps--; s.steps < 0 {
		return asset.ReclassifyStep{}, errInterrupted
	}
	cmd.Limit = 3
	step, err := s.Reclassifier.Reclassify(ctx, cmd)
	step.Done = step.Assets == 0
	return step, err
}

// An interrupted reclassification leaves a store that is refused, and ends in the same assets when it
// is repeated.
func TestReclassify_Interrupted(t *testing.T) {
	t.Parallel()
	for name, create := range oldDatabases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(r *rapid.T) {
				database := create(t)
				texts := rapid.SliceOfNDistinct(rapid.StringMatching(`[ab](\||%7C)[ab]((\||%7C)[ab])?`), 4, 12, rapid.ID[string]).Draw(r, "paths")
				want := make(map[asset.Identity]asset.Status)
				store := database.old(t, func(store storage.Store) {
					for i, text := range texts {
						status := rapid.SampledFrom(asset.Statuses()).Draw(r, "status")
						identity := urlOf("https://h.example.com/" + text)
						allowOld(t, store, 1+i, 1, fmt.Sprint(i), identity)
						setOld(t, store, 1+i, status, identity)
						form, recognized := classify.Again(identity)
						require.True(r, recognized)
						want[form] = asset.MergedStatus(want[form], status)
					}
				})
				_, err := apguard.Reclassify(t.Context(), &interrupted{store, rapid.IntRange(0, 1).Draw(r, "steps")}, apguard.ReclassifyOptions{})
				require.ErrorIs(r, err, errInterrupted)
				require.NoError(r, store.Close())
				store = database.reopen(t)
				_, err = apguard.Reclassify(t.Context(), store, apguard.ReclassifyOptions{})
				require.NoError(r, err)
				require.Equal(r, want, statusesOf(t, store))
				for identity := range want {
					again, _ := classify.Again(identity)
					require.Equal(r, identity, again, "a form is a fixed point")
				}
				requireReplay(t, store, want)
				require.NoError(r, store.Close())
			})
		})
	}
}

// requireReplay requires that the feed leads to the statuses, and that these are what is held on the assets.
func requireReplay(tb testing.TB, store storage.Store, want map[asset.Identity]asset.Status) {
	tb.Helper()
	publishAll(tb, store)
	page, err := store.Since(tb.Context(), asset.FeedCursor{}, 10_000)
	require.NoError(tb, err)
	replayed, newest := make(map[asset.Identity]asset.Status), make(map[asset.Identity]time.Time)
	for _, one := range page.Items {
		identity := one.Change.Identity()
		replayed[identity] = one.Change.To
		if one.Change.At.After(newest[identity]) {
			newest[identity] = one.Change.At
		}
	}
	require.Equal(tb, want, replayed)
	for identity, changedAt := range newest {
		held, err := store.Held(tb.Context(), identity, day(31))
		require.NoError(tb, err)
		require.Equal(tb, changedAt, held.ChangedAt, "the time of the newest change")
		_, _, changed := held.Settle(day(31), asset.Origin{})
		require.False(tb, changed, "the status must be what is held")
	}
}

func publishAll(tb testing.TB, store storage.Store) {
	tb.Helper()
	for more := true; more; {
		var err error
		more, err = store.PublishChanges(tb.Context(), 1000)
		require.NoError(tb, err)
	}
}
