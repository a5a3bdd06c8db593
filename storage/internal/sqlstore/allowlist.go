package sqlstore

import (
	"context"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

const selectEntries = `SELECT a.id, a.type, a.canonical, a.status,
		COALESCE(e.content, a.canonical), e.name, e.description, COALESCE(g.id, 0), e.added_at, COALESCE(e.expires_at, ?)
	FROM apguard_allowlist e JOIN apguard_assets a ON a.id = e.asset_id
	LEFT JOIN apguard_groups g ON g.id = e.group_id AND g.organization_id = e.organization_id
	WHERE e.organization_id = ? AND e.asset_id > ? AND ? ORDER BY e.asset_id LIMIT ?`

// AddToAllowlist implements allowlist.Store.
func (s *Store) AddToAllowlist(ctx context.Context, cmd allowlist.AddCommand) ([]allowlist.Outcome, error) {
	return write(ctx, s, "add to allowlist", func(ctx context.Context, on session) ([]allowlist.Outcome, error) {
		return once(ctx, on, cmd.Claim, cmd.Record, func() ([]allowlist.Outcome, error) {
			return on.addToAllowlist(ctx, cmd)
		})
	})
}

func (s session) addToAllowlist(ctx context.Context, cmd allowlist.AddCommand) ([]allowlist.Outcome, error) {
	if err := s.checkGroups(ctx, cmd); err != nil {
		return nil, err
	}
	registered, err := s.RegisterCandidates(ctx, cmd)
	if err != nil {
		return nil, err
	}
	outcomes := make([]allowlist.Outcome, len(registered))
	added := make([]RegisteredCandidate, 0, len(registered))
	var replaced []int64
	for i, one := range registered {
		outcomes[i] = allowlist.Outcome{AssetID: one.AssetID, Err: cmd.Refusal(cmd.Candidates[i], one.Status, one.Listed)}
		if outcomes[i].Err != nil {
			continue
		}
		added = append(added, one)
		if one.Ended {
			replaced = append(replaced, one.AssetID)
		}
	}
	if len(replaced) > 0 {
		if err := s.deleteEntries(ctx, cmd.OrganizationID, replaced); err != nil {
			return nil, err
		}
	}
	if err := s.RecordAdditions(ctx, cmd, added); err != nil {
		return nil, err
	}
	return outcomes, s.setExpiries(ctx, cmd, added)
}

// RegisteredCandidate is a candidate with its asset as it was before the addition.
type RegisteredCandidate struct {
	allowlist.Candidate
	// CandidateState has the status UNKNOWN for a new asset.
	allowlist.CandidateState
	// New reports whether the addition registered the asset.
	New bool
	// Ended reports whether the organization has an entry for the asset that has ended.
	Ended bool
}

// StatusChanges returns the changes of the candidates to a status.
func StatusChanges(added []RegisteredCandidate, to asset.Status) []StatusChange {
	changes := make([]StatusChange, len(added))
	for i, one := range added {
		changes[i] = StatusChange{
			Asset: asset.Asset{ID: one.AssetID, Identity: one.Identity, Status: one.Status},
			To:    to,
			New:   one.New,
		}
	}
	return changes
}

// CandidateStates implements allowlist.Store.
func (s *Store) CandidateStates(ctx context.Context, cmd allowlist.AddCommand) ([]allowlist.CandidateState, error) {
	return readOnce(ctx, s, listing("candidate states"), func(ctx context.Context, on session) ([]allowlist.CandidateState, error) {
		if err := on.checkGroups(ctx, cmd); err != nil {
			return nil, err
		}
		return on.CandidateStates(ctx, cmd)
	})
}

// checkGroups returns an error unless all groups of the command belong to the organization.
func (s session) checkGroups(ctx context.Context, cmd allowlist.AddCommand) error {
	owned, err := s.ownedGroups(ctx, cmd)
	if err != nil {
		return err
	}
	if err := cmd.CheckGroups(owned); err != nil {
		return ContractError{err}
	}
	return nil
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
func (s *Store) AllowlistEntries(ctx context.Context, cmd allowlist.ListCommand) (asset.Page[allowlist.Entry], error) {
	query := squirrel.Expr(selectEntries,
		Millis(time.Time{}), cmd.OrganizationID, cmd.Cursor, lasting("e.", cmd.At), rowLimit(cmd.Limit))
	return page(ctx, s, "allowlist entries", cmd.Limit, query, scanEntry)
}

func scanEntry(row Row) (allowlist.Entry, error) {
	var e allowlist.Entry
	err := row.Scan(&e.Asset.ID, scanType(&e.Asset.Type), &e.Asset.Canonical, ScanStatus(&e.Asset.Status),
		&e.Content, &e.Name, &e.Description, &e.GroupID, (*timeColumn)(&e.AddedAt), (*timeColumn)(&e.ExpiresAt))
	return e, err
}

// AllowingOrganizations implements allowlist.Store.
func (s *Store) AllowingOrganizations(ctx context.Context, cmd allowlist.AllowedByCommand) (asset.Page[allowlist.AllowingOrganization], error) {
	return page(ctx, s, "allowing organizations", cmd.Limit, s.dialect.AllowingOrganizations(cmd), scanAllowing)
}

// AllowingOrganizations returns the query for a page of the organizations that allow
// an asset.
func (d Dialect) AllowingOrganizations(cmd allowlist.AllowedByCommand) squirrel.SelectBuilder {
	return d.selectFrom("apguard_allowlist", "organization_id", "added_at").
		Where(squirrel.Eq{"asset_id": cmd.AssetID}).
		Where(squirrel.Gt{"organization_id": cmd.Cursor}).
		Where(lasting("", cmd.At)).
		OrderBy("organization_id").
		Limit(rowLimit(cmd.Limit))
}

func scanAllowing(row Row) (allowlist.AllowingOrganization, error) {
	var found allowlist.AllowingOrganization
	err := row.Scan(&found.OrganizationID, (*timeColumn)(&found.AddedAt))
	return found, err
}
