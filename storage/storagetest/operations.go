package storagetest

import (
	"context"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
)

// operation is a method of the store with arguments that succeed on a filled store.
type operation struct {
	name string
	// onEmpty marks an operation that succeeds only on an empty store.
	onEmpty bool
	// write or read calls the method.
	write func(ctx context.Context, store storage.Store) error
	read  func(ctx context.Context, store storage.Store) (any, error)
	// comparable, unless nil, turns the value of read into one that is the same for
	// every store.
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
			return store.PutOrganization(ctx, account.Organization{ID: 1, Slug: "new-slug"})
		}},
		{name: "PutGroup", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.PutGroup(ctx, account.Group{OrganizationID: 1, Name: "new"})
			return err
		}},
		{name: "OrganizationByID", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.OrganizationByID(ctx, 1)
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
		{name: "PutUser", write: func(ctx context.Context, store storage.Store) error {
			return store.PutUser(ctx, account.User{ID: 1, Email: "new@acme.example"})
		}},
		{name: "PutKey", write: func(ctx context.Context, store storage.Store) error {
			return store.PutKey(ctx, keyOf("key", 0, 0))
		}},
		{name: "Keys", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.Keys(ctx, 1)
		}},
		{name: "KeyByHash", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.KeyByHash(ctx, account.HashKey("key"))
		}},
		{name: "UpdateKey", write: func(ctx context.Context, store storage.Store) error {
			successor := keyOf("new", 0, 0)
			_, err := store.UpdateKey(ctx, account.HashKey("key"), func(old account.Key) (account.KeyUpdate, error) {
				old.RevokedAt = at(10)
				return account.KeyUpdate{Key: old, Successor: &successor}, nil
			})
			return err
		}},
		{name: "RecordKeyUse", write: func(ctx context.Context, store storage.Store) error {
			return store.RecordKeyUse(ctx, account.KeyUse{Hash: account.HashKey("key"), At: at(10), LastBefore: at(10)})
		}},
		{name: "AssetByIdentity", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.AssetByIdentity(ctx, site(1))
		}},
		{name: "SetAssetStatus", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.SetAssetStatus(ctx, setting(site(1), asset.StatusAllowed, at(10)))
			return err
		}},
		{name: "Changes", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.Changes(ctx, asset.ChangeFilter{}, asset.ChangeCursor{}, 10)
		}},
		{name: "Since", comparable: withoutCursors, read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.Since(ctx, asset.FeedCursor{}, 10)
		}},
		{name: "Feed", comparable: changesUpTo, read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.Feed(ctx)
		}},
		{name: "StatusesAt", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.StatusesAt(ctx, []int64{1, 2}, at(20))
		}},
		{name: "PruneChanges", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.PruneChanges(ctx, asset.PruneCommand{Before: at(0), Limit: 10})
			return err
		}},
		{name: "AddToAllowlist", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.AddToAllowlist(ctx, addCommand(1, 1, 2, 3))
			return err
		}},
		{name: "AllowlistEntries", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.AllowlistEntries(ctx, 1, 0, 10)
		}},
		{name: "AllowingOrganizations", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.AllowingOrganizations(ctx, 1, 0, 10)
		}},
		{name: "CreateDispute", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.CreateDispute(ctx, registering(3, "new@acme.example"))
			return err
		}},
		{name: "DisputeByID", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.DisputeByID(ctx, 1)
		}},
		{name: "UpdateDispute", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.UpdateDispute(ctx, 1, acceptance(1, asset.StatusAllowed, at(10)).Apply)
			return err
		}},
		{name: "Disputes", read: func(ctx context.Context, store storage.Store) (any, error) {
			return store.Disputes(ctx, dispute.ListRequest{Filter: dispute.Filter{States: dispute.States()}, Limit: 10})
		}},
		{name: "FileReport", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.FileReport(ctx, filing("new", 1, 3))
			return err
		}},
		{name: "AddReviews", write: func(ctx context.Context, store storage.Store) error {
			_, err := addReview(ctx, store, report.Review{ProposalID: 1, Status: report.ReviewApprove, ReviewedAt: at(10)})
			return err
		}},
		{name: "WithdrawReview", write: func(ctx context.Context, store storage.Store) error {
			_, err := store.WithdrawReview(ctx, withdrawal(1, at(10)))
			return err
		}},
		{name: "AddReviews of a report", write: func(ctx context.Context, store storage.Store) error {
			_, err := escalate(ctx, store, escalation(1), at(10))
			return err
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
		{name: "Ping", write: func(ctx context.Context, store storage.Store) error {
			return store.Ping(ctx)
		}},
		{name: "Import", onEmpty: true, write: func(ctx context.Context, store storage.Store) error {
			return store.Import(ctx, storage.Seed{Users: []storage.SeedUser{{ID: 1}}})
		}},
	}
}

