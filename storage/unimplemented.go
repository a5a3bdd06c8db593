package storage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/protect"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/webhook"
)

// ErrUnimplemented reports that an adapter does not implement a method of [Store].
var ErrUnimplemented = errors.New("store does not implement this")

// Unimplemented implements [Store] with methods that return [ErrUnimplemented]. An adapter embeds it,
// and then implements the interfaces that its host application needs.
type Unimplemented struct{}

var _ Store = Unimplemented{}

// unimplemented returns the error of a method.
func unimplemented(method string) error { return fmt.Errorf("%s: %w", method, ErrUnimplemented) }

// ActByID implements [Store].
func (Unimplemented) ActByID(context.Context, int64) (pending.Act, error) {
	return pending.Act{}, unimplemented("ActByID")
}

// Acts implements [Store].
func (Unimplemented) Acts(context.Context, pending.ListRequest, time.Time) (step.Page[pending.Act], error) {
	return step.Page[pending.Act]{}, unimplemented("Acts")
}

// AddAct implements [Store].
func (Unimplemented) AddAct(context.Context, pending.AddCommand) (pending.Act, error) {
	return pending.Act{}, unimplemented("AddAct")
}

// AddEndpoint implements [Store].
func (Unimplemented) AddEndpoint(context.Context, webhook.Endpoint, audit.Entry) (webhook.Endpoint, error) {
	return webhook.Endpoint{}, unimplemented("AddEndpoint")
}

// AddReviews implements [Store].
func (Unimplemented) AddReviews(context.Context, report.ReviewCommand) (report.Report, error) {
	return report.Report{}, unimplemented("AddReviews")
}

// AddToAllowlist implements [Store].
func (Unimplemented) AddToAllowlist(context.Context, allowlist.AddCommand) ([]allowlist.Outcome, error) {
	return nil, unimplemented("AddToAllowlist")
}

// AllowingOrganizations implements [Store].
func (Unimplemented) AllowingOrganizations(context.Context, allowlist.AllowedByRequest, time.Time) (step.Page[allowlist.AllowingOrganization], error) {
	return step.Page[allowlist.AllowingOrganization]{}, unimplemented("AllowingOrganizations")
}

// AllowlistEntries implements [Store].
func (Unimplemented) AllowlistEntries(context.Context, allowlist.ListRequest, time.Time) (allowlist.Page, error) {
	return allowlist.Page{}, unimplemented("AllowlistEntries")
}

// Assets implements [Store].
func (Unimplemented) Assets(context.Context, asset.ListRequest) (step.Page[asset.Listed], error) {
	return step.Page[asset.Listed]{}, unimplemented("Assets")
}

// AssetsByIdentity implements [Store].
func (Unimplemented) AssetsByIdentity(context.Context, []asset.Identity) ([]asset.Known, error) {
	return nil, unimplemented("AssetsByIdentity")
}

// AuditEntries implements [Store].
func (Unimplemented) AuditEntries(context.Context, trail.Filter, int64, int) (step.Page[audit.Entry], error) {
	return step.Page[audit.Entry]{}, unimplemented("AuditEntries")
}

// Changes implements [Store].
func (Unimplemented) Changes(context.Context, asset.ListChangesRequest) (step.Page[asset.Change], error) {
	return step.Page[asset.Change]{}, unimplemented("Changes")
}

// Close implements [Store].
func (Unimplemented) Close() error {
	return unimplemented("Close")
}

// CountBlocks implements [Store].
func (Unimplemented) CountBlocks(context.Context, asset.Period) ([]asset.BlockCount, error) {
	return nil, unimplemented("CountBlocks")
}

// CountDue implements [Store].
func (Unimplemented) CountDue(context.Context, time.Time) (asset.DueCount, error) {
	return asset.DueCount{}, unimplemented("CountDue")
}

// CreateDispute implements [Store].
func (Unimplemented) CreateDispute(context.Context, dispute.CreateCommand) (dispute.Dispute, error) {
	return dispute.Dispute{}, unimplemented("CreateDispute")
}

// DecideAct implements [Store].
func (Unimplemented) DecideAct(context.Context, pending.DecideCommand) (pending.Act, error) {
	return pending.Act{}, unimplemented("DecideAct")
}

// DecideEntries implements [Store].
func (Unimplemented) DecideEntries(context.Context, lists.DecideCommand) ([]asset.Asset, error) {
	return nil, unimplemented("DecideEntries")
}

// DecidedDisputes implements [Store].
func (Unimplemented) DecidedDisputes(context.Context, asset.Period) (dispute.Decided, error) {
	return dispute.Decided{}, unimplemented("DecidedDisputes")
}

