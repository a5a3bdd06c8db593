package sqlstore

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/dispute"
)

// eraseDisputes and eraseNotes do what Dispute.Erased and ErasedKey say.
const (
	eraseDisputes = `UPDATE apguard_disputes SET email = '', email_key = CAST(id AS TEXT), description = '',
			content = (SELECT a.canonical FROM apguard_assets a WHERE a.id = asset_id)
		WHERE ?`

	eraseNotes = `UPDATE apguard_dispute_notes SET text = '' WHERE kind IN (?, ?) AND ?`
)

// EraseDisputes implements dispute.QueueStore.
func (s *Store) EraseDisputes(ctx context.Context, cmd dispute.EraseCommand) (int, error) {
	return write(ctx, s, "erase disputes", func(ctx context.Context, on session) (int, error) {
		found, err := collect(ctx, on, s.dialect.DisputesToErase(cmd), scanID)
		if err != nil || len(found) == 0 {
			return 0, err
		}
		if err := on.queueBuilt(ctx, squirrel.Expr(eraseDisputes, s.dialect.AnyOf("id", found))); err != nil {
			return 0, err
		}
		if err := on.queueBuilt(ctx, squirrel.Expr(eraseNotes,
			string(dispute.NoteKindTransition), string(dispute.NoteKindComment), s.dialect.AnyOf("dispute_id", found))); err != nil {
			return 0, err
		}
		return len(found), on.record(ctx, cmd.Entry(len(found)))
	})
}

// DisputesToErase returns the query for the disputes that a step erases, with a lock.
func (d Dialect) DisputesToErase(cmd dispute.EraseCommand) squirrel.SelectBuilder {
	return d.selectFrom("apguard_disputes", "id").
		Where(squirrel.Eq{"email_key": cmd.EmailKey}).
		OrderBy("id").
		Limit(uint64(max(cmd.Limit, 0))).
		Suffix(d.Lock)
}
