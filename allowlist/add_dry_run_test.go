package allowlist_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/idempotency"
)

// A dry run stores nothing and predicts every result of the request. It knows the IDs and
// statuses of the assets that exist.
func TestService_Add_DryRunLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		f := drawn(t, rt)
		req := allowlist.AddRequest{OrganizationID: acme, Actor: 7, Items: anyItems.Draw(rt, "items"), DryRun: true}
		before := f.stored(t)
		planned, err := f.Add(t.Context(), req)
		require.NoError(rt, err)
		require.False(rt, planned.Replayed)
		require.Equal(rt, before, f.stored(t))

		statuses := f.statuses(t)
		req.DryRun = false
		added, err := f.Add(t.Context(), req)
		require.NoError(rt, err)
		for i, want := range added.Results {
			got := planned.Results[i]
			status, exists := statuses[want.AssetID]
			require.Equal(rt, status, got.Status, "the status of item %d", i)
			require.Equal(rt, want.AssetID != 0, got.Verdict != nil, "the verdict of item %d", i)
			if got.Verdict != nil && status != "" && status != asset.StatusUnknown {
				require.Equal(rt, status, got.Verdict.Status, "item %d", i)
			}
			got.Verdict = nil
			if !exists {
				require.Zero(rt, got.AssetID, "item %d", i)
				got.AssetID = want.AssetID
			}
			require.Equal(rt, want, got, "item %d", i)
		}
	})
}

// statuses returns the status of each asset of the items that exists, by its ID.
func (f fixture) statuses(t *testing.T) map[int64]asset.Status {
	t.Helper()
	statuses := make(map[int64]asset.Status)
	for _, identity := range []asset.Identity{
		{Type: asset.TypeURL, Canonical: "https://a.example"},
		{Type: asset.TypeURL, Canonical: "https://b.example"},
		{Type: asset.TypeURL, Canonical: "https://c.example"},
		{Type: asset.TypePage, Canonical: "acme.com"},
	} {
		found, err := f.assets.Get(t.Context(), identity)
		if err == nil {
			statuses[found.ID] = found.Status
			continue
		}
		require.ErrorIs(t, err, asset.ErrNotFound)
	}
	return statuses
}

func TestService_Add_DryRun(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{RefuseBlocked: true})
	listed := f.add(t, acme, allowlist.Item{Content: "https://listed.example"})[0].AssetID
	f.block(t, "https://blocked.example")
	added, err := f.Add(t.Context(), allowlist.AddRequest{OrganizationID: acme, DryRun: true, Items: []allowlist.Item{
		{Content: "https://listed.example/"},
		{Content: "https://blocked.example"},
		{Content: "https://new.example"},
		{Content: "https://new.example/"},
		{Content: ""},
		{Content: "https://blocked.example", GroupID: -1},
	}})
	require.NoError(t, err)
	verdicts := make([]asset.Status, len(added.Results))
	for i := range added.Results {
		if verdict := added.Results[i].Verdict; verdict != nil {
			verdicts[i] = verdict.Status
		}
		added.Results[i].Verdict = nil
	}
	require.Equal(t, []asset.Status{asset.StatusAllowed, asset.StatusBlocked, asset.StatusUnknown, asset.StatusUnknown, "", ""}, verdicts)
	require.Equal(t, allowlist.Added{Results: []allowlist.Result{
		{Content: "https://listed.example/", Outcome: allowlist.Outcome{AssetID: listed, Err: allowlist.ErrExists, Status: asset.StatusAllowed}},
		{Content: "https://blocked.example", Outcome: allowlist.Outcome{AssetID: listed + 1, Err: allowlist.ErrBlocked, Status: asset.StatusBlocked}},
		{Content: "https://new.example"},
		{Content: "https://new.example/", Outcome: allowlist.Outcome{Err: allowlist.ErrExists}},
		{Content: "", Outcome: allowlist.Outcome{Err: &classify.Error{Reason: classify.ReasonEmpty}}},
		{Content: "https://blocked.example", Outcome: allowlist.Outcome{Err: allowlist.ErrInvalidGroupID}},
	}}, added)
}

func TestService_Add_DryRunRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	added, err := f.Add(t.Context(), allowlist.AddRequest{
		OrganizationID: acme, DryRun: true, Items: []allowlist.Item{{Content: "https://a.example", GroupID: 20}},
	})
	require.Equal(t, &allowlist.GroupNotFoundError{GroupID: 20}, err)
	require.Zero(t, added)
}

// A dry run neither uses the key nor is it a repeat.
func TestService_Add_DryRunKey(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	req := allowlist.AddRequest{OrganizationID: acme, Items: []allowlist.Item{{Content: "https://a.example"}}, Idempotency: idempotency.Key{Text: "key"}}
	plan := req
	plan.DryRun = true
	for range 2 {
		planned, err := f.Add(t.Context(), plan)
		require.NoError(t, err)
		require.NoError(t, planned.Results[0].Err)
	}
	added, err := f.Add(t.Context(), req)
	require.NoError(t, err)
	require.False(t, added.Replayed)
	plan.Items = []allowlist.Item{{Content: "https://b.example"}}
	planned, err := f.Add(t.Context(), plan)
	require.NoError(t, err)
	require.False(t, planned.Replayed)
}
