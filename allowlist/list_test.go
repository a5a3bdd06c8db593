package allowlist_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

func TestListRequest_Validate(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		req  allowlist.ListRequest
		want string
	}{
		"no organization":   {allowlist.ListRequest{}, "organizationId: must be from 1 to 2^53-1"},
		"a negative cursor": {allowlist.ListRequest{OrganizationID: acme, Cursor: -1}, "cursor: must be the cursor of a page"},
		"a negative limit":  {allowlist.ListRequest{OrganizationID: acme, Limit: -1}, "limit: must be from 1 to 1000"},
		"too large a limit": {allowlist.ListRequest{OrganizationID: acme, Limit: 1001}, "limit: must be from 1 to 1000"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			require.EqualError(t, c.req.Validate(), "invalid input: "+c.want)
			_, err := newFixture(t, allowlist.Options{}).List(t.Context(), c.req)
			require.Equal(t, c.req.Validate(), err, "List validates")
			require.ErrorIs(t, err, asset.ErrInvalid)
		})
	}
	for _, limit := range []int{0, 1, allowlist.MaxLimit} {
		require.NoError(t, allowlist.ListRequest{OrganizationID: acme, Limit: limit}.Validate(), "a limit of %d", limit)
	}
}

func TestService_List(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	names := strings.Fields("https://a.example https://b.example https://c.example https://d.example https://e.example")
	for _, name := range names {
		f.add(t, acme, allowlist.Item{Content: name})
	}
	for limit := 1; limit <= len(names)+1; limit++ {
		var got []string
		req := allowlist.ListRequest{OrganizationID: acme, Limit: limit}
		for {
			page, err := f.List(t.Context(), req)
			require.NoError(t, err)
			require.NotEmpty(t, page.Entries, "a last page is not empty")
			require.LessOrEqual(t, len(page.Entries), limit)
			for _, entry := range page.Entries {
				got = append(got, entry.Asset.Canonical)
			}
			if req.Cursor = page.NextCursor; req.Cursor == 0 {
				break
			}
		}
		require.Equal(t, names, got, "pages of %d", limit)
	}
}

func TestService_List_DefaultLimit(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	f.add(t, acme, numbered(allowlist.DefaultLimit+1)...)
	page, err := f.List(t.Context(), allowlist.ListRequest{OrganizationID: acme})
	require.NoError(t, err)
	require.Len(t, page.Entries, allowlist.DefaultLimit)
	require.Equal(t, page.Entries[allowlist.DefaultLimit-1].Asset.ID, page.NextCursor)
}

func TestService_List_LongDescriptions(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	const n = 60
	for i := range n {
		f.add(t, acme, allowlist.Item{Content: fmt.Sprintf("https://%d.example", i), Description: strings.Repeat("d", allowlist.MaxDescription)})
	}
	var sizes []int
	req := allowlist.ListRequest{OrganizationID: acme}
	for more := true; more; more = req.Cursor != 0 {
		page, err := f.List(t.Context(), req)
		require.NoError(t, err)
		sizes = append(sizes, len(page.Entries))
		req.Cursor = page.NextCursor
	}
	require.Equal(t, []int{25, 25, 10}, sizes)
}
