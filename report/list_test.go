package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
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
