package sqlite

import (
	"context"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

const (
	importAsset = `INSERT INTO apguard_assets (id, type, canonical_hash, canonical, content, status)
		VALUES (?, ?, ?, ?, ?, ?)`

	importChange = `INSERT INTO apguard_changes (id, asset_id, from_status, to_status, changed_at, cause, actor, reference)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
)

// Import implements storage.Store.
func (s *Store) Import(ctx context.Context, seed storage.Seed) error {
	records, err := seed.Records()
	if err != nil {
		return err
	}
	_, err = write(ctx, s, "import", func(ctx context.Context, tx *transaction) (struct{}, error) {
		return struct{}{}, tx.importRecords(ctx, records)
	})
	return err
}

func (t *transaction) importRecords(ctx context.Context, records storage.Records) error {
	var filled bool
	if err := t.get(ctx, sqlstore.AnyRow(), nil, &filled); err != nil {
		return err
	}
	if filled {
		return answer{storage.ErrNotEmpty}
	}
	if err := each(ctx, records.Organizations, t.putOrganization); err != nil {
		return err
	}
	if err := each(ctx, records.Groups, t.importGroup); err != nil {
		return err
	}
	if err := each(ctx, records.Users, t.putUser); err != nil {
		return err
	}
	if err := each(ctx, records.Keys, t.putKey); err != nil {
		return err
	}
	if err := each(ctx, records.Assets, t.importAsset); err != nil {
		return err
	}
	if err := each(ctx, records.Changes, t.importChange); err != nil {
		return err
	}
	return each(ctx, records.Reports, t.importReport)
}

// each stores the records of one kind.
func each[T any](ctx context.Context, records []T, store func(context.Context, T) error) error {
	for _, record := range records {
		if err := store(ctx, record); err != nil {
			return err
		}
	}
	return nil
}

func (t *transaction) importGroup(ctx context.Context, group account.Group) error {
	_, err := t.insertGroup(ctx, group)
	return err
}

func (t *transaction) importAsset(ctx context.Context, a asset.Asset) error {
	return t.exec(ctx, importAsset, a.ID, a.Type, sqlstore.Hash(a.Canonical), a.Canonical, a.Content, a.Status)
}

func (t *transaction) importChange(ctx context.Context, c asset.Change) error {
	return t.exec(ctx, importChange, c.ID, c.AssetID, c.From, c.To, sqlstore.Millis(c.At),
		c.Origin.Cause, c.Origin.Actor, c.Origin.Reference)
}

func (t *transaction) importReport(ctx context.Context, r report.Report) error {
	_, err := t.insertReport(ctx, r)
	return err
}
