package postgres_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/postgres"
)

// recordingTx records the queries of a transaction.
type recordingTx struct {
	pgx.Tx
	queries []string
}

func (r *recordingTx) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	r.queries = append(r.queries, sql)
	return r.Tx.Query(ctx, sql, args...)
}

// A withdrawal that cannot change the asset does not lock the asset or read its changes.
func TestWithdrawReview_WithoutChange(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		before []report.ReviewStatus
		last   report.ReviewStatus
		status asset.Status
	}{
		"a rejection":                      {nil, report.ReviewReject, asset.StatusUnknown},
		"a rejection after an approval":    {[]report.ReviewStatus{report.ReviewApprove}, report.ReviewReject, asset.StatusBlocked},
		"an approval that changed nothing": {nil, report.ReviewApprove, asset.StatusBlocked},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			dsn := newDatabase(t)
			store := open(t, dsn)
			identity := asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example"}
			filed, err := store.FileReport(t.Context(), report.FileCommand{OrganizationID: 1, Proposals: []report.ProposedAsset{
				{Identity: identity, Content: identity.Canonical, ProposedStatus: asset.StatusBlocked},
			}})
			require.NoError(t, err)
			if len(test.before) == 0 && test.status == asset.StatusBlocked {
				require.NoError(t, block(t.Context(), store, identity.Canonical))
			}
			var reviewed report.Updated
			for _, status := range append(test.before, test.last) {
				reviewed, err = fixtures.Reviews(store).Review(t.Context(), report.ReviewRequest{Scope: report.AnyOrganization(), ProposalID: filed.Proposals[0].ID, Status: status})
				require.NoError(t, err)
			}

			another := begin(t, dsn, pgx.ReadCommitted)
			_, err = another.Exec(t.Context(), "SELECT id FROM apguard_assets FOR UPDATE")
			require.NoError(t, err)
			tx := &recordingTx{Tx: begin(t, withParameter(t, dsn, "lock_timeout", "2s"), pgx.ReadCommitted)}
			got, err := fixtures.Reviews(postgres.InTx(tx)).Withdraw(t.Context(), report.WithdrawRequest{Scope: report.AnyOrganization(), ReviewID: reviewed.Proposals[0].ReviewID})
			require.NoError(t, err)
			require.Equal(t, test.status, got.Proposals[0].Asset.Status)
			require.NotContains(t, strings.Join(tx.queries, "\n"), "apguard_changes")
		})
	}
}
