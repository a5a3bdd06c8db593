package account_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

func userIDs(users []account.User) []int64 {
	ids := make([]int64, len(users))
	for i, user := range users {
		ids[i] = user.ID
	}
	return ids
}

func TestService_SearchUsers(t *testing.T) {
	t.Parallel()
	service, _ := newService(t)
	for _, user := range []account.User{
		{ID: 8, FullName: "Łukasz Ada", Email: "lukasz@globex.example"}, {ID: 9, Automation: true}, {ID: 70, FullName: "7 seas"},
	} {
		require.NoError(t, service.PutUser(t.Context(), user))
	}
	for reason, c := range map[string]struct {
		req  account.SearchRequest
		want []int64
		next int64
	}{
		"a blank query finds all":        {account.SearchRequest{Query: " \t"}, []int64{7, 8, 9, 70}, 0},
		"a page of all":                  {account.SearchRequest{After: 7, Limit: 2}, []int64{8, 9}, 9},
		"a name in another letter case":  {account.SearchRequest{Query: "aDA"}, []int64{7, 8}, 0},
		"a letter case in any script":    {account.SearchRequest{Query: "łUK"}, []int64{8}, 0},
		"an e-mail address":              {account.SearchRequest{Query: " @GLOBEX "}, []int64{8}, 0},
		"an ID, which is also in a name": {account.SearchRequest{Query: "7"}, []int64{7, 70}, 0},
		"nothing":                        {account.SearchRequest{Query: "zed"}, []int64{}, 0},
		"a full page with others behind": {account.SearchRequest{Query: "ada", Limit: 1}, []int64{7}, 7},
		"the page after it":              {account.SearchRequest{Query: "ada", Limit: 1, After: 7}, []int64{8}, 8},
		"a full page at the end":         {account.SearchRequest{Query: "seas", Limit: 1}, []int64{70}, 0},
	} {
		found, err := service.SearchUsers(t.Context(), c.req)
		require.NoError(t, err, reason)
		require.Equal(t, c.want, userIDs(found.Items), reason)
		require.Equal(t, c.next, found.Next, reason)
	}
}

// A page examines a bounded number of records, and continues after them.
func TestService_SearchUsers_Scan(t *testing.T) {
	t.Parallel()
	service, _ := newService(t)
	const first = 100
	for i := range int64(account.MaxScan + 1) {
		require.NoError(t, service.PutUser(t.Context(), account.User{ID: first + i, FullName: fmt.Sprintf("user <%d>", i)}))
	}
	req := account.SearchRequest{Query: fmt.Sprintf("<%d>", account.MaxScan), After: first - 1}
	found, err := service.SearchUsers(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, account.Found[account.User]{Next: first + account.MaxScan - 1}, found)
	req.After = found.Next
	found, err = service.SearchUsers(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, []int64{first + account.MaxScan}, userIDs(found.Items))
	require.Zero(t, found.Next)
}

func TestService_SearchOrganizations(t *testing.T) {
	t.Parallel()
	service, _ := newService(t)
	require.NoError(t, service.PutOrganization(t.Context(), account.Organization{ID: 2, Slug: "globex", Name: "Acme's rival"}))
	for query, want := range map[string][]string{"ACME": {"acme", "globex"}, "lobe": {"globex"}, "2": {"globex"}, "x y": {}} {
		found, err := service.SearchOrganizations(t.Context(), account.SearchRequest{Query: query})
		require.NoError(t, err, query)
		slugs := make([]string, len(found.Items))
		for i, one := range found.Items {
			slugs[i] = one.Slug
		}
		require.Equal(t, want, slugs, query)
	}
}

func TestSearchRequest_Validate(t *testing.T) {
	t.Parallel()
	service, _ := newService(t)
	for reason, c := range map[string]struct {
		req    account.SearchRequest
		issues []string
	}{
		"a long query":      {account.SearchRequest{Query: strings.Repeat("x", account.MaxQuery+1)}, []string{"searchQuery: must be at most 1000 bytes long"}},
		"too large a limit": {account.SearchRequest{Limit: account.MaxLimit + 1}, []string{"limit: must be from 1 to 100"}},
		"NUL and limit":     {account.SearchRequest{Query: "\x00", Limit: -1}, []string{"limit: must be from 1 to 100", "searchQuery: must be valid UTF-8 without NUL"}},
	} {
		_, err := service.SearchUsers(t.Context(), c.req)
		requireIssues(t, reason, c.issues, err)
	}
}
