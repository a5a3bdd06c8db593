package apguard_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage/memory"
)

// A call examines a bounded number of records, even if it removes few of them, and calls that follow
// the cursor examine all. Each call that removes something has one entry in the audit trail.
func TestGuard_Prune(t *testing.T) {
	t.Parallel()
	now := time.Date(2025, time.January, 5, 12, 0, 0, 0, time.UTC)
	guard := apguard.New(memory.New(), apguard.Options{Clock: func() time.Time { return now }})
	_, err := guard.SetStatus(t.Context(), "bad.example.com", asset.StatusBlocked, asset.Origin{})
	require.NoError(t, err)
	const disputes = 2500
	for i := range disputes {
		created, err := guard.Disputes.Create(t.Context(), dispute.CreateRequest{Content: "bad.example.com", Email: fmt.Sprintf("%d@a.example", i)})
		require.NoError(t, err)
		if i%2 == 0 {
			_, err = guard.DisputeQueue.Withdraw(t.Context(), dispute.TransitionRequest{DisputeID: created.Dispute.ID})
			require.NoError(t, err)
		}
	}
	now = now.Add(time.Hour)
	request := apguard.PruneRequest{Records: apguard.PrunableDisputes, Before: now}
	for _, want := range []apguard.Pruned{
		{Removed: 500, Next: asset.ChangeCursor{ID: 1000}, More: true},
		{Removed: 500, Next: asset.ChangeCursor{ID: 2000}, More: true},
		{Removed: 250, Next: asset.ChangeCursor{ID: disputes}},
	} {
		got, err := guard.Prune(t.Context(), request)
		require.NoError(t, err)
		require.Equal(t, want, got)
		request.After = got.Next
	}
	entries, err := guard.Audit.List(t.Context(), trail.ListRequest{})
	require.NoError(t, err)
	require.Len(t, entries.Items, 3)
}

func TestGuard_Prune_invalid(t *testing.T) {
	t.Parallel()
	now := time.Date(2025, time.January, 5, 12, 0, 0, 0, time.UTC)
	guard := apguard.New(memory.New(), apguard.Options{Clock: func() time.Time { return now }})
	for reason, request := range map[string]apguard.PruneRequest{
		"the zero value":       {},
		"no time":              {Records: apguard.PrunableChanges},
		"a time in the future": {Records: apguard.PrunableChanges, Before: now.Add(1)},
		"unknown records":      {Records: "ASSETS", Before: now},
	} {
		_, err := guard.Prune(t.Context(), request)
		require.ErrorIs(t, err, asset.ErrInvalid, reason)
	}
}

// Records younger than the age are kept, whatever they are.
func TestGuard_Prune_age(t *testing.T) {
	t.Parallel()
	now := time.Date(2025, time.January, 5, 12, 0, 0, 0, time.UTC)
	for reason, c := range map[string]struct {
		option, age time.Duration
		issue       string
	}{
		"the zero value":     {0, 0, "before: must not be in the future"},
		"a negative one":     {-time.Hour, 0, "before: must not be in the future"},
		"a year":             {365 * 24 * time.Hour, 365 * 24 * time.Hour, "before: must be at least 365 days ago"},
		"an hour and a half": {90 * time.Minute, 90 * time.Minute, "before: must be at least 1h30m0s ago"},
	} {
		guard := apguard.New(memory.New(), apguard.Options{Clock: func() time.Time { return now }, PruneAge: c.option})
		for _, records := range apguard.Prunables() {
			_, err := guard.Prune(t.Context(), apguard.PruneRequest{Records: records, Before: now.Add(1 - c.age)})
			var invalid *asset.InputError
			require.ErrorAs(t, err, &invalid, reason)
			require.Equal(t, []string{c.issue}, []string{invalid.Issues[0].String()}, reason)
			got, err := guard.Prune(t.Context(), apguard.PruneRequest{Records: records, Before: now.Add(-c.age)})
			require.NoError(t, err, reason)
			require.Equal(t, apguard.Pruned{}, got, reason)
		}
	}
}
