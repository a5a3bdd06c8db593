package pending_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/report"
)

// The decision is of the operator who asked, and the audit trail has the one who approved.
func TestService_Approve(t *testing.T) {
	t.Parallel()
	f := newFixture(t.Context(), t)
	req := blocking("github.io")
	req.Note, req.Reason, req.Origin.Reference = "all bad", asset.ReasonPhishing, "ticket/7"
	req.ExpiresAt, req.ReviewAt = f.now.Add(48*time.Hour), f.now.Add(36*time.Hour)
	_, err := f.Assets.SetStatus(f.ctx, req)
	act := f.asked(err)
	require.Equal(t, pending.Act{
		ID: 1, Actor: ada, CreatedAt: *f.now, ExpiresAt: f.now.Add(pending.Lifetime), State: pending.StatePending,
		Plan: pending.Plan{
			Kind: pending.KindBlock, Note: "all bad", Reason: asset.ReasonPhishing, ReviewAt: req.ReviewAt,
			Origin: asset.Origin{Cause: asset.CauseManual, Reference: "ticket/7"},
			Assets: []pending.Asset{{
				Identity: page("github.io"), Status: asset.StatusUnknown, ExpiresAt: req.ExpiresAt,
				Protection: asset.Protection{Reason: asset.ProtectedSuffix, By: "github.io"},
			}},
		},
	}, act)
	require.Equal(t, asset.StatusUnknown, f.held("github.io").Status)

	*f.now = f.now.Add(time.Hour)
	got, err := f.Pending.Approve(f.ctx, pending.DecideRequest{ID: act.ID, Actor: bob, Comment: "I see it"})
	require.NoError(t, err)
	act.State, act.DecidedBy, act.DecidedAt, act.Comment = pending.StateApproved, bob, *f.now, "I see it"
	require.Equal(t, pending.Decided{Act: act}, got)
	require.Equal(t, &asset.Decision{
		Status: asset.StatusBlocked, Reason: asset.ReasonPhishing, Note: "all bad", Since: *f.now, ExpiresAt: req.ExpiresAt, ReviewAt: req.ReviewAt,
		Origin: asset.Origin{Cause: asset.CauseManual, Actor: ada, Reference: "ticket/7"},
	}, f.held("github.io").Operators)
	require.Equal(t, []string{"CREATED 1 BLOCK_PROTECTED", "APPROVED 1 "}, f.told())
	require.Equal(t, int64(bob), f.lastEntry().Actor.UserID)
}

func TestService_Approve_refused(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		before func(f fixture)
		actor  int64
		want   error
	}{
		"by the operator who asked":  {nil, ada, pending.ErrSameOperator},
		"approved before":            {func(f fixture) { require.NoError(f.t, f.approve(1, cyd)) }, bob, pending.ErrDecided},
		"rejected before":            {func(f fixture) { require.NoError(f.t, f.reject(1, cyd)) }, bob, pending.ErrDecided},
		"after a day":                {func(f fixture) { *f.now = f.now.Add(pending.Lifetime) }, bob, pending.ErrExpired},
		"an asset that has changed":  {func(f fixture) { f.allow("bank.com") }, bob, pending.ErrEffectChanged},
		"a decision that has ended":  {func(f fixture) { *f.now = f.now.Add(2 * time.Hour) }, bob, pending.ErrEffectChanged},
		"a user who is not known":    {nil, 0, asset.ErrInvalid},
		"a user who cannot be known": {nil, -1, asset.ErrInvalid},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t.Context(), t)
			req := blocking("bank.com")
			req.ExpiresAt = f.now.Add(2 * time.Hour)
			if errors.Is(c.want, pending.ErrExpired) {
				req.ExpiresAt = time.Time{}
			}
			_, err := f.Assets.SetStatus(f.ctx, req)
			f.asked(err)
			if c.before != nil {
				c.before(f)
			}
			state, held, told := f.state(1), f.held("bank.com"), f.told()
			err = f.approve(1, c.actor)
			require.ErrorIs(t, err, c.want)
			require.Equal(t, state, f.state(1))
			require.Equal(t, held, f.held("bank.com"))
			require.Equal(t, told, f.told())
		})
	}
}