// DisputeBacklog implements [Store].
func (Unimplemented) DisputeBacklog(context.Context) (dispute.Backlog, error) {
	return dispute.Backlog{}, unimplemented("DisputeBacklog")
}

// DisputeByID implements [Store].
func (Unimplemented) DisputeByID(context.Context, int64) (dispute.Dispute, error) {
	return dispute.Dispute{}, unimplemented("DisputeByID")
}

// DisputeEvents implements [Store].
func (Unimplemented) DisputeEvents(context.Context, int64, int) (step.Page[dispute.Event], error) {
	return step.Page[dispute.Event]{}, unimplemented("DisputeEvents")
}

// DisputeWithAsset implements [Store].
func (Unimplemented) DisputeWithAsset(context.Context, int64) (dispute.WithAsset, error) {
	return dispute.WithAsset{}, unimplemented("DisputeWithAsset")
}

// Disputes implements [Store].
func (Unimplemented) Disputes(context.Context, dispute.ListRequest) (step.Page[dispute.Dispute], error) {
	return step.Page[dispute.Dispute]{}, unimplemented("Disputes")
}

// DueDecisions implements [Store].
func (Unimplemented) DueDecisions(context.Context, asset.DueRequest) (step.Page[asset.Due], error) {
	return step.Page[asset.Due]{}, unimplemented("DueDecisions")
}

// DueEndpoints implements [Store].
func (Unimplemented) DueEndpoints(context.Context, webhook.DueCursor, time.Time, int) (step.Page[webhook.Endpoint], error) {
	return step.Page[webhook.Endpoint]{}, unimplemented("DueEndpoints")
}

// EndpointByID implements [Store].
func (Unimplemented) EndpointByID(context.Context, int64) (webhook.Endpoint, error) {
	return webhook.Endpoint{}, unimplemented("EndpointByID")
}

// Endpoints implements [Store].
func (Unimplemented) Endpoints(context.Context, int64, int) (step.Page[webhook.Endpoint], error) {
	return step.Page[webhook.Endpoint]{}, unimplemented("Endpoints")
}

// EraseDisputes implements [Store].
func (Unimplemented) EraseDisputes(context.Context, dispute.EraseCommand) (int, error) {
	return 0, unimplemented("EraseDisputes")
}

// ExpireDecisions implements [Store].
func (Unimplemented) ExpireDecisions(context.Context, asset.ExpireCommand) (int, error) {
	return 0, unimplemented("ExpireDecisions")
}

// ExpireEntries implements [Store].
func (Unimplemented) ExpireEntries(context.Context, allowlist.ExpireCommand) (int, error) {
	return 0, unimplemented("ExpireEntries")
}

// Feed implements [Store].
func (Unimplemented) Feed(context.Context) (asset.Feed, error) {
	return asset.Feed{}, unimplemented("Feed")
}

// FileReport implements [Store].
func (Unimplemented) FileReport(context.Context, report.FileCommand) (report.Report, error) {
	return report.Report{}, unimplemented("FileReport")
}

// Groups implements [Store].
func (Unimplemented) Groups(context.Context, int64) ([]account.Group, error) {
	return nil, unimplemented("Groups")
}

// Held implements [Store].
func (Unimplemented) Held(context.Context, asset.Identity, time.Time) (asset.Held, error) {
	return asset.Held{}, unimplemented("Held")
}

// Import implements [Store].
func (Unimplemented) Import(context.Context, Seed) error {
	return unimplemented("Import")
}

// KeyByHash implements [Store].
func (Unimplemented) KeyByHash(context.Context, [32]uint8) (account.KeyRecord, error) {
	return account.KeyRecord{}, unimplemented("KeyByHash")
}

// KeyPage implements [Store].
func (Unimplemented) KeyPage(context.Context, int64, account.KeyCursor, int) (step.Page[account.Key], error) {
	return step.Page[account.Key]{}, unimplemented("KeyPage")
}

// Keys implements [Store].
func (Unimplemented) Keys(context.Context, int64) ([]account.Key, error) {
	return nil, unimplemented("Keys")
}

// KeysByFingerprint implements [Store].
func (Unimplemented) KeysByFingerprint(context.Context, [6]uint8) ([]account.Key, error) {
	return nil, unimplemented("KeysByFingerprint")
}

// LastAct implements [Store].
func (Unimplemented) LastAct(context.Context) (int64, error) {
	return 0, unimplemented("LastAct")
}

// LastDisputeEvent implements [Store].
func (Unimplemented) LastDisputeEvent(context.Context) (int64, error) {
	return 0, unimplemented("LastDisputeEvent")
}

