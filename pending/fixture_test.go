package pending_test

import (
	"context"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// The operators.
const (
	ada = 1
	bob = 2
	cyd = 3
)

// fixture is a service with four eyes on a store in memory. Its clock stands still.
type fixture struct {
	*apguard.Guard
	t     require.TestingT
	ctx   context.Context //nolint:containedctx // that of the test
	store storage.Store
	now   *time.Time
}

func newFixture(ctx context.Context, t require.TestingT) fixture {
	now := time.Date(2025, time.January, 5, 10, 0, 0, 0, time.UTC)
	store := memory.New()
	guard := apguard.New(store, apguard.Options{
		FourEyes: true, Clock: func() time.Time { return now }, Protected: func(host string) bool { return host == "bank.com" },
	})
	return fixture{guard, t, ctx, store, &now}
}

func page(canonical string) asset.Identity {
	return asset.Identity{Type: asset.TypePage, Canonical: canonical}
}

// blocking returns Ada's request to block an asset, with the confirmation.
func blocking(canonical string) asset.SetStatusRequest {
	return asset.SetStatusRequest{
		Identity: page(canonical), Status: asset.StatusBlocked, Origin: asset.Origin{Actor: ada}, ConfirmProtected: true,
	}
}

// asked returns the act that a request became.
func (f fixture) asked(err error) pending.Act {
	var held *pending.Error
	require.ErrorAs(f.t, err, &held)
	require.ErrorIs(f.t, err, asset.ErrPending)
	return held.Act
}

// ask returns the act of Ada's request to block an asset.
func (f fixture) ask(canonical string) pending.Act {
	_, err := f.Assets.SetStatus(f.ctx, blocking(canonical))
	return f.asked(err)
}

// askToReview returns the act of Ada's approval of a new proposal to block an asset.
func (f fixture) askToReview(canonical string) (pending.Act, report.Proposal) {
	filed, err := f.Reports.File(f.ctx, report.FileRequest{
		OrganizationID: 7, Proposals: []report.ProposalRequest{{Content: canonical, ProposedStatus: asset.StatusBlocked}},
	})
	require.NoError(f.t, err)
	return f.asked(f.review(filed.Proposals[0].ID)), filed.Proposals[0]
}

// review is Ada's approval of a proposal, with the confirmation.
func (f fixture) review(proposalID int64) error {
	_, err := f.Reviews.Review(f.ctx, report.ReviewRequest{
		Scope: report.AnyOrganization(), ProposalID: proposalID, Status: report.ReviewApprove, Actor: ada, Comment: "bad", ConfirmProtected: true,
	})
	return err
}

// sync syncs the list "feed", which exists, with a file.
func (f fixture) sync(file string, req lists.SyncRequest) error {
	req.Name, req.File = "feed", strings.NewReader(file)
	_, err := f.Lists.Sync(f.ctx, req)
	return err
}

// addList adds the list "feed" with entries.
func (f fixture) addList(file string) {
	_, err := f.Lists.Add(f.ctx, lists.List{Name: "feed", Format: lists.Domains})
	require.NoError(f.t, err)
	require.NoError(f.t, f.sync(file, lists.SyncRequest{Actor: ada}))
}

func (f fixture) approve(id, actor int64) error {
	_, err := f.Pending.Approve(f.ctx, pending.DecideRequest{ID: id, Actor: actor})
	return err
}

func (f fixture) reject(id, actor int64) error {
	_, err := f.Pending.Reject(f.ctx, pending.DecideRequest{ID: id, Actor: actor})
	return err
}

// state returns the state of an act.
func (f fixture) state(id int64) pending.State {
	act, err := f.Pending.Get(f.ctx, id)
	require.NoError(f.t, err)
	return act.State
}

// held returns what is held on an asset.
func (f fixture) held(canonical string) asset.Held {
	held, err := f.store.Held(f.ctx, page(canonical), *f.now)
	if err != nil {
		require.ErrorIs(f.t, err, asset.ErrNotFound)
		return asset.NewHeld(page(canonical))
	}
	return held
}

// allow makes an asset ALLOWED by an operator.
func (f fixture) allow(canonical string) {
	_, err := f.Assets.SetStatus(f.ctx, asset.SetStatusRequest{Identity: page(canonical), Status: asset.StatusAllowed})
	require.NoError(f.t, err)
}

// told returns the acts in the audit trail, oldest first, as words.
func (f fixture) told() []string {
	var words []string
	for entry, err := range f.Audit.All(f.ctx, trail.Filter{Kind: audit.KindPending}) {
		require.NoError(f.t, err)
		words = append([]string{string(entry.Action) + " " + entry.Subject + " " + entry.Detail}, words...)
	}
	return words
}

// lastEntry returns the newest entry of the audit trail.
func (f fixture) lastEntry() audit.Entry {
	page, err := f.store.AuditEntries(f.ctx, trail.Filter{}, 0, 1)
	require.NoError(f.t, err)
	return page.Items[0]
}

// noProtector protects nothing.
type noProtector struct{}

func (noProtector) Protections(context.Context, []asset.Identity, time.Time) (asset.Protections, error) {
	return asset.Protections{}, nil
}
