package sqlstore

import (
	"context"
	"crypto/rand"
	"strconv"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage"
)

var _ storage.Reclassifier = (*Store)(nil)

// A content is stored as NULL if it equals the canonical form.
const (
	moveAsset    = `UPDATE apguard_assets SET identity_hash = ?, type = ?, canonical = ? WHERE id = ?`
	moveChanges  = `UPDATE apguard_changes SET asset_id = ?, type = ? WHERE asset_id = ?`
	moveEntries  = `UPDATE apguard_allowlist SET asset_id = ?, content = NULLIF(COALESCE(content, ?), ?) WHERE asset_id = ?`
	moveDisputes = `UPDATE apguard_disputes SET asset_id = ? WHERE asset_id = ?`
	moveProposal = `UPDATE apguard_proposals SET asset_id = ?, content = NULLIF(COALESCE(content, ?), ?), canonical_fold = ? WHERE id = ?`
	removeAsset  = `DELETE FROM apguard_assets WHERE id = ?`

	// removeNewerEntries and then removeReplacedEntries keep the older entry of an organization with both assets.
	removeNewerEntries = `DELETE FROM apguard_allowlist WHERE asset_id = ? AND EXISTS (SELECT 1 FROM apguard_allowlist o
		WHERE o.organization_id = apguard_allowlist.organization_id AND o.asset_id = ? AND o.added_at <= apguard_allowlist.added_at)`
	removeReplacedEntries = `DELETE FROM apguard_allowlist WHERE asset_id = ? AND EXISTS (SELECT 1 FROM apguard_allowlist o
		WHERE o.organization_id = apguard_allowlist.organization_id AND o.asset_id = ?)`

	// selectRepeatedDisputes finds one of two disputes of a person about the two assets: the one that
	// is closed if the other is not, and otherwise the later one.
	selectRepeatedDisputes = `SELECT CASE
		WHEN a.state IN ('OPEN', 'UNDER_REVIEW') AND b.state NOT IN ('OPEN', 'UNDER_REVIEW') THEN b.id
		WHEN b.state IN ('OPEN', 'UNDER_REVIEW') AND a.state NOT IN ('OPEN', 'UNDER_REVIEW') THEN a.id
		WHEN a.id < b.id THEN b.id ELSE a.id END FROM apguard_disputes a
		JOIN apguard_disputes b ON b.email_key = a.email_key AND b.asset_id = ? WHERE a.asset_id = ?`

	// updateChangedAt keeps since, which is NULL where it equals changed_at.
	updateChangedAt = `UPDATE apguard_assets SET since = COALESCE(since, changed_at), changed_at = ? WHERE id = ?`

	renewStore   = `UPDATE apguard_store SET id = ?`
	updateRules  = `UPDATE apguard_rules SET version = ?`
	selectAssets = `SELECT ` + assetColumnNames + ` FROM apguard_assets a WHERE a.id > ? ORDER BY a.id LIMIT ?`
)

// Reclassify implements storage.Reclassifier.
func (s *Store) Reclassify(ctx context.Context, cmd asset.ReclassifyCommand) (asset.ReclassifyStep, error) {
	run := s.engine.Write
	if cmd.DryRun {
		run = s.engine.ReadOnce
	}
	operation := Operation{Name: "reclassify", Kind: Write}
	if cmd.DryRun {
		operation = listing("plan to reclassify")
	}
	return result(ctx, s, run, operation, func(ctx context.Context, on session) (asset.ReclassifyStep, error) {
		return on.reclassify(ctx, cmd)
	})
}

func (s session) reclassify(ctx context.Context, cmd asset.ReclassifyCommand) (asset.ReclassifyStep, error) {
	lock := s.dialect.Lock
	if cmd.DryRun {
		lock = ""
	}
	page, err := collect(ctx, s, squirrel.Expr(selectAssets+lock, cmd.After, cmd.Limit), scanAsset)
	if err != nil {
		return asset.ReclassifyStep{}, err
	}
	step := asset.ReclassifyStep{Assets: len(page), Last: cmd.After, Done: len(page) < cmd.Limit}
	if len(page) > 0 {
		step.Last = page[len(page)-1].ID
	}
	if !cmd.DryRun {
		if err := s.rehash(ctx, cmd.After, page); err != nil {
			return step, err
		}
	}
	holders, err := s.holders(ctx, cmd, page)
	if err != nil {
		return step, err
	}
	step.Reforms = cmd.Reforms(page, holders)
	if cmd.DryRun {
		return step, nil
	}
	return step, s.reform(ctx, cmd, &step)
}

// holders returns the assets that have one of the new identities of the page.
func (s session) holders(ctx context.Context, cmd asset.ReclassifyCommand, page []asset.Asset) (map[asset.Identity]asset.Asset, error) {
	holders := cmd.Planned
	if holders == nil {
		holders = make(map[asset.Identity]asset.Asset)
	}
	var wanted []asset.Identity
	for _, one := range page {
		if to, recognized := cmd.Form(one.Identity); recognized && to != one.Identity {
			wanted = append(wanted, to)
		}
	}
	if len(wanted) == 0 {
		return holders, nil
	}
	found, err := collect(ctx, s, s.dialect.AssetsByIdentity(wanted), knownScanner())
	for _, one := range found {
		if _, planned := holders[one.Identity]; !planned {
			holders[one.Identity] = one.Asset
		}
	}
	return holders, err
}

