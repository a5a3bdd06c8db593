package main

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/observe"
	"github.com/apguard/apguard/storage/memory"
)

// blockingList blocks one asset.
type blockingList string

func (blockingList) Name() string { return "test" }

func (l blockingList) Status(_ context.Context, identity asset.Identity) (asset.Status, error) {
	if identity.Canonical == string(l) {
		return asset.StatusBlocked, nil
	}
	return asset.StatusUnknown, nil
}

func TestWork_Text(t *testing.T) {
	t.Parallel()
	counts := newWork()
	guard := apguard.New(accounttest.Organizations(t, memory.New(), 1), apguard.Options{
		Observers:     []observe.Observer{counts},
		ExternalLists: check.ExternalLists{blockingList("https://listed.example.com")},
		RefuseBlocked: true,
	})
	_, err := guard.SetStatus(t.Context(), "bad.example.com", asset.StatusBlocked, asset.Origin{})
	require.NoError(t, err)
	added, err := guard.Allowlist.Add(t.Context(), allowlist.AddRequest{OrganizationID: 1, Items: []allowlist.Item{
		{Content: "good.example.com"}, {Content: "good.example.com"}, {Content: "www.good.example.com"}, {Content: "bad.example.com"}, {Content: " "},
	}})
	require.NoError(t, err)
	_, err = guard.Allowlist.Remove(t.Context(), allowlist.RemoveRequest{
		OrganizationID: 1, AssetIDs: []int64{added.Results[2].AssetID, added.Results[3].AssetID},
	})
	require.NoError(t, err)
	contents := []string{"https://good.example.com/x", "https://bad.example.com", "https://listed.example.com", "https://new.example.com", "0x12"}
	_, err = guard.Checks.CheckBatch(t.Context(), contents)
	require.NoError(t, err)
	_, err = guard.Checks.Check(t.Context(), "https://bad.example.com")
	require.NoError(t, err)
	_, err = guard.Checks.Check(t.Context(), "0x12")
	require.ErrorIs(t, err, asset.ErrInvalid)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = guard.Checks.Check(ended, "https://bad.example.com")
	require.ErrorIs(t, err, context.Canceled)

	require.Equal(t, map[string]float64{
		`apguard_checks_total{status="ALLOWED",source="ASSET"}`:              1,
		`apguard_checks_total{status="BLOCKED",source="ASSET"}`:              2,
		`apguard_checks_total{status="BLOCKED",source="LIST"}`:               1,
		`apguard_checks_total{status="UNKNOWN",source="NONE"}`:               1,
		`apguard_checks_refused_total{reason="HEX_LENGTH"}`:                  2,
		`apguard_changes_total{status="ALLOWED"}`:                            2,
		`apguard_changes_total{status="BLOCKED"}`:                            1,
		`apguard_changes_total{status="UNKNOWN"}`:                            1,
		`apguard_allowlist_items_total{action="add",reason="NONE"}`:          2,
		`apguard_allowlist_items_total{action="add",reason="EXISTS"}`:        1,
		`apguard_allowlist_items_total{action="add",reason="BLOCKED"}`:       1,
		`apguard_allowlist_items_total{action="add",reason="EMPTY"}`:         1,
		`apguard_allowlist_items_total{action="remove",reason="NONE"}`:       1,
		`apguard_allowlist_items_total{action="remove",reason="NOT_LISTED"}`: 1,
	}, scrape(t, string(counts.text())))
}

// A server without clients has all counts that have no reason.
func TestWork_Text_empty(t *testing.T) {
	t.Parallel()
	counts := newWork()
	got := scrape(t, string(counts.text()))
	require.Len(t, got, 4+3+2)
	for sample, value := range got {
		require.Zero(t, value, sample)
	}
}
