package storage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
)

// ErrUnimplemented reports that the adapter does not implement a method. The text of
// the error names the method. It matches errors.ErrUnsupported.
var ErrUnimplemented = fmt.Errorf("unimplemented store method: %w", errors.ErrUnsupported)

var _ Store = Unimplemented{}

// Unimplemented implements every method of [Store] by returning [ErrUnimplemented],
// except Close, which returns nil. Embed it in an adapter that is unfinished or that
// omits a part. Embedding it also keeps an adapter compiling when Store grows.
type Unimplemented struct{}

func unimplemented(method string) error {
	return fmt.Errorf("%w: %s", ErrUnimplemented, method)
}

// Close implements [Store].
func (Unimplemented) Close() error { return nil }

// Groups implements [account.Store].
func (Unimplemented) Groups(context.Context, int64) ([]account.Group, error) {
	return nil, unimplemented("Groups")
}

// OrganizationByID implements [account.Store].
func (Unimplemented) OrganizationByID(context.Context, int64) (account.Organization, error) {
	return account.Organization{}, unimplemented("OrganizationByID")
}

// OrganizationBySlug implements [account.Store].
func (Unimplemented) OrganizationBySlug(context.Context, string) (account.Organization, error) {
	return account.Organization{}, unimplemented("OrganizationBySlug")
}

// Organizations implements [account.Store].
func (Unimplemented) Organizations(context.Context, int64, int) (asset.Page[account.Organization], error) {
	return asset.Page[account.Organization]{}, unimplemented("Organizations")
}

// PutGroup implements [account.Store].
func (Unimplemented) PutGroup(context.Context, account.Group) (account.Group, error) {
	return account.Group{}, unimplemented("PutGroup")
}

// PutOrganization implements [account.Store].
func (Unimplemented) PutOrganization(context.Context, account.Organization) error {
	return unimplemented("PutOrganization")
}

// PutUser implements [account.Store].
func (Unimplemented) PutUser(context.Context, account.User) error {
	return unimplemented("PutUser")
}

// RemoveGroup implements [account.Store].
func (Unimplemented) RemoveGroup(context.Context, int64, int64) error {
	return unimplemented("RemoveGroup")
}

// RemoveOrganization implements [account.Store].
func (Unimplemented) RemoveOrganization(context.Context, int64) error {
	return unimplemented("RemoveOrganization")
}

// RemoveUser implements [account.Store].
func (Unimplemented) RemoveUser(context.Context, int64) error {
	return unimplemented("RemoveUser")
}

// UserByID implements [account.Store].
func (Unimplemented) UserByID(context.Context, int64) (account.User, error) {
	return account.User{}, unimplemented("UserByID")
}

// UsersByEmail implements [account.Store].
func (Unimplemented) UsersByEmail(context.Context, string) ([]account.User, error) {
	return nil, unimplemented("UsersByEmail")
}

// KeyByHash implements [account.KeyStore].
func (Unimplemented) KeyByHash(context.Context, [32]byte) (account.KeyRecord, error) {
	return account.KeyRecord{}, unimplemented("KeyByHash")
}

// Keys implements [account.KeyStore].
func (Unimplemented) Keys(context.Context, int64) ([]account.Key, error) {
	return nil, unimplemented("Keys")
}

// PutKey implements [account.KeyStore].
func (Unimplemented) PutKey(context.Context, account.Key) error {
	return unimplemented("PutKey")
}

// RecordKeyUse implements [account.KeyStore].
func (Unimplemented) RecordKeyUse(context.Context, account.KeyUse) error {
	return unimplemented("RecordKeyUse")
}

// UpdateKey implements [account.KeyStore].
func (Unimplemented) UpdateKey(context.Context, [32]byte, func(account.Key) (account.KeyUpdate, error)) (account.Key, error) {
	return account.Key{}, unimplemented("UpdateKey")
}

// Assets implements [asset.Store].
func (Unimplemented) Assets(context.Context, asset.ListRequest) (asset.Page[asset.Listed], error) {
	return asset.Page[asset.Listed]{}, unimplemented("Assets")
}

// AssetsByIdentity implements [asset.Store].
func (Unimplemented) AssetsByIdentity(context.Context, []asset.Identity) ([]asset.Asset, error) {
	return nil, unimplemented("AssetsByIdentity")
}

// Changes implements [asset.Store].
func (Unimplemented) Changes(context.Context, asset.ListChangesRequest) (asset.Page[asset.Change], error) {
	return asset.Page[asset.Change]{}, unimplemented("Changes")
}

// SetAssetStatuses implements [asset.Store].
func (Unimplemented) SetAssetStatuses(context.Context, asset.SetStatusesCommand) ([]asset.Asset, error) {
	return nil, unimplemented("SetAssetStatuses")
}

// PruneChanges implements [asset.HistoryStore].
func (Unimplemented) PruneChanges(context.Context, asset.PruneCommand) (asset.Pruned[asset.ChangeCursor], error) {
	return asset.Pruned[asset.ChangeCursor]{}, unimplemented("PruneChanges")
}

// Feed implements [asset.FeedStore].
func (Unimplemented) Feed(context.Context) (asset.Feed, error) {
	return asset.Feed{}, unimplemented("Feed")
}

