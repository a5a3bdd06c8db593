package allowlist_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/storage/memory"
)

// numbered returns n items with different assets.
func numbered(n int) []allowlist.Item {
	items := make([]allowlist.Item, n)
	for i := range items {
		items[i].Content = fmt.Sprintf("https://%d.example", i)
	}
	return items
}

func TestAddRequest_Validate(t *testing.T) {
	t.Parallel()
	good := allowlist.Item{Content: "https://good.example"}
	for reason, c := range map[string]struct {
		req  allowlist.AddRequest
		want string
	}{
		"no items": {
			allowlist.AddRequest{OrganizationID: acme},
			"assets: must hold 1 to 1000 elements",
		},
		"one item too many": {
			allowlist.AddRequest{OrganizationID: acme, Items: numbered(allowlist.MaxItems + 1)},
			"assets: more than 1000 assets",
		},
		"no organization": {
			allowlist.AddRequest{Items: []allowlist.Item{good}},
			"organizationId: must be from 1 to 2^53-1",
		},
		"an invalid actor": {
			allowlist.AddRequest{OrganizationID: acme, Actor: -1, Items: []allowlist.Item{good}},
			"actor: must be a user's id",
		},
		"a description that is not UTF-8": {
			allowlist.AddRequest{OrganizationID: acme, Items: []allowlist.Item{good, {Content: "a.com", Description: "\xff"}}},
			"assets[1].description: must be valid UTF-8 without NUL",
		},
		"a name and a description with NUL": {
			allowlist.AddRequest{OrganizationID: acme, Items: []allowlist.Item{good, {Content: "a.com", Name: "\x00", Description: "\x00"}}},
			"assets[1].name: must be valid UTF-8 without NUL; assets[1].description: must be valid UTF-8 without NUL",
		},
		"a name and a description that are too long": {
			allowlist.AddRequest{OrganizationID: acme, Items: []allowlist.Item{{
				Content: "a.com", Name: strings.Repeat("é", 100) + "n", Description: strings.Repeat("d", 10_001),
			}}},
			"assets[0].name: must be at most 200 bytes long; assets[0].description: must be at most 10000 bytes long",
		},
		"a description that is too long": {
			allowlist.AddRequest{OrganizationID: acme, Items: []allowlist.Item{good, {Content: "a.com", Description: strings.Repeat("d", 10_001)}}},
			"assets[1].description: must be at most 10000 bytes long",
		},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			var input *asset.InputError
			err := c.req.Validate()
			require.ErrorAs(t, err, &input)
			require.EqualError(t, err, "invalid input: "+c.want)
			require.Equal(t, reason == "one item too many", errors.Is(err, allowlist.ErrTooMany))

			f := newFixture(t, allowlist.Options{})
			added, err := f.Add(t.Context(), c.req)
			require.Equal(t, c.req.Validate(), err, "Add validates")
			require.Zero(t, added)
			require.Empty(t, f.changes(t), "nothing was stored")
		})
	}
	require.NoError(t, allowlist.AddRequest{OrganizationID: acme, Items: numbered(allowlist.MaxItems)}.Validate())
	require.NoError(t, allowlist.AddRequest{OrganizationID: acme, Items: []allowlist.Item{{
		Name: strings.Repeat("n", 200), Description: strings.Repeat("d", 10_000),
	}}}.Validate(), "texts at the limit")
	require.NoError(t, allowlist.AddRequest{OrganizationID: acme, Items: []allowlist.Item{{GroupID: -1}}}.Validate(),
		"contents and groups are checked item by item")
}

func TestService_Add_EachType(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	results := f.add(t, acme,
		allowlist.Item{Content: " https://Acme.example/ ", Name: "Home", Description: "Our site", GroupID: 10},
		allowlist.Item{Content: "acme.com"},
		allowlist.Item{Content: "0x00000000219ab540356cBB839Cbe05303d7705Fa"},
		allowlist.Item{Content: "@acme"},
		allowlist.Item{Content: "press@acme.com"},
	)
	entries := f.entries(t, acme)
	require.Len(t, entries, len(results))
	for i, want := range []asset.Identity{
		{Type: asset.TypeURL, Canonical: "https://acme.example"},
		{Type: asset.TypePage, Canonical: "acme.com"},
		{Type: asset.TypeAddress, Canonical: "0x00000000219ab540356cbb839cbe05303d7705fa"},
		{Type: asset.TypeTwitter, Canonical: "x.com/acme"},
		{Type: asset.TypeEmail, Canonical: "press@acme.com"},
	} {
		require.NoError(t, results[i].Err)
		require.Equal(t, results[i].AssetID, entries[i].Asset.ID)
		require.Equal(t, want, entries[i].Asset.Identity)
		require.Equal(t, asset.StatusAllowed, entries[i].Asset.Status)
	}
	require.Equal(t, " https://Acme.example/ ", results[0].Content, "a result has the content as it was submitted")
	require.Equal(t, allowlist.Entry{
		Asset: asset.Asset{
			ID: results[0].AssetID, Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://acme.example"},
			Status: asset.StatusAllowed,
		},
		Content: "https://Acme.example/", Name: "Home", Description: "Our site", GroupID: 10, AddedAt: noon,
	}, entries[0])
	require.Equal(t, "@acme", entries[3].Content)
}

