package sqlite

import (
	"context"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

const decisionColumns = `asset_id, source, status, reason, note, cause, since, expires_at, review_at, actor, reference`

// putDecisions stores the same decision on assets with consecutive IDs. A statement for each of them would
// take a tenth of the time of an import.
const putDecisions = `INSERT INTO apguard_decisions (` + decisionColumns + `)
	SELECT id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM apguard_assets WHERE id BETWEEN ? AND ? ORDER BY id
	ON CONFLICT (asset_id, source) DO UPDATE SET status = excluded.status, reason = excluded.reason, note = excluded.note, cause = excluded.cause,
		since = excluded.since, expires_at = excluded.expires_at, review_at = excluded.review_at, actor = excluded.actor, reference = excluded.reference`

// PutDecisions implements sqlstore.Conn. Equal decisions on assets with consecutive IDs, as new ones have, share
// a statement.
func (c *conn) PutDecisions(ctx context.Context, decisions []sqlstore.Decision) error {
	for len(decisions) > 0 {
		n := leadingEqual(decisions)
		one := decisions[0]
		_, err := c.Exec(ctx, putDecisions,
			one.Source, sqlstore.StatusCode(one.Status), sqlstore.ReasonCode(one.Reason), one.Note, sqlstore.CauseCode(one.Origin.Cause),
			sqlstore.Millis(one.Since), sqlstore.Expiry(one.ExpiresAt), sqlstore.Expiry(one.ReviewAt), one.Origin.Actor, one.Origin.Reference, one.AssetID, decisions[n-1].AssetID)
		if err != nil {
			return err
		}
		decisions = decisions[n:]
	}
	return nil
}

// leadingEqual returns how many equal decisions on assets with consecutive IDs the list begins with.
func leadingEqual(decisions []sqlstore.Decision) int {
	for i := range decisions {
		next := decisions[0]
		next.AssetID += int64(i)
		next.Replaced = decisions[i].Replaced // it has a row of its own
		if decisions[i] != next {
			return i
		}
	}
	return len(decisions)
}