// An asset that is protected for another reason concerns other people.
func TestService_Approve_protectionChanged(t *testing.T) {
	t.Parallel()
	f := newFixture(t.Context(), t)
	act := f.ask("github.io")
	plain := pending.NewService(f.store, pending.Options{Protector: noProtector{}, Clock: func() time.Time { return *f.now }})
	_, err := plain.Approve(f.ctx, pending.DecideRequest{ID: act.ID, Actor: bob})
	require.ErrorIs(t, err, pending.ErrEffectChanged)
	require.ErrorIs(t, err, asset.ErrChanged)
}

func TestService_unknownAct(t *testing.T) {
	t.Parallel()
	f := newFixture(t.Context(), t)
	for _, id := range []int64{1, asset.MaxID} {
		require.Equal(t, pending.ErrNotFound, f.approve(id, bob))
		require.Equal(t, pending.ErrNotFound, f.reject(id, bob))
	}
	for _, id := range []int64{0, -1, asset.MaxID + 1} {
		require.ErrorIs(t, f.approve(id, bob), asset.ErrInvalid)
		_, err := f.Pending.Get(f.ctx, id)
		require.Equal(t, pending.ErrNotFound, err)
	}
}

// Of many approvals and rejections at the same time, one counts.
func TestService_concurrent(t *testing.T) {
	t.Parallel()
	f := newFixture(t.Context(), t)
	act := f.ask("github.io")
	var group sync.WaitGroup
	errs := make([]error, 16)
	for i := range errs {
		group.Go(func() {
			decide := f.approve
			if i%4 == 3 {
				decide = f.reject
			}
			errs[i] = decide(act.ID, int64(bob+i))
		})
	}
	group.Wait()
	decided := 0
	for _, err := range errs {
		if err == nil {
			decided++
		} else {
			require.ErrorIs(t, err, pending.ErrDecided)
		}
	}
	require.Equal(t, 1, decided)
	require.Equal(t, f.state(act.ID) == pending.StateApproved, f.held("github.io").Status == asset.StatusBlocked)
	require.Len(t, f.told(), 2)
}

// The operator who asked can take it back.
func TestService_Reject(t *testing.T) {
	t.Parallel()
	f := newFixture(t.Context(), t)
	act := f.ask("github.io")
	require.NoError(t, f.reject(act.ID, ada))
	require.ErrorIs(t, f.reject(act.ID, bob), pending.ErrDecided)
	require.Equal(t, asset.StatusUnknown, f.held("github.io").Status)
	require.Equal(t, []string{"CREATED 1 BLOCK_PROTECTED", "REJECTED 1 "}, f.told())
	require.NotEqual(t, act.ID, f.ask("github.io").ID, "it can be asked for again")
}

func TestService_decideIdempotency(t *testing.T) {
	t.Parallel()
	f := newFixture(t.Context(), t)
	for _, decide := range []func(req pending.DecideRequest) (pending.Decided, error){
		func(req pending.DecideRequest) (pending.Decided, error) { return f.Pending.Approve(f.ctx, req) },
		func(req pending.DecideRequest) (pending.Decided, error) { return f.Pending.Reject(f.ctx, req) },
	} {
		act := f.ask([]string{"github.io", "gitlab.io"}[len(f.told())/2])
		req := pending.DecideRequest{ID: act.ID, Actor: bob, Idempotency: idempotency.Key{Text: "k"}}
		first, err := decide(req)
		require.NoError(t, err)
		again, err := decide(req)
		require.NoError(t, err)
		require.Equal(t, pending.Decided{Act: first.Act, Replayed: true}, again)
		req.Comment = "another"
		_, err = decide(req)
		require.ErrorIs(t, err, idempotency.ErrReused)
	}
}

