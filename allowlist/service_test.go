package allowlist_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/storage/memory"
)

const (
	acme   = 1
	globex = 2
)

var noon = time.Date(2025, 1, 5, 12, 0, 0, 0, time.UTC)

// fixture is an allowlist service with what stands around it. Acme has the group
// 10, Globex the group 20.
type fixture struct {
	*allowlist.Service
	assets *asset.Service
}

func newFixture(t *testing.T, opts allowlist.Options) fixture {
	t.Helper()
	store := memory.New()
	accounts := account.NewService(store, account.Options{})
	for organization, group := range map[int64]int64{acme: 10, globex: 20} {
		_, err := accounts.PutGroup(t.Context(), account.Group{ID: group, OrganizationID: organization})
		require.NoError(t, err)
	}
	clock := func() time.Time { return noon }
	opts.Clock = clock
	return fixture{allowlist.NewService(store, opts), asset.NewService(store, asset.Options{Clock: clock})}
}

func (f fixture) add(t *testing.T, organization int64, items ...allowlist.Item) []allowlist.Result {
	t.Helper()
	results, err := f.Add(t.Context(), allowlist.Request{OrganizationID: organization, Actor: 7, Items: items})
	require.NoError(t, err)
	require.Len(t, results, len(items))
	return results
}

func (f fixture) changes(t *testing.T) []asset.Change {
	t.Helper()
	changes, err := f.assets.ChangePage(t.Context(), asset.ChangeFilter{}, asset.ChangeCursor{}, 100)
	require.NoError(t, err)
	return changes
}

func (f fixture) block(t *testing.T, canonical string) {
	t.Helper()
	_, err := f.assets.SetStatus(t.Context(), asset.StatusRequest{
		Identity: asset.Identity{Type: asset.TypeURL, Canonical: canonical}, Status: asset.StatusBlocked,
	})
	require.NoError(t, err)
}

func group(id int64) *int64 { return &id }

func TestAddStoresAnAssetOfEachType(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	results := f.add(t, acme,
		allowlist.Item{Content: " https://Acme.example/ ", Name: "Home", Description: "Our site", GroupID: group(10)},
		allowlist.Item{Content: "acme.com"},
		allowlist.Item{Content: "0x00000000219ab540356cBB839Cbe05303d7705Fa"},
		allowlist.Item{Content: "@acme"},
		allowlist.Item{Content: "press@acme.com"},
	)
	entries, err := f.List(t.Context(), acme, 0, 10)
	require.NoError(t, err)
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
		Name: "Home", Description: "Our site", GroupID: 10, AddedAt: noon,
	}, entries[0])
}

func TestAddRecordsAChangeOnlyWhenTheStatusChanges(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	f.add(t, acme, allowlist.Item{Content: "https://a.example"})
	f.add(t, globex, allowlist.Item{Content: "https://a.example"})
	changes := f.changes(t)
	require.Len(t, changes, 1, "the second organization found the asset ALLOWED")
	require.Equal(t, asset.StatusUnknown, changes[0].From)
	require.Equal(t, asset.StatusAllowed, changes[0].To)
	require.Equal(t, asset.Origin{Cause: asset.CauseAllowlist, Actor: 7, Reference: "organization/1"}, changes[0].Origin)
}

func TestAddSharesAssetsBetweenOrganizationsButNotEntries(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	first := f.add(t, acme, allowlist.Item{Content: "https://a.example", Name: "Acme's"})
	second := f.add(t, globex, allowlist.Item{Content: "HTTPS://A.example/", Name: "Globex's"})
	require.Equal(t, first[0].AssetID, second[0].AssetID)

	entries, err := f.List(t.Context(), globex, 0, 10)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Equal(t, "Globex's", entries[0].Name)
	require.Equal(t, "https://a.example", entries[0].Asset.Canonical)
}

