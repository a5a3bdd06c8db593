package sqlstore

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

const (
	listedDisputeColumnNames = `id, asset_id, content, email, organization_id, created_by, state, assignee, created_at, updated_at`

	insertDispute = `INSERT INTO apguard_disputes
			(asset_id, content, email, email_key, description, organization_id, created_by, state, assignee, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (asset_id, email_key) DO NOTHING`

	insertNote = `INSERT INTO apguard_dispute_notes (dispute_id, position, kind, text, author, assignee, state, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

	selectDispute = `SELECT ` + listedDisputeColumnNames + `, description FROM apguard_disputes WHERE id = ?`

	selectDisputed = `SELECT ` + assetColumnNames + ` FROM apguard_assets a WHERE a.id = ?`

	selectNotes = `SELECT kind, text, author, assignee, state, created_at FROM apguard_dispute_notes WHERE dispute_id = ? ORDER BY position`

	updateDispute = `UPDATE apguard_disputes SET state = ?, assignee = ?, updated_at = ? WHERE id = ?`
)

// CreateDispute implements dispute.Store.
func (s *Store) CreateDispute(ctx context.Context, cmd dispute.CreateCommand) (dispute.Dispute, error) {
	return writeOnce(ctx, s, "create dispute", cmd.Claim, cmd.Record, func(ctx context.Context, on session) (dispute.Dispute, error) {
		return on.createDispute(ctx, cmd)
	})
}

func (s session) createDispute(ctx context.Context, cmd dispute.CreateCommand) (dispute.Dispute, error) {
	disputed, err := s.disputedAsset(ctx, cmd)
	if err != nil {
		return dispute.Dispute{}, err
	}
	// Nothing was written if this returns ErrExists: a new asset has no disputes.
	created := cmd.Apply(0, disputed)
	created.ID, err = s.insert(ctx, insertDispute, created.AssetID, created.Content, created.Email, cmd.EmailKey,
		created.Description, created.OrganizationID, created.CreatedBy, string(created.State), created.Assignee,
		Millis(created.CreatedAt), Millis(created.UpdatedAt))
	if err != nil {
		return dispute.Dispute{}, err
	}
	if created.ID == 0 {
		return dispute.Dispute{}, ContractError{dispute.ErrExists}
	}
	if err := s.insertDisputeEvent(ctx, cmd.Event(created)); err != nil {
		return dispute.Dispute{}, err
	}
	return created, s.insertNotes(ctx, created, 0)
}

// disputedAsset returns the asset that the command disputes.
func (s session) disputedAsset(ctx context.Context, cmd dispute.CreateCommand) (asset.Asset, error) {
	if cmd.Register {
		return s.register(ctx, SelectAsset, cmd.Identity)
	}
	found, err := s.asset(ctx, SelectAsset, cmd.Identity)
	return found, orContractError(err, asset.ErrNotFound)
}

// insertNotes stores the notes of a dispute, starting at that position.
func (s session) insertNotes(ctx context.Context, d dispute.Dispute, from int) error {
	for position := from; position < len(d.Notes); position++ {
		note := d.Notes[position]
		err := s.queue(ctx, insertNote, d.ID, position, string(note.Kind), note.Text, note.Author, note.Assignee,
			string(note.State), Millis(note.CreatedAt))
		if err != nil {
			return err
		}
	}
	return nil
}

// DisputeByID implements dispute.QueueStore.
func (s *Store) DisputeByID(ctx context.Context, id int64) (dispute.Dispute, error) {
	return readOnce(ctx, s, short("dispute by id"), func(ctx context.Context, on session) (dispute.Dispute, error) {
		return on.dispute(ctx, selectDispute, id)
	})
}

// DisputeWithAsset implements dispute.Store.
func (s *Store) DisputeWithAsset(ctx context.Context, id int64) (dispute.WithAsset, error) {
	return readOnce(ctx, s, short("dispute with asset"), func(ctx context.Context, on session) (found dispute.WithAsset, err error) {
		if found.Dispute, err = on.dispute(ctx, selectDispute, id); err != nil {
			return found, err
		}
		found.Asset, err = collectOne(ctx, on, squirrel.Expr(selectDisputed, found.AssetID), scanAsset)
		return found, err
	})
}

// dispute returns the dispute with its notes. The query is selectDispute, with or
// without a lock.
func (s session) dispute(ctx context.Context, query string, id int64) (dispute.Dispute, error) {
	var d dispute.Dispute
	err := s.get(ctx, query, []any{id}, append(listedDisputeColumns(&d), &d.Description)...)
	if err != nil {
		return dispute.Dispute{}, orContractError(err, dispute.ErrNotFound)
	}
	d.Notes, err = collect(ctx, s, squirrel.Expr(selectNotes, id), scanNote)
	return d, err
}

// UpdateDispute implements dispute.QueueStore.
func (s *Store) UpdateDispute(ctx context.Context, cmd dispute.UpdateCommand) (dispute.Dispute, error) {
	return writeOnce(ctx, s, "update dispute", cmd.Claim, cmd.Record, func(ctx context.Context, on session) (dispute.Dispute, error) {
		return on.updateDispute(ctx, cmd)
	})
}

func (s session) updateDispute(ctx context.Context, cmd dispute.UpdateCommand) (dispute.Dispute, error) {
	before, err := s.dispute(ctx, selectDispute+s.dialect.Lock, cmd.DisputeID)
	if err != nil {
		return dispute.Dispute{}, err
	}
	if cmd.Assignee != 0 {
		user, err := s.lockUser(ctx, cmd.Assignee)
		if err != nil {
			return dispute.Dispute{}, err
		}
		if err := cmd.CheckAssignee(user); err != nil {
			return dispute.Dispute{}, ContractError{err}
		}
	}
	u, err := cmd.Apply(before)
	if err != nil {
		return dispute.Dispute{}, ContractError{err}
	}
	after := u.Apply(before)
	if err := s.queue(ctx, updateDispute, string(after.State), after.Assignee, Millis(after.UpdatedAt), cmd.DisputeID); err != nil {
		return dispute.Dispute{}, err
	}
	if err := s.insertNotes(ctx, after, len(before.Notes)); err != nil {
		return dispute.Dispute{}, err
	}
	if event, ok := u.Event(after); ok {
		if err := s.insertDisputeEvent(ctx, event); err != nil {
			return dispute.Dispute{}, err
		}
	}
	if u.AssetStatus == "" {
		return after, nil
	}
	_, _, err = s.decide(ctx, after.AssetID, u.AssetStatus, u.Note.CreatedAt, u.Origin)
	return after, err
}

// listedDisputeColumns returns the destinations of listedDisputeColumnNames.
func listedDisputeColumns(d *dispute.Dispute) []any {
	return []any{
		&d.ID, &d.AssetID, &d.Content, &d.Email, &d.OrganizationID, &d.CreatedBy, (*string)(&d.State), &d.Assignee,
		(*timeColumn)(&d.CreatedAt), (*timeColumn)(&d.UpdatedAt),
	}
}

func scanListedDispute(row Row) (dispute.Dispute, error) {
	var d dispute.Dispute
	err := row.Scan(listedDisputeColumns(&d)...)
	return d, err
}

func scanNote(row Row) (dispute.Note, error) {
	var note dispute.Note
	err := row.Scan((*string)(&note.Kind), &note.Text, &note.Author, &note.Assignee, (*string)(&note.State), (*timeColumn)(&note.CreatedAt))
	return note, err
}