func TestService_Add_RefusedItems(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	there := f.add(t, acme, allowlist.Item{Content: "https://there.example"})[0].AssetID
	cases := []struct {
		reason string
		item   allowlist.Item
		want   error
	}{
		{"no content", allowlist.Item{}, classify.ErrContentRequired},
		{"blank content", allowlist.Item{Content: " \t\n\u3000"}, classify.ErrContentRequired},
		{"content of no type", allowlist.Item{Content: "no asset"}, classify.ErrInvalidFormat},
		{"content with NUL", allowlist.Item{Content: "https://a.example/\x00"}, classify.ErrInvalidFormat},
		{"a negative group", allowlist.Item{Content: "https://g.example", GroupID: -1}, allowlist.ErrInvalidGroupID},
		{"a group above the largest ID", allowlist.Item{Content: "https://g.example", GroupID: asset.MaxID + 1}, allowlist.ErrInvalidGroupID},
		{"the content is checked before the group", allowlist.Item{Content: "no asset", GroupID: -1}, classify.ErrInvalidFormat},
		{"on the list already", allowlist.Item{Content: "HTTPS://THERE.EXAMPLE:443"}, allowlist.ErrExists},
		{"new", allowlist.Item{Content: "https://g.example"}, nil},
		{"the same as an earlier one of the request", allowlist.Item{Content: "https://g.example/"}, allowlist.ErrExists},
	}
	items := make([]allowlist.Item, len(cases))
	for i, c := range cases {
		items[i] = c.item
	}
	results := f.add(t, acme, items...)
	for i, c := range cases {
		result := results[i]
		require.Equal(t, c.item.Content, result.Content, c.reason)
		switch {
		case c.want == nil:
			require.NoError(t, result.Err, c.reason)
			require.Greater(t, result.AssetID, there, c.reason)
		case errors.Is(c.want, allowlist.ErrExists):
			require.ErrorIs(t, result.Err, c.want, c.reason)
			require.Positive(t, result.AssetID, c.reason)
		default:
			require.ErrorIs(t, result.Err, c.want, c.reason)
			require.Zero(t, result.AssetID, c.reason)
		}
	}
	require.Equal(t, there, results[7].AssetID)
	require.Equal(t, results[8].AssetID, results[9].AssetID)
}

func TestService_Add_InvalidFormat(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	results := f.add(t, acme, allowlist.Item{Content: "ftp://a.example"})
	var refused *classify.Error
	require.ErrorAs(t, results[0].Err, &refused)
	require.Equal(t, classify.ReasonUnknownScheme, refused.Reason)
}

func TestService_Add_Changes(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	f.add(t, acme, allowlist.Item{Content: "https://a.example"})
	f.add(t, globex, allowlist.Item{Content: "https://a.example"})
	changes := f.changes(t)
	require.Len(t, changes, 1, "the second organization found the asset ALLOWED")
	require.Equal(t, asset.StatusUnknown, changes[0].From)
	require.Equal(t, asset.StatusAllowed, changes[0].To)
	require.Equal(t, noon, changes[0].At)
	require.Equal(t, asset.Origin{Cause: asset.CauseAllowlist, Actor: 7, Reference: "organization/1"}, changes[0].Origin)
}

func TestService_Add_SharedAsset(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	first := f.add(t, acme, allowlist.Item{Content: "https://a.example", Name: "Acme's"})
	second := f.add(t, globex, allowlist.Item{Content: "HTTPS://A.example/", Name: "Globex's"})
	require.Equal(t, first[0].AssetID, second[0].AssetID)

	entries := f.entries(t, globex)
	require.Len(t, entries, 1)
	require.Equal(t, "Globex's", entries[0].Name)
	require.Equal(t, "HTTPS://A.example/", entries[0].Content, "each organization has the content that it submitted")
	require.Equal(t, "https://a.example", f.entries(t, acme)[0].Content)
	require.Equal(t, "https://a.example", entries[0].Asset.Canonical)
}