// changesUpTo returns the number of changes up to the end of an asset.Feed. Positions
// may differ between stores.
func changesUpTo(p *probe, feed any) any {
	p.Helper()
	later := p.since(feed.(asset.Feed).End(), everything)
	return len(p.since(asset.FeedCursor{}, everything)) - len(later)
}

// withoutCursors returns the changes of feed entries. Cursors differ between stores.
func withoutCursors(_ *probe, entries any) any {
	page := entries.([]asset.FeedEntry)
	changes := make([]asset.Change, len(page))
	for i, entry := range page {
		changes[i] = entry.Change
	}
	return changes
}

// fill stores a few records of every kind.
func (p *probe) fill() {
	p.Helper()
	p.putOrganization(1, "acme")
	p.putUser(account.User{ID: 1, FullName: "Ada", Email: "ada@acme.example"})
	p.putKey(keyOf("key", 1, 1, account.Scopes()...))
	p.newGroup(1, "Sites")
	p.set(site(1), asset.StatusAllowed, at(-10))
	p.set(site(1), asset.StatusBlocked, at(0))
	p.add(addCommand(1, 2))
	p.dispute(disputing(1, "ada@acme.example"))
	f := filing("report", 2, 1, 4)
	f.ReporterID = 1
	filed := p.file(f)
	p.review(opinion(filed.Proposals[2], report.ReviewApprove, 1))
}

// prepare makes the store one on which the operation succeeds.
func (p *probe) prepare(op operation) {
	p.Helper()
	if !op.onEmpty {
		p.fill()
	}
}

// snapshot is all that fill and the operations can have written.
type snapshot struct {
	organizations []account.Organization
	key           account.KeyRecord
	keys          []account.Key
	groups        []account.Group
	assets        map[asset.Identity]asset.Asset
	changes       []asset.Change
	entries       []allowlist.Entry
	disputes      []dispute.Dispute
	reports       []report.Report
	reviews       []report.Review
}

func (p *probe) snapshot() snapshot {
	p.Helper()
	s := snapshot{
		organizations: p.organizations(0, everything),
		keys:          p.keys(1),
		groups:        p.groups(1),
		assets:        make(map[asset.Identity]asset.Asset),
		changes:       p.changes(asset.ChangeFilter{}),
		entries:       p.entries(1),
		reports:       p.reports(1, report.Filter{}),
	}
	for _, r := range s.reports {
		for _, proposal := range r.Proposals {
			s.reviews = append(s.reviews, p.reviewsOf(proposal.ID)...)
		}
	}
	for n := range 5 {
		if got, err := p.AssetByIdentity(p.Context(), site(n)); p.there(err, asset.ErrNotFound) {
			s.assets[site(n)] = got
		}
	}
	for id := int64(1); id < 5; id++ {
		if got, err := p.DisputeByID(p.Context(), id); p.there(err, dispute.ErrNotFound) {
			s.disputes = append(s.disputes, got)
		}
	}
	if record, err := p.KeyByHash(p.Context(), account.HashKey("key")); p.there(err, account.ErrUnknownKey) {
		s.key = record
	}
	return s
}

// there reports whether a look-up has found something. It fails the test when
// the error is another than the one for nothing found.
func (p *probe) there(err, notFound error) bool {
	p.Helper()
	if err != nil {
		require.ErrorIs(p, err, notFound)
	}
	return err == nil
}

// endedContextChecks hold every operation against contexts that have ended.
func endedContextChecks() []check {
	ops := operations()
	checks := make([]check, len(ops))
	for i, op := range ops {
		checks[i] = check{op.name, func(p *probe) {
			p.prepare(op)
			before := p.snapshot()

			canceled, cancel := context.WithCancel(p.Context())
			cancel()
			require.ErrorIs(p, op.call(canceled, p.Store), context.Canceled, "%s with a canceled context", op.name)
			expired, cancel := context.WithDeadline(p.Context(), at(0).AddDate(-1, 0, 0))
			defer cancel()
			require.ErrorIs(p, op.call(expired, p.Store), context.DeadlineExceeded, "%s with an expired context", op.name)

			require.Equal(p, before, p.snapshot(), "%s must write nothing when its context has ended", op.name)
			require.NoError(p, op.call(p.Context(), p.Store), "%s with a good context", op.name)
		}}
	}
	return checks
}

// closedChecks hold every operation against a closed store.
func closedChecks() []check {
	ops := operations()
	checks := make([]check, len(ops))
	for i, op := range ops {
		checks[i] = check{op.name, func(p *probe) {
			p.prepare(op)
			if op.read != nil {
				require.NoError(p, op.call(p.Context(), p.Store)) // a cache must not answer after Close
			}
			require.NoError(p, p.Close())
			require.ErrorIs(p, op.call(p.Context(), p.Store), storage.ErrClosed, "%s after Close", op.name)
			require.NoError(p, p.Close(), "closing twice is no error")
		}}
	}
	return checks
}
