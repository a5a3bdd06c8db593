package allowlist_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/storage/memory"
)

func TestClearRequest_Validate(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		req  allowlist.ClearRequest
		want string
	}{
		"no organization": {allowlist.ClearRequest{}, "organizationId: must be from 1 to 2^53-1"},
		"a long prefix": {
			allowlist.ClearRequest{OrganizationID: acme, Filter: allowlist.Filter{Prefix: strings.Repeat("a", classify.MaxContent+1)}},
			fmt.Sprintf("prefix: must be at most %d bytes long", classify.MaxContent),
		},
		"no time between": {
			allowlist.ClearRequest{OrganizationID: acme, Filter: allowlist.Filter{AddedSince: noon, AddedBefore: noon}},
			"addedBefore: must be after addedSince",
		},
		"invalid": {allowlist.ClearRequest{OrganizationID: acme, Cursor: -1, Filter: allowlist.Filter{Status: "?"}},
			"cursor: must be the cursor of a page; status: must be UNKNOWN, ALLOWED or BLOCKED"},
	} {
		require.EqualError(t, c.req.Validate(), "invalid input: "+c.want, reason)
		cleared, err := newFixture(t, allowlist.Options{}).Clear(t.Context(), c.req)
		require.Equal(t, c.req.Validate(), err, reason)
		require.Zero(t, cleared, reason)
	}
}

// Clear removes what Remove removes one by one, whatever else is held on the assets. A dry run says what it will do, and
// a repetition does nothing.
func TestService_Clear_Law(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		const assets = 6
		type act struct{ organization, asset, minute, kind int }
		acts := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) act {
			draw := func(name string, last int) int { return rapid.IntRange(0, last).Draw(r, name) }
			return act{draw("organization", 1) + acme, draw("asset", assets-1), draw("minute", 5), draw("kind", 4)}
		}), 0, 25).Draw(r, "acts")
		minute := func(name string) time.Time {
			return rapid.SampledFrom([]time.Time{{}, noon.Add(time.Minute), noon.Add(3 * time.Minute)}).Draw(r, name)
		}
		filter := allowlist.Filter{
			Status: rapid.SampledFrom([]asset.Status{"", asset.StatusAllowed, asset.StatusBlocked}).Draw(r, "status"),
			Prefix: rapid.SampledFrom([]string{"", "https://1"}).Draw(r, "prefix"), AddedSince: minute("since"),
		}
		if before := minute("before"); before.After(filter.AddedSince) {
			filter.AddedBefore = before
		}
		contents := make([]string, assets)
		for i := range contents {
			contents[i] = fmt.Sprintf("https://%d%d.example", i%2, i)
		}
		fill := func() fixture {
			now := noon
			store := accounttest.Organizations(t, memory.New(), acme, globex)
			clock := func() time.Time { return now }
			f := fixture{allowlist.NewService(store, allowlist.Options{Clock: clock}), asset.NewService(store, asset.Options{Clock: clock}), store}
			for _, a := range acts {
				now = noon.Add(time.Duration(a.minute) * time.Minute)
				if a.kind < 3 {
					_, err := f.Add(r.Context(), allowlist.AddRequest{OrganizationID: int64(a.organization), Items: []allowlist.Item{{Content: contents[a.asset]}}})
					require.NoError(r, err)
					continue
				}
				_, err := f.assets.SetStatus(r.Context(), asset.SetStatusRequest{
					Identity: asset.Identity{Type: asset.TypeURL, Canonical: contents[a.asset]}, Status: asset.Statuses()[a.kind-3],
				})
				require.NoError(r, err)
			}
			now = noon.Add(time.Hour)
			return f
		}
		entries := func(f fixture, organization int64) []allowlist.Entry {
			page, err := f.List(r.Context(), allowlist.ListRequest{OrganizationID: organization})
			require.NoError(r, err)
			return page.Entries
		}
		statuses := func(f fixture) []asset.Listed {
			page, err := f.assets.List(r.Context(), asset.ListRequest{})
			require.NoError(r, err)
			return page.Assets
		}

		one, all := fill(), fill()
		before := statuses(one)
		var want allowlist.Cleared
		for _, entry := range entries(one, acme) {
			if !filter.Match(entry) {
				continue
			}
			_, err := one.Remove(r.Context(), allowlist.RemoveRequest{OrganizationID: acme, AssetIDs: []int64{entry.Asset.ID}})
			require.NoError(r, err)
			want.Removed++
		}
		for i, after := range statuses(one) {
			if after.Status != before[i].Status {
				want.Changed++
			}
		}
		req := allowlist.ClearRequest{OrganizationID: acme, Filter: filter, DryRun: true}
		planned, err := all.Clear(r.Context(), req)
		require.NoError(r, err)
		require.Equal(r, want, planned)
		require.Equal(r, before, statuses(all), "a dry run changes nothing")
		req.DryRun = false
		cleared, err := all.Clear(r.Context(), req)
		require.NoError(r, err)
		require.Equal(r, want, cleared)
		for _, organization := range []int64{acme, globex} {
			require.Equal(r, entries(one, organization), entries(all, organization))
		}
		require.Equal(r, statuses(one), statuses(all))
		again, err := all.Clear(r.Context(), req)
		require.NoError(r, err)
		require.Zero(r, again)
	})
}

