package postgres_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage/postgres"
)

// hookTx calls between before each query of disputes except the first.
type hookTx struct {
	pgx.Tx
	queries int
	between func()
}

func (p *hookTx) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if strings.Contains(sql, "apguard_disputes") {
		p.queries++
		if p.queries > 1 {
			p.between()
		}
	}
	return p.Tx.Query(ctx, sql, args...)
}

// In a host transaction with READ COMMITTED, each statement sees what was committed before
// it. A dispute whose state changes meanwhile is on the page once.
func TestDisputes_ConcurrentTransition(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	store := open(t, dsn)
	d, err := store.CreateDispute(t.Context(), disputeCommand("https://a.example"))
	require.NoError(t, err)
	_, err = store.UpdateDispute(t.Context(), dispute.UpdateCommand{DisputeID: d.ID, Apply: dispute.Transition{To: dispute.StateUnderReview, At: time.UnixMilli(5)}.Apply})
	require.NoError(t, err)
	to := dispute.StateUnderReview
	tx := &hookTx{Tx: begin(t, dsn, pgx.ReadCommitted), between: func() {
		// OPEN and UNDER_REVIEW in turn.
		to = map[dispute.State]dispute.State{dispute.StateOpen: dispute.StateUnderReview, dispute.StateUnderReview: dispute.StateOpen}[to]
		_, err := store.UpdateDispute(t.Context(), dispute.UpdateCommand{DisputeID: d.ID, Apply: dispute.Transition{To: to, At: time.UnixMilli(6)}.Apply})
		require.NoError(t, err)
	}}
	page, err := postgres.InTx(tx).Disputes(t.Context(), dispute.ListRequest{Limit: 10})
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
	require.Equal(t, d.ID, page.Items[0].ID)
	require.Equal(t, 1, tx.queries)
}
