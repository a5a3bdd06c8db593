package sqlstore

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

const selectEntries = `SELECT a.id, a.type, a.canonical, a.status,
		e.name, e.description, COALESCE(e.group_id, 0), e.added_at
	FROM apguard_allowlist e JOIN apguard_assets a ON a.id = e.asset_id
	WHERE e.organization_id = ? AND e.asset_id > ? ORDER BY e.asset_id LIMIT ?`

// AddToAllowlist implements allowlist.Store.
//
// New assets are inserted before any are looked for, as most are new.
func (s *Store) AddToAllowlist(ctx context.Context, addition allowlist.Addition) ([]allowlist.Outcome, error) {
	return write(ctx, s, "add to allowlist", func(ctx context.Context, on session) ([]allowlist.Outcome, error) {
		if err := on.checkGroups(ctx, addition); err != nil {
			return nil, err
		}
		newIDs, err := on.InsertAllowed(ctx, addition.Candidates)
		if err != nil {
			return nil, err
		}
		var existing []allowlist.Candidate
		for i, candidate := range addition.Candidates {
			if newIDs[i] == 0 {
				existing = append(existing, candidate)
			}
		}
		known, err := on.KnownAssets(ctx, addition.OrganizationID, existing)
		if err != nil {
			return nil, err
		}
		outcomes, added := settle(addition, newIDs, known)
		return outcomes, on.RecordAdditions(ctx, addition, added)
	})
}

// settle says what becomes of each candidate. The known assets are those of the
// candidates that got no new identifier, in their order.
func settle(addition allowlist.Addition, newIDs []int64, known []KnownAsset) ([]allowlist.Outcome, []AddedAsset) {
	outcomes := make([]allowlist.Outcome, len(addition.Candidates))
	added := make([]AddedAsset, 0, len(addition.Candidates))
	for i, candidate := range addition.Candidates {
		if id := newIDs[i]; id != 0 {
			outcomes[i].AssetID = id
			added = append(added, AddedAsset{ID: id, From: asset.StatusUnknown, New: true, Candidate: candidate})
			continue
		}
		one := known[0]
		known = known[1:]
		outcomes[i] = allowlist.Outcome{AssetID: one.ID, Err: addition.Refusal(one.Status, one.Listed)}
		if outcomes[i].Err == nil {
			added = append(added, AddedAsset{ID: one.ID, From: one.Status, Candidate: candidate})
		}
	}
	return outcomes, added
}

// checkGroups looks for the groups of the addition, and names the first one that is
// not the organization's.
func (s session) checkGroups(ctx context.Context, addition allowlist.Addition) error {
	if len(addition.GroupIDs) == 0 {
		return nil
	}
	owned, err := collectBuilt(ctx, s, s.dialect.selectFrom("apguard_groups", "id").
		Where(squirrel.Eq{"organization_id": addition.OrganizationID}).
		Where(s.dialect.AnyOf("id", addition.GroupIDs)), scanID)
	if err != nil {
		return err
	}
	isOwned := make(map[int64]bool, len(owned))
	for _, id := range owned {
		isOwned[id] = true
	}
	for _, id := range addition.GroupIDs {
		if !isOwned[id] {
			return ContractError{&allowlist.GroupNotFoundError{GroupID: id}}
		}
	}
	return nil
}

// AllowlistEntries implements allowlist.Store.
func (s *Store) AllowlistEntries(ctx context.Context, organizationID, after int64, limit int) ([]allowlist.Entry, error) {
	return read(ctx, s, "allowlist entries", func(ctx context.Context, on session) ([]allowlist.Entry, error) {
		return collect(ctx, on, selectEntries, []any{organizationID, after, max(limit, 0)}, scanEntry)
	})
}

func scanEntry(row Row) (allowlist.Entry, error) {
	var (
		e     allowlist.Entry
		added int64
	)
	err := row.Scan(&e.Asset.ID, &e.Asset.Type, &e.Asset.Canonical, &e.Asset.Status,
		&e.Name, &e.Description, &e.GroupID, &added)
	e.AddedAt = Time(added)
	return e, err
}

// AllowlistHolders implements allowlist.Store.
func (s *Store) AllowlistHolders(ctx context.Context, assetID, after int64, limit int) ([]allowlist.Holder, error) {
	return read(ctx, s, "allowlist holders", func(ctx context.Context, on session) ([]allowlist.Holder, error) {
		return collectBuilt(ctx, on, s.dialect.Holders(assetID, after, limit), scanHolder)
	})
}

// Holders returns the query for a page of the organizations that allow an asset.
func (d Dialect) Holders(assetID, after int64, limit int) squirrel.SelectBuilder {
	return d.selectFrom("apguard_allowlist", "organization_id", "added_at").
		Where(squirrel.Eq{"asset_id": assetID}).
		Where(squirrel.Gt{"organization_id": after}).
		OrderBy("organization_id").
		Limit(uint64(max(limit, 0)))
}

func scanHolder(row Row) (allowlist.Holder, error) {
	var (
		holder allowlist.Holder
		added  int64
	)
	err := row.Scan(&holder.OrganizationID, &added)
	holder.AddedAt = Time(added)
	return holder, err
}
