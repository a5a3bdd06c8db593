package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
)

// Locked is an asset that a step has registered or locked, with what is held on it.
type Locked struct {
	asset.Held
	// Fresh is what the step makes of the asset if it does not exist, as RegisterAssets then registers it.
	// New reports whether it has done so.
	Fresh asset.Held
	New   bool
	// Listed reports whether the organization of the step has an entry of the asset that has not ended,
	// and Ended whether it has one that has. Both are not among those of LastEntry.
	Listed, Ended bool
}

// toRegister returns the asset with the identity before it is registered or locked. The function returns what
// the step holds on it, if it does not exist.
func toRegister(identity asset.Identity, at time.Time, hold func(asset.Held) asset.Held) Locked {
	held := asset.NewHeld(identity)
	fresh, _, _ := hold(held).Settle(at, asset.Origin{})
	return Locked{Held: held, Fresh: fresh}
}

// heldFor says for whom a step reads what is held on assets.
type heldFor struct {
	// organizationID is the organization whose entries the step adds or removes, or 0. They are told by
	// Listed and Ended.
	organizationID int64
	at             time.Time
}

// selectHeld returns the query for what is held on assets. It must be a statement of its own: it starts
// after the assets were locked, so it sees what was committed before.
func (s session) selectHeld(assets squirrel.Sqlizer, of heldFor) squirrel.Sqlizer {
	last := squirrel.Expr(`(SELECT n.added_at FROM apguard_allowlist n WHERE n.asset_id = a.id AND n.organization_id <> ? AND ?
		ORDER BY n.added_at DESC LIMIT 1)`, of.organizationID, lasting("n.", of.at))
	entry, own := squirrel.Expr("NULL"), squirrel.Expr("")
	if of.organizationID != 0 {
		entry = squirrel.Expr("CASE WHEN o.expires_at <= ? THEN 1 WHEN o.asset_id > 0 THEN 0 END", Millis(of.at))
		own = squirrel.Expr(s.dialect.LeftJoin("apguard_allowlist o", "o.organization_id = ? AND o.asset_id = a.id"), of.organizationID)
	}
	return squirrel.Expr(`SELECT a.id, a.type, a.canonical, a.status, a.changed_at, `+basisOf("a")+`, ?, ?,
			d.source, d.status, d.reason, d.note, d.since, d.cause, d.actor, d.reference, d.expires_at, d.review_at FROM (?) a ?`+
		s.dialect.LeftJoin("apguard_decisions d", "d.asset_id = a.id"), last, entry, assets, own)
}

// registerAll registers the assets that do not exist, and reads what is held on the others.
func (s session) registerAll(ctx context.Context, assets []Locked, of heldFor) error {
	if err := s.RegisterAssets(ctx, assets); err != nil {
		return err
	}
	existing := make(map[asset.Identity]*Locked)
	for i := range assets {
		if !assets[i].New {
			existing[assets[i].Identity] = &assets[i]
		}
	}
	return s.readHeld(ctx, existing, of)
}

// readHeld reads what is held on assets that exist.
func (s session) readHeld(ctx context.Context, assets map[asset.Identity]*Locked, of heldFor) error {
	if len(assets) == 0 {
		return nil
	}
	hashes := make([][]byte, 0, len(assets))
	for identity := range assets {
		hashes = append(hashes, IdentityHash(identity))
	}
	query := s.selectHeld(s.dialect.ByHash("a.*", hashes), of)
	return s.scanHeld(ctx, query, func(identity asset.Identity) *Locked { return assets[identity] })
}

// lockAll locks the assets with the IDs until the end of the transaction and returns them, ordered by
// ID, with what is held on them. Whoever changes that has locked the asset.
func (s session) lockAll(ctx context.Context, ids []int64, of heldFor) ([]*Locked, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	if err := s.LockAssets(ctx, ids); err != nil {
		return nil, err
	}
	return s.heldOn(ctx, ids, of)
}

