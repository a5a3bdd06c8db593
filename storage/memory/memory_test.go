package memory_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/storagetest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	storagetest.Run(t, func(*testing.T) storage.Store { return memory.New() })
}

// endsLater is a context that has not ended when it is asked first.
type endsLater struct {
	context.Context //nolint:containedctx // it is a context itself
	asked           int
}

func (c *endsLater) Err() error {
	c.asked++
	if c.asked == 1 {
		return nil
	}
	return context.Canceled
}

func TestLongReadingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	store := memory.New()
	cmd := allowlist.AddCommand{OrganizationID: 1, Status: asset.StatusAllowed, At: time.Now()}
	for n := range 2000 {
		cmd.Candidates = append(cmd.Candidates, allowlist.Candidate{
			Identity: asset.Identity{Type: asset.TypeURL, Canonical: fmt.Sprintf("https://site-%d.example", n)},
		})
		_, err := store.FileReport(t.Context(), report.FileCommand{OrganizationID: 1, At: time.Now()})
		require.NoError(t, err)
	}
	_, err := store.AddToAllowlist(t.Context(), cmd)
	require.NoError(t, err)

	_, err = store.Changes(&endsLater{Context: t.Context()}, asset.ChangeFilter{From: asset.StatusBlocked}, asset.ChangeCursor{}, 1)
	require.ErrorIs(t, err, context.Canceled)
	_, err = store.Reports(&endsLater{Context: t.Context()}, report.ListRequest{
		Scope: report.InOrganization(1), Filter: report.Filter{SearchQuery: "nowhere"}, Limit: 1,
	})
	require.ErrorIs(t, err, context.Canceled)
}
