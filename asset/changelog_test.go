package asset_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage/memory"
)

func TestChangeFilter_Match(t *testing.T) {
	t.Parallel()
	identity := asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example"}
	change := asset.Change{Type: identity.Type, Content: identity.Canonical, From: asset.StatusUnknown, To: asset.StatusBlocked, At: day(2025, 1, 5)}
	cases := map[string]struct {
		filter asset.ChangeFilter
		want   bool
	}{
		"the zero filter matches everything": {asset.ChangeFilter{}, true},
		"every field holds": {asset.ChangeFilter{
			Type: asset.TypeURL, Identity: identity, From: asset.StatusUnknown, To: asset.StatusBlocked,
			Period: asset.Period{Since: change.At, Before: change.At.Add(time.Millisecond)},
		}, true},
		"another type":                       {asset.ChangeFilter{Type: asset.TypePage}, false},
		"another canonical form":             {asset.ChangeFilter{Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://b.example"}}, false},
		"the same form within another type":  {asset.ChangeFilter{Identity: asset.Identity{Type: asset.TypePage, Canonical: identity.Canonical}}, false},
		"another status before":              {asset.ChangeFilter{From: asset.StatusAllowed}, false},
		"another status after":               {asset.ChangeFilter{To: asset.StatusAllowed}, false},
		"outside the period":                 {asset.ChangeFilter{Period: asset.Period{Before: change.At}}, false},
		"a type other than that of identity": {asset.ChangeFilter{Type: asset.TypePage, Identity: identity}, false},
	}
	for reason, c := range cases {
		require.Equal(t, c.want, c.filter.Match(change), reason)
	}
}

func TestChangeFilter_Validate(t *testing.T) {
	t.Parallel()
	require.NoError(t, asset.ChangeFilter{}.Validate())
	require.NoError(t, asset.ChangeFilter{Type: asset.TypeEmail, From: asset.StatusUnknown, To: asset.StatusUnknown}.Validate())

	err := asset.ChangeFilter{
		Type: "url", From: "unknown", To: "X", Period: asset.Period{Since: day(2025, 1, 2), Before: day(2025, 1, 2)},
		Identity: asset.Identity{Type: "U\x00RL", Canonical: "\xff"},
	}.Validate()
	var input *asset.InputError
	require.ErrorAs(t, err, &input)
	require.Equal(t, asset.Issues{
		{Field: "type", Message: "must be an asset type"},
		{Field: "content", Message: "must be of an asset type"},
		{Field: "content", Message: "must be valid UTF-8 without NUL"},
		{Field: "fromStatus", Message: "must be UNKNOWN, ALLOWED or BLOCKED"},
		{Field: "toStatus", Message: "must be UNKNOWN, ALLOWED or BLOCKED"},
		{Field: "startDate", Message: "must not be after endDate"},
	}, input.Issues)
}

func TestChangeCursor_Precedes(t *testing.T) {
	t.Parallel()
	at := day(2025, 1, 5)
	cursor := asset.Change{ID: 7, At: at}.Cursor()
	cases := map[string]struct {
		cursor asset.ChangeCursor
		change asset.Change
		want   bool
	}{
		"the start precedes everything":               {asset.ChangeCursor{}, asset.Change{ID: 1, At: at}, true},
		"an older change is still to come":            {cursor, asset.Change{ID: 9, At: at.Add(-1)}, true},
		"a newer change has been":                     {cursor, asset.Change{ID: 1, At: at.Add(1)}, false},
		"at the same time the lower ID is to come":    {cursor, asset.Change{ID: 6, At: at}, true},
		"the change of the cursor itself has been":    {cursor, asset.Change{ID: 7, At: at}, false},
		"at the same time the higher ID has been":     {cursor, asset.Change{ID: 8, At: at}, false},
		"the same moment in another zone is the same": {cursor, asset.Change{ID: 6, At: at.In(time.FixedZone("", 3600))}, true},
	}
	for reason, c := range cases {
		require.Equal(t, c.want, c.cursor.Precedes(c.change), reason)
	}
}

func TestListChangesRequest_Validate(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{0, 1, asset.MaxLimit} {
		require.NoError(t, asset.ListChangesRequest{Limit: limit}.Validate(), "a limit of %d", limit)
	}
	err := asset.ListChangesRequest{Filter: asset.ChangeFilter{Type: "X"}, Limit: -1}.Validate()
	require.EqualError(t, err, "invalid input: limit: must be from 1 to 1000; type: must be an asset type")
	require.ErrorIs(t, asset.ListChangesRequest{Limit: asset.MaxLimit + 1}.Validate(), asset.ErrInvalid)
}

func TestService_ListChanges(t *testing.T) {
	t.Parallel()
	f := newHistory(t, 5)
	want := f.changes(t, asset.ChangeFilter{})
	for limit := 1; limit <= len(want)+1; limit++ {
		var got []asset.Change
		req := asset.ListChangesRequest{Limit: limit}
		for {
			page, err := f.ListChanges(t.Context(), req)
			require.NoError(t, err)
			require.NotEmpty(t, page.Changes, "no page is empty")
			got = append(got, page.Changes...)
			if req.Cursor = page.NextCursor; req.Cursor == (asset.ChangeCursor{}) {
				break
			}
			require.Len(t, page.Changes, limit)
		}
		require.Equal(t, want, got, "pages of %d", limit)
	}
	page, err := f.ListChanges(t.Context(), asset.ListChangesRequest{Filter: asset.ChangeFilter{Type: asset.TypeEmail}})
	require.NoError(t, err)
	require.Empty(t, page)

	_, err = f.ListChanges(t.Context(), asset.ListChangesRequest{Limit: -1})
	require.ErrorIs(t, err, asset.ErrInvalid)
}

func TestService_ListChanges_DefaultLimit(t *testing.T) {
	t.Parallel()
	page, err := newHistory(t, asset.DefaultLimit).ListChanges(t.Context(), asset.ListChangesRequest{})
	require.NoError(t, err)
	require.Len(t, page.Changes, asset.DefaultLimit)
	require.NotZero(t, page.NextCursor)
}

func TestService_Changes(t *testing.T) {
	t.Parallel()
	f := newFixture()
	const n = 2*asset.MaxLimit + 3
	for i := range n {
		f.set(t, fmt.Sprint("a", i), asset.StatusBlocked)
	}
	next := n - 1
	for change, err := range f.Changes(t.Context(), asset.ChangeFilter{}) {
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("https://a%d.example", next), change.Content)
		next--
	}
	require.Equal(t, -1, next)

	seen := 0
	for _, err := range f.Changes(t.Context(), asset.ChangeFilter{}) {
		require.NoError(t, err)
		seen++
		break
	}
	require.Equal(t, 1, seen, "the loop body may stop")
}

func TestService_Changes_Error(t *testing.T) {
	t.Parallel()
	f := newFixture()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the reader went away"))
	for want, changes := range map[error]func(func(asset.Change, error) bool){
		context.Canceled: f.Changes(ctx, asset.ChangeFilter{}),
		asset.ErrInvalid: f.Changes(t.Context(), asset.ChangeFilter{Type: "X"}),
	} {
		var failures []error
		for change, err := range changes {
			require.Zero(t, change)
			failures = append(failures, err)
		}
		require.Len(t, failures, 1)
		require.ErrorIs(t, failures[0], want)
	}
}

// Lists of contents of 8 KB are complete, although each page has few of them.
func TestService_Changes_LongContents(t *testing.T) {
	t.Parallel()
	f := newFixture()
	const n = 200
	for i := range n {
		f.set(t, fmt.Sprintf("a%0*d", 8<<10, i), asset.StatusBlocked)
	}
	all := f.changes(t, asset.ChangeFilter{})
	require.Len(t, all, n)
	for i, change := range all {
		require.EqualValues(t, n-i, change.ID)
	}

	var paged []asset.Change
	req := asset.ListChangesRequest{Limit: asset.MaxLimit}
	for more := true; more; {
		page, err := f.ListChanges(t.Context(), req)
		require.NoError(t, err)
		require.Len(t, page.Changes, min(31, n-len(paged)))
		paged = append(paged, page.Changes...)
		req.Cursor = page.NextCursor
		more = req.Cursor != (asset.ChangeCursor{})
	}
	require.Equal(t, all, paged)

	changes, _ := followed(t, f, asset.FeedCursor{})
	slices.Reverse(changes)
	require.Equal(t, decided(all), changes)
}

// limits is a store that records the limits of pages.
type limits struct {
	*memory.Store
	seen []int
}

func (l *limits) Changes(ctx context.Context, req asset.ListChangesRequest) (step.Page[asset.Change], error) {
	l.seen = append(l.seen, req.Limit)
	return l.Store.Changes(ctx, req)
}

// A page that bytes end is followed by one with a smaller limit, which grows again.
func TestService_Changes_Limits(t *testing.T) {
	t.Parallel()
	f := newFixture()
	for i := range 200 {
		f.set(t, fmt.Sprint("short", i), asset.StatusBlocked)
	}
	for i := range 70 {
		f.set(t, fmt.Sprintf("a%0*d", 8<<10, i), asset.StatusBlocked)
	}
	store := &limits{Store: f.store}
	n := 0
	for _, err := range asset.NewService(store, asset.Options{}).Changes(t.Context(), asset.ChangeFilter{}) {
		require.NoError(t, err)
		n++
	}
	require.Equal(t, 270, n)
	require.Equal(t, []int{asset.MaxLimit, 39, 39, 78, 156}, store.seen)
}
