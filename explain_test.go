package apguard_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage/memory"
)

// constantList is an external list with the same verdict on every asset.
type constantList struct {
	name   string
	status asset.Status
	err    error
}

func (o constantList) Name() string { return o.name }

func (o constantList) Status(context.Context, asset.Identity) (asset.Status, error) {
	return o.status, o.err
}

func TestGuard_Explain(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{ExternalLists: check.ExternalLists{
		constantList{name: "Blocks", status: asset.StatusBlocked},
		constantList{name: "Exempts", status: asset.StatusAllowed},
		constantList{name: "Silent", status: asset.StatusUnknown},
	}})
	setStatus(t, guard, "https://a.example", asset.StatusBlocked)
	setStatus(t, guard, "https://other.example", asset.StatusBlocked)
	for _, email := range []string{"ada@acme.example", "bob@acme.example"} {
		for _, content := range []string{"https://A.example", "https://other.example"} {
			_, err := guard.Disputes.Create(t.Context(), dispute.CreateRequest{Content: content, Email: email})
			require.NoError(t, err)
		}
	}
	for _, organization := range []int64{7, 2} {
		_, err := guard.Allowlist.Add(t.Context(), allowlist.AddRequest{
			OrganizationID: organization,
			Actor:          70 + organization,
			Items:          []allowlist.Item{{Content: "https://a.example/"}},
		})
		require.NoError(t, err)
	}
	setStatus(t, guard, "https://other.example", asset.StatusAllowed)

	got, err := guard.Explain(t.Context(), " HTTPS://a.example ")
	require.NoError(t, err)
	known, err := guard.Asset(t.Context(), "https://a.example")
	require.NoError(t, err)
	require.Equal(t, known, got.Asset)
	require.Equal(t, asset.StatusAllowed, got.Asset.Status)
	require.Equal(t, asset.StatusBlocked, got.Change.From, "the change that set the status")
	require.Equal(t, asset.Origin{Cause: asset.CauseAllowlist, Actor: 77, Reference: "organization/7"}, got.Change.Origin)
	require.Equal(t, []check.ListVerdict{{List: "Blocks", Status: asset.StatusBlocked}}, got.Dissent, "the lists that contradict the status")
	require.Empty(t, got.ListsFailed)
	require.Len(t, got.AllowedBy.Organizations, 2)
	require.EqualValues(t, 2, got.AllowedBy.Organizations[0].OrganizationID)
	require.EqualValues(t, 7, got.AllowedBy.Organizations[1].OrganizationID)
	require.Len(t, got.Disputes.Disputes, 2)
	require.Equal(t, "bob@acme.example", got.Disputes.Disputes[0].Email, "the newest dispute comes first")
	require.Zero(t, got.Disputes.NextCursor)
}

func TestGuard_Explain_Dissent(t *testing.T) {
	t.Parallel()
	for status, want := range map[asset.Status][]check.ListVerdict{
		asset.StatusUnknown: {{List: "Blocks", Status: asset.StatusBlocked}, {List: "Exempts", Status: asset.StatusAllowed}},
		asset.StatusAllowed: {{List: "Blocks", Status: asset.StatusBlocked}},
		asset.StatusBlocked: {{List: "Exempts", Status: asset.StatusAllowed}},
	} {
		guard := newGuard(t, apguard.Options{ExternalLists: check.ExternalLists{
			constantList{name: "Blocks", status: asset.StatusBlocked},
			constantList{name: "Silent", status: asset.StatusUnknown},
			constantList{name: "Exempts", status: asset.StatusAllowed},
		}})
		setStatus(t, guard, "@a", asset.StatusBlocked)
		setStatus(t, guard, "@a", status)
		got, err := guard.Explain(t.Context(), "@a")
		require.NoError(t, err)
		require.Equal(t, want, got.Dissent, status)
	}
}

