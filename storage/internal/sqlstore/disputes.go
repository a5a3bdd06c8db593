package sqlstore

import (
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

const (
	listedDisputeColumnNames = `id, asset_id, content, email, state, created_at, updated_at`

	insertDispute = `INSERT INTO apguard_disputes (asset_id, content, email, email_key, description, state, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (asset_id, email_key) DO NOTHING`

	insertNote = `INSERT INTO apguard_dispute_notes (dispute_id, position, text, author, state, created_at) VALUES (?, ?, ?, ?, ?, ?)`

	selectDispute = `SELECT ` + listedDisputeColumnNames + `, description FROM apguard_disputes WHERE id = ?`

	selectNotes = `SELECT text, author, state, created_at FROM apguard_dispute_notes WHERE dispute_id = ? ORDER BY position`

	updateDispute = `UPDATE apguard_disputes SET state = ?, updated_at = ? WHERE id = ?`
)

// CreateDispute implements dispute.Store.
func (s *Store) CreateDispute(ctx context.Context, draft dispute.CreateCommand) (dispute.Dispute, error) {
	return write(ctx, s, "create dispute", func(ctx context.Context, on session) (dispute.Dispute, error) {
		disputed, err := on.disputedAsset(ctx, draft)
		if err != nil {
			return dispute.Dispute{}, err
		}
		// An asset that was registered just now has no dispute, so ErrExists does
		// not come after that.
		created := draft.Apply(0, disputed)
		created.ID, err = on.insert(ctx, insertDispute, created.AssetID, created.Content, created.Email, draft.EmailKey,
			created.Description, string(created.State), Millis(created.CreatedAt), Millis(created.UpdatedAt))
		if err != nil {
			return dispute.Dispute{}, err
		}
		if created.ID == 0 {
			return dispute.Dispute{}, ContractError{dispute.ErrExists}
		}
		return created, on.insertNotes(ctx, created, 0)
	})
}

// disputedAsset returns the asset that the draft is about.
func (s session) disputedAsset(ctx context.Context, draft dispute.CreateCommand) (asset.Asset, error) {
	if draft.Register {
		return s.register(ctx, selectAsset, draft.Identity)
	}
	found, err := s.asset(ctx, selectAsset, draft.Identity)
	return found, orContractError(err, asset.ErrNotFound)
}

// insertNotes stores the notes of a dispute from that position on.
func (s session) insertNotes(ctx context.Context, d dispute.Dispute, from int) error {
	for position := from; position < len(d.Notes); position++ {
		note := d.Notes[position]
		err := s.exec(ctx, insertNote, d.ID, position, note.Text, note.Author, string(note.State), Millis(note.CreatedAt))
		if err != nil {
			return err
		}
	}
	return nil
}

// DisputeByID implements dispute.Store.
func (s *Store) DisputeByID(ctx context.Context, id int64) (dispute.Dispute, error) {
	return readOnce(ctx, s, "dispute by id", func(ctx context.Context, on session) (dispute.Dispute, error) {
		return on.dispute(ctx, selectDispute, id)
	})
}

// dispute returns the dispute with its notes. The query is selectDispute, with or
// without a lock.
func (s session) dispute(ctx context.Context, query string, id int64) (dispute.Dispute, error) {
	var r disputeRow
	if err := s.get(ctx, query, []any{id}, append(r.places(), &r.dispute.Description)...); err != nil {
		return dispute.Dispute{}, orContractError(err, dispute.ErrNotFound)
	}
	d := r.value()
	var err error
	d.Notes, err = collect(ctx, s, selectNotes, []any{id}, scanNote)
	return d, err
}

// MoveDispute implements dispute.Store.
func (s *Store) MoveDispute(ctx context.Context, move dispute.Transition) (dispute.Dispute, error) {
	return write(ctx, s, "move dispute", func(ctx context.Context, on session) (dispute.Dispute, error) {
		before, err := on.dispute(ctx, selectDispute+on.dialect.Lock, move.DisputeID)
		if err != nil {
			return dispute.Dispute{}, err
		}
		moved, err := move.Apply(before)
		if err != nil {
			return dispute.Dispute{}, ContractError{err}
		}
		if err := on.updateDispute(ctx, before, moved); err != nil {
			return dispute.Dispute{}, err
		}
		return moved, on.moveAsset(ctx, move, moved.AssetID)
	})
}

// moveAsset gives the asset of a dispute the status that comes with the move.
func (s session) moveAsset(ctx context.Context, move dispute.Transition, assetID int64) error {
	if move.AssetStatus == "" {
		return nil
	}
	now, err := s.lockAsset(ctx, assetID)
	if err != nil {
		return err
	}
	_, err = s.setStatus(ctx, assetID, now, move.AssetStatus, move.At, move.Origin())
	return err
}

// AddDisputeNote implements dispute.Store.
func (s *Store) AddDisputeNote(ctx context.Context, note dispute.AddNoteCommand) (dispute.Dispute, error) {
	return write(ctx, s, "add dispute note", func(ctx context.Context, on session) (dispute.Dispute, error) {
		before, err := on.dispute(ctx, selectDispute+on.dialect.Lock, note.DisputeID)
		if err != nil {
			return dispute.Dispute{}, err
		}
		noted, err := note.Apply(before)
		if err != nil {
			return dispute.Dispute{}, ContractError{err}
		}
		return noted, on.updateDispute(ctx, before, noted)
	})
}

// updateDispute writes a dispute as it has become since it was locked.
func (s session) updateDispute(ctx context.Context, before, now dispute.Dispute) error {
	if err := s.exec(ctx, updateDispute, string(now.State), Millis(now.UpdatedAt), now.ID); err != nil {
		return err
	}
	return s.insertNotes(ctx, now, len(before.Notes))
}

// disputeRow takes the columns of a dispute as it is listed.
type disputeRow struct {
	dispute          dispute.Dispute
	created, updated int64
}

// places are where the columns go, in the order of listedDisputeColumnNames.
func (r *disputeRow) places() []any {
	d := &r.dispute
	return []any{&d.ID, &d.AssetID, &d.Content, &d.Email, (*string)(&d.State), &r.created, &r.updated}
}

// value returns the dispute once its columns are there.
func (r *disputeRow) value() dispute.Dispute {
	d := r.dispute
	d.CreatedAt, d.UpdatedAt = Time(r.created), Time(r.updated)
	return d
}

func scanListedDispute(row Row) (dispute.Dispute, error) {
	var r disputeRow
	err := row.Scan(r.places()...)
	return r.value(), err
}

func scanNote(row Row) (dispute.Note, error) {
	var (
		note    dispute.Note
		created int64
	)
	err := row.Scan(&note.Text, &note.Author, (*string)(&note.State), &created)
	note.CreatedAt = Time(created)
	return note, err
}
