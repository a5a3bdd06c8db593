package memory

import (
	"context"
	"slices"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

// disputeKey is what only one dispute may have.
type disputeKey struct {
	assetID  int64
	emailKey string
}

// CreateDispute implements [dispute.Store].
func (s *Store) CreateDispute(ctx context.Context, draft dispute.Draft) (dispute.Dispute, error) {
	if err := s.beginWrite(ctx); err != nil {
		return dispute.Dispute{}, err
	}
	defer s.mu.Unlock()

	row, known := s.tables.assets[draft.Identity]
	switch {
	case !known && !draft.Register:
		return dispute.Dispute{}, asset.ErrNotFound
	case !known:
		row = s.tables.register(draft.Identity, draft.Content)
	}
	key := disputeKey{assetID: row.asset.ID, emailKey: draft.EmailKey}
	if s.tables.disputed[key] {
		return dispute.Dispute{}, dispute.ErrExists
	}
	created := newDispute(int64(len(s.tables.disputes))+1, row.asset, draft)
	s.tables.disputes[created.ID] = created
	s.tables.disputed[key] = true
	return copyDispute(created), nil
}

func newDispute(id int64, disputed asset.Asset, draft dispute.Draft) dispute.Dispute {
	return dispute.Dispute{
		ID:          id,
		AssetID:     disputed.ID,
		Content:     draft.Content,
		Email:       draft.Email,
		Description: draft.Description,
		Notes:       draft.NotesFor(disputed.Status),
		CreatedAt:   asset.Moment(draft.At),
	}
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
	return copyDispute(found), nil
}