// interruptedStore fails to remove when its count of removals is used up.
type interruptedStore struct {
	allowlist.Store
	left *int
}

var errAway = errors.New("the database is away")

func (s interruptedStore) RemoveFromAllowlist(ctx context.Context, cmd allowlist.RemoveCommand) ([]allowlist.RemovedEntry, error) {
	if *s.left--; *s.left == -1 {
		return nil, errAway
	}
	return s.Store.RemoveFromAllowlist(ctx, cmd)
}

// Entries of an organization that was removed can be cleared. A call that fails says what it has removed, and the next one
// removes the rest. Each call that removes something is in the audit trail.
func TestService_Clear(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	for part := range slices.Chunk(numbered(2500), allowlist.MaxItems) {
		f.add(t, acme, part...)
	}
	require.NoError(t, account.NewService(f.store, account.Options{}).RemoveOrganization(t.Context(), acme))

	left := 2
	interrupted := allowlist.NewService(interruptedStore{f.store, &left}, allowlist.Options{Clock: func() time.Time { return noon }})
	ctx := audit.WithActor(t.Context(), audit.Actor{Channel: audit.ChannelAPI, UserID: 7})
	req := allowlist.ClearRequest{OrganizationID: acme}
	cleared, err := interrupted.Clear(ctx, req)
	require.ErrorIs(t, err, errAway)
	require.Equal(t, allowlist.Cleared{Removed: 2000, Changed: 2000, NextCursor: 2000}, cleared)

	req.DryRun = true
	planned, err := f.Clear(ctx, req)
	require.NoError(t, err)
	require.Equal(t, allowlist.Cleared{Removed: 500, Changed: 500}, planned)

	req.DryRun = false
	req.Filter = allowlist.Filter{Prefix: "https://", AddedSince: noon, AddedBefore: noon.Add(time.Second), Status: asset.StatusAllowed}
	cleared, err = f.Clear(ctx, req)
	require.NoError(t, err)
	require.Equal(t, planned, cleared)
	cleared, err = f.Clear(ctx, req)
	require.NoError(t, err)
	require.Zero(t, cleared)

	require.Equal(t, asset.Origin{Cause: asset.CauseAllowlistRemoval, Actor: 7, Reference: "organization/1"}, f.changes(t)[0].Origin)
	page, err := trail.NewService(f.store).List(t.Context(), trail.ListRequest{Filter: trail.Filter{Kind: audit.KindOrganization}})
	require.NoError(t, err)
	var told []string
	for _, entry := range page.Items {
		if entry.Action == audit.ActionCleared {
			told = append(told, fmt.Sprint(entry.Subject, entry.Actor.UserID, " ", entry.Detail))
		}
	}
	require.Equal(t, []string{
		"17 status=ALLOWED prefix=https:// addedSince=2025-01-05T12:00:00Z addedBefore=2025-01-05T12:00:01Z",
		"17 ",
	}, told)
}

// A call stops after ten steps and says where the next one continues.
func TestService_Clear_NextCursor(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	for part := range slices.Chunk(numbered(10_500), allowlist.MaxItems) {
		f.add(t, acme, part...)
	}
	req := allowlist.ClearRequest{OrganizationID: acme, DryRun: true}
	for _, dryRun := range []bool{true, false} {
		req.DryRun, req.Cursor = dryRun, 0
		first, err := f.Clear(t.Context(), req)
		require.NoError(t, err)
		require.Equal(t, allowlist.Cleared{Removed: 10_000, Changed: 10_000, NextCursor: 10_000}, first)
		req.Cursor = first.NextCursor
		rest, err := f.Clear(t.Context(), req)
		require.NoError(t, err)
		require.Equal(t, allowlist.Cleared{Removed: 500, Changed: 500}, rest)
	}
	require.Empty(t, f.entries(t, acme))
}
