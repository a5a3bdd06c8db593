package storagetest_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/storagetest"
	"github.com/apguard/apguard/webhook"
)

// caching is a store that caches the first result of one method.
type caching struct {
	storage.Store
	method string
	answer any
}

// cached returns the first result of the method if the store caches it.
func cached[T any](c *caching, method string, read func() (T, error)) (T, error) {
	if c.method != method {
		return read()
	}
	if answer, ok := c.answer.(T); ok {
		return answer, nil
	}
	answer, err := read()
	if err == nil {
		c.answer = answer
	}
	return answer, err
}

func (c *caching) OrganizationsByID(ctx context.Context, ids []int64) ([]account.Organization, error) {
	return cached(c, "OrganizationsByID", func() ([]account.Organization, error) { return c.Store.OrganizationsByID(ctx, ids) })
}

func (c *caching) OrganizationBySlug(ctx context.Context, slug string) (account.Organization, error) {
	return cached(c, "OrganizationBySlug", func() (account.Organization, error) { return c.Store.OrganizationBySlug(ctx, slug) })
}

func (c *caching) Organizations(ctx context.Context, after int64, limit int) (step.Page[account.Organization], error) {
	return cached(c, "Organizations", func() (step.Page[account.Organization], error) { return c.Store.Organizations(ctx, after, limit) })
}

func (c *caching) UsersByID(ctx context.Context, ids []int64) ([]account.User, error) {
	return cached(c, "UsersByID", func() ([]account.User, error) { return c.Store.UsersByID(ctx, ids) })
}

func (c *caching) UsersByEmail(ctx context.Context, email string) ([]account.User, error) {
	return cached(c, "UsersByEmail", func() ([]account.User, error) { return c.Store.UsersByEmail(ctx, email) })
}

func (c *caching) Groups(ctx context.Context, organizationID int64) ([]account.Group, error) {
	return cached(c, "Groups", func() ([]account.Group, error) { return c.Store.Groups(ctx, organizationID) })
}

func (c *caching) Keys(ctx context.Context, organizationID int64) ([]account.Key, error) {
	return cached(c, "Keys", func() ([]account.Key, error) { return c.Store.Keys(ctx, organizationID) })
}

func (c *caching) KeyByHash(ctx context.Context, hash [32]byte) (account.KeyRecord, error) {
	return cached(c, "KeyByHash", func() (account.KeyRecord, error) { return c.Store.KeyByHash(ctx, hash) })
}

func (c *caching) AssetsNear(ctx context.Context, req protect.NearRequest) ([]asset.Identity, error) {
	return cached(c, "AssetsNear", func() ([]asset.Identity, error) { return c.Store.AssetsNear(ctx, req) })
}

func (c *caching) SiteAssets(ctx context.Context, identity asset.Identity, limit int) ([]asset.Asset, error) {
	return cached(c, "SiteAssets", func() ([]asset.Asset, error) { return c.Store.SiteAssets(ctx, identity, limit) })
}

func (c *caching) Held(ctx context.Context, identity asset.Identity, at time.Time) (asset.Held, error) {
	return cached(c, "Held", func() (asset.Held, error) { return c.Store.Held(ctx, identity, at) })
}

func (c *caching) DueDecisions(ctx context.Context, req asset.DueRequest) (step.Page[asset.Due], error) {
	return cached(c, "DueDecisions", func() (step.Page[asset.Due], error) { return c.Store.DueDecisions(ctx, req) })
}

func (c *caching) AssetsByIdentity(ctx context.Context, identities []asset.Identity) ([]asset.Known, error) {
	return cached(c, "AssetsByIdentity", func() ([]asset.Known, error) { return c.Store.AssetsByIdentity(ctx, identities) })
}

func (c *caching) Assets(ctx context.Context, req asset.ListRequest) (step.Page[asset.Listed], error) {
	return cached(c, "Assets", func() (step.Page[asset.Listed], error) { return c.Store.Assets(ctx, req) })
}

func (c *caching) CountDue(ctx context.Context, at time.Time) (asset.DueCount, error) {
	return cached(c, "CountDue", func() (asset.DueCount, error) { return c.Store.CountDue(ctx, at) })
}

func (c *caching) CountBlocks(ctx context.Context, period asset.Period) ([]asset.BlockCount, error) {
	return cached(c, "CountBlocks", func() ([]asset.BlockCount, error) { return c.Store.CountBlocks(ctx, period) })
}

