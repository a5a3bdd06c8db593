package memory

import (
	"context"
	"iter"
	"slices"
	"sort"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

// disputeRow is a dispute with the form of its address under which only one may
// have the asset; its asset stands beside it.
type disputeRow struct {
	dispute  dispute.Dispute
	emailKey string
	asset    *assetRow
}

// disputeKey is what only one dispute may have.
type disputeKey struct {
	assetID  int64
	emailKey string
}

// CreateDispute implements [dispute.Store].
func (s *Store) CreateDispute(ctx context.Context, draft dispute.CreateCommand) (dispute.Dispute, error) {
	if err := s.beginWrite(ctx); err != nil {
		return dispute.Dispute{}, err
	}
	defer s.mu.Unlock()

	row, known := s.tables.assets[draft.Identity]
	switch {
	case !known && !draft.Register:
		return dispute.Dispute{}, asset.ErrNotFound
	case !known:
		row = s.tables.register(draft.Identity)
	}
	key := disputeKey{assetID: row.asset.ID, emailKey: draft.EmailKey}
	if s.tables.disputed[key] {
		return dispute.Dispute{}, dispute.ErrExists
	}
	created := draft.Apply(int64(len(s.tables.disputes))+1, row.asset)
	s.tables.addDispute(&disputeRow{dispute: created, emailKey: draft.EmailKey, asset: row})
	s.tables.disputed[key] = true
	return copyDispute(created), nil
}

// addDispute puts the dispute to its place, which is not the end when the clock was
// set back.
func (t *tables) addDispute(row *disputeRow) {
	t.disputes[row.dispute.ID] = row
	byTime := dispute.Listing{OldestFirst: true}
	at, _ := slices.BinarySearchFunc(t.disputesByTime, row, func(a, b *disputeRow) int {
		return byTime.Compare(a.dispute, b.dispute)
	})
	t.disputesByTime = slices.Insert(t.disputesByTime, at, row)
}

func copyDispute(d dispute.Dispute) dispute.Dispute {
	d.Notes = slices.Clone(d.Notes)
	return d
}

// DisputeByID implements [dispute.Store].
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

// MoveDispute implements [dispute.Store].
func (s *Store) MoveDispute(ctx context.Context, move dispute.Transition) (dispute.Dispute, error) {
	if err := s.beginWrite(ctx); err != nil {
		return dispute.Dispute{}, err
	}
	defer s.mu.Unlock()

	row, known := s.tables.disputes[move.DisputeID]
	if !known {
		return dispute.Dispute{}, dispute.ErrNotFound
	}
	moved, err := move.Apply(row.dispute)
	if err != nil {
		return dispute.Dispute{}, err
	}
	row.dispute = moved
	if move.AssetStatus != "" {
		s.tables.setStatus(row.asset, move.AssetStatus, move.At, move.Origin())
	}
	return copyDispute(moved), nil
}

// AddDisputeNote implements [dispute.Store].
func (s *Store) AddDisputeNote(ctx context.Context, note dispute.AddNoteCommand) (dispute.Dispute, error) {
	if err := s.beginWrite(ctx); err != nil {
		return dispute.Dispute{}, err
	}
	defer s.mu.Unlock()

	row, known := s.tables.disputes[note.DisputeID]
	if !known {
		return dispute.Dispute{}, dispute.ErrNotFound
	}
	noted, err := note.Apply(row.dispute)
	if err != nil {
		return dispute.Dispute{}, err
	}
	row.dispute = noted
	return copyDispute(noted), nil
}

// Disputes implements [dispute.Store].
func (s *Store) Disputes(ctx context.Context, listing dispute.Listing) ([]dispute.Dispute, error) {
	if err := s.beginRead(ctx); err != nil {
		return nil, err
	}
	defer s.mu.RUnlock()

	var page []dispute.Dispute
	for i, row := range s.tables.disputesAhead(listing) {
		if err := scanned(ctx, i); err != nil {
			return nil, err
		}
		if len(page) >= listing.Limit {
			break
		}
		if listing.Match(row.dispute, row.asset.asset.Identity, row.emailKey) {
			page = append(page, row.dispute.Listed())
		}
	}
	return page, nil
}

// disputesAhead yields the disputes that come after the listing's cursor, in its
// order.
func (t *tables) disputesAhead(listing dispute.Listing) iter.Seq2[int, *disputeRow] {
	rows := t.disputesByTime
	ahead := dispute.Listing{Cursor: listing.Cursor, OldestFirst: listing.OldestFirst}
	first := sort.Search(len(rows), func(i int) bool {
		return ahead.Match(rows[i].dispute, asset.Identity{}, "") == listing.OldestFirst
	})
	if listing.OldestFirst {
		return slices.All(rows[first:])
	}
	return slices.Backward(rows[:first])
}