func TestService_Approve_review(t *testing.T) {
	t.Parallel()
	f := newFixture(t.Context(), t)
	act, proposal := f.askToReview("github.io")
	require.Equal(t, &pending.Review{ProposalID: proposal.ID, Comment: "bad"}, act.Review)
	require.NoError(t, f.approve(act.ID, bob))
	require.Equal(t, asset.StatusBlocked, f.held("github.io").Status)
	reviews, err := f.Reviews.List(f.ctx, report.AnyOrganization(), proposal.ID)
	require.NoError(t, err)
	require.Len(t, reviews, 1)
	require.Equal(t, int64(ada), reviews[0].ReviewedBy)
	require.Equal(t, "bad", reviews[0].Comment)
}

func TestService_Approve_reviewChanged(t *testing.T) {
	t.Parallel()
	for reason, change := range map[string]func(f fixture, p report.Proposal) error{
		"the asset": func(f fixture, _ report.Proposal) error { f.allow("github.io"); return nil },
		"the review in effect": func(f fixture, p report.Proposal) error {
			_, err := f.Reviews.Review(f.ctx, report.ReviewRequest{Scope: report.AnyOrganization(), ProposalID: p.ID, Status: report.ReviewReject, Actor: cyd})
			return err
		},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t.Context(), t)
			act, proposal := f.askToReview("github.io")
			require.NoError(t, change(f, proposal))
			require.ErrorIs(t, f.approve(act.ID, bob), pending.ErrEffectChanged)
			require.Equal(t, pending.StatePending, f.state(act.ID))
			require.NotEqual(t, asset.StatusBlocked, f.held("github.io").Status)
		})
	}
}

func TestService_Approve_removal(t *testing.T) {
	t.Parallel()
	f := newFixture(t.Context(), t)
	f.addList("a.com\nb.com\n")
	act := f.asked(f.Lists.Remove(f.ctx, "feed", ada))
	require.Equal(t, &pending.List{ID: 1, Name: "feed", Withdrawn: 2}, act.List)
	require.Equal(t, asset.StatusBlocked, f.held("a.com").Status)
	require.ErrorIs(t, f.approve(act.ID, ada), pending.ErrSameOperator)
	require.NoError(t, f.approve(act.ID, bob))
	require.Equal(t, asset.StatusUnknown, f.held("a.com").Status)
	_, err := f.Lists.Get(f.ctx, "feed")
	require.Equal(t, lists.ErrNotFound, err)
	require.ErrorIs(t, f.approve(act.ID, bob), pending.ErrDecided)
}

// A removal that has begun needs no other act to go on.
func TestService_Approve_removalBegun(t *testing.T) {
	t.Parallel()
	f := newFixture(t.Context(), t)
	f.addList("a.com\n")
	_, err := f.store.PutList(f.ctx, "feed", func(old lists.List, _ int) (lists.List, audit.Entry, error) {
		old.Removing = true
		return old, audit.Entry{}, nil
	})
	require.NoError(t, err)
	require.NoError(t, f.Lists.Remove(f.ctx, "feed", cyd))
	require.Equal(t, asset.StatusUnknown, f.held("a.com").Status)
	require.Empty(t, f.told())
}

func TestService_Approve_removalChanged(t *testing.T) {
	t.Parallel()
	f := newFixture(t.Context(), t)
	f.addList("a.com\nb.com\n")
	act := f.asked(f.Lists.Remove(f.ctx, "feed", ada))
	require.NoError(t, f.sync("a.com\n", lists.SyncRequest{}))
	require.ErrorIs(t, f.approve(act.ID, bob), pending.ErrEffectChanged)
	require.Equal(t, asset.StatusBlocked, f.held("a.com").Status)

	again := f.asked(f.Lists.Remove(f.ctx, "feed", ada))
	require.NoError(t, f.approve(again.ID, bob))
	f.addList("a.com\n")
	require.ErrorIs(t, f.approve(act.ID, bob), pending.ErrEffectChanged, "another list has the name")
}

