package apguard_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// newGuard returns a Guard whose clock advances by one day with each call. It starts at
// noon of 2025-01-05.
func newGuard(t *testing.T, opts apguard.Options) *apguard.Guard {
	t.Helper()
	now := time.Date(2025, 1, 4, 12, 0, 0, 0, time.UTC)
	opts.Clock = func() time.Time {
		now = now.AddDate(0, 0, 1)
		return now
	}
	return apguard.New(accounttest.Organizations(t, memory.New(), 1), opts)
}

func putOrganization(t *testing.T, guard *apguard.Guard, id int64) {
	t.Helper()
	require.NoError(t, guard.Accounts.PutOrganization(t.Context(), account.Organization{ID: id, Slug: fmt.Sprint("organization-", id)}))
}

func setStatus(t *testing.T, guard *apguard.Guard, content string, status asset.Status) {
	t.Helper()
	_, err := guard.SetStatus(t.Context(), content, status, asset.Origin{})
	require.NoError(t, err)
}

func TestGuard_Asset(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	setStatus(t, guard, "https://a.example", asset.StatusBlocked)

	got, err := guard.Asset(t.Context(), " HTTPS://a.EXAMPLE/ ")
	require.NoError(t, err)
	require.Equal(t, asset.StatusBlocked, got.Status)
	require.Equal(t, "https://a.example", got.Canonical)

	for reason, content := range map[string]string{
		"an asset that nobody knows":      "https://b.example",
		"content that no rule recognizes": "no asset",
	} {
		_, err := guard.Asset(t.Context(), content)
		require.ErrorIs(t, err, asset.ErrNotFound, reason)
	}
	_, err = guard.Asset(t.Context(), "no asset")
	require.ErrorIs(t, err, classify.ErrInvalidFormat, "why it is none can be told")
}

func TestGuard_StatusAt(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	setStatus(t, guard, "https://a.example", asset.StatusBlocked) // noon of the 5th
	setStatus(t, guard, "https://a.example", asset.StatusAllowed) // noon of the 6th
	noonOfThe5th := time.Date(2025, 1, 5, 12, 0, 0, 0, time.UTC)
	for at, want := range map[time.Time]asset.Status{
		noonOfThe5th.Add(-time.Millisecond): asset.StatusUnknown,
		noonOfThe5th:                        asset.StatusBlocked,
		noonOfThe5th.AddDate(0, 0, 1):       asset.StatusAllowed,
	} {
		got, err := guard.StatusAt(t.Context(), "HTTPS://a.example/", at)
		require.NoError(t, err)
		require.Equal(t, want, got, at)
	}
	for reason, content := range map[string]string{
		"no such asset":               "https://b.example",
		"no rule recognizes the text": "no asset",
	} {
		_, err := guard.StatusAt(t.Context(), content, noonOfThe5th)
		require.ErrorIs(t, err, asset.ErrNotFound, reason)
	}
}

func TestGuard_Ready(t *testing.T) {
	t.Parallel()
	store := memory.New()
	guard := apguard.New(store, apguard.Options{})
	require.NoError(t, guard.Ready(t.Context()))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, guard.Ready(ended), context.Canceled)
	require.NoError(t, store.Close())
	require.ErrorIs(t, guard.Ready(t.Context()), storage.ErrClosed)
	require.NoError(t, guard.With(memory.New()).Ready(t.Context()), "the other store is asked")
}

func TestGuard_SetStatus_Unrecognized(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	_, err := guard.SetStatus(t.Context(), "no asset", asset.StatusBlocked, asset.Origin{})
	var input *asset.InputError
	require.ErrorAs(t, err, &input)
	require.Equal(t, "content", input.Issues[0].Field)
	require.ErrorIs(t, err, classify.ErrInvalidFormat, "why it is none can be told")
}

func TestNew_RefuseBlocked(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{RefuseBlocked: true})
	setStatus(t, guard, "https://bad.example", asset.StatusBlocked)
	added, err := guard.Allowlist.Add(t.Context(), allowlist.AddRequest{
		OrganizationID: 1, Items: []allowlist.Item{{Content: "https://bad.example"}},
	})
	require.NoError(t, err)
	require.ErrorIs(t, added.Results[0].Err, allowlist.ErrBlocked)
}

// TestTheServicesShareOneStore follows an asset through all of them.
func TestNew(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	filed, err := guard.Reports.File(t.Context(), report.FileRequest{
		OrganizationID: 1, Proposals: []report.ProposalRequest{{Content: "https://a.example", ProposedStatus: asset.StatusBlocked}},
	})
	require.NoError(t, err)
	_, err = guard.Reviews.Review(t.Context(), report.ReviewRequest{
		Scope: report.InOrganization(1), ProposalID: filed.Proposals[0].ID, Status: report.ReviewApprove,
	})
	require.NoError(t, err)
	_, err = guard.Disputes.Create(t.Context(), dispute.CreateRequest{Content: "https://a.example", Email: "ada@a.example"})
	require.NoError(t, err)
	_, err = guard.Allowlist.Add(t.Context(), allowlist.AddRequest{OrganizationID: 1, Items: []allowlist.Item{{Content: "https://a.example"}}})
	require.NoError(t, err)

	changes, err := guard.Changelog(t.Context(), asset.ChangelogQuery{Content: "https://a.example"})
	require.NoError(t, err)
	var causes []asset.Cause
	for change, err := range changes {
		require.NoError(t, err)
		causes = append(causes, change.Origin.Cause)
	}
	require.Equal(t, []asset.Cause{asset.CauseAllowlist, asset.CauseReview}, causes)
}