// reform stores the reforms of the step. Cursors of the feed become those of another store with
// them, as followers have the old forms.
func (s session) reform(ctx context.Context, cmd asset.ReclassifyCommand, step *asset.ReclassifyStep) error {
	var ids []int64
	for _, one := range step.Reforms {
		if !one.Unrecognized() {
			ids = append(ids, one.ID)
		}
	}
	if len(ids) > 0 {
		if err := s.reformAssets(ctx, cmd.At, step, ids); err != nil {
			return err
		}
		var id asset.StoreID
		_, _ = rand.Read(id[:]) // never fails
		if err := s.exec(ctx, renewStore, id[:]); err != nil {
			return err
		}
		if err := s.exec(ctx, restartWebhooks); err != nil {
			return err
		}
	}
	if !step.Done {
		return nil
	}
	return s.exec(ctx, updateRules, cmd.Version)
}

// restartWebhooks makes webhooks send all changes again, except for events of disputes.
const restartWebhooks = `UPDATE apguard_webhooks SET feed_position = 0,
	batch_first = CASE WHEN batch_dispute THEN batch_first ELSE 0 END,
	batch_last = CASE WHEN batch_dispute THEN batch_last ELSE 0 END`

func (s session) reformAssets(ctx context.Context, at time.Time, step *asset.ReclassifyStep, ids []int64) error {
	proposals, err := s.proposalsOf(ctx, ids)
	if err != nil {
		return err
	}
	for _, one := range step.Reforms {
		if one.Unrecognized() {
			continue
		}
		target := one.ID
		if one.Merged() {
			target = one.Into.ID
			if err := s.removeRepeated(ctx, one, step); err != nil {
				return err
			}
		}
		if err := s.moveRecords(ctx, one, target, proposals[one.ID]); err != nil {
			return err
		}
		if one.Merged() {
			err = s.mergeStatus(ctx, one, at)
		} else {
			err = s.queue(ctx, moveAsset, IdentityHash(one.To), TypeCode(one.To.Type), one.To.Canonical, one.ID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// proposalsOf returns the IDs of the proposals about the assets, which no index has.
func (s session) proposalsOf(ctx context.Context, ids []int64) (map[int64][]int64, error) {
	found := make(map[int64][]int64)
	_, err := collect(ctx, s, s.dialect.selectFrom("apguard_proposals", "asset_id", "id").Where(s.dialect.AnyOf("asset_id", ids)),
		func(row Row) (struct{}, error) {
			var of, id int64
			err := row.Scan(&of, &id)
			found[of] = append(found[of], id)
			return struct{}{}, err
		})
	return found, err
}

// removeRepeated removes the newer entries of organizations with both assets, and erases the later
// dispute of each person who disputed both.
func (s session) removeRepeated(ctx context.Context, one asset.Reform, step *asset.ReclassifyStep) error {
	for _, removal := range []struct {
		statement string
		of, other int64
	}{
		{removeNewerEntries, one.ID, one.Into.ID},
		{removeReplacedEntries, one.Into.ID, one.ID},
	} {
		removed, err := s.change(ctx, removal.statement, removal.of, removal.other)
		if err != nil {
			return err
		}
		step.Entries += int(removed)
	}
	repeated, err := collect(ctx, s, squirrel.Expr(selectRepeatedDisputes, one.Into.ID, one.ID), scanID)
	if err != nil || len(repeated) == 0 {
		return err
	}
	step.Disputes += len(repeated)
	if err := s.queueBuilt(ctx, squirrel.Expr(eraseDisputes, s.dialect.AnyOf("id", repeated))); err != nil {
		return err
	}
	return s.queueBuilt(ctx, squirrel.Expr(eraseNotes,
		string(dispute.NoteKindTransition), string(dispute.NoteKindComment), s.dialect.AnyOf("dispute_id", repeated)))
}

// moveRecords makes the records of the asset those of the target.
func (s session) moveRecords(ctx context.Context, one asset.Reform, target int64, proposals []int64) error {
	before, after := one.Canonical, one.To.Canonical
	if one.Merged() || one.Type != one.To.Type {
		if err := s.queue(ctx, moveChanges, target, TypeCode(one.To.Type), one.ID); err != nil {
			return err
		}
	}
	if err := s.queue(ctx, moveEntries, target, before, after, one.ID); err != nil {
		return err
	}
	if one.Merged() {
		if err := s.queue(ctx, moveDisputes, target, one.ID); err != nil {
			return err
		}
	}
	for _, id := range proposals {
		if err := s.queue(ctx, moveProposal, target, before, after, asset.FoldCase(after), id); err != nil {
			return err
		}
	}
	return nil
}

// mergeStatus gives the survivor, which has the entries of both assets, what was held on both, and
// removes the other one. It records a change if the two had different statuses: the feed of both
// histories can end at either.
func (s session) mergeStatus(ctx context.Context, one asset.Reform, at time.Time) error {
	both, err := s.lockAll(ctx, []int64{one.ID, one.Into.ID}, heldFor{at: at})
	if err != nil {
		return err
	}
	if len(both) != 2 {
		return errNoRow
	}
	survivor, other := both[0], both[1] // they are ordered by ID
	if survivor.ID != one.Into.ID {
		survivor, other = other, survivor
	}
	survivor.Held = survivor.Merge(other.Held)
	if err := s.queue(ctx, updateChangedAt, Millis(survivor.ChangedAt), survivor.ID); err != nil {
		return err
	}
	if err := s.replaceHeld(ctx, []int64{other.ID, survivor.ID}, survivor); err != nil {
		return err
	}
	origin := asset.Origin{Cause: asset.CauseReclassification, Reference: "asset/" + strconv.FormatInt(one.ID, 10)}
	if err := s.settleAll(ctx, []*Locked{survivor}, at, origin); err != nil {
		return err
	}
	return s.queue(ctx, removeAsset, one.ID)
}
