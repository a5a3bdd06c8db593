package postgres_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/postgres"
)

// idsTx records the lists of IDs in the arguments of queries.
type idsTx struct {
	pgx.Tx
	lists [][]int64
}

func (r *idsTx) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	for _, arg := range args {
		if ids, ok := arg.([]int64); ok {
			r.lists = append(r.lists, ids)
		}
	}
	return r.Tx.Query(ctx, sql, args...)
}

// A page asks for the proposals of few reports that it does not have, because pgx receives all
// rows of a query.
func TestReports_ProposalsOfAPage(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		proposalBytes, page int
		queries, reports    int // the most that the page asks for
	}{
		"a report fills the page": {proposalBytes: step.MaxPageBytes, page: 1, queries: 2, reports: 3},
		"few reports fill it":     {proposalBytes: step.MaxPageBytes / 4, page: 3, queries: 3, reports: 7},
		"the limit ends the page": {proposalBytes: 100, page: 40, queries: 3, reports: 40},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			dsn := newDatabase(t)
			store := open(t, dsn)
			for i := range 50 {
				_, err := store.FileReport(t.Context(), report.FileCommand{
					OrganizationID: 1,
					Title:          "report",
					At:             fixtures.Time(),
					Proposals: []report.ProposedAsset{{
						Identity:       fixtures.Identity(fmt.Sprint("proposed-", i)),
						Content:        strings.Repeat("f", c.proposalBytes),
						ProposedStatus: asset.StatusBlocked,
					}},
				})
				require.NoError(t, err)
			}
			tx := &idsTx{Tx: begin(t, dsn, pgx.ReadCommitted)}
			page, err := postgres.InTx(tx).Reports(t.Context(), report.ListRequest{Scope: report.InOrganization(1), Limit: 40})
			require.NoError(t, err)
			require.NoError(t, tx.Rollback(t.Context()))
			require.Len(t, page.Reports, c.page)
			require.LessOrEqual(t, len(tx.lists), c.queries)
			asked := 0
			for _, ids := range tx.lists {
				asked += len(ids)
			}
			require.LessOrEqual(t, asked, c.reports)
			require.GreaterOrEqual(t, asked, c.page)
		})
	}
}
