package observe

import (
	"context"
	"time"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/step"
)

// AddToAllowlist implements [storage.Store].
func (s observedStore) AddToAllowlist(ctx context.Context, cmd allowlist.AddCommand) ([]allowlist.Outcome, error) {
	ctx, op := s.by.start(ctx, "allowlist.add")
	defer op.end(ctx)
	outcomes, err := s.Store.AddToAllowlist(op.outcome.withCounter(ctx), cmd)
	if err == nil && !cmd.DryRun {
		op.outcome.countItems(cmd.Outcomes(outcomes))
	}
	op.returned(err)
	return outcomes, err
}

// RemoveFromAllowlist implements [storage.Store].
func (s observedStore) RemoveFromAllowlist(ctx context.Context, cmd allowlist.RemoveCommand) ([]allowlist.RemovedEntry, error) {
	ctx, op := s.by.start(ctx, "allowlist.remove")
	defer op.end(ctx)
	removed, err := s.Store.RemoveFromAllowlist(op.outcome.withCounter(ctx), cmd)
	if err == nil && !cmd.DryRun {
		op.outcome.countItems(cmd.Outcomes(removed))
	}
	op.returned(err)
	return removed, err
}

// SetEntryExpiry implements [storage.Store].
func (s observedStore) SetEntryExpiry(ctx context.Context, req allowlist.SetExpiryRequest, at time.Time) error {
	return s.do(ctx, "allowlist.set_expiry", func(ctx context.Context) error { return s.Store.SetEntryExpiry(ctx, req, at) })
}

// ExpireEntries implements [storage.Store].
func (s observedStore) ExpireEntries(ctx context.Context, cmd allowlist.ExpireCommand) (int, error) {
	return change(ctx, s, "allowlist.expire", s.Store.ExpireEntries, cmd)
}

// AllowlistEntries implements [storage.Store].
func (s observedStore) AllowlistEntries(ctx context.Context, req allowlist.ListRequest, at time.Time) (allowlist.Page, error) {
	return get(ctx, s, "allowlist.list", func(ctx context.Context) (allowlist.Page, error) {
		return s.Store.AllowlistEntries(ctx, req, at)
	})
}

// AllowingOrganizations implements [storage.Store].
func (s observedStore) AllowingOrganizations(ctx context.Context, req allowlist.AllowedByRequest, at time.Time) (step.Page[allowlist.AllowingOrganization], error) {
	return get(ctx, s, "allowlist.allowed_by", func(ctx context.Context) (step.Page[allowlist.AllowingOrganization], error) {
		return s.Store.AllowingOrganizations(ctx, req, at)
	})
}

func (o *Outcome) countItems(outcomes []allowlist.Outcome) {
	for _, item := range outcomes {
		o.countItem(item.Err)
	}
}
