//go:build cgo

package sqlite_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/sqlite"
)

// Every page of the changelog is read along an index, in order: no page needs the
// whole table, nor sorts.
func TestPlansOfChanges(t *testing.T) {
	t.Parallel()
	store := open(t, filepath.Join(t.TempDir(), "a.db"))
	_, err := store.AddToAllowlist(t.Context(), addition(1, 500))
	require.NoError(t, err)
	_, reader := sqlite.Pools(store)

	var (
		identity = asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example"}
		period   = asset.Period{Since: time.UnixMilli(5), Before: time.UnixMilli(9)}
	)
	for name, test := range map[string]struct {
		filter asset.ChangeFilter
		index  string
	}{
		"all":                    {asset.ChangeFilter{}, "apguard_changes_time"},
		"a type":                 {asset.ChangeFilter{Type: asset.TypeURL}, "apguard_changes_time"},
		"a period":               {asset.ChangeFilter{Period: period}, "apguard_changes_time"},
		"an old status":          {asset.ChangeFilter{From: asset.StatusUnknown}, "apguard_changes_from"},
		"a new status":           {asset.ChangeFilter{To: asset.StatusAllowed}, "apguard_changes_to"},
		"a type and old status":  {asset.ChangeFilter{Type: asset.TypeURL, From: asset.StatusUnknown}, "apguard_changes_from"},
		"a period and status":    {asset.ChangeFilter{Period: period, To: asset.StatusAllowed}, "apguard_changes_to"},
		"both statuses":          {asset.ChangeFilter{From: asset.StatusUnknown, To: asset.StatusAllowed}, "apguard_changes_from_to"},
		"an asset":               {asset.ChangeFilter{Identity: identity}, "apguard_changes_asset"},
		"an asset and a type":    {asset.ChangeFilter{Identity: identity, Type: asset.TypeURL}, "apguard_changes_asset"},
		"an asset and statuses":  {asset.ChangeFilter{Identity: identity, From: asset.StatusUnknown, To: asset.StatusAllowed}, "apguard_changes_asset"},
		"an asset and a period":  {asset.ChangeFilter{Identity: identity, Period: period}, "apguard_changes_asset"},
		"everything that can be": {asset.ChangeFilter{Type: asset.TypeURL, Identity: identity, From: asset.StatusUnknown, To: asset.StatusAllowed, Period: period}, "apguard_changes_asset"},
	} {
		for page, after := range map[string]asset.ChangeCursor{
			"first page": {},
			"later page": {At: time.UnixMilli(7), ID: 3},
		} {
			t.Run(name+", "+page, func(t *testing.T) {
				t.Parallel()
				statement, err := sqlite.ChangesStatement(test.filter, after)
				require.NoError(t, err)
				steps, err := statement.Plan(t.Context(), reader)
				require.NoError(t, err)
				plan := strings.Join(steps, " \n")
				require.Contains(t, plan, " USING INDEX "+test.index+" ")
				require.NotContains(t, plan, "SCAN a")
				require.NotContains(t, plan, "TEMP B-TREE")
			})
		}
	}
}

func TestPlansOfReports(t *testing.T) {
	t.Parallel()
	_, reader := sqlite.Pools(open(t, filepath.Join(t.TempDir(), "a.db")))
	page, err := sqlite.ReportsStatement(1, report.Filter{
		Status:            report.StatusTodo,
		SearchQuery:       "a",
		ReporterQuery:     "b",
		ExcludeAutomation: true,
		OnlyRejected:      true,
		ReviewStatuses:    report.ReviewStatuses(),
		ReviewedBy:        1,
		BrandIDs:          []int64{1, 2},
	}, 5)
	require.NoError(t, err)
	proposals, err := sqlite.ProposalsStatement([]int64{1, 2, 3})
	require.NoError(t, err)

	for statement, index := range map[*sqlite.Statement]string{
		&page:      "apguard_reports_organization",
		&proposals: "apguard_proposals_report",
	} {
		steps, err := statement.Plan(t.Context(), reader)
		require.NoError(t, err)
		plan := strings.Join(steps, "\n")
		require.Contains(t, plan, "USING INDEX "+index)
		require.NotContains(t, strings.ReplaceAll(plan, "SCAN json_each", ""), "SCAN ")
		require.NotContains(t, plan, "TEMP B-TREE")
	}
}

// A filter may be longer than the number of arguments that SQLite takes.
func TestReportsOfManyBrands(t *testing.T) {
	t.Parallel()
	store := open(t, filepath.Join(t.TempDir(), "a.db"))
	filed, err := store.FileReport(t.Context(), report.Filing{OrganizationID: 1, BrandID: 99_999})
	require.NoError(t, err)

	filter := report.Filter{}
	for id := range int64(100_000) {
		filter.BrandIDs = append(filter.BrandIDs, id)
		filter.ReviewStatuses = append(filter.ReviewStatuses, report.ReviewSkip)
	}
	found, err := store.Reports(t.Context(), 1, report.Filter{BrandIDs: filter.BrandIDs}, 0, 10)
	require.NoError(t, err)
	require.Equal(t, []report.Report{filed}, found)
	found, err = store.Reports(t.Context(), 1, filter, 0, 10)
	require.NoError(t, err)
	require.Empty(t, found)
}
