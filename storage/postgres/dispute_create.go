package postgres

import (
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

const (
	// createDispute finds the asset and stores a dispute of it with its notes. It returns no
	// row if there is no asset, or the asset already has a dispute with the email_key.
	createDispute = `WITH created AS (
			INSERT INTO apguard_disputes (asset_id, content, email, email_key, description, state, created_at, updated_at)
			SELECT a.id, $2, $3, $4, $5, $6, $7, $8 FROM apguard_assets a WHERE a.identity_hash = $1
			ON CONFLICT (asset_id, email_key) DO NOTHING
			RETURNING id, asset_id
		), noted AS (
			INSERT INTO apguard_dispute_notes (dispute_id, position, kind, text, author, state, created_at)
			SELECT c.id, n.position - 1, n.kind, n.text, n.author, n.state, n.created_at
			FROM created c CROSS JOIN unnest($9::TEXT[], $10::TEXT[], $11::BIGINT[], $12::TEXT[], $13::BIGINT[])
				WITH ORDINALITY AS n (kind, text, author, state, created_at, position)
		)
		SELECT id, asset_id FROM created`

	// limitLockWait bounds how long a statement of the transaction waits for others.
	limitLockWait = "set local lock_timeout = '100ms'"
)

// CreateDispute implements dispute.Store.
//
// Most disputes are stored with a single message to the server. If that stores nothing, the
// general way finds out why, and waits for other transactions as long as it takes.
func (s *Store) CreateDispute(ctx context.Context, cmd dispute.CreateCommand) (dispute.Dispute, error) {
	if cmd.Register || cmd.NeedsStatus() || !cmd.Claim.IsZero() {
		return s.methods.CreateDispute(ctx, cmd)
	}
	created, err := s.createDispute(ctx, cmd)
	if isRefusal(err) || err == nil && created.ID == 0 {
		return s.methods.CreateDispute(ctx, cmd)
	}
	if err != nil {
		return dispute.Dispute{}, err
	}
	return created, nil
}

// createDispute sends BEGIN, createDispute and COMMIT in one message. The dispute has no ID if
// nothing was stored.
//
// The end of ctx does not interrupt the message, because it has COMMIT. Therefore the
// statement may wait only a moment for another transaction, such as one that creates the same
// dispute.
func (s *Store) createDispute(ctx context.Context, cmd dispute.CreateCommand) (dispute.Dispute, error) {
	var created dispute.Dispute
	operation := sqlstore.Operation{Name: "create dispute", Kind: sqlstore.Write}
	err := s.engine.write(ctx, operation, func(ctx context.Context, on *conn) error {
		created = cmd.Apply(0, asset.Asset{Identity: cmd.Identity})
		if err := on.Queue(ctx, limitLockWait); err != nil {
			return err
		}
		on.queueRow(createDispute, createDisputeArgs(cmd, created), &created.ID, &created.AssetID)
		return nil
	})
	return created, err
}

func createDisputeArgs(cmd dispute.CreateCommand, d dispute.Dispute) []any {
	var (
		n       = len(d.Notes)
		kinds   = make([]string, n)
		texts   = make([]string, n)
		authors = make([]int64, n)
		states  = make([]string, n)
		times   = make([]int64, n)
	)
	for i, note := range d.Notes {
		kinds[i], texts[i], authors[i] = string(note.Kind), note.Text, note.Author
		states[i], times[i] = string(note.State), sqlstore.Millis(note.CreatedAt)
	}
	return []any{
		sqlstore.IdentityHash(cmd.Identity), d.Content, d.Email, cmd.EmailKey, d.Description, string(d.State),
		sqlstore.Millis(d.CreatedAt), sqlstore.Millis(d.UpdatedAt),
		kinds, texts, authors, states, times,
	}
}
