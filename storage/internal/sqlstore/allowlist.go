package sqlstore

import (
	"cmp"
	"context"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// selectEntries has the join of the entries e with their assets a between its two parts.
const (
	selectEntries = `SELECT a.id, a.type, a.canonical, a.status,
		COALESCE(e.content, a.canonical), e.name, e.description, COALESCE(g.id, 0), e.added_at, COALESCE(e.expires_at, ?)
	FROM apguard_allowlist e `
	whereEntries = ` LEFT JOIN apguard_groups g ON g.id = e.group_id AND g.organization_id = e.organization_id
	WHERE e.organization_id = ? AND e.asset_id > ? AND ? AND ? ORDER BY e.asset_id LIMIT ?`
)

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
	if err := s.checkOrganization(ctx, cmd); err != nil {
		return nil, err
	}
	assets := make([]Locked, len(cmd.Entries))
	for i, entry := range cmd.Entries {
		assets[i] = toRegister(entry.Asset.Identity, cmd.At, func(held asset.Held) asset.Held {
			if cmd.Refusal(held.Asset, false) == nil {
				held, _ = held.Add(cmd.At)
			}
			return held
		})
	}
	if err := s.registerAll(ctx, assets, heldFor{cmd.OrganizationID, cmd.At}); err != nil {
		return nil, err
	}
	var (
		outcomes = outcomesOf(cmd, assets)
		added    = make([]allowlist.Entry, 0, len(assets))
		changed  = make([]*Locked, 0, len(assets))
		ended    []int64
	)
	for i, outcome := range outcomes {
		if outcome.Err != nil {
			continue
		}
		one, entry := &assets[i], cmd.Entries[i]
		entry.Asset.ID = one.ID
		one.Held, entry.AddedAt = one.Add(cmd.At)
		added, changed = append(added, entry), append(changed, one)
		if one.Ended {
			ended = append(ended, one.ID)
		}
	}
	if len(ended) > 0 {
		if err := s.deleteEntries(ctx, cmd.OrganizationID, ended); err != nil {
			return nil, err
		}
	}
	if err := s.settleAll(ctx, changed, cmd.At, cmd.Origin); err != nil {
		return nil, err
	}
	return outcomes, s.InsertEntries(ctx, cmd.OrganizationID, added)
}

// Expiry returns the value of a time that is optional, such as the end of an entry. It is nil for the zero time.
func Expiry(at time.Time) *int64 {
	if at.IsZero() {
		return nil
	}
	millis := Millis(at)
	return &millis
}

// outcomesOf returns the outcomes of the command.
func outcomesOf(cmd allowlist.AddCommand, assets []Locked) []allowlist.Outcome {
	outcomes := make([]allowlist.Outcome, len(assets))
	for i, one := range assets {
		outcomes[i] = allowlist.Outcome{AssetID: one.ID, Err: cmd.Refusal(one.Asset, one.Listed)}
		if !one.New {
			outcomes[i].Status = one.Status
		}
	}
	return outcomes
}

// previewAdditions returns the outcomes of the command without storing anything.
func (s session) previewAdditions(ctx context.Context, cmd allowlist.AddCommand) ([]allowlist.Outcome, error) {
	if err := s.checkOrganization(ctx, cmd); err != nil {
		return nil, err
	}
	if len(cmd.Entries) == 0 {
		return nil, nil
	}
	identities := cmd.Identities()
	found, err := collect(ctx, s, s.dialect.AssetsByIdentity(identities), knownScanner())
	if err != nil {
		return nil, err
	}
	assets := make([]Locked, len(identities))
	existing := make(map[asset.Identity]*Locked)
	for i, one := range asset.Present(identities, found) {
		assets[i] = Locked{Held: asset.Held{Known: one}, New: one.ID == 0}
		if one.ID != 0 {
			existing[one.Identity] = &assets[i]
		}
	}
	if err := s.readHeld(ctx, existing, heldFor{cmd.OrganizationID, cmd.At}); err != nil {
		return nil, err
	}
	return outcomesOf(cmd, assets), nil
}

// checkOrganization returns an error unless the organization of the command exists and has all of
// its groups. One that is removed at the same time may still add, as what it has added stays in any
// case.
func (s session) checkOrganization(ctx context.Context, cmd allowlist.AddCommand) error {
	var exists bool
	if err := s.get(ctx, organizationExists, []any{cmd.OrganizationID}, &exists); err != nil {
		return err
	}
	owned, err := s.ownedGroups(ctx, cmd)
	if err != nil {
		return err
	}
	if err := cmd.CheckOrganization(exists, owned); err != nil {
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
	if !filter.AddedSince.IsZero() {
		conditions = append(conditions, squirrel.GtOrEq{"e.added_at": ceilMillis(filter.AddedSince)})
	}
	if !filter.AddedBefore.IsZero() {
		conditions = append(conditions, squirrel.Lt{"e.added_at": ceilMillis(filter.AddedBefore)})
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
func (s *Store) AllowingOrganizations(ctx context.Context, req allowlist.AllowedByRequest, at time.Time) (step.Page[allowlist.AllowingOrganization], error) {
	return page(ctx, s, "allowing organizations", req.Limit, s.dialect.AllowingOrganizations(req, at), scanAllowing)
}

// AllowingOrganizations returns the query for a page of the organizations that allow
// an asset.
func (d Dialect) AllowingOrganizations(req allowlist.AllowedByRequest, at time.Time) squirrel.SelectBuilder {
	return d.selectFrom("apguard_allowlist", "organization_id", "added_at", "expires_at").
		Where(squirrel.Eq{"asset_id": req.AssetID}).
		Where(squirrel.Gt{"organization_id": req.Cursor}).
		Where(lasting("", at)).
		OrderBy("organization_id").
		Limit(rowLimit(req.Limit))
}

func scanAllowing(row Row) (allowlist.AllowingOrganization, error) {
	var found allowlist.AllowingOrganization
	err := row.Scan(&found.OrganizationID, (*timeColumn)(&found.AddedAt), (*timeColumn)(&found.ExpiresAt))
	return found, err
}
