package lists_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/step"
)

// measuredStore has one list. It keeps nothing of what the list holds, and measures the heap at some steps.
type measuredStore struct {
	lists.Store
	list  lists.List
	held  int // the entries that the list holds
	steps int
	peak  uint64
}

func (s *measuredStore) measure() {
	if s.steps++; s.steps%250 == 1 {
		var now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&now)
		s.peak = max(s.peak, now.HeapAlloc)
	}
}

func (s *measuredStore) PutList(_ context.Context, _ string, put func(lists.List, int) (lists.List, audit.Entry, error)) (lists.List, error) {
	changed, _, err := put(s.list, 1)
	if err == nil {
		changed.ID = 1
		s.list = changed
	}
	return changed, err
}

func (s *measuredStore) ListEntries(_ context.Context, listID, after int64, limit int) (step.Page[lists.HeldEntry], error) {
	s.measure()
	page := step.Page[lists.HeldEntry]{}
	for n := int(after); n < s.held && len(page.Items) < limit; n++ {
		identity := asset.Identity{Type: asset.TypePage, Canonical: fmt.Sprintf(measuredHost, n)}
		page.Items = append(page.Items, lists.HeldEntry{
			Asset:    asset.Asset{ID: int64(n + 1), Identity: identity, Status: asset.StatusBlocked},
			Decision: asset.ListDecision{ListID: listID, Status: asset.StatusBlocked, Reason: asset.ReasonOther, Since: time.UnixMilli(1).UTC()},
		})
	}
	page.More = int(after)+len(page.Items) < s.held
	return page, nil
}

func (s *measuredStore) DecideEntries(_ context.Context, cmd lists.DecideCommand) ([]asset.Asset, error) {
	s.measure()
	assets := make([]asset.Asset, len(cmd.Entries))
	for i, entry := range cmd.Entries {
		assets[i] = asset.Asset{ID: 1, Identity: entry.Identity, Status: entry.Decision.Status}
	}
	return assets, nil
}

func (s *measuredStore) WithdrawEntries(context.Context, lists.WithdrawCommand) error {
	s.measure()
	return nil
}

const measuredHost = "login-%d.evil.com"

// A sync takes at most 64 bytes for each entry of the file.
func TestService_Sync_memory(t *testing.T) { //nolint:paralleltest // it measures the memory of the process
	testsize.Measurement(t)
	const (
		entries = 1_000_000
		most    = 64 // bytes
	)
	path := filepath.Join(t.TempDir(), "list")
	file, err := os.Create(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	_, err = io.Copy(file, generated(t, "", entries, measuredHost+"\n", ""))
	require.NoError(t, err)
	for _, c := range []struct {
		reason string
		held   int
		want   lists.SyncResult
	}{
		{"the first sync", 0, lists.SyncResult{Added: entries}},
		{"an unchanged file", entries, lists.SyncResult{Kept: entries}},
		{"half of the file is new", entries / 2, lists.SyncResult{Added: entries / 2, Kept: entries / 2}},
		{"as many entries go as stay", 2 * entries, lists.SyncResult{Withdrawn: entries, Kept: entries}},
	} {
		store := &measuredStore{held: c.held, list: lists.List{ID: 1, Name: "a", Format: lists.Domains, Status: asset.StatusBlocked, Reason: asset.ReasonOther}}
		var before runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		result, err := lists.NewService(store, lists.Options{}).Sync(t.Context(), lists.SyncRequest{Name: "a", File: file, Confirm: true})
		require.NoError(t, err, c.reason)
		require.Equal(t, c.want, result, c.reason)
		bytes := float64(store.peak-before.HeapAlloc) / entries
		t.Logf("%s: %.1f bytes for each entry", c.reason, bytes)
		require.LessOrEqual(t, bytes, float64(most), c.reason)
	}
}
