package memory_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/storagetest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	storagetest.Run(t, func(*testing.T) storage.Store { return memory.New() })
}

// canceledLater is a context that is canceled after the first call of Err.
type canceledLater struct {
	context.Context //nolint:containedctx // it is a context itself
	calls           int
}

func (c *canceledLater) Err() error {
	c.calls++
	if c.calls == 1 {
		return nil
	}
	return context.Canceled
}

// A scan of many rows that do not match ends when the context is canceled.
func TestStore_CanceledScan(t *testing.T) {
	t.Parallel()
	store := accounttest.Organizations(t, memory.New(), 1)
	cmd := allowlist.AddCommand{OrganizationID: 1, At: time.Now()}
	for n := range 2000 {
		identity := asset.Identity{Type: asset.TypeURL, Canonical: fmt.Sprintf("https://site-%d.example", n)}
		cmd.Entries = append(cmd.Entries, allowlist.Entry{Asset: asset.Asset{Identity: identity}})
		_, err := store.FileReport(t.Context(), report.FileCommand{OrganizationID: 1, At: time.Now()})
		require.NoError(t, err)
		_, err = store.CreateDispute(t.Context(), dispute.CreateCommand{Identity: identity, Register: true})
		require.NoError(t, err)
	}
	_, err := store.AddToAllowlist(t.Context(), cmd)
	require.NoError(t, err)

	for name, scan := range map[string]func(context.Context) error{
		"changes": func(ctx context.Context) error {
			_, err := store.Changes(ctx, asset.ListChangesRequest{Filter: asset.ChangeFilter{From: asset.StatusBlocked}, Limit: 1})
			return err
		},
		"disputes": func(ctx context.Context) error {
			_, err := store.Disputes(ctx, dispute.ListRequest{Filter: dispute.Filter{Email: "nowhere"}, Limit: 1})
			return err
		},
		"reports": func(ctx context.Context) error {
			_, err := store.Reports(ctx, report.ListRequest{
				Scope: report.InOrganization(1), Filter: report.Filter{SearchQuery: "nowhere"}, Limit: 1,
			})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, scan(t.Context()))
			require.ErrorIs(t, scan(&canceledLater{Context: t.Context()}), context.Canceled)
		})
	}
}