// Since implements [asset.FeedStore].
func (Unimplemented) Since(context.Context, asset.FeedCursor, int) (asset.Page[asset.FeedEntry], error) {
	return asset.Page[asset.FeedEntry]{}, unimplemented("Since")
}

// AddToAllowlist implements [allowlist.Store].
func (Unimplemented) AddToAllowlist(context.Context, allowlist.AddCommand) ([]allowlist.Outcome, error) {
	return nil, unimplemented("AddToAllowlist")
}

// AllowingOrganizations implements [allowlist.Store].
func (Unimplemented) AllowingOrganizations(context.Context, allowlist.AllowedByCommand) (asset.Page[allowlist.AllowingOrganization], error) {
	return asset.Page[allowlist.AllowingOrganization]{}, unimplemented("AllowingOrganizations")
}

// AllowlistEntries implements [allowlist.Store].
func (Unimplemented) AllowlistEntries(context.Context, allowlist.ListCommand) (asset.Page[allowlist.Entry], error) {
	return asset.Page[allowlist.Entry]{}, unimplemented("AllowlistEntries")
}

// ExpireEntries implements [allowlist.Store].
func (Unimplemented) ExpireEntries(context.Context, allowlist.ExpireCommand) (int, error) {
	return 0, unimplemented("ExpireEntries")
}

// RemoveFromAllowlist implements [allowlist.Store].
func (Unimplemented) RemoveFromAllowlist(context.Context, allowlist.RemoveCommand) ([]int64, error) {
	return nil, unimplemented("RemoveFromAllowlist")
}

// SetEntryExpiry implements [allowlist.Store].
func (Unimplemented) SetEntryExpiry(context.Context, allowlist.SetExpiryCommand) error {
	return unimplemented("SetEntryExpiry")
}

// CreateDispute implements [dispute.Store].
func (Unimplemented) CreateDispute(context.Context, dispute.CreateCommand) (dispute.Dispute, error) {
	return dispute.Dispute{}, unimplemented("CreateDispute")
}

// DisputeByID implements [dispute.QueueStore].
func (Unimplemented) DisputeByID(context.Context, int64) (dispute.Dispute, error) {
	return dispute.Dispute{}, unimplemented("DisputeByID")
}

// Disputes implements [dispute.QueueStore].
func (Unimplemented) Disputes(context.Context, dispute.ListRequest) (asset.Page[dispute.Dispute], error) {
	return asset.Page[dispute.Dispute]{}, unimplemented("Disputes")
}

// EraseDisputes implements [dispute.QueueStore].
func (Unimplemented) EraseDisputes(context.Context, dispute.EraseCommand) (int, error) {
	return 0, unimplemented("EraseDisputes")
}

// PruneDisputes implements [dispute.QueueStore].
func (Unimplemented) PruneDisputes(context.Context, dispute.PruneCommand) (asset.Pruned[int64], error) {
	return asset.Pruned[int64]{}, unimplemented("PruneDisputes")
}

// UpdateDispute implements [dispute.QueueStore].
func (Unimplemented) UpdateDispute(context.Context, int64, func(dispute.Dispute) (dispute.Update, error)) (dispute.Dispute, error) {
	return dispute.Dispute{}, unimplemented("UpdateDispute")
}

// FileReport implements [report.Store].
func (Unimplemented) FileReport(context.Context, report.FileCommand) (report.Report, error) {
	return report.Report{}, unimplemented("FileReport")
}

// ReportByID implements [report.Store].
func (Unimplemented) ReportByID(context.Context, report.Scope, int64) (report.Report, error) {
	return report.Report{}, unimplemented("ReportByID")
}

// Reports implements [report.Store].
func (Unimplemented) Reports(context.Context, report.ListRequest) (report.Page, error) {
	return report.Page{}, unimplemented("Reports")
}

// AddReviews implements [report.ReviewStore].
func (Unimplemented) AddReviews(context.Context, report.ReviewCommand) (report.Report, error) {
	return report.Report{}, unimplemented("AddReviews")
}

// PruneReports implements [report.ReviewStore].
func (Unimplemented) PruneReports(context.Context, report.PruneCommand) (asset.Pruned[int64], error) {
	return asset.Pruned[int64]{}, unimplemented("PruneReports")
}

// Reviews implements [report.ReviewStore].
func (Unimplemented) Reviews(context.Context, report.Scope, int64, int64, int) (asset.Page[report.Review], error) {
	return asset.Page[report.Review]{}, unimplemented("Reviews")
}

// WithdrawReview implements [report.ReviewStore].
func (Unimplemented) WithdrawReview(context.Context, report.WithdrawCommand) (report.Report, error) {
	return report.Report{}, unimplemented("WithdrawReview")
}

// Import implements [Store].
func (Unimplemented) Import(context.Context, Seed) error {
	return unimplemented("Import")
}

// PruneIdempotency implements [Store].
func (Unimplemented) PruneIdempotency(context.Context, time.Time, int) (int, error) {
	return 0, unimplemented("PruneIdempotency")
}

// Ping implements [Store].
func (Unimplemented) Ping(context.Context) error {
	return unimplemented("Ping")
}
