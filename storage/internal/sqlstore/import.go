package sqlstore

import (
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage"
)

const (
	importAsset = `INSERT INTO apguard_assets (id, type, canonical_hash, canonical, status)
		VALUES (?, ?, ?, ?, ?)`

	importChange = `INSERT INTO apguard_changes (id, asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
)

// Import implements storage.Store.
func (s *Store) Import(ctx context.Context, seed storage.Seed) error {
	records, err := seed.Records()
	if err != nil {
		return err
	}
	return s.do(ctx, "import", func(ctx context.Context, on session) error {
		return on.importRecords(ctx, records)
	})
}

func (s session) importRecords(ctx context.Context, records storage.Records) error {
	// PutOrganization and PutGroup take the same locks.
	if err := each(ctx, []string{"organizations", "groups"}, s.Serialize); err != nil {
		return err
	}
	var filled bool
	if err := s.get(ctx, anyRow(), nil, &filled); err != nil {
		return err
	}
	if filled {
		return ContractError{storage.ErrNotEmpty}
	}
	// A concurrent insert of the same row is a conflict; it is not overwritten.
	if err := insertEach(ctx, s, insertOrganization, records.Organizations, organizationColumns); err != nil {
		return err
	}
	if err := each(ctx, records.Groups, s.putGroup); err != nil {
		return err
	}
	if err := insertEach(ctx, s, insertUser, records.Users, userColumns); err != nil {
		return err
	}
	if err := insertEach(ctx, s, insertKey, records.Keys, newKeyColumns); err != nil {
		return err
	}
	if err := insertEach(ctx, s, importAsset, records.Assets, assetColumns); err != nil {
		return err
	}
	if err := insertEach(ctx, s, importChange, records.Changes, changeColumns); err != nil {
		return err
	}
	if err := each(ctx, records.Reports, s.importReport); err != nil {
		return err
	}
	if err := insertEach(ctx, s, importReview, records.Reviews, importReviewColumns); err != nil {
		return err
	}
	return each(ctx, []string{"apguard_assets", "apguard_changes", "apguard_reports", "apguard_proposals", "apguard_reviews"}, s.ReserveIDs)
}

// each calls do with every element.
func each[T any](ctx context.Context, elements []T, do func(context.Context, T) error) error {
	for _, element := range elements {
		if err := do(ctx, element); err != nil {
			return err
		}
	}
	return nil
}

// insertEach inserts every record.
func insertEach[T any](ctx context.Context, s session, statement string, records []T, columns func(T) []any) error {
	return each(ctx, records, func(ctx context.Context, record T) error {
		return s.exec(ctx, statement, columns(record)...)
	})
}

func assetColumns(a asset.Asset) []any {
	return []any{a.ID, string(a.Type), Hash(a.Canonical), a.Canonical, string(a.Status)}
}

func changeColumns(c asset.Change) []any {
	return []any{
		c.ID, c.AssetID, string(c.Type), string(c.From), string(c.To), Millis(c.At),
		string(c.Origin.Cause), c.Origin.Actor, c.Origin.Reference,
	}
}
