package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

const (
	insertNewAsset = insertAsset + ` ON CONFLICT (type, canonical_hash) DO NOTHING`

	selectAssetAndEntry = `SELECT a.id, a.status,
			EXISTS (SELECT 1 FROM apguard_allowlist e WHERE e.organization_id = ? AND e.asset_id = a.id)
		FROM apguard_assets a WHERE a.type = ? AND a.canonical_hash = ?`

	insertEntry = `INSERT INTO apguard_allowlist (organization_id, asset_id, group_id, name, description, added_at)
		VALUES (?, ?, ?, ?, ?, ?)`

	selectEntries = `SELECT a.id, a.type, a.canonical, a.content, a.status,
			e.name, e.description, COALESCE(e.group_id, 0), e.added_at
		FROM apguard_allowlist e JOIN apguard_assets a ON a.id = e.asset_id
		WHERE e.organization_id = ? AND e.asset_id > ? ORDER BY e.asset_id LIMIT ?`
)

// AddToAllowlist implements allowlist.Store.
func (s *Store) AddToAllowlist(ctx context.Context, addition allowlist.Addition) ([]allowlist.Outcome, error) {
	return write(ctx, s, "add to allowlist", func(ctx context.Context, tx *transaction) ([]allowlist.Outcome, error) {
		if err := tx.checkGroups(ctx, addition); err != nil {
			return nil, err
		}
		outcomes := make([]allowlist.Outcome, len(addition.Candidates))
		for i, candidate := range addition.Candidates {
			outcome, err := tx.addCandidate(ctx, addition, candidate)
			if err != nil {
				return nil, err
			}
			outcomes[i] = outcome
		}
		return outcomes, nil
	})
}

// checkGroups looks for the groups of the addition in their order.
func (t *transaction) checkGroups(ctx context.Context, addition allowlist.Addition) error {
	for _, id := range addition.GroupIDs {
		var owner int64
		err := t.get(ctx, groupOwner, []any{id}, &owner)
		if errors.Is(err, sql.ErrNoRows) || err == nil && owner != addition.OrganizationID {
			return answer{&allowlist.GroupNotFoundError{GroupID: id}}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addCandidate tries to insert the asset first, as most assets are new: that
// saves looking for them.
func (t *transaction) addCandidate(ctx context.Context, addition allowlist.Addition, c allowlist.Candidate) (allowlist.Outcome, error) {
	hash := sqlstore.Hash(c.Identity.Canonical)
	id, err := t.insertNew(ctx, insertNewAsset, c.Identity.Type, hash, c.Identity.Canonical, c.Content, asset.StatusAllowed)
	if err != nil {
		return allowlist.Outcome{}, err
	}
	if id != 0 {
		if err := t.recordChange(ctx, id, asset.StatusUnknown, asset.StatusAllowed, addition.At, addition.Origin); err != nil {
			return allowlist.Outcome{}, err
		}
		return allowlist.Outcome{AssetID: id}, t.insertEntry(ctx, addition, c, id)
	}

	var (
		status asset.Status
		listed bool
	)
	if err := t.get(ctx, selectAssetAndEntry, []any{addition.OrganizationID, c.Identity.Type, hash}, &id, &status, &listed); err != nil {
		return allowlist.Outcome{}, err
	}
	if refusal := addition.Refusal(status, listed); refusal != nil {
		return allowlist.Outcome{AssetID: id, Err: refusal}, nil //nolint:nilerr // refusing one asset is no failure
	}
	if err := t.setStatus(ctx, id, status, asset.StatusAllowed, addition.At, addition.Origin); err != nil {
		return allowlist.Outcome{}, err
	}
	return allowlist.Outcome{AssetID: id}, t.insertEntry(ctx, addition, c, id)
}

func (t *transaction) insertEntry(ctx context.Context, addition allowlist.Addition, c allowlist.Candidate, assetID int64) error {
	return t.exec(ctx, insertEntry,
		addition.OrganizationID, assetID, orNull(c.GroupID), c.Name, c.Description, sqlstore.Millis(addition.At))
}

// AllowlistEntries implements allowlist.Store.
func (s *Store) AllowlistEntries(ctx context.Context, organizationID, after int64, limit int) ([]allowlist.Entry, error) {
	return read(ctx, s, "allowlist entries", func(db *sql.DB) ([]allowlist.Entry, error) {
		return collect(ctx, db, selectEntries, []any{organizationID, after, max(limit, 0)}, scanEntry)
	})
}

func scanEntry(row sqlstore.Row) (allowlist.Entry, error) {
	var (
		e     allowlist.Entry
		added int64
	)
	err := row.Scan(&e.Asset.ID, &e.Asset.Type, &e.Asset.Canonical, &e.Asset.Content, &e.Asset.Status,
		&e.Name, &e.Description, &e.GroupID, &added)
	e.AddedAt = sqlstore.Time(added)
	return e, err
}