func TestGuard_Explain_UnknownAsset(t *testing.T) {
	t.Parallel()
	failure := errors.New("no answer")
	blocks := constantList{name: "Blocks", status: asset.StatusBlocked}
	silent := constantList{name: "Silent", status: asset.StatusUnknown}
	fails := constantList{name: "Fails", err: failure}

	guard := newGuard(t, apguard.Options{ExternalLists: check.ExternalLists{fails, blocks}})
	got, err := guard.Explain(t.Context(), " https://a.example/ ")
	require.NoError(t, err, "an external list knows it")
	require.Equal(t, asset.Asset{
		Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example"},
		Status:   asset.StatusUnknown,
	}, got.Asset)
	require.Equal(t, []check.ListVerdict{{List: "Blocks", Status: asset.StatusBlocked}}, got.Dissent)
	require.ErrorIs(t, got.ListsFailed.Err(), failure)
	_, err = guard.Asset(t.Context(), "https://a.example")
	require.ErrorIs(t, err, asset.ErrNotFound, "an explanation registers nothing")

	for reason, c := range map[string]struct {
		lists   []check.ExternalList
		content string
	}{
		"no list knows it":             {check.ExternalLists{silent}, "https://a.example"},
		"there is no list":             {nil, "https://a.example"},
		"no rule recognizes the text":  {check.ExternalLists{blocks}, "no asset"},
		"the one list does not answer": {check.ExternalLists{fails}, "https://a.example"},
	} {
		_, err := newGuard(t, apguard.Options{ExternalLists: c.lists}).Explain(t.Context(), c.content)
		require.ErrorIs(t, err, asset.ErrNotFound, reason)
		require.Equal(t, reason == "the one list does not answer", errors.Is(err, failure), reason)
	}
}

func TestGuard_Explain_NoChange(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	setStatus(t, guard, "@a", asset.StatusUnknown)
	got, err := guard.Explain(t.Context(), "@a")
	require.NoError(t, err)
	require.Nil(t, got.Change)
	require.Empty(t, got.AllowedBy.Organizations)
	require.Empty(t, got.Disputes.Disputes)
}

func TestGuard_Explain_ClockSetBack(t *testing.T) {
	t.Parallel()
	now := time.Date(2025, 1, 5, 12, 0, 0, 0, time.UTC)
	guard := apguard.New(memory.New(), apguard.Options{Clock: func() time.Time {
		now = now.Add(-time.Minute)
		return now
	}})
	setStatus(t, guard, "@a", asset.StatusBlocked)
	setStatus(t, guard, "@a", asset.StatusAllowed)
	got, err := guard.Explain(t.Context(), "@a")
	require.NoError(t, err)
	require.Equal(t, asset.StatusAllowed, got.Asset.Status)
	require.Equal(t, asset.StatusAllowed, got.Change.To, "the last of the two")
}

func TestGuard_Explain_Limits(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	for i := range int64(apguard.MaxExplained + 1) {
		_, err := guard.Allowlist.Add(t.Context(), allowlist.AddRequest{
			OrganizationID: i + 1, Items: []allowlist.Item{{Content: "@a"}},
		})
		require.NoError(t, err)
		_, err = guard.Disputes.Create(t.Context(), dispute.CreateRequest{
			Content: "@a", Email: fmt.Sprintf("user%d@acme.example", i),
		})
		require.NoError(t, err)
	}
	got, err := guard.Explain(t.Context(), "@a")
	require.NoError(t, err)
	require.Len(t, got.AllowedBy.Organizations, apguard.MaxExplained)
	require.NotZero(t, got.AllowedBy.NextCursor, "there is one more")
	require.Len(t, got.Disputes.Disputes, apguard.MaxExplained)
	require.NotZero(t, got.Disputes.NextCursor, "there is one more")
}

func TestGuard_Explain_Canceled(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{ExternalLists: check.ExternalLists{
		constantList{name: "Blocks", status: asset.StatusBlocked},
	}})
	setStatus(t, guard, "@a", asset.StatusBlocked)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := guard.Explain(ctx, "@a")
	require.ErrorIs(t, err, context.Canceled)
}