func (c *caching) DecidedDisputes(ctx context.Context, period asset.Period) (dispute.Decided, error) {
	return cached(c, "DecidedDisputes", func() (dispute.Decided, error) { return c.Store.DecidedDisputes(ctx, period) })
}

func (c *caching) Changes(ctx context.Context, req asset.ListChangesRequest) (step.Page[asset.Change], error) {
	return cached(c, "Changes", func() (step.Page[asset.Change], error) { return c.Store.Changes(ctx, req) })
}

func (c *caching) Since(ctx context.Context, after asset.FeedCursor, limit int) (step.Page[asset.FeedEntry], error) {
	return cached(c, "Since", func() (step.Page[asset.FeedEntry], error) { return c.Store.Since(ctx, after, limit) })
}

func (c *caching) Feed(ctx context.Context) (asset.Feed, error) {
	return cached(c, "Feed", func() (asset.Feed, error) { return c.Store.Feed(ctx) })
}

func (c *caching) AllowlistEntries(ctx context.Context, req allowlist.ListRequest, at time.Time) (allowlist.Page, error) {
	return cached(c, "AllowlistEntries", func() (allowlist.Page, error) { return c.Store.AllowlistEntries(ctx, req, at) })
}

func (c *caching) AllowingOrganizations(ctx context.Context, req allowlist.AllowedByRequest, at time.Time) (step.Page[allowlist.AllowingOrganization], error) {
	return cached(c, "AllowingOrganizations", func() (step.Page[allowlist.AllowingOrganization], error) {
		return c.Store.AllowingOrganizations(ctx, req, at)
	})
}

func (c *caching) AddToAllowlist(ctx context.Context, cmd allowlist.AddCommand) ([]allowlist.Outcome, error) {
	if !cmd.DryRun {
		return c.Store.AddToAllowlist(ctx, cmd)
	}
	return cached(c, "AddToAllowlist (dry run)", func() ([]allowlist.Outcome, error) { return c.Store.AddToAllowlist(ctx, cmd) })
}

func (c *caching) DisputeByID(ctx context.Context, id int64) (dispute.Dispute, error) {
	return cached(c, "DisputeByID", func() (dispute.Dispute, error) { return c.Store.DisputeByID(ctx, id) })
}

func (c *caching) DisputeWithAsset(ctx context.Context, id int64) (dispute.WithAsset, error) {
	return cached(c, "DisputeWithAsset", func() (dispute.WithAsset, error) { return c.Store.DisputeWithAsset(ctx, id) })
}

func (c *caching) Disputes(ctx context.Context, req dispute.ListRequest) (step.Page[dispute.Dispute], error) {
	return cached(c, "Disputes", func() (step.Page[dispute.Dispute], error) { return c.Store.Disputes(ctx, req) })
}

func (c *caching) DisputeBacklog(ctx context.Context) (dispute.Backlog, error) {
	return cached(c, "DisputeBacklog", func() (dispute.Backlog, error) { return c.Store.DisputeBacklog(ctx) })
}

func (c *caching) DisputeEvents(ctx context.Context, after int64, limit int) (step.Page[dispute.Event], error) {
	return cached(c, "DisputeEvents", func() (step.Page[dispute.Event], error) { return c.Store.DisputeEvents(ctx, after, limit) })
}

func (c *caching) LastDisputeEvent(ctx context.Context) (int64, error) {
	return cached(c, "LastDisputeEvent", func() (int64, error) { return c.Store.LastDisputeEvent(ctx) })
}

func (c *caching) ReportByID(ctx context.Context, scope report.Scope, id int64) (report.Report, error) {
	return cached(c, "ReportByID", func() (report.Report, error) { return c.Store.ReportByID(ctx, scope, id) })
}

func (c *caching) Proposal(ctx context.Context, scope report.Scope, id int64) (report.Proposal, error) {
	return cached(c, "Proposal", func() (report.Proposal, error) { return c.Store.Proposal(ctx, scope, id) })
}

func (c *caching) Reviews(ctx context.Context, scope report.Scope, proposalID, after int64, limit int) (step.Page[report.Review], error) {
	return cached(c, "Reviews", func() (step.Page[report.Review], error) {
		return c.Store.Reviews(ctx, scope, proposalID, after, limit)
	})
}

