package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

const (
	insertNewDispute = `INSERT INTO apguard_disputes (asset_id, content, email, email_key, description, created_at)
		VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (asset_id, email_key) DO NOTHING`

	insertNote = `INSERT INTO apguard_dispute_notes (dispute_id, position, text, created_at) VALUES (?, ?, ?, ?)`

	selectDispute = `SELECT id, asset_id, content, email, description, created_at FROM apguard_disputes WHERE id = ?`

	selectNotes = `SELECT text, created_at FROM apguard_dispute_notes WHERE dispute_id = ? ORDER BY position`
)

// CreateDispute implements dispute.Store.
func (s *Store) CreateDispute(ctx context.Context, draft dispute.Draft) (dispute.Dispute, error) {
	return write(ctx, s, "create dispute", func(ctx context.Context, tx *transaction) (dispute.Dispute, error) {
		disputed, err := tx.disputedAsset(ctx, draft)
		if err != nil {
			return dispute.Dispute{}, err
		}
		id, err := tx.insertNew(ctx, insertNewDispute, disputed.ID, draft.Content,
			draft.Email, draft.EmailKey, draft.Description, sqlstore.Millis(draft.At))
		if err != nil {
			return dispute.Dispute{}, err
		}
		if id == 0 {
			return dispute.Dispute{}, answer{dispute.ErrExists}
		}
		created := dispute.Dispute{
			ID:          id,
			AssetID:     disputed.ID,
			Content:     draft.Content,
			Email:       draft.Email,
			Description: draft.Description,
			Notes:       draft.NotesFor(disputed.Status),
			CreatedAt:   asset.Moment(draft.At),
		}
		return created, tx.insertNotes(ctx, created)
	})
}

// disputedAsset returns the asset that the draft is about.
func (t *transaction) disputedAsset(ctx context.Context, draft dispute.Draft) (asset.Asset, error) {
	if draft.Register {
		return t.register(ctx, draft.Identity, draft.Content)
	}
	found, err := t.asset(ctx, draft.Identity)
	if errors.Is(err, sql.ErrNoRows) {
		return asset.Asset{}, answer{asset.ErrNotFound}
	}
	return found, err
}

func (t *transaction) insertNotes(ctx context.Context, d dispute.Dispute) error {
	for position, note := range d.Notes {
		if err := t.exec(ctx, insertNote, d.ID, position, note.Text, sqlstore.Millis(note.CreatedAt)); err != nil {
			return err
		}
	}
	return nil
}

// DisputeByID implements dispute.Store.
func (s *Store) DisputeByID(ctx context.Context, id int64) (dispute.Dispute, error) {
	return readOnce(ctx, s, "dispute by id", func(tx *sql.Tx) (dispute.Dispute, error) {
		var (
			d       dispute.Dispute
			created int64
		)
		err := tx.QueryRowContext(ctx, selectDispute, id).
			Scan(&d.ID, &d.AssetID, &d.Content, &d.Email, &d.Description, &created)
		if errors.Is(err, sql.ErrNoRows) {
			return dispute.Dispute{}, answer{dispute.ErrNotFound}
		}
		if err != nil {
			return dispute.Dispute{}, err
		}
		d.CreatedAt = sqlstore.Time(created)
		d.Notes, err = collect(ctx, tx, selectNotes, []any{id}, scanNote)
		return d, err
	})
}

func scanNote(row sqlstore.Row) (dispute.Note, error) {
	var (
		note    dispute.Note
		created int64
	)
	err := row.Scan(&note.Text, &created)
	note.CreatedAt = sqlstore.Time(created)
	return note, err
}
