package pending

import (
	"context"
	"errors"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/report"
)

// HoldStatuses implements [asset.Brake].
func (s *Service) HoldStatuses(ctx context.Context, cmd asset.SetStatusesCommand, protections asset.Protections, dryRun bool) error {
	plan := Plan{Kind: KindBlock, Reason: cmd.Reason, Note: cmd.Note, ReviewAt: cmd.ReviewAt, Origin: cmd.Origin}
	present, err := s.present(ctx, identities(cmd.Items))
	if err != nil {
		return err
	}
	for i, item := range cmd.Items {
		plan.Assets = append(plan.Assets, Asset{item.Identity, present[i].Status, item.ExpiresAt, protections[item.Identity]})
	}
	act, err := newAct(plan, cmd.Origin.Actor, cmd.At)
	if err != nil {
		return err
	}
	if dryRun {
		return &Error{Act: act}
	}
	refused := cmd.Refused
	if refused == nil && cmd.IfStatus != "" && cmd.IfStatus != present[0].Status {
		refused = asset.ErrChanged
	}
	return s.add(ctx, AddCommand{Act: act, Refused: refused, Claim: cmd.Claim})
}

// HoldReview implements [report.Brake].
func (s *Service) HoldReview(ctx context.Context, cmd report.ReviewCommand, proposal report.Proposal) error {
	organizationID, _ := cmd.Scope.OrganizationID()
	identity := proposal.Asset.Identity
	act, err := newAct(Plan{
		Kind:   KindBlock,
		Assets: []Asset{{Identity: identity, Status: proposal.Asset.Status, Protection: cmd.Protections[identity]}},
		Review: &Review{organizationID, cmd.ProposalID, cmd.Comment, proposal.ReviewID},
	}, cmd.Actor, cmd.At)
	if err != nil {
		return err
	}
	var refused error
	if cmd.IfReview != nil && *cmd.IfReview != proposal.ReviewID {
		refused = asset.ErrChanged
	}
	return s.add(ctx, AddCommand{Act: act, Refused: refused, Claim: cmd.Claim})
}

// HoldSync implements [lists.Brake].
func (s *Service) HoldSync(ctx context.Context, sync lists.HeldSync) (actor int64, err error) {
	act, err := newAct(Plan{Kind: KindSync, List: &List{
		sync.List.ID, sync.List.Name, sync.Result.Added, sync.Result.Withdrawn, sync.Result.Kept, sync.Digest,
	}}, sync.Actor, s.clock())
	if err != nil {
		return 0, err
	}
	asked, err := s.askedSync(ctx, act, sync.Approves.ActID)
	if err != nil {
		return 0, err
	}
	if err := (DecideRequest{ID: asked.ID, Actor: sync.Actor, Comment: sync.Approves.Comment}).Validate(); err != nil {
		return 0, err
	}
	_, err = s.decide(ctx, DecideCommand{
		ID: asked.ID, To: StateApproved, Actor: sync.Actor, Comment: sync.Approves.Comment, At: s.clock(),
		Sync: &lists.DecideCommand{ListID: sync.List.ID, Begun: sync.List.Begun},
	})
	return asked.Actor, err
}

// askedSync returns the act with the ID that a sync approves, or for 0 that of another operator. If there is none, the
// error has the act.
func (s *Service) askedSync(ctx context.Context, act Act, id int64) (Act, error) {
	if id != 0 {
		asked, err := s.Get(ctx, id)
		if err == nil && asked.Digest() != act.Digest() {
			err = ErrEffectChanged
		}
		return asked, err
	}
	err := s.add(ctx, AddCommand{Act: act})
	var held *Error
	if errors.As(err, &held) && held.Act.Actor != act.Actor {
		return held.Act, nil
	}
	return Act{}, err
}

// HoldRemoval implements [lists.Brake].
func (s *Service) HoldRemoval(ctx context.Context, list lists.List, entries, actor int64) error {
	act, err := newAct(removal(list, entries), actor, s.clock())
	if err != nil {
		return err
	}
	return s.add(ctx, AddCommand{Act: act})
}

func removal(list lists.List, entries int64) Plan {
	return Plan{Kind: KindRemoval, List: &List{ID: list.ID, Name: list.Name, Withdrawn: int(entries)}}
}

// present returns the assets with the identities as they are, in their order.
func (s *Service) present(ctx context.Context, identities []asset.Identity) ([]asset.Known, error) {
	found, err := s.store.AssetsByIdentity(ctx, identities)
	return asset.Present(identities, found), err
}

// unchanged returns [ErrEffectChanged] unless the plan would do what it says at the time. What the store compares
// itself is left out, and [ErrSyncAgain] is the answer for a sync.
func (s *Service) unchanged(ctx context.Context, p Plan, at time.Time) error {
	if p.Kind == KindSync {
		return ErrSyncAgain
	}
	if p.List != nil {
		list, entries, err := s.lists.CountEntries(ctx, p.List.Name)
		if errors.Is(err, lists.ErrNotFound) || err == nil && removal(list, entries).Digest() != p.Digest() {
			err = ErrEffectChanged
		}
		return err
	}
	items := p.statuses(0, at).Items
	protections, err := s.protector.Protections(ctx, identities(items), at)
	if err != nil {
		return err
	}
	past := func(t time.Time) bool { return !t.IsZero() && !t.After(at) }
	for _, one := range p.Assets {
		if protections[one.Identity] != one.Protection || past(one.ExpiresAt) || past(p.ReviewAt) {
			return ErrEffectChanged
		}
	}
	return nil
}

func identities(items []asset.StatusItem) []asset.Identity {
	all := make([]asset.Identity, len(items))
	for i, item := range items {
		all[i] = item.Identity
	}
	return all
}
