package memory

import (
	"context"
	"iter"
	"slices"
	"sort"

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
func (s *Store) CreateDispute(ctx context.Context, command dispute.CreateCommand) (dispute.Dispute, error) {
	if err := s.beginWrite(ctx); err != nil {
		return dispute.Dispute{}, err
	}
	defer s.mu.Unlock()

	row, known := s.tables.assets[command.Identity]
	switch {
	case !known && !command.Register:
		return dispute.Dispute{}, asset.ErrNotFound
	case !known:
		row = s.tables.register(command.Identity)
	}
	key := disputeKey{assetID: row.asset.ID, emailKey: command.EmailKey}
	if s.tables.disputed[key] {
		return dispute.Dispute{}, dispute.ErrExists
	}
	created := command.Apply(int64(len(s.tables.disputes))+1, row.asset)
	s.tables.addDispute(&disputeRow{dispute: created, emailKey: command.EmailKey, asset: row})
	s.tables.disputed[key] = true
	return copyDispute(created), nil
}

// addDispute inserts the dispute by time. Its place is not the end if the clock was set
// back.
func (t *tables) addDispute(row *disputeRow) {
	t.disputes[row.dispute.ID] = row
	byTime := dispute.ListRequest{OldestFirst: true}
	at, _ := slices.BinarySearchFunc(t.disputesByTime, row, func(a, b *disputeRow) int {
		return byTime.Compare(a.dispute, b.dispute)
	})
	t.disputesByTime = slices.Insert(t.disputesByTime, at, row)
}

func copyDispute(d dispute.Dispute) dispute.Dispute {
	d.Notes = slices.Clone(d.Notes)
	return d
}

// DisputeByID implements [dispute.QueueStore].
func (s *Store) DisputeByID(ctx context.Context, id int64) (dispute.Dispute, error) {
	if err := s.beginRead(ctx); err != nil {
		return dispute.Dispute{}, err
	}
	defer s.mu.RUnlock()

	found, known := s.tables.disputes[id]
	if !known {
		return dispute.Dispute{}, dispute.ErrNotFound
	}
	return copyDispute(found.dispute), nil
}

// UpdateDispute implements [dispute.QueueStore].
func (s *Store) UpdateDispute(ctx context.Context, id int64, update func(dispute.Dispute) (dispute.Update, error)) (dispute.Dispute, error) {
	if err := s.beginWrite(ctx); err != nil {
		return dispute.Dispute{}, err
	}
	defer s.mu.Unlock()

	row, known := s.tables.disputes[id]
	if !known {
		return dispute.Dispute{}, dispute.ErrNotFound
	}
	u, err := update(copyDispute(row.dispute))
	if err != nil {
		return dispute.Dispute{}, err
	}
	row.dispute = copyDispute(u.Dispute)
	if u.AssetStatus != "" {
		s.tables.setStatus(row.asset, u.AssetStatus, u.At, u.Origin)
	}
	return u.Dispute, nil
}

// Disputes implements [dispute.QueueStore].
func (s *Store) Disputes(ctx context.Context, req dispute.ListRequest) ([]dispute.Dispute, error) {
	if err := s.beginRead(ctx); err != nil {
		return nil, err
	}
	defer s.mu.RUnlock()

	var page []dispute.Dispute
	for i, row := range s.tables.disputesAfter(req) {
		if err := scanned(ctx, i); err != nil {
			return nil, err
		}
		if len(page) >= req.Limit {
			break
		}
		if req.Match(row.dispute, row.asset.asset.Identity, row.emailKey) {
			page = append(page, row.dispute.Listed())
		}
	}
	return page, nil
}

// disputesAfter yields the disputes after the cursor of req, in its order.
func (t *tables) disputesAfter(req dispute.ListRequest) iter.Seq2[int, *disputeRow] {
	rows := t.disputesByTime
	after := dispute.ListRequest{Cursor: req.Cursor, OldestFirst: req.OldestFirst}
	first := sort.Search(len(rows), func(i int) bool {
		return after.Match(rows[i].dispute, asset.Identity{}, "") == req.OldestFirst
	})
	if req.OldestFirst {
		return slices.All(rows[first:])
	}
	return slices.Backward(rows[:first])
}