func TestService_Add_Blocked(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	f.block(t, "https://bad.example")
	results := f.add(t, acme, allowlist.Item{Content: "https://bad.example"})
	require.NoError(t, results[0].Err)
	require.Equal(t, asset.StatusBlocked, f.changes(t)[0].From)
	require.Equal(t, asset.StatusAllowed, f.changes(t)[0].To)
}

func TestService_Add_RefuseBlocked(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{RefuseBlocked: true})
	f.add(t, acme, allowlist.Item{Content: "https://mine.example"})
	f.block(t, "https://mine.example")
	f.block(t, "https://bad.example")

	results := f.add(t, acme,
		allowlist.Item{Content: "https://bad.example"},
		allowlist.Item{Content: "https://bad.example/"},
		allowlist.Item{Content: "https://mine.example"},
		allowlist.Item{Content: "https://good.example"},
	)
	require.ErrorIs(t, results[0].Err, allowlist.ErrBlocked)
	require.ErrorIs(t, results[1].Err, allowlist.ErrBlocked, "the first did not put it on the list")
	require.ErrorIs(t, results[2].Err, allowlist.ErrExists, "being on the list comes first")
	require.NoError(t, results[3].Err)

	got, err := f.assets.Get(t.Context(), asset.Identity{Type: asset.TypeURL, Canonical: "https://bad.example"})
	require.NoError(t, err)
	require.Equal(t, asset.StatusBlocked, got.Status)
}

// An item can be refused without the option, so that an asset that was blocked meanwhile is not
// unblocked unawares.
func TestService_Add_RefuseBlockedItem(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	for _, content := range []string{"https://one.example", "https://two.example", "https://three.example", "https://four.example", "https://five.example"} {
		f.block(t, content)
	}
	conditional := func(content string) allowlist.Item { return allowlist.Item{Content: content, RefuseBlocked: true} }
	cases := []struct {
		reason string
		item   allowlist.Item
		want   error
	}{
		{"with the condition", conditional("https://one.example"), allowlist.ErrBlocked},
		{"without it", allowlist.Item{Content: "https://two.example"}, nil},
		{"the first of two has it", conditional("https://three.example"), allowlist.ErrBlocked},
		{"the second does not undo it", allowlist.Item{Content: "https://THREE.example"}, allowlist.ErrBlocked},
		{"the first of two lacks it", allowlist.Item{Content: "https://four.example"}, nil},
		{"the second comes too late", conditional("https://four.example"), allowlist.ErrExists},
		{"below a BLOCKED link", conditional("http://five.example/login"), allowlist.ErrBlocked},
		{"below it without the condition", allowlist.Item{Content: "http://five.example/other"}, nil},
		{"not recognized", conditional("no such thing"), classify.ErrInvalidFormat},
		{"not BLOCKED", conditional("https://good.example"), nil},
	}
	items := make([]allowlist.Item, len(cases))
	for i, c := range cases {
		items[i] = c.item
	}
	for i, result := range f.add(t, acme, items...) {
		require.ErrorIs(t, result.Err, cases[i].want, cases[i].reason)
	}
	got, err := f.assets.Get(t.Context(), asset.Identity{Type: asset.TypeURL, Canonical: "https://one.example"})
	require.NoError(t, err)
	require.Equal(t, asset.StatusBlocked, got.Status)
}

// Neither an organization that never existed nor one that was removed can add, and a dry run says so.
func TestService_Add_MissingOrganization(t *testing.T) {
	t.Parallel()
	store := accounttest.Organizations(t, memory.New(), acme, globex)
	require.NoError(t, account.NewService(store, account.Options{}).RemoveOrganization(t.Context(), globex))
	service := allowlist.NewService(store, allowlist.Options{})
	for _, organization := range []int64{globex, 3} {
		for _, dryRun := range []bool{false, true} {
			added, err := service.Add(t.Context(), allowlist.AddRequest{
				OrganizationID: organization, Items: []allowlist.Item{{Content: "https://a.example"}}, DryRun: dryRun,
			})
			require.ErrorIs(t, err, account.ErrOrganizationNotFound)
			require.Zero(t, added)
		}
	}
	stored, err := asset.NewService(store, asset.Options{}).List(t.Context(), asset.ListRequest{})
	require.NoError(t, err)
	require.Empty(t, stored.Assets, "nothing was stored")
}

