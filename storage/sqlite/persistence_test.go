//go:build cgo

package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/internal/fixtures"
	"github.com/apguard/apguard/storage/internal/idtest"
	"github.com/apguard/apguard/storage/sqlite"
)

// content is the content of a store.
type content struct {
	Groups  []account.Group
	Key     account.KeyRecord
	Revoked account.KeyRecord
	Asset   asset.Asset
	Changes asset.Page[asset.Change]
	Entries asset.Page[allowlist.Entry]
	Dispute dispute.Dispute
	Reports report.Page
	Reviews asset.Page[report.Review]
}

func TestPersistence_Reopen(t *testing.T) {
	t.Parallel()
	var (
		ctx      = t.Context()
		path     = filepath.Join(t.TempDir(), "a.db")
		at       = time.Date(2025, 1, 5, 10, 30, 0, 123e6, time.UTC)
		identity = asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example"}
		hash     = account.HashKey("key")
	)
	fill := func(store *sqlite.Store) (disputeID int64) {
		require.NoError(t, store.PutOrganization(ctx, account.Organization{ID: 1, Slug: "acme", Name: "Acme"}))
		group, err := store.PutGroup(ctx, account.Group{OrganizationID: 1, Name: "Sites"})
		require.NoError(t, err)
		require.NoError(t, store.PutUser(ctx, account.User{ID: 7, FullName: "Ada", Email: "ada@acme.test"}))
		require.NoError(t, store.PutKey(ctx, account.Key{
			Hash: hash, OrganizationID: 1, UserID: 7, Name: "Crawler", Scopes: account.Scopes(), CreatedAt: at, ExpiresAt: at.Add(time.Hour),
		}))
		require.NoError(t, store.RecordKeyUse(ctx, account.KeyUse{Hash: hash, At: at.Add(time.Minute), LastBefore: at}))
		require.NoError(t, store.PutKey(ctx, account.Key{Hash: account.HashKey("revoked"), CreatedAt: at}))
		_, err = fixtures.Keys(store, at.Add(time.Second)).Revoke(ctx, account.HashKey("revoked"))
		require.NoError(t, err)
		_, err = store.AddToAllowlist(ctx, allowlist.AddCommand{
			OrganizationID: 1,
			GroupIDs:       []int64{group.ID},
			Entries: []allowlist.Entry{{
				Asset: asset.Asset{Identity: identity}, Content: "A", Name: "Name", Description: "Why", GroupID: group.ID,
			}},
			At:     at,
			Origin: asset.Origin{Cause: asset.CauseAllowlist, Actor: 7, Reference: "organization/1"},
		})
		require.NoError(t, err)
		created, err := store.CreateDispute(ctx, dispute.CreateCommand{
			Identity: identity, Content: "a", Email: "A@b.test", EmailKey: "a@b.test", Notes: []dispute.Note{{Kind: dispute.NoteKindAPI, Text: "one"}, {Kind: dispute.NoteKindExternalList, Text: "two"}}, At: at,
		})
		require.NoError(t, err)
		acceptance := dispute.Transition{
			TransitionRequest: dispute.TransitionRequest{DisputeID: created.ID, Actor: 7, Reason: "Why"},
			To:                dispute.StateAccepted, AssetStatus: asset.StatusUnknown, At: at.Add(time.Minute),
		}
		_, err = store.UpdateDispute(ctx, created.ID, acceptance.Apply)
		require.NoError(t, err)
		filed, err := store.FileReport(ctx, report.FileCommand{
			OrganizationID: 1, Title: "Title", ReporterID: 7, At: at,
			Proposals: []report.NewProposal{{Identity: identity, Content: "a", ProposedStatus: asset.StatusBlocked}},
		})
		require.NoError(t, err)
		for range 2 {
			_, err = fixtures.Reviews(store).Review(ctx, report.ReviewRequest{Scope: report.AnyOrganization(), ProposalID: filed.Proposals[0].ID, Status: report.ReviewApprove, Actor: 7, Comment: "Why"})
			require.NoError(t, err)
		}
		_, err = fixtures.Reviews(store).Withdraw(ctx, report.WithdrawRequest{Scope: report.AnyOrganization(), ReviewID: 2, Actor: 7, Reason: "Twice"})
		require.NoError(t, err)
		return created.ID
	}
	readBack := func(store *sqlite.Store, disputeID int64) (c content) {
		var err error
		c.Groups, err = store.Groups(ctx, 1)
		require.NoError(t, err)
		c.Key, err = store.KeyByHash(ctx, hash)
		require.NoError(t, err)
		c.Revoked, err = store.KeyByHash(ctx, account.HashKey("revoked"))
		require.NoError(t, err)
		c.Asset, err = asset.NewService(store, asset.Options{}).Get(ctx, identity)
		require.NoError(t, err)
		c.Changes, err = store.Changes(ctx, asset.ListChangesRequest{Limit: 10})
		require.NoError(t, err)
		c.Entries, err = store.AllowlistEntries(ctx, allowlist.ListCommand{ListRequest: allowlist.ListRequest{OrganizationID: 1, Limit: 10}})
		require.NoError(t, err)
		c.Dispute, err = store.DisputeByID(ctx, disputeID)
		require.NoError(t, err)
		c.Reports, err = store.Reports(ctx, report.ListRequest{Scope: report.InOrganization(1), Limit: 10})
		require.NoError(t, err)
		c.Reviews, err = store.Reviews(ctx, report.InOrganization(1), c.Reports.Reports[0].Proposals[0].ID, 0, 10)
		require.NoError(t, err)
		return c
	}

	first, err := sqlite.Open(ctx, path, sqlite.Options{})
	require.NoError(t, err)
	disputeID := fill(first)
	before := readBack(first, disputeID)
	require.Len(t, before.Changes.Items, 3)
	require.Equal(t, dispute.StateAccepted, before.Dispute.State)
	require.Len(t, before.Reviews.Items, 2)
	require.Equal(t, at.Add(time.Minute), before.Key.Key.LastUsedAt)
	require.Equal(t, at.Add(time.Second), before.Revoked.Key.RevokedAt)
	require.NoError(t, first.Close())

	second := open(t, path)
	require.Equal(t, before, readBack(second, disputeID))

	back, err := fixtures.Reviews(second).Withdraw(ctx, report.WithdrawRequest{Scope: report.AnyOrganization(), ReviewID: before.Reviews.Items[0].ID})
	require.NoError(t, err)
	require.Equal(t, asset.StatusUnknown, back.Proposals[0].Asset.Status, "the status before the approval")

	group, err := second.PutGroup(ctx, account.Group{OrganizationID: 1})
	require.NoError(t, err)
	require.Greater(t, group.ID, before.Groups[0].ID, "the ID was assigned before")
}

func TestPersistence_IdentifiersNotReused(t *testing.T) {
	t.Parallel()
	store := open(t, newFile(t))
	idtest.TestNotReused(t, store, func() {
		writer, _ := sqlite.Pools(store)
		_, err := writer.ExecContext(t.Context(), "DELETE FROM apguard_groups")
		require.NoError(t, err)
	})
}

func TestPersistence_OutOfIdentifiers(t *testing.T) {
	t.Parallel()
	idtest.TestExhausted(t, open(t, newFile(t)), "sqlite: put group: ")
}
