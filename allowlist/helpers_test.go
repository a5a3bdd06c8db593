package allowlist_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/storage/memory"
)

const (
	acme   = 1
	globex = 2
)

var noon = time.Date(2025, 1, 5, 12, 0, 0, 0, time.UTC)

// fixture is an allowlist service and an asset service on one store. Acme has the
// group 10, Globex the group 20.
type fixture struct {
	*allowlist.Service
	assets *asset.Service
	store  *memory.Store
}

func newFixture(t *testing.T, opts allowlist.Options) fixture {
	t.Helper()
	store := accounttest.Organizations(t, memory.New(), acme, globex)
	accounts := account.NewService(store, account.Options{})
	for organization, group := range map[int64]int64{acme: 10, globex: 20} {
		_, err := accounts.PutGroup(t.Context(), account.Group{ID: group, OrganizationID: organization})
		require.NoError(t, err)
	}
	clock := func() time.Time { return noon }
	opts.Clock = clock
	return fixture{allowlist.NewService(store, opts), asset.NewService(store, asset.Options{Clock: clock}), store}
}

func (f fixture) add(t *testing.T, organization int64, items ...allowlist.Item) []allowlist.Result {
	t.Helper()
	added, err := f.Add(t.Context(), allowlist.AddRequest{OrganizationID: organization, Actor: 7, Items: items})
	require.NoError(t, err)
	require.Len(t, added.Results, len(items))
	require.False(t, added.Replayed)
	return added.Results
}

func (f fixture) entries(t *testing.T, organization int64) []allowlist.Entry {
	t.Helper()
	page, err := f.List(t.Context(), allowlist.ListRequest{OrganizationID: organization, Limit: allowlist.MaxLimit})
	require.NoError(t, err)
	require.Zero(t, page.NextCursor)
	return page.Entries
}

func (f fixture) changes(t *testing.T) []asset.Change {
	t.Helper()
	page, err := f.assets.ListChanges(t.Context(), asset.ListChangesRequest{Limit: 100})
	require.NoError(t, err)
	return page.Changes
}

func (f fixture) block(t *testing.T, canonical string) {
	t.Helper()
	_, err := f.assets.SetStatus(t.Context(), asset.SetStatusRequest{
		Identity: asset.Identity{Type: asset.TypeURL, Canonical: canonical}, Status: asset.StatusBlocked,
	})
	require.NoError(t, err)
}