// heldOn is lockAll without a lock, for a step that has locked the assets or only looks at them.
func (s session) heldOn(ctx context.Context, ids []int64, of heldFor) ([]*Locked, error) {
	assets := make(map[asset.Identity]*Locked, len(ids))
	byID := squirrel.Expr("SELECT * FROM apguard_assets WHERE ?", s.dialect.AnyOf("id", ids))
	err := s.scanHeld(ctx, s.selectHeld(byID, of), func(identity asset.Identity) *Locked {
		if assets[identity] == nil {
			assets[identity] = new(Locked)
		}
		return assets[identity]
	})
	return slices.SortedFunc(maps.Values(assets), func(a, b *Locked) int { return cmp.Compare(a.ID, b.ID) }), err
}

// lockOne is lockAll for an asset that exists.
func (s session) lockOne(ctx context.Context, id int64, at time.Time) (*Locked, error) {
	return only(s.lockAll(ctx, []int64{id}, heldFor{at: at}))
}

// only returns the only asset of a list.
func only(assets []*Locked, err error) (*Locked, error) {
	if err == nil && len(assets) != 1 {
		err = errNoRow
	}
	if err != nil {
		return nil, err
	}
	return assets[0], nil
}

// scanHeld runs a query of selectHeld. The function returns the asset with the identity.
func (s session) scanHeld(ctx context.Context, query squirrel.Sqlizer, find func(asset.Identity) *Locked) error {
	_, err := collect(ctx, s, query, func(row Row) (struct{}, error) { return struct{}{}, scanHeldRow(row, find) })
	return err
}

// scanHeldRow adds a row of selectHeld to its asset.
func scanHeldRow(row Row, find func(asset.Identity) *Locked) error {
	var (
		found                                                         asset.Held
		lastEntry, ended, source, status, reason, since, cause, actor sql.NullInt64
		note, reference                                               sql.NullString
		expiresAt, reviewAt                                           timeColumn
		basis                                                         scannedBasis
	)
	err := row.Scan(&found.ID, scanType(&found.Type), &found.Canonical, ScanStatus(&found.Status), (*timeColumn)(&found.ChangedAt),
		&basis.source, &basis.reason, &basis.since, &basis.note,
		&lastEntry, &ended, &source, &status, &reason, &note, &since, &cause, &actor, &reference,
		&expiresAt, &reviewAt)
	if err != nil {
		return err
	}
	if found.Basis, err = basis.value(); err != nil {
		return err
	}
	one := find(found.Identity)
	one.Known, one.ChangedAt = found.Known, found.ChangedAt
	one.Listed, one.Ended = ended.Valid && ended.Int64 == 0, ended.Int64 == 1
	if lastEntry.Valid {
		one.LastEntry = Time(lastEntry.Int64)
	}
	if !source.Valid {
		return nil
	}
	decision := asset.Decision{
		Note: note.String, Since: Time(since.Int64), ExpiresAt: time.Time(expiresAt), ReviewAt: time.Time(reviewAt),
		Origin: asset.Origin{Actor: actor.Int64, Reference: reference.String},
	}
	if decision.Reason, err = reasonCodes.value(reason.Int64); err != nil {
		return err
	}
	if decision.Status, err = statusCodes.value(status.Int64); err != nil {
		return err
	}
	if decision.Origin.Cause, err = causeCodes.value(cause.Int64); err != nil {
		return err
	}
	if source.Int64 > 0 {
		one.addList(asset.ListDecision{
			ListID: source.Int64, Status: decision.Status, Reason: decision.Reason, Since: decision.Since, ExpiresAt: decision.ExpiresAt,
		})
		return nil
	}
	if one.Operators == nil {
		one.Operators = new(asset.Decision)
	}
	if source.Int64 == replaced {
		one.Operators.Replaced = &decision
		return nil
	}
	decision.Replaced = one.Operators.Replaced
	*one.Operators = decision
	return nil
}

// addList adds the decision of another list. They are ordered by their lists, as rows have no order.
func (l *Locked) addList(decision asset.ListDecision) {
	at, _ := slices.BinarySearchFunc(l.Lists, decision.ListID, func(d asset.ListDecision, id int64) int { return cmp.Compare(d.ListID, id) })
	l.Lists = slices.Insert(l.Lists, at, decision)
}
