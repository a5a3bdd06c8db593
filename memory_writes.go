package apguard

import (
	"context"
	"time"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
)

// watchedStore calls changed after each step that can change what a check answers, also after one that failed,
// as its outcome may be unknown.
type watchedStore struct {
	storage.Store
	changed func()
}

// Import implements [storage.Store].
func (s watchedStore) Import(ctx context.Context, seed storage.Seed) error {
	defer s.changed()
	return s.Store.Import(ctx, seed)
}

// SetAssetStatuses implements [storage.Store].
func (s watchedStore) SetAssetStatuses(ctx context.Context, cmd asset.SetStatusesCommand) ([]asset.Held, error) {
	defer s.changed()
	return s.Store.SetAssetStatuses(ctx, cmd)
}

// ExpireDecisions implements [storage.Store].
func (s watchedStore) ExpireDecisions(ctx context.Context, cmd asset.ExpireCommand) (int, error) {
	defer s.changed()
	return s.Store.ExpireDecisions(ctx, cmd)
}

// AddToAllowlist implements [storage.Store].
func (s watchedStore) AddToAllowlist(ctx context.Context, cmd allowlist.AddCommand) ([]allowlist.Outcome, error) {
	defer s.changed()
	return s.Store.AddToAllowlist(ctx, cmd)
}

// RemoveFromAllowlist implements [storage.Store].
func (s watchedStore) RemoveFromAllowlist(ctx context.Context, cmd allowlist.RemoveCommand) ([]allowlist.RemovedEntry, error) {
	defer s.changed()
	return s.Store.RemoveFromAllowlist(ctx, cmd)
}

// SetEntryExpiry implements [storage.Store].
func (s watchedStore) SetEntryExpiry(ctx context.Context, req allowlist.SetExpiryRequest, at time.Time) error {
	defer s.changed()
	return s.Store.SetEntryExpiry(ctx, req, at)
}

// ExpireEntries implements [storage.Store].
func (s watchedStore) ExpireEntries(ctx context.Context, cmd allowlist.ExpireCommand) (int, error) {
	defer s.changed()
	return s.Store.ExpireEntries(ctx, cmd)
}

// UpdateDispute implements [storage.Store].
func (s watchedStore) UpdateDispute(ctx context.Context, cmd dispute.UpdateCommand) (dispute.Dispute, error) {
	defer s.changed()
	return s.Store.UpdateDispute(ctx, cmd)
}

// AddReviews implements [storage.Store].
func (s watchedStore) AddReviews(ctx context.Context, cmd report.ReviewCommand) (report.Report, error) {
	defer s.changed()
	return s.Store.AddReviews(ctx, cmd)
}

// WithdrawReview implements [storage.Store].
func (s watchedStore) WithdrawReview(ctx context.Context, cmd report.WithdrawCommand) (report.Report, error) {
	defer s.changed()
	return s.Store.WithdrawReview(ctx, cmd)
}

// DecideEntries implements [storage.Store].
func (s watchedStore) DecideEntries(ctx context.Context, cmd lists.DecideCommand) ([]asset.Asset, error) {
	defer s.changed()
	return s.Store.DecideEntries(ctx, cmd)
}

// WithdrawEntries implements [storage.Store].
func (s watchedStore) WithdrawEntries(ctx context.Context, cmd lists.WithdrawCommand) error {
	defer s.changed()
	return s.Store.WithdrawEntries(ctx, cmd)
}

// RemoveList implements [storage.Store].
func (s watchedStore) RemoveList(ctx context.Context, id int64, entry audit.Entry) error {
	defer s.changed()
	return s.Store.RemoveList(ctx, id, entry)
}

// DecideAct implements [storage.Store].
func (s watchedStore) DecideAct(ctx context.Context, cmd pending.DecideCommand) (pending.Act, error) {
	defer s.changed()
	return s.Store.DecideAct(ctx, cmd)
}

// RemoveOrganization implements [storage.Store].
func (s watchedStore) RemoveOrganization(ctx context.Context, id int64, entry audit.Entry) error {
	defer s.changed()
	return s.Store.RemoveOrganization(ctx, id, entry)
}

// RemoveGroup implements [storage.Store].
func (s watchedStore) RemoveGroup(ctx context.Context, organizationID, id int64, entry audit.Entry) error {
	defer s.changed()
	return s.Store.RemoveGroup(ctx, organizationID, id, entry)
}

// RemoveUser implements [storage.Store].
func (s watchedStore) RemoveUser(ctx context.Context, id int64, entry audit.Entry) error {
	defer s.changed()
	return s.Store.RemoveUser(ctx, id, entry)
}
