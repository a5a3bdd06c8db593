//go:build cgo

package sqlite_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/plantest"
	"github.com/apguard/apguard/storage/sqlite"
)

// Blocks are found in indexes.
func TestReportBlock_Plan(t *testing.T) {
	t.Parallel()
	_, reader := sqlite.Pools(open(t, filepath.Join(t.TempDir(), "a.db")))
	for reason, test := range map[string]struct {
		filter report.Filter
		index  string
	}{
		"a period":        {report.Filter{Created: asset.Period{Since: time.UnixMilli(5)}}, "apguard_reports_block_created (<expr>=? AND organization_id=? AND created_at>?)"},
		"brands":          {report.Filter{BrandIDs: []int64{1, 2}}, "apguard_reports_block_brand (<expr>=? AND organization_id=? AND brand_id=?)"},
		"rejected":        {report.Filter{OnlyRejected: true}, "apguard_proposals_block_review"},
		"review statuses": {report.Filter{ReviewStatuses: report.ReviewStatuses()}, "apguard_proposals_block_review"},
		"a reviewer":      {report.Filter{ReviewedBy: 7}, "apguard_proposals_block_reviewer"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			query, ok := sqlite.Dialect().ReportBlock(report.ListRequest{Scope: report.InOrganization(1), Filter: test.filter}, 20_000)
			require.True(t, ok)
			plan := explain(t, reader, plantest.Build(t, query))
			require.Contains(t, plan, "INDEX "+test.index)
			require.Contains(t, plan, "INDEX apguard_reports_organization (organization_id=? AND rowid<?)")
			require.NotContains(t, plan, "SCAN r")
			require.NotContains(t, plan, "SCAN p")
		})
	}
	_, ok := sqlite.Dialect().ReportBlock(report.ListRequest{Filter: report.Filter{Status: report.StatusTodo, ExcludeAutomation: true}}, 20_000)
	require.False(t, ok, "no index of blocks applies")
}

// A page has the matching reports, even if it spans blocks that are empty, belong to another
// organization or have no match.
func TestReports_Blocks(t *testing.T) {
	t.Parallel()
	newDatabase := databaseCopier(t)
	rapid.Check(t, func(rt *rapid.T) {
		store, err := sqlite.Open(t.Context(), newDatabase(t), sqlite.Options{})
		require.NoError(rt, err)
		defer func() { require.NoError(rt, store.Close()) }()
		require.NoError(rt, store.Import(t.Context(), scatteredSeed(rt)))
		all, err := store.Reports(t.Context(), report.ListRequest{Scope: report.AnyOrganization(), Limit: 1000})
		require.NoError(rt, err)
		for range 20 {
			filter := drawFilter(rt)
			scope := rapid.SampledFrom([]report.Scope{report.InOrganization(1), report.AnyOrganization()}).Draw(rt, "scope")
			cursor := rapid.SampledFrom(append([]int64{0, asset.MaxID}, blockBoundaryIDs()...)).Draw(rt, "cursor")
			limit := rapid.IntRange(0, 5).Draw(rt, "limit")
			var want []report.Report
			for _, r := range all {
				if scope.Contains(r.OrganizationID) && filter.Match(r) && (cursor == 0 || r.ID < cursor) && len(want) < limit {
					want = append(want, r)
				}
			}
			got, err := store.Reports(t.Context(), report.ListRequest{Scope: scope, Filter: filter, Cursor: cursor, Limit: limit})
			require.NoError(rt, err)
			require.Equal(rt, want, got)
		}
	})
}

// blockBoundaryIDs returns IDs at the boundaries of blocks.
func blockBoundaryIDs() []int64 {
	return []int64{1, 2, 8_191, 8_192, 8_193, 16_383, 16_384, 35_000, 81_919, 81_920, 123_456, asset.MaxID - 1, asset.MaxID}
}

// scatteredSeed returns a seed with two organizations and few reports in many blocks.
func scatteredSeed(t *rapid.T) storage.Seed {
	seed := storage.Seed{Organizations: []storage.SeedOrganization{{ID: 1, Slug: "one"}, {ID: 2, Slug: "two"}}}
	for _, id := range rapid.SliceOfDistinct(rapid.SampledFrom(blockBoundaryIDs()), rapid.ID).Draw(t, "ids") {
		r := storage.SeedReport{
			ID:           id,
			Organization: rapid.SampledFrom([]string{"one", "one", "two"}).Draw(t, "organization"),
			BrandID:      rapid.Int64Range(0, 3).Draw(t, "brand"),
			CreatedAt:    time.UnixMilli(rapid.Int64Range(0, 5).Draw(t, "created")),
		}
		for i := range rapid.IntRange(0, 2).Draw(t, "proposals") {
			r.Proposals = append(r.Proposals, storage.SeedProposal{
				Content:        fmt.Sprintf("https://example.com/%d/%d", id, i),
				ProposedStatus: asset.StatusBlocked,
				ReviewStatus:   rapid.SampledFrom(report.ReviewStatuses()).Draw(t, "review"),
				ReviewedBy:     rapid.Int64Range(1, 3).Draw(t, "reviewer"),
				ReviewedAt:     time.UnixMilli(9),
			})
		}
		seed.Reports = append(seed.Reports, r)
	}
	return seed
}

func drawFilter(t *rapid.T) report.Filter {
	var filter report.Filter
	if rapid.Bool().Draw(t, "by period") {
		since := rapid.Int64Range(0, 5).Draw(t, "since")
		filter.Created = asset.Period{Since: time.UnixMilli(since), Before: time.UnixMilli(since + rapid.Int64Range(1, 3).Draw(t, "length"))}
	}
	if rapid.Bool().Draw(t, "by brand") {
		filter.BrandIDs = rapid.SliceOfN(rapid.Int64Range(1, 3), 1, 2).Draw(t, "brands")
	}
	if rapid.Bool().Draw(t, "by review") {
		filter.ReviewStatuses = rapid.SliceOfN(rapid.SampledFrom(report.ReviewStatuses()), 1, 2).Draw(t, "reviews")
	}
	if rapid.Bool().Draw(t, "by reviewer") {
		filter.ReviewedBy = rapid.Int64Range(1, 3).Draw(t, "reviewer of the filter")
	}
	filter.OnlyRejected = rapid.Bool().Draw(t, "only rejected")
	return filter
}