// A sync of an upload is approved by the same upload of another operator.
func TestService_sync(t *testing.T) {
	t.Parallel()
	f := newFixture(t.Context(), t)
	f.addList("a.com\n")
	empty := func(actor int64) error { return f.sync("# nothing\n", lists.SyncRequest{Actor: actor, Confirm: true}) }
	act := f.asked(empty(ada))
	require.Equal(t, pending.List{ID: 1, Name: "feed", Withdrawn: 1, Digest: act.List.Digest}, *act.List)
	require.Equal(t, act.ID, f.asked(empty(ada)).ID, "asked for twice")
	require.ErrorIs(t, f.approve(act.ID, bob), pending.ErrSyncAgain)
	require.ErrorIs(t, f.approve(act.ID, ada), pending.ErrSameOperator)
	require.Equal(t, asset.StatusBlocked, f.held("a.com").Status)
	require.NoError(t, empty(bob))
	require.Equal(t, asset.StatusUnknown, f.held("a.com").Status)
	require.Equal(t, pending.StateApproved, f.state(act.ID))
	changes, err := f.Assets.ListChanges(f.ctx, asset.ListChangesRequest{})
	require.NoError(t, err)
	require.Equal(t, int64(ada), changes.Changes[0].Origin.Actor, "of the operator who asked")
}

// Nothing is approved where four eyes are off.
func TestService_sync_off(t *testing.T) {
	t.Parallel()
	f := newFixture(t.Context(), t)
	f.addList("a.com\n")
	act := f.asked(f.sync("# nothing\n", lists.SyncRequest{Actor: ada, Confirm: true}))
	f.Lists = lists.NewService(f.store, lists.Options{})
	require.ErrorIs(t, f.sync("# nothing\n", lists.SyncRequest{Actor: bob, Approves: lists.Approval{ActID: act.ID}}), lists.ErrUnconfirmed)
	require.Equal(t, asset.StatusBlocked, f.held("a.com").Status)
}

func TestService_sync_other(t *testing.T) {
	t.Parallel()
	many := func(prefix string, n int) string {
		var file strings.Builder
		for i := range n {
			file.WriteString(prefix + strings.Repeat("x", i%50) + string(rune('a'+i/50)) + ".com\n")
		}
		return file.String()
	}
	f := newFixture(t.Context(), t)
	f.addList(many("old", 150))
	confirm := func(actor int64) lists.SyncRequest { return lists.SyncRequest{Actor: actor, Confirm: true} }
	act := f.asked(f.sync(many("new", 10), confirm(ada)))
	other := f.asked(f.sync(many("other", 10), confirm(bob)))
	require.NotEqual(t, act.ID, other.ID, "the same numbers of other entries")
	require.ErrorIs(t, f.sync(many("other", 10), lists.SyncRequest{Actor: bob, Approves: lists.Approval{ActID: act.ID}}), pending.ErrEffectChanged)
	require.ErrorIs(t, f.sync(many("new", 10), lists.SyncRequest{Actor: ada, Approves: lists.Approval{ActID: act.ID}}), pending.ErrSameOperator)
	require.ErrorIs(t, f.sync(many("new", 10), lists.SyncRequest{Actor: bob, Approves: lists.Approval{ActID: 99}}), pending.ErrNotFound)
	require.ErrorIs(t, f.sync(many("new", 10), confirm(0)), asset.ErrInvalid)
	require.ErrorIs(t, f.sync(many("new", 10), lists.SyncRequest{Actor: bob, Approves: lists.Approval{ActID: act.ID, Comment: "\x00"}}), asset.ErrInvalid)
	require.NoError(t, f.sync("# as before\n"+many("old", 150)+"one.com\n", lists.SyncRequest{}), "no brake")
	require.ErrorIs(t, f.sync(many("new", 10), lists.SyncRequest{Actor: bob, Approves: lists.Approval{ActID: act.ID}}), pending.ErrEffectChanged,
		"it would withdraw one more")
	again := f.asked(f.sync(many("new", 10), confirm(ada)))
	require.NoError(t, f.sync("# another comment\n"+many("new", 10), lists.SyncRequest{Actor: bob, Approves: lists.Approval{ActID: again.ID, Comment: "fine"}}))
	approved, err := f.Pending.Get(f.ctx, again.ID)
	require.NoError(t, err)
	require.Equal(t, "fine", approved.Comment)
	require.ErrorIs(t, f.sync(many("new", 10), lists.SyncRequest{Actor: cyd, Approves: lists.Approval{ActID: again.ID}}), pending.ErrEffectChanged)
}
