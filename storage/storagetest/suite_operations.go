package storagetest

import (
	"context"
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
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/webhook"
)

// operation is a method of the store with arguments for which it succeeds after fill.
type operation struct {
	name string
	// onEmpty marks an operation that succeeds only on an empty store.
	onEmpty bool
	// write or read calls the method.
	write func(ctx context.Context, store storage.Store) error
	read  func(ctx context.Context, store storage.Store) (any, error)
	// comparable, unless nil, converts the value of read into one that is equal for every
	// store.
	comparable func(p *probe, value any) any
}

// call calls the method.
func (op operation) call(ctx context.Context, store storage.Store) error {
	if op.read == nil {
		return op.write(ctx, store)
	}
	_, err := op.read(ctx, store)
	return err
}

// operations returns all methods of the store except Close.
func operations() []operation {
	return []operation{
		{name: "PutOrganization", write: func(ctx context.Context, store storage.Store) error {
			return store.PutOrganization(ctx, account.Organization{ID: 1, Slug: "new-slug"}, act())
		}},
		{name: "UpdateOrganization", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.UpdateOrganization(ctx, 1, renamedOrganization)
			return err
		}},
		{name: "UpdateUser", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.UpdateUser(ctx, 1, renamedUser)
			return err
		}},
		{name: "UpdateUserKeys", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.UpdateUserKeys(ctx, 1, renamedKey)
			return err
		}},
		{name: "RenameGroup", write: func(ctx context.Context, store storage.Store) error {
			return store.RenameGroup(ctx, account.Group{ID: 1, OrganizationID: 1, Name: "new"}, act())
		}},
		{name: "PutGroup", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.PutGroup(ctx, account.Group{OrganizationID: 1, Name: "new"}, act())
			return err
		}},
		{name: "OrganizationsByID", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.OrganizationsByID(ctx, []int64{1})
		}},
		{name: "OrganizationBySlug", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.OrganizationBySlug(ctx, "acme")
		}},
		{name: "Organizations", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.Organizations(ctx, 0, 10)
		}},
		{name: "Groups", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.Groups(ctx, 1)
		}},
		{name: "Users", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.Users(ctx, 0, 10)
		}},
		{name: "KeyPage", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.KeyPage(ctx, 0, account.KeyCursor{}, 10)
		}},
		{name: "KeysByFingerprint", read: func(ctx context.Context, store storage.Store) (any, error) {
			hash := account.HashKey("key")
			return store.KeysByFingerprint(ctx, [6]byte(hash[:]))
		}},
		{name: "PutUser", write: func(ctx context.Context, store storage.Store) error {
			return store.PutUser(ctx, account.User{ID: 1, Email: "new@acme.example"}, act())
		}},
		{name: "UsersByID", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.UsersByID(ctx, []int64{1})
		}},
		{name: "UsersByEmail", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.UsersByEmail(ctx, "ada@acme.example")
		}},
		{name: "PutKey", write: func(ctx context.Context, store storage.Store) error {
			return store.PutKey(ctx, newKey("key", 0, 0), act())
		}},
		{name: "Keys", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.Keys(ctx, 1)
		}},
		{name: "KeyByHash", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.KeyByHash(ctx, account.HashKey("key"))
		}},
		{name: "UpdateKey", write: func(ctx context.Context, store storage.Store) error {
			successor := newKey("new", 0, 0)
			_, err := store.UpdateKey(ctx, account.HashKey("key"), func(old account.Key) (account.KeyUpdate, error) {
				old.RevokedAt = at(10)
				return account.KeyUpdate{Key: old, Successor: &successor}, nil
			})
			return err
		}},
		{name: "RecordKeyUse", write: func(ctx context.Context, store storage.Store) error {
			return store.RecordKeyUse(ctx, account.KeyUse{Hash: account.HashKey("key"), At: at(10), LastBefore: at(10)})
		}},
		{name: "SetAssetStatuses", write: func(ctx context.Context, store storage.Store) error {
			cmd := statusesCommand(at(10), asset.StatusBlocked, 5, 2, 3)
			cmd.ReviewAt, cmd.Origin.Cause = at(20), asset.CauseManual
			_, err := store.SetAssetStatuses(ctx, cmd)
			return err
		}},
		{name: "AssetsNear", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.AssetsNear(ctx, protect.NearRequest{Identities: []asset.Identity{site(1)}, At: at(10), Limit: noLimit})
		}},
		{name: "SiteAssets", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.SiteAssets(ctx, site(1), noLimit)
		}},
		{name: "AssetsByIdentity", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.AssetsByIdentity(ctx, []asset.Identity{site(1)})
		}},
		{name: "Assets", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.Assets(ctx, asset.ListRequest{Limit: 10})
		}},
		{name: "Held", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.Held(ctx, site(1), at(10))
		}},
		{name: "ExpireDecisions", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.ExpireDecisions(ctx, asset.ExpireCommand{At: at(30), Limit: 10})
			return err
		}},
		{name: "DueDecisions", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.DueDecisions(ctx, asset.DueRequest{Before: at(30), Limit: 10})
		}},
		{name: "CountDue", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.CountDue(ctx, at(30))
		}},
		{name: "CountBlocks", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.CountBlocks(ctx, asset.Period{})
		}},
		{name: "Changes", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.Changes(ctx, asset.ListChangesRequest{Limit: 10})
		}},
		{name: "Since", comparable: withoutCursors, read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.Since(ctx, asset.FeedCursor{}, 10)
		}},
		{name: "Feed", comparable: changesUpTo, read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.Feed(ctx)
		}},
		{name: "PublishChanges", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.PublishChanges(ctx, noLimit)
			return err
		}},
		{name: "PruneChanges", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.PruneChanges(ctx, asset.PruneCommand{Before: at(0), Limit: 10, Audit: act()})
			return err
		}},
		{name: "AddToAllowlist", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.AddToAllowlist(ctx, addCommand(1, 1, 2, 3))
			return err
		}},
		{name: "RemoveFromAllowlist", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.RemoveFromAllowlist(ctx, removeCommand(1, 3))
			return err
		}},
		{name: "SetEntryExpiry", write: func(ctx context.Context, store storage.Store) error {
			return store.SetEntryExpiry(ctx, allowlist.SetExpiryRequest{OrganizationID: 1, AssetID: 2, ExpiresAt: at(20)}, at(0))
		}},
		{name: "ExpireEntries", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.ExpireEntries(ctx, allowlist.ExpireCommand{At: at(30), Limit: 10})
			return err
		}},
		{name: "AddToAllowlist (dry run)", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.AddToAllowlist(ctx, dryRun(1, 2, 3))
		}},
		{name: "AllowlistEntries", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.AllowlistEntries(ctx, allowlist.ListRequest{OrganizationID: 1, Limit: 10}, time.Time{})
		}},
		{name: "AllowingOrganizations", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.AllowingOrganizations(ctx, allowlist.AllowedByRequest{AssetID: 1, Limit: 10}, time.Time{})
		}},
		{name: "CreateDispute", write: func(ctx context.Context, store storage.Store) error {
			cmd := registeringCommand(3, "new@acme.example")
			cmd.At = at(9)
			_, err := store.CreateDispute(ctx, cmd)
			return err
		}},
		{name: "DisputeByID", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.DisputeByID(ctx, 1)
		}},
		{name: "DisputeWithAsset", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.DisputeWithAsset(ctx, 1)
		}},
		{name: "UpdateDispute", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.UpdateDispute(ctx, dispute.UpdateCommand{DisputeID: 1, Apply: acceptance(1, asset.StatusAllowed, at(10)).Apply})
			return err
		}},
		{name: "Disputes", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.Disputes(ctx, dispute.ListRequest{Filter: dispute.Filter{States: dispute.States()}, Limit: 10})
		}},
		{name: "DisputeBacklog", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.DisputeBacklog(ctx)
		}},
		{name: "DecidedDisputes", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.DecidedDisputes(ctx, asset.Period{})
		}},
		{name: "DisputeEvents", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.DisputeEvents(ctx, 0, 10)
		}},
		{name: "LastDisputeEvent", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.LastDisputeEvent(ctx)
		}},
		{name: "FileReport", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.FileReport(ctx, fileCommand("new", 1, 3))
			return err
		}},
		{name: "AddReviews", write: func(ctx context.Context, store storage.Store) error {
			_, err := addReview(ctx, store, report.Review{ProposalID: 1, Status: report.ReviewApprove, ReviewedAt: at(10)})
			return err
		}},
		{name: "WithdrawReview", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.WithdrawReview(ctx, withdrawCommand(1, at(10)))
			return err
		}},
		{name: "AddReviews of a report", write: func(ctx context.Context, store storage.Store) error {
			_, err := escalate(ctx, store, escalateRequest(1), at(10))
			return err
		}},
		{name: "Proposal", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.Proposal(ctx, report.InOrganization(1), 1)
		}},
		{name: "ReportByID", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.ReportByID(ctx, report.InOrganization(1), 1)
		}},
		{name: "Reviews", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.Reviews(ctx, report.InOrganization(1), 1, 0, 10)
		}},
		{name: "Reports", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.Reports(ctx, report.ListRequest{Scope: report.InOrganization(1), Limit: 10})
		}},
		{name: "PruneDisputes", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.PruneDisputes(ctx, dispute.PruneCommand{Before: at(-100), Limit: 10, Audit: act()})
			return err
		}},
		{name: "ReportBacklog", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.ReportBacklog(ctx, report.AnyOrganization())
		}},
		{name: "PruneReports", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.PruneReports(ctx, report.PruneCommand{Scope: report.AnyOrganization(), Before: at(-100), Limit: 10, Audit: act()})
			return err
		}},
		{name: "EraseDisputes", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.EraseDisputes(ctx, dispute.EraseCommand{EmailKey: "ada@acme.example", Limit: 10, Audit: act()})
			return err
		}},
		{name: "RemoveGroup", write: func(ctx context.Context, store storage.Store) error {
			return store.RemoveGroup(ctx, 1, 1, act())
		}},
		{name: "RemoveUser", write: func(ctx context.Context, store storage.Store) error {
			return store.RemoveUser(ctx, 1, act())
		}},
		{name: "RemoveOrganization", write: func(ctx context.Context, store storage.Store) error {
			return store.RemoveOrganization(ctx, 1, act())
		}},
		{name: "Lists", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.Lists(ctx)
		}},
		{name: "PutList", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.PutList(ctx, "new", func(lists.List, int) (lists.List, audit.Entry, error) { return newList("new"), act(), nil })
			return err
		}},
		{name: "RemoveList", write: func(ctx context.Context, store storage.Store) error {
			return store.RemoveList(ctx, 2, act())
		}},
		{name: "ListEntries", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.ListEntries(ctx, 1, 0, 10)
		}},
		{name: "DecideEntries", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.DecideEntries(ctx, decideCommand(lists.List{ID: 1, Begun: 1}, at(10), asset.StatusAllowed, 8, 7, 2))
			return err
		}},
		{name: "WithdrawEntries", write: func(ctx context.Context, store storage.Store) error {
			return store.WithdrawEntries(ctx, endCommand(lists.List{ID: 1, Begun: 1}, at(10), 4, 2))
		}},
		{name: "AddAct", write: func(ctx context.Context, store storage.Store) error {
			cmd := actCommand(3)
			cmd.Audit = act()
			_, err := store.AddAct(ctx, cmd)
			return err
		}},
		{name: "ActByID", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.ActByID(ctx, 1)
		}},
		{name: "Acts", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.Acts(ctx, pending.ListRequest{Limit: 10}, at(0))
		}},
		{name: "LastAct", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.LastAct(ctx)
		}},
		{name: "DecideAct", write: func(ctx context.Context, store storage.Store) error {
			cmd := approval(1, at(10), 9)
			cmd.Audit = act()
			_, err := store.DecideAct(ctx, cmd)
			return err
		}},
		{name: "AddEndpoint", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.AddEndpoint(ctx, dueEndpoint(at(5)), act())
			return err
		}},
		{name: "EndpointByID", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.EndpointByID(ctx, 1)
		}},
		{name: "Endpoints", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.Endpoints(ctx, 0, 10)
		}},
		{name: "DueEndpoints", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.DueEndpoints(ctx, webhook.DueCursor{}, at(10), 10)
		}},
		{name: "UpdateEndpoint", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.UpdateEndpoint(ctx, 1, func(old webhook.Endpoint) (webhook.Endpoint, error) {
				old.Failures++
				return old, nil
			}, act())
			return err
		}},
		{name: "RemoveEndpoint", write: func(ctx context.Context, store storage.Store) error {
			return store.RemoveEndpoint(ctx, 2, act())
		}},
		{name: "AuditEntries", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.AuditEntries(ctx, trail.Filter{}, 0, noLimit)
		}},
		{name: "PruneIdempotency", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.PruneIdempotency(ctx, at(-100), 10)
			return err
		}},
		{name: "Ping", write: func(ctx context.Context, store storage.Store) error {
			return store.Ping(ctx)
		}},
		{name: "Import", onEmpty: true, write: func(ctx context.Context, store storage.Store) error {
			return store.Import(ctx, storage.Seed{Users: []account.User{{ID: 1}}})
		}},
	}
}

// changesUpTo returns the number of changes up to the end of an asset.Feed. Positions
// may differ between stores.
func changesUpTo(p *probe, feed any) any {
	p.Helper()
	later := p.since(feed.(asset.Feed).End(), noLimit)
	return len(p.since(asset.FeedCursor{}, noLimit)) - len(later)
}

// withoutCursors returns the changes of a page of the feed. Cursors differ between stores.
func withoutCursors(_ *probe, page any) any {
	return changesOf(page.(step.Page[asset.FeedEntry]).Items)
}

// eachOperation returns a check for each operation, on a store where it succeeds.
func eachOperation(run func(p *probe, op operation)) []requirement {
	ops := operations()
	checks := make([]requirement, len(ops))
	for i, op := range ops {
		checks[i] = requirement{op.name, func(p *probe) {
			if !op.onEmpty {
				p.fill()
			}
			run(p, op)
		}}
	}
	return checks
}
