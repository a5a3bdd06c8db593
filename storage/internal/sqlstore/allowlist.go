package sqlstore

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

const selectEntries = `SELECT a.id, a.type, a.canonical, a.status,
		COALESCE(e.content, a.canonical), e.name, e.description, COALESCE(e.group_id, 0), e.added_at
	FROM apguard_allowlist e JOIN apguard_assets a ON a.id = e.asset_id
	WHERE e.organization_id = ? AND e.asset_id > ? ORDER BY e.asset_id LIMIT ?`

// AddToAllowlist implements allowlist.Store.
func (s *Store) AddToAllowlist(ctx context.Context, cmd allowlist.AddCommand) ([]allowlist.Outcome, error) {
	return write(ctx, s, "add to allowlist", func(ctx context.Context, on session) ([]allowlist.Outcome, error) {
		owned, err := on.ownedGroups(ctx, cmd)
		if err != nil {
			return nil, err
		}
		if err := cmd.CheckGroups(owned); err != nil {
			return nil, ContractError{err}
		}
		registered, err := on.RegisterCandidates(ctx, cmd)
		if err != nil {
			return nil, err
		}
		outcomes := make([]allowlist.Outcome, len(registered))
		added := make([]RegisteredCandidate, 0, len(registered))
		for i, one := range registered {
			outcomes[i] = allowlist.Outcome{AssetID: one.AssetID, Err: cmd.Refusal(one.Status, one.Listed)}
			if outcomes[i].Err == nil {
				added = append(added, one)
			}
		}
		return outcomes, on.RecordAdditions(ctx, cmd, added)
	})
}

// RegisteredCandidate is a candidate with its asset as it was before the addition.
type RegisteredCandidate struct {
	allowlist.Candidate
	AssetID int64
	// Status is UNKNOWN for a new asset.
	Status asset.Status
	// New reports whether the addition registered the asset.
	New bool
	// Listed reports whether the asset was on the organization's allowlist already.
	Listed bool
}

// ownedGroups returns those of the command's groups that belong to the organization.
func (s session) ownedGroups(ctx context.Context, cmd allowlist.AddCommand) ([]int64, error) {
	if len(cmd.GroupIDs) == 0 {
		return nil, nil
	}
	return collect(ctx, s, s.dialect.selectFrom("apguard_groups", "id").
		Where(squirrel.Eq{"organization_id": cmd.OrganizationID}).
		Where(s.dialect.AnyOf("id", cmd.GroupIDs)), scanID)
}

// AllowlistEntries implements allowlist.Store.
func (s *Store) AllowlistEntries(ctx context.Context, req allowlist.ListRequest) ([]allowlist.Entry, error) {
	query := squirrel.Expr(selectEntries, req.OrganizationID, req.Cursor, max(req.Limit, 0))
	return list(ctx, s, "allowlist entries", query, scanEntry)
}

func scanEntry(row Row) (allowlist.Entry, error) {
	var e allowlist.Entry
	err := row.Scan(&e.Asset.ID, &e.Asset.Type, &e.Asset.Canonical, &e.Asset.Status,
		&e.Content, &e.Name, &e.Description, &e.GroupID, (*timeColumn)(&e.AddedAt))
	return e, err
}

// AllowingOrganizations implements allowlist.Store.
func (s *Store) AllowingOrganizations(ctx context.Context, req allowlist.AllowedByRequest) ([]allowlist.AllowingOrganization, error) {
	return list(ctx, s, "allowing organizations", s.dialect.AllowingOrganizations(req), scanAllowing)
}

// AllowingOrganizations returns the query for a page of the organizations that allow
// an asset.
func (d Dialect) AllowingOrganizations(req allowlist.AllowedByRequest) squirrel.SelectBuilder {
	return d.selectFrom("apguard_allowlist", "organization_id", "added_at").
		Where(squirrel.Eq{"asset_id": req.AssetID}).
		Where(squirrel.Gt{"organization_id": req.Cursor}).
		OrderBy("organization_id").
		Limit(uint64(max(req.Limit, 0)))
}

func scanAllowing(row Row) (allowlist.AllowingOrganization, error) {
	var found allowlist.AllowingOrganization
	err := row.Scan(&found.OrganizationID, (*timeColumn)(&found.AddedAt))
	return found, err
}
