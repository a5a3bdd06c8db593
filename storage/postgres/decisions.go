package postgres

import (
	"context"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

const putDecisions = `INSERT INTO apguard_decisions (asset_id, source, status, cause, since, actor, reference, reason, note, expires_at,
		review_at)
	SELECT * FROM unnest($1::BIGINT[], $2::BIGINT[], $3::SMALLINT[], $4::SMALLINT[], $5::BIGINT[], $6::BIGINT[], $7::TEXT[],
		$8::SMALLINT[], $9::TEXT[], $10::BIGINT[], $11::BIGINT[])
	ON CONFLICT (asset_id, source) DO UPDATE SET status = EXCLUDED.status, cause = EXCLUDED.cause, since = EXCLUDED.since,
		actor = EXCLUDED.actor, reference = EXCLUDED.reference, reason = EXCLUDED.reason, note = EXCLUDED.note,
		expires_at = EXCLUDED.expires_at, review_at = EXCLUDED.review_at`

// PutDecisions implements sqlstore.Conn. The server sees the statement with the next one.
func (c *conn) PutDecisions(ctx context.Context, decisions []sqlstore.Decision) error {
	var (
		n          = len(decisions)
		ids        = make([]int64, n)
		sources    = make([]int64, n)
		statuses   = make([]int64, n)
		causes     = make([]int64, n)
		times      = make([]int64, n)
		actors     = make([]int64, n)
		references = make([]string, n)
		reasons    = make([]int64, n)
		notes      = make([]string, n)
		ends       = make([]*int64, n)
		reviews    = make([]*int64, n)
	)
	for i, one := range decisions {
		ids[i], sources[i], statuses[i] = one.AssetID, one.Source, sqlstore.StatusCode(one.Status)
		causes[i], times[i] = sqlstore.CauseCode(one.Origin.Cause), sqlstore.Millis(one.Since)
		actors[i], references[i] = one.Origin.Actor, one.Origin.Reference
		reasons[i], notes[i] = sqlstore.ReasonCode(one.Reason), one.Note
		ends[i], reviews[i] = sqlstore.Expiry(one.ExpiresAt), sqlstore.Expiry(one.ReviewAt)
	}
	return c.Queue(ctx, putDecisions, ids, sources, statuses, causes, times, actors, references, reasons, notes, ends, reviews)
}
