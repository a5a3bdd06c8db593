package memory

import (
	"cmp"
	"context"
	"slices"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

// disputeRow is a dispute with its asset.
type disputeRow struct {
	dispute  dispute.Dispute
	emailKey string
	asset    *assetRow
}

// disputeKey is unique among all disputes.
type disputeKey struct {
	assetID  int64
	emailKey string
}

// CreateDispute implements [dispute.Store].
func (s *Store) CreateDispute(ctx context.Context, cmd dispute.CreateCommand) (dispute.Dispute, error) {
	return write(ctx, s, func(t *tables) (dispute.Dispute, error) {
		if err := t.checkClaim(cmd.Claim); err != nil {
			return dispute.Dispute{}, err
		}
		if _, known := t.assets[cmd.Identity]; !known && !cmd.Register {
			return dispute.Dispute{}, asset.ErrNotFound
		}
		row := t.register(cmd.Identity)
		key := disputeKey{assetID: row.ID, emailKey: cmd.EmailKey}
		if t.disputeKeys[key] {
			return dispute.Dispute{}, dispute.ErrExists
		}
		created := cmd.Apply(t.lastDispute+1, row.Asset)
		t.disputeKeys[key] = true
		t.addDispute(&disputeRow{dispute: copyDispute(created), emailKey: cmd.EmailKey, asset: row})
		t.addDisputeEvent(cmd.Event(created))
		if !cmd.Claim.IsZero() {
			t.keep(cmd.Record(created))
		}
		return created, nil
	})
}

// addDispute adds the dispute at its position. This is the end unless the clock was set
// back.
func (t *tables) addDispute(row *disputeRow) {
	oldestFirst := dispute.ListRequest{OldestFirst: true}
	at, _ := slices.BinarySearchFunc(t.disputesByTime, row, func(a, b *disputeRow) int {
		return oldestFirst.Compare(a.dispute, b.dispute)
	})
	t.disputesByTime = slices.Insert(t.disputesByTime, at, row)
	t.disputes[row.dispute.ID] = row
	t.lastDispute = row.dispute.ID
}

func copyDispute(d dispute.Dispute) dispute.Dispute {
	d.Notes = slices.Clone(d.Notes)
	return d
}

// DisputeByID implements [dispute.QueueStore].
func (s *Store) DisputeByID(ctx context.Context, id int64) (dispute.Dispute, error) {
	return read(ctx, s, func(t *tables) (dispute.Dispute, error) {
		row, known := t.disputes[id]
		if !known {
			return dispute.Dispute{}, dispute.ErrNotFound
		}
		return copyDispute(row.dispute), nil
	})
}

// DisputeWithAsset implements [dispute.Store].
func (s *Store) DisputeWithAsset(ctx context.Context, id int64) (dispute.WithAsset, error) {
	return read(ctx, s, func(t *tables) (dispute.WithAsset, error) {
		row, known := t.disputes[id]
		if !known {
			return dispute.WithAsset{}, dispute.ErrNotFound
		}
		return dispute.WithAsset{Dispute: copyDispute(row.dispute), Asset: row.asset.Asset}, nil
	})
}

// UpdateDispute implements [dispute.QueueStore].
func (s *Store) UpdateDispute(ctx context.Context, cmd dispute.UpdateCommand) (dispute.Dispute, error) {
	return writeOnce(ctx, s, cmd.Claim, cmd.Record, func(t *tables) (dispute.Dispute, error) {
		row, known := t.disputes[cmd.DisputeID]
		if !known {
			return dispute.Dispute{}, dispute.ErrNotFound
		}
		if cmd.Assignee != 0 {
			if err := cmd.CheckAssignee(t.users[cmd.Assignee]); err != nil {
				return dispute.Dispute{}, err
			}
		}
		u, err := cmd.Apply(copyDispute(row.dispute))
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return dispute.Dispute{}, err
		}
		row.dispute = u.Apply(row.dispute)
		if event, ok := u.Event(row.dispute); ok {
			t.addDisputeEvent(event)
		}
		if u.AssetStatus != "" {
			t.decide(row.asset, u.AssetStatus, u.Note.CreatedAt, u.Origin)
		}
		return copyDispute(row.dispute), nil
	})
}