// ListEntries implements [Store].
func (Unimplemented) ListEntries(context.Context, int64, int64, int) (step.Page[lists.HeldEntry], error) {
	return step.Page[lists.HeldEntry]{}, unimplemented("ListEntries")
}

// Lists implements [Store].
func (Unimplemented) Lists(context.Context) ([]lists.List, error) {
	return nil, unimplemented("Lists")
}

// OrganizationBySlug implements [Store].
func (Unimplemented) OrganizationBySlug(context.Context, string) (account.Organization, error) {
	return account.Organization{}, unimplemented("OrganizationBySlug")
}

// Organizations implements [Store].
func (Unimplemented) Organizations(context.Context, int64, int) (step.Page[account.Organization], error) {
	return step.Page[account.Organization]{}, unimplemented("Organizations")
}

// OrganizationsByID implements [Store].
func (Unimplemented) OrganizationsByID(context.Context, []int64) ([]account.Organization, error) {
	return nil, unimplemented("OrganizationsByID")
}

// Ping implements [Store].
func (Unimplemented) Ping(context.Context) error {
	return unimplemented("Ping")
}

// PruneChanges implements [Store].
func (Unimplemented) PruneChanges(context.Context, asset.PruneCommand) (step.Pruned[asset.ChangeCursor], error) {
	return step.Pruned[asset.ChangeCursor]{}, unimplemented("PruneChanges")
}

// PruneDisputes implements [Store].
func (Unimplemented) PruneDisputes(context.Context, dispute.PruneCommand) (step.Pruned[int64], error) {
	return step.Pruned[int64]{}, unimplemented("PruneDisputes")
}

// PruneIdempotency implements [Store].
func (Unimplemented) PruneIdempotency(context.Context, time.Time, int) (int, error) {
	return 0, unimplemented("PruneIdempotency")
}

// PruneReports implements [Store].
func (Unimplemented) PruneReports(context.Context, report.PruneCommand) (step.Pruned[int64], error) {
	return step.Pruned[int64]{}, unimplemented("PruneReports")
}

// PublishChanges implements [Store].
func (Unimplemented) PublishChanges(context.Context, int) (bool, error) {
	return false, unimplemented("PublishChanges")
}

// PutGroup implements [Store].
func (Unimplemented) PutGroup(context.Context, account.Group, audit.Entry) (account.Group, error) {
	return account.Group{}, unimplemented("PutGroup")
}

// PutKey implements [Store].
func (Unimplemented) PutKey(context.Context, account.Key, audit.Entry) error {
	return unimplemented("PutKey")
}

// PutList implements [Store].
func (Unimplemented) PutList(context.Context, string, func(lists.List, int) (lists.List, audit.Entry, error)) (lists.List, error) {
	return lists.List{}, unimplemented("PutList")
}

// PutOrganization implements [Store].
func (Unimplemented) PutOrganization(context.Context, account.Organization, audit.Entry) error {
	return unimplemented("PutOrganization")
}

// PutUser implements [Store].
func (Unimplemented) PutUser(context.Context, account.User, audit.Entry) error {
	return unimplemented("PutUser")
}

// RecordKeyUse implements [Store].
func (Unimplemented) RecordKeyUse(context.Context, account.KeyUse) error {
	return unimplemented("RecordKeyUse")
}

// RemoveEndpoint implements [Store].
func (Unimplemented) RemoveEndpoint(context.Context, int64, audit.Entry) error {
	return unimplemented("RemoveEndpoint")
}

// RemoveFromAllowlist implements [Store].
func (Unimplemented) RemoveFromAllowlist(context.Context, allowlist.RemoveCommand) ([]allowlist.RemovedEntry, error) {
	return nil, unimplemented("RemoveFromAllowlist")
}

// RemoveGroup implements [Store].
func (Unimplemented) RemoveGroup(context.Context, int64, int64, audit.Entry) error {
	return unimplemented("RemoveGroup")
}

// RemoveList implements [Store].
func (Unimplemented) RemoveList(context.Context, int64, audit.Entry) error {
	return unimplemented("RemoveList")
}

// RemoveOrganization implements [Store].
func (Unimplemented) RemoveOrganization(context.Context, int64, audit.Entry) error {
	return unimplemented("RemoveOrganization")
}

// RemoveUser implements [Store].
func (Unimplemented) RemoveUser(context.Context, int64, audit.Entry) error {
	return unimplemented("RemoveUser")
}

// RenameGroup implements [Store].
func (Unimplemented) RenameGroup(context.Context, account.Group, audit.Entry) error {
	return unimplemented("RenameGroup")
}

