package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
)

func TestService_List(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for range 5 {
		f.file(t, acme)
		f.file(t, globex)
	}
	for limit := 1; limit <= 6; limit++ {
		var ids []int64
		req := report.ListRequest{Scope: report.InOrganization(acme), Limit: limit}
		for {
			page, err := f.List(t.Context(), req)
			require.NoError(t, err)
			for _, r := range page.Reports {
				require.EqualValues(t, acme, r.OrganizationID)
				ids = append(ids, r.ID)
			}
			if page.NextCursor == 0 {
				break
			}
			require.Len(t, page.Reports, limit)
			require.Equal(t, page.Reports[limit-1].ID, page.NextCursor, "the cursor is the last identifier returned")
			req.Cursor = page.NextCursor
		}
		require.Equal(t, []int64{9, 7, 5, 3, 1}, ids, "pages of %d", limit)
	}
}

func TestListRequest_Validate(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.List(t.Context(), report.ListRequest{Limit: -1, Cursor: -1, Filter: report.Filter{Status: "X"}})
	require.EqualError(t, err, "invalid input: organizationId: must be from 1 to 2^53-1; limit: must be from 1 to 100; cursor: must be a whole number from 1; status: must be TODO, IN_PROGRESS or CLOSED")
	_, err = f.List(t.Context(), report.ListRequest{Scope: report.InOrganization(acme), Limit: report.MaxLimit + 1})
	require.ErrorIs(t, err, asset.ErrInvalid)
	page, err := f.List(t.Context(), report.ListRequest{Scope: report.InOrganization(acme), Limit: report.MaxLimit, Cursor: 1<<63 - 1})
	require.NoError(t, err, "any whole number from 1 is a cursor")
	require.Empty(t, page.Reports)
}

func TestService_List_anyOrganization(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.file(t, acme)
	f.file(t, globex)
	page, err := f.List(t.Context(), report.ListRequest{Scope: report.AnyOrganization()})
	require.NoError(t, err)
	require.Len(t, page.Reports, 2)
}

func TestService_List_defaultLimit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for range report.DefaultLimit + 1 {
		f.file(t, acme)
	}
	page, err := f.List(t.Context(), report.ListRequest{Scope: report.InOrganization(acme)})
	require.NoError(t, err)
	require.Len(t, page.Reports, report.DefaultLimit)
	require.EqualValues(t, 2, page.NextCursor)
}

func TestService_List_boundsTheScan(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	oldest := f.file(t, acme, "https://oldest.example")
	for range report.MaxScan {
		f.file(t, acme)
	}
	req := report.ListRequest{Scope: report.InOrganization(acme), Filter: report.Filter{SearchQuery: "oldest"}}
	page, err := f.List(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, report.Page{NextCursor: oldest.ID + 1}, page, "the match is one report further")
	req.Cursor = page.NextCursor
	page, err = f.List(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, report.Page{Reports: []report.Report{oldest}}, page)
}

// A store need not bound the scan of a filter that matches everything.
func TestMaxScan_AboveAPage(t *testing.T) {
	t.Parallel()
	require.Less(t, step.MaxPageBytes/report.Report{}.PageBytes(), report.MaxScan)
}

func TestListRequest_Examines(t *testing.T) {
	t.Parallel()
	r := report.Report{ID: 5, OrganizationID: acme, Status: report.StatusTodo}
	for reason, c := range map[string]struct {
		req  report.ListRequest
		want bool
	}{
		"in the scope":           {report.ListRequest{Scope: report.InOrganization(acme)}, true},
		"of any organization":    {report.ListRequest{Scope: report.AnyOrganization()}, true},
		"outside of the scope":   {report.ListRequest{Scope: report.InOrganization(globex)}, false},
		"the zero scope":         {report.ListRequest{}, false},
		"below the cursor":       {report.ListRequest{Scope: report.AnyOrganization(), Cursor: 6}, true},
		"at the cursor":          {report.ListRequest{Scope: report.AnyOrganization(), Cursor: 5}, false},
		"with the status":        {report.ListRequest{Scope: report.AnyOrganization(), Filter: report.Filter{Status: report.StatusTodo}}, true},
		"with another status":    {report.ListRequest{Scope: report.AnyOrganization(), Filter: report.Filter{Status: report.StatusClosed}}, false},
		"no match of the search": {report.ListRequest{Scope: report.AnyOrganization(), Filter: report.Filter{SearchQuery: "x"}}, true},
	} {
		require.Equal(t, c.want, c.req.Examines(r), reason)
	}
}

func TestNewPage(t *testing.T) {
	t.Parallel()
	found := []report.Report{{ID: 9}, {ID: 7}}
	for reason, c := range map[string]struct {
		found step.Page[report.Report]
		last  int64
		want  report.Page
	}{
		"more matches, and all were examined":       {step.Page[report.Report]{Items: found, More: true}, 0, report.Page{Reports: found, NextCursor: 7}},
		"more matches, and older ones remain":       {step.Page[report.Report]{Items: found, More: true}, 3, report.Page{Reports: found, NextCursor: 7}},
		"no more matches, and older reports remain": {step.Page[report.Report]{Items: found}, 3, report.Page{Reports: found, NextCursor: 3}},
		"no more matches, and all were examined":    {step.Page[report.Report]{Items: found}, 0, report.Page{Reports: found}},
	} {
		require.Equal(t, c.want, report.NewPage(c.found, c.last), reason)
	}
}