func TestAddRefusesSingleItems(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	f.add(t, acme, allowlist.Item{Content: "https://there.example"})
	cases := []struct {
		reason string
		item   allowlist.Item
		want   error
	}{
		{"no content", allowlist.Item{}, allowlist.ErrContentRequired},
		{"blank content", allowlist.Item{Content: " \t\n\u3000"}, allowlist.ErrContentRequired},
		{"content of no type", allowlist.Item{Content: "no asset"}, allowlist.ErrInvalidFormat},
		{"content with NUL", allowlist.Item{Content: "https://a.example/\x00"}, allowlist.ErrInvalidFormat},
		{"a group that cannot be", allowlist.Item{Content: "https://g.example", GroupID: group(0)}, allowlist.ErrInvalidGroupID},
		{"a negative group", allowlist.Item{Content: "https://g.example", GroupID: group(-1)}, allowlist.ErrInvalidGroupID},
		{"a group above the largest identifier", allowlist.Item{Content: "https://g.example", GroupID: group(asset.MaxID + 1)}, allowlist.ErrInvalidGroupID},
		{"the content is judged before the group", allowlist.Item{Content: "no asset", GroupID: group(0)}, allowlist.ErrInvalidFormat},
		{"on the list already", allowlist.Item{Content: "HTTPS://THERE.EXAMPLE:443"}, allowlist.ErrExists},
		{"new", allowlist.Item{Content: "https://g.example"}, nil},
		{"the same as an earlier one of the request", allowlist.Item{Content: "https://g.example/"}, allowlist.ErrExists},
	}
	items := make([]allowlist.Item, len(cases))
	for i, c := range cases {
		items[i] = c.item
	}
	for i, result := range f.add(t, acme, items...) {
		c := cases[i]
		require.Equal(t, c.item.Content, result.Content, c.reason)
		if c.want == nil {
			require.NoError(t, result.Err, c.reason)
			require.Positive(t, result.AssetID, c.reason)
			continue
		}
		require.ErrorIs(t, result.Err, c.want, c.reason)
		require.Zero(t, result.AssetID, c.reason)
	}
}

func TestAnInvalidFormatSaysWhy(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	results := f.add(t, acme, allowlist.Item{Content: "ftp://a.example"})
	var refused *classify.Error
	require.ErrorAs(t, results[0].Err, &refused)
	require.Equal(t, classify.ReasonUnknownScheme, refused.Reason)
}

func TestAddAllowsWhatWasBlocked(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	f.block(t, "https://bad.example")
	results := f.add(t, acme, allowlist.Item{Content: "https://bad.example"})
	require.NoError(t, results[0].Err)
	require.Equal(t, asset.StatusBlocked, f.changes(t)[0].From)
	require.Equal(t, asset.StatusAllowed, f.changes(t)[0].To)
}

func TestAddRefusesWhatIsBlockedWhenTold(t *testing.T) {
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
	require.ErrorIs(t, results[1].Err, allowlist.ErrBlocked, "it is not on the list, so it does not exist there")
	require.ErrorIs(t, results[2].Err, allowlist.ErrExists, "that it is on the list comes first")
	require.NoError(t, results[3].Err)

	got, err := f.assets.Get(t.Context(), asset.Identity{Type: asset.TypeURL, Canonical: "https://bad.example"})
	require.NoError(t, err)
	require.Equal(t, asset.StatusBlocked, got.Status)
}

func TestAddRefusesTheWholeRequest(t *testing.T) {
	t.Parallel()
	good := allowlist.Item{Content: "https://good.example"}
	many := make([]allowlist.Item, allowlist.MaxItems+1)
	for i := range many {
		many[i].Content = fmt.Sprintf("https://%d.example", i)
	}
	cases := map[string]struct {
		req  allowlist.Request
		want error
	}{
		"no items":                                   {allowlist.Request{OrganizationID: acme}, asset.ErrInvalid},
		"one item too many":                          {allowlist.Request{OrganizationID: acme, Items: many}, allowlist.ErrTooMany},
		"no organization":                            {allowlist.Request{Items: []allowlist.Item{good}}, asset.ErrInvalid},
		"an actor that cannot be":                    {allowlist.Request{OrganizationID: acme, Actor: -1, Items: []allowlist.Item{good}}, asset.ErrInvalid},
		"a name with NUL":                            {allowlist.Request{OrganizationID: acme, Items: []allowlist.Item{good, {Content: "a.com", Name: "\x00"}}}, asset.ErrInvalid},
		"a description that is no UTF-8":             {allowlist.Request{OrganizationID: acme, Items: []allowlist.Item{good, {Content: "a.com", Description: "\xff"}}}, asset.ErrInvalid},
		"a group of another organization":            {allowlist.Request{OrganizationID: acme, Items: []allowlist.Item{good, {Content: "a.com", GroupID: group(20)}}}, allowlist.ErrGroupNotFound},
		"the group of an item that would be refused": {allowlist.Request{OrganizationID: acme, Items: []allowlist.Item{good, {GroupID: group(99)}}}, allowlist.ErrGroupNotFound},
	}
	for reason, c := range cases {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, allowlist.Options{})
			results, err := f.Add(t.Context(), c.req)
			require.ErrorIs(t, err, c.want)
			require.Nil(t, results)
			require.Empty(t, f.changes(t), "nothing was stored")
		})
	}
}

