package sqlstore

import (
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

const (
	insertDispute = `INSERT INTO apguard_disputes (asset_id, content, email, email_key, description, created_at)
		VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (asset_id, email_key) DO NOTHING`

	insertNote = `INSERT INTO apguard_dispute_notes (dispute_id, position, text, created_at) VALUES (?, ?, ?, ?)`

	selectDispute = `SELECT id, asset_id, content, email, description, created_at FROM apguard_disputes WHERE id = ?`

	selectNotes = `SELECT text, created_at FROM apguard_dispute_notes WHERE dispute_id = ? ORDER BY position`
)

// CreateDispute implements dispute.Store.
func (s *Store) CreateDispute(ctx context.Context, draft dispute.Draft) (dispute.Dispute, error) {
	return write(ctx, s, "create dispute", func(ctx context.Context, on session) (dispute.Dispute, error) {
		disputed, err := on.disputedAsset(ctx, draft)
		if err != nil {
			return dispute.Dispute{}, err
		}
		// An asset that was registered just now has no dispute, so ErrExists does
		// not come after that.
		id, err := on.insert(ctx, insertDispute, disputed.ID, draft.Content,
			draft.Email, draft.EmailKey, draft.Description, Millis(draft.At))
		if err != nil {
			return dispute.Dispute{}, err
		}
		if id == 0 {
			return dispute.Dispute{}, AnswerError{dispute.ErrExists}
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
		return created, on.insertNotes(ctx, created)
	})
}

// disputedAsset returns the asset that the draft is about.
func (s session) disputedAsset(ctx context.Context, draft dispute.Draft) (asset.Asset, error) {
	if draft.Register {
		return s.register(ctx, selectAsset, draft.Identity, draft.Content)
	}
	found, err := s.asset(ctx, selectAsset, draft.Identity)
	return found, orAnswer(err, asset.ErrNotFound)
}

func (s session) insertNotes(ctx context.Context, d dispute.Dispute) error {
	for position, note := range d.Notes {
		if err := s.exec(ctx, insertNote, d.ID, position, note.Text, Millis(note.CreatedAt)); err != nil {
			return err
		}
	}
	return nil
}

// DisputeByID implements dispute.Store.
func (s *Store) DisputeByID(ctx context.Context, id int64) (dispute.Dispute, error) {
	return readOnce(ctx, s, "dispute by id", func(ctx context.Context, on session) (dispute.Dispute, error) {
		var (
			d       dispute.Dispute
			created int64
		)
		err := on.get(ctx, selectDispute, []any{id}, &d.ID, &d.AssetID, &d.Content, &d.Email, &d.Description, &created)
		if err != nil {
			return dispute.Dispute{}, orAnswer(err, dispute.ErrNotFound)
		}
		d.CreatedAt = Time(created)
		d.Notes, err = collect(ctx, on, selectNotes, []any{id}, scanNote)
		return d, err
	})
}

func scanNote(row Row) (dispute.Note, error) {
	var (
		note    dispute.Note
		created int64
	)
	err := row.Scan(&note.Text, &created)
	note.CreatedAt = Time(created)
	return note, err
}
