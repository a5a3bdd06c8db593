package sqlstore

import (
	"cmp"
	"context"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

// selectEntries has the join of the entries e with their assets a between its two parts.
const (
	selectEntries = `SELECT a.id, a.type, a.canonical, a.status,
		COALESCE(e.content, a.canonical), e.name, e.description, COALESCE(g.id, 0), e.added_at, COALESCE(e.expires_at, ?)
	FROM apguard_allowlist e `
	whereEntries = ` LEFT JOIN apguard_groups g ON g.id = e.group_id AND g.organization_id = e.organization_id
	WHERE e.organization_id = ? AND e.asset_id > ? AND ? AND ? ORDER BY e.asset_id LIMIT ?`
)

// selectEnded returns which assets the organization has entries of, and whether these have
// ended.
const selectEnded = `SELECT asset_id, COALESCE(expires_at <= ?, FALSE) FROM apguard_allowlist WHERE organization_id = ? AND ?`

// AddToAllowlist implements allowlist.Store.
func (s *Store) AddToAllowlist(ctx context.Context, cmd allowlist.AddCommand) ([]allowlist.Outcome, error) {
	if cmd.DryRun {
		return readOnce(ctx, s, listing("preview of additions"), func(ctx context.Context, on session) ([]allowlist.Outcome, error) {
			return on.previewAdditions(ctx, cmd)
		})
	}
	return writeOnce(ctx, s, "add to allowlist", cmd.Claim, cmd.Record, func(ctx context.Context, on session) ([]allowlist.Outcome, error) {
		return on.addToAllowlist(ctx, cmd)
	})
}

func (s session) addToAllowlist(ctx context.Context, cmd allowlist.AddCommand) ([]allowlist.Outcome, error) {
	if err := s.checkGroups(ctx, cmd); err != nil {
		return nil, err
	}
	changes := make([]StatusChange, len(cmd.Entries))
	for i, entry := range cmd.Entries {
		present := newAsset(entry)
		changes[i] = StatusChange{Asset: present, To: asset.StatusAllowed}
		if cmd.Refusal(present, false) != nil {
			changes[i].To = asset.StatusUnknown
		}
	}
	if err := s.RegisterAssets(ctx, changes); err != nil {
		return nil, err
	}
	// This must be a statement of its own. It starts after the assets were locked, so it sees
	// the entries that were committed before.
	ended, err := s.endedEntries(ctx, cmd, changes)
	if err != nil {
		return nil, err
	}
	var (
		outcomes = outcomesOf(cmd, changes, ended)
		added    = make([]allowlist.Entry, 0, len(changes))
		replaced []int64
	)
	for i, outcome := range outcomes {
		if outcome.Err != nil {
			changes[i].To = changes[i].Status
			continue
		}
		changes[i].To = asset.StatusAllowed
		entry := cmd.Entries[i]
		entry.Asset.ID, entry.AddedAt = outcome.AssetID, cmd.At
		added = append(added, entry)
		if ended[outcome.AssetID] {
			replaced = append(replaced, outcome.AssetID)
		}
	}
	if len(replaced) > 0 {
		if err := s.deleteEntries(ctx, cmd.OrganizationID, replaced); err != nil {
			return nil, err
		}
	}
	if err := s.RecordChanges(ctx, changes, cmd.At, cmd.Origin); err != nil {
		return nil, err
	}
	return outcomes, s.InsertEntries(ctx, cmd.OrganizationID, added)
}

// newAsset returns the asset of an entry as it is before it exists.
func newAsset(entry allowlist.Entry) asset.Asset {
	return asset.Asset{Identity: entry.Asset.Identity, Status: asset.StatusUnknown}
}

// endedEntries returns which of the assets that existed have an entry of the organization, and
// whether it has ended, by asset ID.
func (s session) endedEntries(ctx context.Context, cmd allowlist.AddCommand, changes []StatusChange) (map[int64]bool, error) {
	var existing []int64
	for _, change := range changes {
		if !change.New {
			existing = append(existing, change.ID)
		}
	}
	if len(existing) == 0 {
		return nil, nil
	}
	ended := make(map[int64]bool, len(existing))
	query := squirrel.Expr(selectEnded, Millis(cmd.At), cmd.OrganizationID, s.dialect.AnyOf("asset_id", existing))
	_, err := collect(ctx, s, query, func(row Row) (struct{}, error) {
		var (
			id       int64
			hasEnded bool
		)
		err := row.Scan(&id, &hasEnded)
		ended[id] = hasEnded
		return struct{}{}, err
	})
	return ended, err
}

// outcomesOf returns the outcomes of the command. The argument ended is from endedEntries.
func outcomesOf(cmd allowlist.AddCommand, changes []StatusChange, ended map[int64]bool) []allowlist.Outcome {
	outcomes := make([]allowlist.Outcome, len(changes))
	for i, change := range changes {
		hasEnded, found := ended[change.ID]
		outcomes[i] = allowlist.Outcome{AssetID: change.ID, Err: cmd.Refusal(change.Asset, found && !hasEnded)}
		if !change.New {
			outcomes[i].Status = change.Status
		}
	}
	return outcomes
}

// previewAdditions returns the outcomes of the command without storing anything.
func (s session) previewAdditions(ctx context.Context, cmd allowlist.AddCommand) ([]allowlist.Outcome, error) {
	if err := s.checkGroups(ctx, cmd); err != nil {
		return nil, err
	}
	if len(cmd.Entries) == 0 {
		return nil, nil
	}
	identities := make([]asset.Identity, len(cmd.Entries))
	for i, entry := range cmd.Entries {
		identities[i] = entry.Asset.Identity
	}
	found, err := collect(ctx, s, s.dialect.AssetsByIdentity(identities), scanAsset)
	if err != nil {
		return nil, err
	}
	changes := make([]StatusChange, len(identities))
	for i, one := range asset.Present(identities, found) {
		changes[i] = StatusChange{Asset: one, New: one.ID == 0}
	}
	ended, err := s.endedEntries(ctx, cmd, changes)
	if err != nil {
		return nil, err
	}
	return outcomesOf(cmd, changes, ended), nil
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
func (s *Store) AllowlistEntries(ctx context.Context, req allowlist.ListRequest, at time.Time) (allowlist.Page, error) {
	operation := listing("allowlist entries")
	if req.Filter != (allowlist.Filter{}) {
		operation.Kind = Search
	}
	return readOnce(ctx, s, operation, func(ctx context.Context, on session) (allowlist.Page, error) {
		last, err := on.lastExaminedEntry(ctx, req)
		if err != nil {
			return allowlist.Page{}, err
		}
		query := squirrel.Expr(selectEntries+s.dialect.JoinRow("apguard_assets", "a", "e.asset_id")+whereEntries, Millis(time.Time{}), req.OrganizationID, req.Cursor,
			lasting("e.", at), s.dialect.matchingEntries(req.Filter, last), rowLimit(req.Limit))
		found, err := readPage(ctx, on, req.Limit, query, scanEntry)
		return allowlist.NewPage(found, last), err
	})
}

// lastExaminedEntry returns the ID of the last asset that a list examines, or 0 if it examines all.
func (s session) lastExaminedEntry(ctx context.Context, req allowlist.ListRequest) (int64, error) {
	if req.Filter == (allowlist.Filter{}) {
		return 0, nil
	}
	ids, err := collect(ctx, s, s.dialect.LastExaminedEntry(req), scanID)
	if err != nil || len(ids) < 2 {
		return 0, err
	}
	return ids[0], nil
}

// LastExaminedEntry returns the query for the ID of the last asset that a list examines. A second
// row tells that there are more.
func (d Dialect) LastExaminedEntry(req allowlist.ListRequest) squirrel.SelectBuilder {
	return d.selectFrom("apguard_allowlist", "asset_id").
		Where(squirrel.Eq{"organization_id": req.OrganizationID}).
		Where(squirrel.Gt{"asset_id": req.Cursor}).
		OrderBy("asset_id").
		Limit(2).
		Offset(allowlist.MaxScan - 1)
}

// matchingEntries returns the conditions of allowlist.Filter.Match, for the entries up to the
// asset last, or for all if it is 0.
func (d Dialect) matchingEntries(filter allowlist.Filter, last int64) squirrel.And {
	conditions := squirrel.And{squirrel.LtOrEq{"e.asset_id": cmp.Or(last, asset.MaxID)}}
	if filter.Status != "" {
		conditions = append(conditions, squirrel.Eq{"a.status": StatusCode(filter.Status)})
	}
	if filter.GroupID != 0 {
		conditions = append(conditions, squirrel.Eq{"g.id": filter.GroupID})
	}
	if filter.Prefix != "" {
		conditions = append(conditions, squirrel.Expr(d.Position+"(a.canonical, ?) = 1", filter.Prefix))
	}
	return conditions
}

func scanEntry(row Row) (allowlist.Entry, error) {
	var e allowlist.Entry
	err := row.Scan(&e.Asset.ID, scanType(&e.Asset.Type), &e.Asset.Canonical, ScanStatus(&e.Asset.Status),
		&e.Content, &e.Name, &e.Description, &e.GroupID, (*timeColumn)(&e.AddedAt), (*timeColumn)(&e.ExpiresAt))
	return e, err
}

// AllowingOrganizations implements allowlist.Store.
func (s *Store) AllowingOrganizations(ctx context.Context, req allowlist.AllowedByRequest, at time.Time) (asset.Page[allowlist.AllowingOrganization], error) {
	return page(ctx, s, "allowing organizations", req.Limit, s.dialect.AllowingOrganizations(req, at), scanAllowing)
}

// AllowingOrganizations returns the query for a page of the organizations that allow
// an asset.
func (d Dialect) AllowingOrganizations(req allowlist.AllowedByRequest, at time.Time) squirrel.SelectBuilder {
	return d.selectFrom("apguard_allowlist", "organization_id", "added_at").
		Where(squirrel.Eq{"asset_id": req.AssetID}).
		Where(squirrel.Gt{"organization_id": req.Cursor}).
		Where(lasting("", at)).
		OrderBy("organization_id").
		Limit(rowLimit(req.Limit))
}

func scanAllowing(row Row) (allowlist.AllowingOrganization, error) {
	var found allowlist.AllowingOrganization
	err := row.Scan(&found.OrganizationID, (*timeColumn)(&found.AddedAt))
	return found, err
}
