//go:build cgo

package sqlite_test

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/sqlite"
)

// The last approval that is found in SQL is the one of the domain.
func TestLastApprovalInSQL(t *testing.T) {
	t.Parallel()
	store := open(t, newFile(t))
	_, statement, _, _, err := sqlite.ReviewStatements()
	require.NoError(t, err)
	_, reader := sqlite.Pools(store)
	rapid.Check(t, func(t *rapid.T) {
		filed, err := store.FileReport(t.Context(), filing("a"))
		require.NoError(t, err)
		proposal := filed.Proposals[0].ID
		for range rapid.IntRange(0, 6).Draw(t, "reviews") {
			status := rapid.SampledFrom(report.ReviewStatuses()).Draw(t, "status")
			_, err := store.ReviewProposal(t.Context(), report.ReviewDraft{ProposalID: proposal, Status: status, At: time.UnixMilli(5)})
			require.NoError(t, err)
		}
		reviews, err := store.ProposalReviews(t.Context(), 0, proposal, 0, 10)
		require.NoError(t, err)
		for i, review := range reviews {
			if review.Status.Decides() && rapid.Bool().Draw(t, "withdrawn") {
				_, err := store.WithdrawReview(t.Context(), report.Withdrawal{ReviewID: review.ID, At: time.UnixMilli(6)})
				require.NoError(t, err)
				reviews[i].WithdrawnAt = time.UnixMilli(6)
			}
		}
		var got int64
		row := reader.QueryRowContext(t.Context(), statement.SQL, append([]any{proposal}, statement.Args[1:]...)...)
		if err := row.Scan(&got); !errors.Is(err, sql.ErrNoRows) {
			require.NoError(t, err)
		}
		require.Equal(t, report.LastApproval(reviews), got)
	})
}