// ReportBacklog implements [Store].
func (Unimplemented) ReportBacklog(context.Context, report.Scope) (report.Backlog, error) {
	return report.Backlog{}, unimplemented("ReportBacklog")
}

// ReportByID implements [Store].
func (Unimplemented) ReportByID(context.Context, report.Scope, int64) (report.Report, error) {
	return report.Report{}, unimplemented("ReportByID")
}

// Proposal implements [Store].
func (Unimplemented) Proposal(context.Context, report.Scope, int64) (report.Proposal, error) {
	return report.Proposal{}, unimplemented("Proposal")
}

// AssetsNear implements [Store].
func (Unimplemented) AssetsNear(context.Context, protect.NearRequest) ([]asset.Identity, error) {
	return nil, unimplemented("AssetsNear")
}

// Reports implements [Store].
func (Unimplemented) Reports(context.Context, report.ListRequest) (report.Page, error) {
	return report.Page{}, unimplemented("Reports")
}

// Reviews implements [Store].
func (Unimplemented) Reviews(context.Context, report.Scope, int64, int64, int) (step.Page[report.Review], error) {
	return step.Page[report.Review]{}, unimplemented("Reviews")
}

// SetAssetStatuses implements [Store].
func (Unimplemented) SetAssetStatuses(context.Context, asset.SetStatusesCommand) ([]asset.Held, error) {
	return nil, unimplemented("SetAssetStatuses")
}

// SetEntryExpiry implements [Store].
func (Unimplemented) SetEntryExpiry(context.Context, allowlist.SetExpiryRequest, time.Time) error {
	return unimplemented("SetEntryExpiry")
}

// Since implements [Store].
func (Unimplemented) Since(context.Context, asset.FeedCursor, int) (step.Page[asset.FeedEntry], error) {
	return step.Page[asset.FeedEntry]{}, unimplemented("Since")
}

// SiteAssets implements [Store].
func (Unimplemented) SiteAssets(context.Context, asset.Identity, int) ([]asset.Asset, error) {
	return nil, unimplemented("SiteAssets")
}

// UpdateDispute implements [Store].
func (Unimplemented) UpdateDispute(context.Context, dispute.UpdateCommand) (dispute.Dispute, error) {
	return dispute.Dispute{}, unimplemented("UpdateDispute")
}

// UpdateEndpoint implements [Store].
func (Unimplemented) UpdateEndpoint(context.Context, int64, func(webhook.Endpoint) (webhook.Endpoint, error), audit.Entry) (webhook.Endpoint, error) {
	return webhook.Endpoint{}, unimplemented("UpdateEndpoint")
}

// UpdateKey implements [Store].
func (Unimplemented) UpdateKey(context.Context, [32]uint8, func(account.Key) (account.KeyUpdate, error)) (account.Key, error) {
	return account.Key{}, unimplemented("UpdateKey")
}

// UpdateOrganization implements [Store].
func (Unimplemented) UpdateOrganization(context.Context, int64, func(account.Organization) (account.Organization, audit.Entry)) (account.Organization, error) {
	return account.Organization{}, unimplemented("UpdateOrganization")
}

// UpdateUser implements [Store].
func (Unimplemented) UpdateUser(context.Context, int64, func(account.User) (account.User, audit.Entry)) (account.User, error) {
	return account.User{}, unimplemented("UpdateUser")
}

// UpdateUserKeys implements [Store].
func (Unimplemented) UpdateUserKeys(context.Context, int64, func(account.Key) account.KeyUpdate) ([]account.Key, error) {
	return nil, unimplemented("UpdateUserKeys")
}

// Users implements [Store].
func (Unimplemented) Users(context.Context, int64, int) (step.Page[account.User], error) {
	return step.Page[account.User]{}, unimplemented("Users")
}

// UsersByEmail implements [Store].
func (Unimplemented) UsersByEmail(context.Context, string) ([]account.User, error) {
	return nil, unimplemented("UsersByEmail")
}

// UsersByID implements [Store].
func (Unimplemented) UsersByID(context.Context, []int64) ([]account.User, error) {
	return nil, unimplemented("UsersByID")
}

// WithdrawEntries implements [Store].
func (Unimplemented) WithdrawEntries(context.Context, lists.WithdrawCommand) error {
	return unimplemented("WithdrawEntries")
}

// WithdrawReview implements [Store].
func (Unimplemented) WithdrawReview(context.Context, report.WithdrawCommand) (report.Report, error) {
	return report.Report{}, unimplemented("WithdrawReview")
}