func TestTheErrorsOfAddSayWhat(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	_, err := f.Add(t.Context(), allowlist.Request{OrganizationID: acme, Items: []allowlist.Item{
		{Content: "a.com", GroupID: group(10)}, {Content: "b.com", GroupID: group(77)}, {Content: "c.com", GroupID: group(66)},
	}})
	var missing *allowlist.GroupNotFoundError
	require.ErrorAs(t, err, &missing)
	require.EqualValues(t, 77, missing.GroupID, "the first group that is missing")
	require.EqualError(t, err, "group with ID 77 not found")

	_, err = f.Add(t.Context(), allowlist.Request{OrganizationID: acme, Items: []allowlist.Item{
		{Content: "a.com"}, {Content: "b.com", Name: "\x00", Description: "\x00"},
	}})
	require.EqualError(t, err, "invalid input: assets[1].name: must be valid UTF-8 without NUL; assets[1].description: must be valid UTF-8 without NUL")
	require.ErrorIs(t, allowlist.ErrTooMany, asset.ErrInvalid)
}

func TestAddTakesTheMost(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	items := make([]allowlist.Item, allowlist.MaxItems)
	for i := range items {
		items[i].Content = fmt.Sprintf("https://%d.example", i)
	}
	for i, result := range f.add(t, acme, items...) {
		require.NoError(t, result.Err)
		require.Equal(t, items[i].Content, result.Content)
	}
	for _, result := range f.add(t, acme, items...) {
		require.ErrorIs(t, result.Err, allowlist.ErrExists)
	}
}

func TestHolders(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	for _, organization := range []int64{acme, acme + 1, acme + 2} {
		f.add(t, organization, allowlist.Item{Content: "https://a.example"})
	}
	f.add(t, acme, allowlist.Item{Content: "https://b.example"})
	entries, err := f.List(t.Context(), acme, 0, 1)
	require.NoError(t, err)
	shared := entries[0].Asset.ID

	page, err := f.Holders(t.Context(), shared, 0, 2)
	require.NoError(t, err)
	require.Equal(t, []allowlist.Holder{
		{OrganizationID: acme, AddedAt: entries[0].AddedAt},
		{OrganizationID: acme + 1, AddedAt: entries[0].AddedAt},
	}, page)
	page, err = f.Holders(t.Context(), shared, acme+1, 2)
	require.NoError(t, err)
	require.Equal(t, []allowlist.Holder{{OrganizationID: acme + 2, AddedAt: entries[0].AddedAt}}, page)
	for _, limit := range []int{0, allowlist.MaxPage + 1} {
		_, err := f.Holders(t.Context(), shared, 0, limit)
		require.ErrorIs(t, err, asset.ErrInvalid, "a page of %d", limit)
	}
	_, err = f.Holders(t.Context(), 0, 0, 1)
	require.ErrorIs(t, err, asset.ErrInvalid, "no asset")
}

func TestListPages(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	for _, name := range strings.Fields("a b c d e") {
		f.add(t, acme, allowlist.Item{Content: "https://" + name + ".example"})
	}
	var got []string
	var after int64
	for {
		page, err := f.List(t.Context(), acme, after, 2)
		require.NoError(t, err)
		for _, entry := range page {
			got = append(got, entry.Asset.Canonical)
			after = entry.Asset.ID
		}
		if len(page) < 2 {
			break
		}
	}
	require.Equal(t, strings.Fields("https://a.example https://b.example https://c.example https://d.example https://e.example"), got)
	for _, limit := range []int{0, allowlist.MaxPage + 1} {
		_, err := f.List(t.Context(), acme, 0, limit)
		require.ErrorIs(t, err, asset.ErrInvalid, "a page of %d", limit)
	}
	_, err := f.List(t.Context(), 0, 0, 1)
	require.ErrorIs(t, err, asset.ErrInvalid, "no organization")
	for _, limit := range []int{1, allowlist.MaxPage} {
		_, err := f.List(t.Context(), acme, 0, limit)
		require.NoError(t, err, "a page of %d", limit)
	}
}
