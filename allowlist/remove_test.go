package allowlist_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/idempotency"
)

func TestRemoveRequest_Validate(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		req  allowlist.RemoveRequest
		want string
	}{
		"no assets":        {allowlist.RemoveRequest{OrganizationID: acme}, "ids: must hold 1 to 1000 elements"},
		"no contents":      {allowlist.RemoveRequest{OrganizationID: acme, Contents: []string{}}, "contents: must hold 1 to 1000 elements"},
		"IDs and contents": {allowlist.RemoveRequest{OrganizationID: acme, AssetIDs: []int64{1}, Contents: []string{"a"}}, "contents: must not be given with ids"},
		"an invalid key": {
			allowlist.RemoveRequest{OrganizationID: acme, Contents: []string{""}, Idempotency: idempotency.Key{Text: "a b"}},
			"Idempotency-Key: must be 1 to 255 visible ASCII characters",
		},
		"one content too many": {allowlist.RemoveRequest{OrganizationID: acme, Contents: make([]string, allowlist.MaxItems+1)}, "contents: more than 1000 assets"},
		"one asset too many":   {allowlist.RemoveRequest{OrganizationID: acme, AssetIDs: make([]int64, allowlist.MaxItems+1)}, "ids: more than 1000 assets"},
		"no organization":      {allowlist.RemoveRequest{AssetIDs: []int64{1}}, "organizationId: must be from 1 to 2^53-1"},
		"an invalid actor":     {allowlist.RemoveRequest{OrganizationID: acme, Actor: -1, AssetIDs: []int64{1}}, "actor: must be a user's id"},
		"invalid IDs": {
			allowlist.RemoveRequest{OrganizationID: acme, AssetIDs: []int64{1, 0, asset.MaxID, asset.MaxID + 1}},
			"ids[1]: must be from 1 to 2^53-1; ids[3]: must be from 1 to 2^53-1",
		},
	} {
		var input *asset.InputError
		require.ErrorAs(t, c.req.Validate(), &input, reason)
		require.EqualError(t, input, "invalid input: "+c.want, reason)
		require.Equal(t, strings.HasSuffix(reason, "too many"), errors.Is(input, allowlist.ErrTooMany), reason)

		removed, err := newFixture(t, allowlist.Options{}).Remove(t.Context(), c.req)
		require.Equal(t, c.req.Validate(), err, "Remove validates")
		require.Zero(t, removed, reason)
	}
}

func TestService_Remove(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	f.block(t, "https://1.example")
	added := f.add(t, acme, numbered(3)...)
	f.add(t, globex, numbered(1)...)

	ids := []int64{added[1].AssetID, 999, added[0].AssetID, added[1].AssetID}
	req := allowlist.RemoveRequest{OrganizationID: acme, Actor: 7, AssetIDs: ids}
	removed, err := f.Remove(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, allowlist.Removed{Results: []allowlist.RemoveResult{
		{AssetID: ids[0]},
		{AssetID: 999, Err: allowlist.ErrNotListed},
		{AssetID: ids[2]},
		{AssetID: ids[0], Err: allowlist.ErrNotListed},
	}}, removed)
	require.Equal(t, []int64{added[1].AssetID, 999, added[0].AssetID, added[1].AssetID}, ids, "the caller's slice stays as it is")
	require.Len(t, f.entries(t, acme), 1)

	changes := f.changes(t)
	require.Len(t, changes, 5, "only one asset is on no other allowlist")
	require.Equal(t, asset.Change{
		ID: changes[0].ID, AssetID: added[1].AssetID, Type: asset.TypeURL, Content: "https://1.example",
		From: asset.StatusAllowed, To: asset.StatusBlocked, At: noon,
		Origin: asset.Origin{Cause: asset.CauseAllowlistRemoval, Actor: 7, Reference: "organization/1"},
	}, changes[0])

	removed, err = f.Remove(t.Context(), req)
	require.NoError(t, err)
	require.False(t, slices.ContainsFunc(removed.Results, func(r allowlist.RemoveResult) bool { return r.Err == nil }), "a second time")
}

func TestService_Remove_contents(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	added := f.add(t, acme, numbered(2)...)
	f.add(t, globex, numbered(4)...)
	req := allowlist.RemoveRequest{
		OrganizationID: acme,
		Contents: []string{
			" HTTPS://1.EXAMPLE/", "https://0.example", "https://1.example", "https://3.example", "https://9.example", "", "no asset",
		},
		Idempotency: idempotency.Key{Text: "key"},
	}
	removed, err := f.Remove(t.Context(), req)
	require.NoError(t, err)
	require.False(t, removed.Replayed)
	results := removed.Results
	require.ErrorIs(t, results[5].Err, classify.ErrContentRequired)
	require.ErrorIs(t, results[6].Err, classify.ErrInvalidFormat)
	require.Equal(t, []allowlist.RemoveResult{
		{Content: req.Contents[0], AssetID: added[1].AssetID},
		{Content: req.Contents[1], AssetID: added[0].AssetID},
		{Content: req.Contents[2], Err: allowlist.ErrNotListed},
		{Content: req.Contents[3], Err: allowlist.ErrNotListed},
		{Content: req.Contents[4], Err: allowlist.ErrNotListed},
		{Content: req.Contents[5], Err: results[5].Err},
		{Content: req.Contents[6], Err: results[6].Err},
	}, results, "an asset of others has no ID")
	require.Empty(t, f.entries(t, acme))

	f.add(t, acme, numbered(2)...)
	repeat, err := f.Remove(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, allowlist.Removed{Results: results, Replayed: true}, repeat)
	require.Len(t, f.entries(t, acme), 2)

	req.Contents = req.Contents[:6]
	_, err = f.Remove(t.Context(), req)
	require.ErrorIs(t, err, idempotency.ErrReused)

	byID := allowlist.RemoveRequest{OrganizationID: acme, AssetIDs: []int64{added[1].AssetID, 999}, Idempotency: idempotency.Key{Text: "by-ID"}}
	first, err := f.Remove(t.Context(), byID)
	require.NoError(t, err)
	repeat, err = f.Remove(t.Context(), byID)
	require.NoError(t, err)
	require.Equal(t, allowlist.Removed{Results: first.Results, Replayed: true}, repeat)
}