func TestService_Add_MissingGroup(t *testing.T) {
	t.Parallel()
	good := allowlist.Item{Content: "https://good.example"}
	for reason, c := range map[string]struct {
		items []allowlist.Item
		want  int64
	}{
		"a group of another organization":       {[]allowlist.Item{good, {Content: "a.com", GroupID: 20}}, 20},
		"the group of a refused item":           {[]allowlist.Item{good, {GroupID: 99}}, 99},
		"the first of several":                  {[]allowlist.Item{{Content: "a.com", GroupID: 10}, {Content: "b.com", GroupID: 77}, {Content: "c.com", GroupID: 66}}, 77},
		"after a number that is not a group ID": {[]allowlist.Item{{Content: "a.com", GroupID: -5}, {Content: "b.com", GroupID: 77}}, 77},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, allowlist.Options{})
			added, err := f.Add(t.Context(), allowlist.AddRequest{OrganizationID: acme, Items: c.items})
			require.ErrorIs(t, err, account.ErrGroupNotFound)
			require.Equal(t, &allowlist.GroupNotFoundError{GroupID: c.want}, err)
			require.EqualError(t, err, fmt.Sprintf("group with ID %d not found", c.want))
			require.Zero(t, added)
			require.Empty(t, f.changes(t), "nothing was stored")
		})
	}
}

func TestService_Add_MaxItems(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	items := numbered(allowlist.MaxItems)
	for i, result := range f.add(t, acme, items...) {
		require.NoError(t, result.Err)
		require.Equal(t, items[i].Content, result.Content)
	}
	for _, result := range f.add(t, acme, items...) {
		require.ErrorIs(t, result.Err, allowlist.ErrExists)
	}
}

func TestService_Add_RepeatedItems(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	results := f.add(t, acme,
		allowlist.Item{Content: "https://a.example", Name: "first", GroupID: -1},
		allowlist.Item{Content: "HTTPS://a.example", Name: "second"},
		allowlist.Item{Content: "https://a.example", Name: "third"},
		allowlist.Item{Content: "https://a.example/", Name: "fourth"},
	)
	require.ErrorIs(t, results[0].Err, allowlist.ErrInvalidGroupID)
	require.NoError(t, results[1].Err, "a refused item does not count as the first")
	require.ErrorIs(t, results[2].Err, allowlist.ErrExists)
	require.ErrorIs(t, results[3].Err, allowlist.ErrExists)
	entries := f.entries(t, acme)
	require.Len(t, entries, 1)
	require.Equal(t, "second", entries[0].Name)
}

func TestAddCommand_CheckOrganization(t *testing.T) {
	t.Parallel()
	cmd := allowlist.AddCommand{GroupIDs: []int64{3, 9, 5, 1}}
	require.NoError(t, cmd.CheckOrganization(true, []int64{1, 3, 5, 9}))
	require.NoError(t, allowlist.AddCommand{}.CheckOrganization(true, nil))
	require.Equal(t, &allowlist.GroupNotFoundError{GroupID: 9}, cmd.CheckOrganization(true, []int64{1, 3}), "the first in the command's order")
	require.Equal(t, &allowlist.GroupNotFoundError{GroupID: 3}, cmd.CheckOrganization(true, nil))
	require.Equal(t, account.ErrOrganizationNotFound, cmd.CheckOrganization(false, []int64{1, 3, 5, 9}))
}

func TestAddCommand_Refusal(t *testing.T) {
	t.Parallel()
	url := asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example"}
	for _, status := range append(asset.Statuses(), "") {
		present := asset.Asset{Identity: url, Status: status}
		for _, refuseBlocked := range []bool{false, true} {
			for _, coverBlocks := range []bool{false, true} {
				cmd := allowlist.AddCommand{RefuseBlocked: map[asset.Identity]bool{url: refuseBlocked}, CoverBlocks: map[asset.Identity]bool{url: coverBlocks}}
				require.Equal(t, allowlist.ErrExists, cmd.Refusal(present, true), "a listed asset that is %s", status)
				if refuseBlocked && (status == asset.StatusBlocked || coverBlocks) {
					require.Equal(t, allowlist.ErrBlocked, cmd.Refusal(present, false))
				} else {
					require.NoError(t, cmd.Refusal(present, false), "an asset that is %s", status)
				}
			}
		}
	}
}
