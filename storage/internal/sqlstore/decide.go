package sqlstore

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
)

// Decision is a row of apguard_decisions: a decision of the operators, the one that it replaced, or that of
// a list.
type Decision struct {
	AssetID int64
	// Source is operators, replaced, or the ID of a list.
	Source int64
	asset.Decision
}

// The sources of the rows of apguard_decisions that are no lists.
const (
	operators = 0
	replaced  = -1
)

const (
	// UpdateStatus gives an asset the status and the basis of a change. Its values are the UpdateArguments.
	UpdateStatus = `UPDATE apguard_assets SET status = ?, changed_at = ?, source = ?, reason = ?, since = ?, note = ? WHERE id = ?`

	// ChangeColumns are the columns of a change without its ID.
	ChangeColumns = `asset_id, type, from_status, to_status, changed_at, cause, actor, reference, ` + BasisColumns

	// ChangeValues has the parameters for ChangeArguments.
	ChangeValues = `?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?`

	deleteDecisions = `DELETE FROM apguard_decisions WHERE asset_id = ? AND source <= 0`
)

// RecordedChange is a change to record.
type RecordedChange struct {
	asset.Change
	// New reports whether the step has registered the asset as it is after the change.
	New bool
}

// putDecisions stores the decisions of the operators on the assets.
func (s session) putDecisions(ctx context.Context, assets ...asset.Held) error {
	rows := make([]Decision, 0, len(assets))
	for _, one := range assets {
		if one.Operators != nil {
			rows = append(rows, Decision{one.ID, operators, *one.Operators})
		}
	}
	for _, one := range assets {
		if one.Operators != nil && one.Operators.Replaced != nil {
			rows = append(rows, Decision{one.ID, replaced, *one.Operators.Replaced})
		}
	}
	return s.putRows(ctx, rows)
}

// listRows returns the decisions of lists on an asset: that of the list with the ID, or all if it is 0.
func listRows(held asset.Held, listID int64) []Decision {
	var rows []Decision
	for _, one := range held.Lists {
		if listID == 0 || listID == one.ListID {
			decision := asset.Decision{Status: one.Status, Reason: one.Reason, Since: one.Since, ExpiresAt: one.ExpiresAt}
			decision.Origin.Cause = asset.CauseList
			rows = append(rows, Decision{held.ID, one.ListID, decision})
		}
	}
	return rows
}

// putRows stores decisions, of which there may be none.
func (s session) putRows(ctx context.Context, rows []Decision) error {
	if len(rows) == 0 {
		return nil
	}
	return s.PutDecisions(ctx, rows)
}

// replaceDecisions is putDecisions for assets on which the operators may hold nothing any more, or a decision
// that replaced none.
func (s session) replaceDecisions(ctx context.Context, assets ...asset.Held) error {
	for _, one := range assets {
		if err := s.queue(ctx, deleteDecisions, one.ID); err != nil {
			return err
		}
	}
	return s.putDecisions(ctx, assets...)
}

// replaceHeld stores all decisions on the assets anew, in the place of those on the assets with the IDs.
func (s session) replaceHeld(ctx context.Context, ids []int64, assets ...*Locked) error {
	if err := s.deleteWhere(ctx, "apguard_decisions", s.dialect.AnyOf("asset_id", ids)); err != nil {
		return err
	}
	held, rows := make([]asset.Held, len(assets)), []Decision(nil)
	for i, one := range assets {
		held[i], rows = one.Held, append(rows, listRows(one.Held, 0)...)
	}
	if err := s.putDecisions(ctx, held...); err != nil {
		return err
	}
	return s.putRows(ctx, rows)
}

// settleAll gives the assets the statuses that are held on them now, in their order.
func (s session) settleAll(ctx context.Context, assets []*Locked, at time.Time, origin asset.Origin) error {
	changes := make([]RecordedChange, 0, len(assets))
	for _, one := range assets {
		held, change, changed := one.Settle(at, origin)
		if changed {
			changes = append(changes, RecordedChange{change, one.New})
		}
		one.Held = held
	}
	if len(changes) == 0 {
		return nil
	}
	return s.RecordChanges(ctx, changes)
}

// settleOne is settleAll for an asset that existed. It returns the ID of the change of the status, or 0.
func (s session) settleOne(ctx context.Context, one *Locked, at time.Time, origin asset.Origin) (int64, error) {
	held, change, changed := one.Settle(at, origin)
	if !changed {
		return 0, nil
	}
	one.Held = held
	s.countChange(&change)
	if err := s.queue(ctx, UpdateStatus, UpdateArguments(change)...); err != nil {
		return 0, err
	}
	id, err := s.insert(ctx, s.dialect.Feed.InsertChange, ChangeArguments(change)...)
	if !change.OfStatus() {
		return 0, err
	}
	return id, err
}

// UpdateArguments returns the values of UpdateStatus.
func UpdateArguments(c asset.Change) []any {
	return []any{StatusCode(c.To), Millis(c.At), SourceCode(c.Basis), ReasonCode(c.Reason), since(c.Basis, c.At), c.Note, c.AssetID}
}

// ChangeArguments returns the values of ChangeColumns.
func ChangeArguments(c asset.Change) []any {
	return []any{
		c.AssetID, TypeCode(c.Type), StatusCode(c.From), StatusCode(c.To), Millis(c.At), CauseCode(c.Origin.Cause), c.Origin.Actor, c.Origin.Reference,
		SourceCode(c.Basis), ReasonCode(c.Reason), since(c.Basis, c.At), c.Note,
	}
}

// decide makes the status the decision of the operators on an asset. It returns the Since of the decision
// and the ID of the change, or zero for what there is not.
func (s session) decide(
	ctx context.Context, assetID int64, status asset.Status, at time.Time, origin asset.Origin,
) (since time.Time, changeID int64, err error) {
	one, err := s.lockOne(ctx, assetID, at)
	if err != nil {
		return time.Time{}, 0, err
	}
	held, decided := one.Decide(asset.Decision{Status: status, Origin: origin}, at)
	one.Held = held
	if decided {
		since = held.Operators.Since
		if err := s.putDecisions(ctx, held); err != nil {
			return time.Time{}, 0, err
		}
	}
	changeID, err = s.settleOne(ctx, one, at, origin)
	return since, changeID, err
}