func (c *caching) Reports(ctx context.Context, req report.ListRequest) (report.Page, error) {
	return cached(c, "Reports", func() (report.Page, error) { return c.Store.Reports(ctx, req) })
}

func (c *caching) Lists(ctx context.Context) ([]lists.List, error) {
	return cached(c, "Lists", func() ([]lists.List, error) { return c.Store.Lists(ctx) })
}

func (c *caching) ListEntries(ctx context.Context, listID, after int64, limit int) (step.Page[lists.HeldEntry], error) {
	return cached(c, "ListEntries", func() (step.Page[lists.HeldEntry], error) { return c.Store.ListEntries(ctx, listID, after, limit) })
}

func (c *caching) ActByID(ctx context.Context, id int64) (pending.Act, error) {
	return cached(c, "ActByID", func() (pending.Act, error) { return c.Store.ActByID(ctx, id) })
}

func (c *caching) LastAct(ctx context.Context) (int64, error) {
	return cached(c, "LastAct", func() (int64, error) { return c.Store.LastAct(ctx) })
}

func (c *caching) Acts(ctx context.Context, req pending.ListRequest, now time.Time) (step.Page[pending.Act], error) {
	return cached(c, "Acts", func() (step.Page[pending.Act], error) { return c.Store.Acts(ctx, req, now) })
}

func (c *caching) EndpointByID(ctx context.Context, id int64) (webhook.Endpoint, error) {
	return cached(c, "EndpointByID", func() (webhook.Endpoint, error) { return c.Store.EndpointByID(ctx, id) })
}

func (c *caching) Endpoints(ctx context.Context, after int64, limit int) (step.Page[webhook.Endpoint], error) {
	return cached(c, "Endpoints", func() (step.Page[webhook.Endpoint], error) { return c.Store.Endpoints(ctx, after, limit) })
}

func (c *caching) ReportBacklog(ctx context.Context, scope report.Scope) (report.Backlog, error) {
	return cached(c, "ReportBacklog", func() (report.Backlog, error) { return c.Store.ReportBacklog(ctx, scope) })
}

func (c *caching) DueEndpoints(ctx context.Context, after webhook.DueCursor, until time.Time, limit int) (step.Page[webhook.Endpoint], error) {
	return cached(c, "DueEndpoints", func() (step.Page[webhook.Endpoint], error) {
		return c.Store.DueEndpoints(ctx, after, until, limit)
	})
}

func (c *caching) Users(ctx context.Context, after int64, limit int) (step.Page[account.User], error) {
	return cached(c, "Users", func() (step.Page[account.User], error) { return c.Store.Users(ctx, after, limit) })
}

func (c *caching) KeyPage(ctx context.Context, organizationID int64, after account.KeyCursor, limit int) (step.Page[account.Key], error) {
	return cached(c, "KeyPage", func() (step.Page[account.Key], error) { return c.Store.KeyPage(ctx, organizationID, after, limit) })
}

func (c *caching) KeysByFingerprint(ctx context.Context, prefix [6]byte) ([]account.Key, error) {
	return cached(c, "KeysByFingerprint", func() ([]account.Key, error) { return c.Store.KeysByFingerprint(ctx, prefix) })
}

func (c *caching) AuditEntries(ctx context.Context, filter trail.Filter, before int64, limit int) (step.Page[audit.Entry], error) {
	return cached(c, "AuditEntries", func() (step.Page[audit.Entry], error) { return c.Store.AuditEntries(ctx, filter, before, limit) })
}

func TestRun_FindsStaleCaches(t *testing.T) {
	t.Parallel()
	for _, method := range storagetest.ReadMethods() {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			stale := func() storage.Store { return &caching{Store: memory.New(), method: method} }
			require.NotEmpty(t, storagetest.Failures(t.Context(), "Freshness/"+method, stale), "after writes")
			require.NotEmpty(t, storagetest.Failures(t.Context(), "Closed/"+method, stale), "after Close")

			fresh := func() storage.Store { return &caching{Store: memory.New()} }
			require.Empty(t, storagetest.Failures(t.Context(), "Freshness/"+method, fresh), "without a cache")
			require.Empty(t, storagetest.Failures(t.Context(), "Closed/"+method, fresh), "without a cache")
		})
	}
}
