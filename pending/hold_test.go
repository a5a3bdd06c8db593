package pending_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/report"
)

// An act that is asked for twice is the same, whoever asks, as long as it would do the same.
func TestService_askedTwice(t *testing.T) {
	t.Parallel()
	f := newFixture(t.Context(), t)
	first := f.ask("github.io")
	*f.now = f.now.Add(time.Minute)
	require.Equal(t, first, f.ask("github.io"))
	byBob := blocking("github.io")
	byBob.Origin.Actor = bob
	_, err := f.Assets.SetStatus(f.ctx, byBob)
	require.Equal(t, first, f.asked(err))
	byBob.Note = "another"
	_, err = f.Assets.SetStatus(f.ctx, byBob)
	require.NotEqual(t, first.ID, f.asked(err).ID)
	f.allow("github.io")
	require.NotEqual(t, first.ID, f.ask("github.io").ID, "another status before")
	require.Len(t, f.told(), 3)
}

// Nothing can wait for another operator if nobody is known to have asked.
func TestService_noActor(t *testing.T) {
	t.Parallel()
	f := newFixture(t.Context(), t)
	f.addList("a.com\n")
	act, proposal := f.askToReview("gitlab.io")
	require.NoError(t, f.reject(act.ID, bob))
	for reason, ask := range map[string]func() error{
		"a status": func() error {
			req := blocking("github.io")
			req.Origin.Actor = 0
			_, err := f.Assets.SetStatus(f.ctx, req)
			return err
		},
		"statuses": func() error {
			_, err := f.Assets.SetStatuses(f.ctx, asset.SetStatusesRequest{
				Items: []asset.StatusItem{{Identity: page("github.io"), Status: asset.StatusBlocked}}, ConfirmProtected: true,
			})
			return err
		},
		"a review": func() error {
			_, err := f.Reviews.Review(f.ctx, report.ReviewRequest{
				Scope: report.AnyOrganization(), ProposalID: proposal.ID, Status: report.ReviewApprove, ConfirmProtected: true,
			})
			return err
		},
		"a removal": func() error { return f.Lists.Remove(f.ctx, "feed", 0) },
		"a sync":    func() error { return f.sync("# nothing\n", lists.SyncRequest{Confirm: true}) },
	} {
		var invalid *asset.InputError
		require.ErrorAs(t, ask(), &invalid, reason)
		require.Equal(t, "actor", invalid.Issues[0].Field, reason)
	}
	require.Len(t, f.told(), 2)
}

// A request can be sent again with its key, also once the act was executed.
func TestService_askIdempotency(t *testing.T) {
	t.Parallel()
	f := newFixture(t.Context(), t)
	key := idempotency.Key{Text: "k"}
	req := blocking("github.io")
	req.Idempotency = key
	_, proposal := f.askToReview("gitlab.io")
	review := report.ReviewRequest{
		Scope: report.AnyOrganization(), ProposalID: proposal.ID, Status: report.ReviewApprove, Actor: ada, ConfirmProtected: true, Idempotency: key,
	}
	for reason, c := range map[string]struct{ ask, another func() error }{
		"a status": {
			func() error { _, err := f.Assets.SetStatus(f.ctx, req); return err },
			func() error { other := req; other.Note = "x"; _, err := f.Assets.SetStatus(f.ctx, other); return err },
		},
		"a review": {
			func() error { _, err := f.Reviews.Review(f.ctx, review); return err },
			func() error {
				other := review
				other.Comment = "x"
				_, err := f.Reviews.Review(f.ctx, other)
				return err
			},
		},
	} {
		act := f.asked(c.ask())
		require.Equal(t, &pending.Error{Act: act, Replayed: true}, c.ask(), reason)
		require.ErrorIs(t, c.another(), idempotency.ErrReused, reason)
		require.NoError(t, f.approve(act.ID, bob), reason)
		require.Equal(t, pending.StateApproved, f.asked(c.ask()).State, reason)
	}
	before := f.held("github.io")
	plain := asset.NewService(f.store, asset.Options{Clock: func() time.Time { return *f.now }})
	_, err := plain.SetStatus(f.ctx, req)
	require.ErrorIs(t, err, idempotency.ErrReused, "four eyes are off by now")
	require.Equal(t, before, f.held("github.io"))
}

// A request that was executed before it took a second operator is repeated, not held.
func TestService_askIdempotency_executed(t *testing.T) {
	t.Parallel()
	f := newFixture(t.Context(), t)
	plain := asset.NewService(f.store, asset.Options{Clock: func() time.Time { return *f.now }})
	req := blocking("github.io")
	req.Idempotency = idempotency.Key{Text: "k"}
	first, err := plain.SetStatus(f.ctx, req)
	require.NoError(t, err)
	first.Replayed = true
	again, err := f.Assets.SetStatus(f.ctx, req)
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.Empty(t, f.told())
}

// Only what a confirmation of a protected asset would do becomes an act.
func TestService_notHeld(t *testing.T) {
	t.Parallel()
	f := newFixture(t.Context(), t)
	unconfirmed := blocking("github.io")
	unconfirmed.ConfirmProtected = false
	_, err := f.Assets.SetStatus(f.ctx, unconfirmed)
	require.ErrorIs(t, err, asset.ErrProtected)
	_, err = f.Assets.SetStatus(f.ctx, blocking("evil.example.com"))
	require.NoError(t, err, "not protected")
	allowing := blocking("github.io")
	allowing.Status = asset.StatusAllowed
	_, err = f.Assets.SetStatus(f.ctx, allowing)
	require.NoError(t, err)
	stale := blocking("github.io")
	stale.IfStatus = asset.StatusUnknown
	_, err = f.Assets.SetStatus(f.ctx, stale)
	require.ErrorIs(t, err, asset.ErrChanged, "at once")
	other := int64(9)
	_, proposal := f.askToReview("gitlab.io")
	_, err = f.Reviews.Review(f.ctx, report.ReviewRequest{
		Scope: report.AnyOrganization(), ProposalID: proposal.ID, Status: report.ReviewApprove, Actor: ada, ConfirmProtected: true, IfReview: &other,
	})
	require.ErrorIs(t, err, asset.ErrChanged, "at once")
	f.addList("a.com\n")
	require.NoError(t, f.sync("a.com\nb.com\n", lists.SyncRequest{Confirm: true}), "no brake has stopped it")
	require.ErrorIs(t, f.sync("# nothing\n", lists.SyncRequest{}), lists.ErrUnconfirmed)
	require.NoError(t, f.sync("# nothing\n", lists.SyncRequest{Confirm: true, DryRun: true}))
	require.ErrorIs(t, f.Lists.Remove(f.ctx, "unknown", ada), lists.ErrNotFound)
	require.Equal(t, []string{"CREATED 1 BLOCK_PROTECTED"}, f.told())
}

// The protected items of a batch become one act. The others are done.
func TestService_statuses(t *testing.T) {
	t.Parallel()
	item := func(canonical string, status asset.Status) asset.StatusItem {
		return asset.StatusItem{Identity: page(canonical), Status: status}
	}
	f := newFixture(t.Context(), t)
	req := asset.SetStatusesRequest{
		Items: []asset.StatusItem{
			item("github.io", asset.StatusBlocked), item("evil.example.com", asset.StatusBlocked), item("bank.com", asset.StatusBlocked),
			item("github.io", asset.StatusBlocked), item("bank.com", asset.StatusAllowed), item("gitlab.io", asset.StatusAllowed),
		},
		Origin: asset.Origin{Actor: ada}, ConfirmProtected: true, DryRun: true,
	}
	dry, err := f.Assets.SetStatuses(f.ctx, req)
	require.NoError(t, err)
	require.Zero(t, f.asked(dry[0].Err).ID)
	require.Empty(t, f.told())

	req.DryRun = false
	results, err := f.Assets.SetStatuses(f.ctx, req)
	require.NoError(t, err)
	act := f.asked(results[0].Err)
	require.Equal(t, int64(1), act.ID)
	require.Len(t, act.Assets, 2)
	for i, want := range []error{asset.ErrPending, nil, asset.ErrPending, asset.ErrPending, asset.ErrContradiction, nil} {
		require.ErrorIs(t, results[i].Err, want)
		require.ErrorIs(t, dry[i].Err, want)
	}
	statuses := func() (all []asset.Status) {
		for _, canonical := range []string{"github.io", "evil.example.com", "bank.com", "gitlab.io"} {
			all = append(all, f.held(canonical).Status)
		}
		return all
	}
	require.Equal(t, []asset.Status{asset.StatusUnknown, asset.StatusBlocked, asset.StatusUnknown, asset.StatusAllowed}, statuses())
	require.NoError(t, f.approve(act.ID, bob))
	require.Equal(t, []asset.Status{asset.StatusBlocked, asset.StatusBlocked, asset.StatusBlocked, asset.StatusAllowed}, statuses())
}

// An import cannot wait.
func TestService_import(t *testing.T) {
	t.Parallel()
	f := newFixture(t.Context(), t)
	var refused []lists.Entry
	counts, err := lists.Import(f.ctx, f.Assets, func(yield func(lists.Entry, error) bool) {
		_ = yield(lists.Entry{StatusItem: asset.StatusItem{Identity: page("github.io"), Status: asset.StatusBlocked}}, nil) &&
			yield(lists.Entry{StatusItem: asset.StatusItem{Identity: page("evil.example.com"), Status: asset.StatusBlocked}}, nil)
	}, lists.ImportOptions{ConfirmProtected: true, Origin: asset.Origin{Actor: ada}, Refused: func(e lists.Entry) { refused = append(refused, e) }})
	require.NoError(t, err)
	require.Equal(t, 1, counts.Set)
	require.Equal(t, 1, counts.Refused)
	require.ErrorIs(t, refused[0].Err, asset.ErrProtected)
	require.Empty(t, f.told())
}

func TestService_List(t *testing.T) {
	t.Parallel()
	f := newFixture(t.Context(), t)
	for _, canonical := range []string{"github.io", "gitlab.io", "bank.com"} {
		f.ask(canonical)
	}
	require.NoError(t, f.approve(1, bob))
	require.NoError(t, f.reject(2, bob))
	list := func(req pending.ListRequest) (ids []int64, states []pending.State) {
		got, err := f.Pending.List(f.ctx, req)
		require.NoError(t, err)
		for _, act := range got.Items {
			ids, states = append(ids, act.ID), append(states, act.State)
		}
		return ids, states
	}
	ids, _ := list(pending.ListRequest{State: pending.StatePending})
	require.Equal(t, []int64{3}, ids)
	*f.now = f.now.Add(pending.Lifetime)
	ids, states := list(pending.ListRequest{})
	require.Equal(t, []int64{1, 2, 3}, ids)
	require.Equal(t, []pending.State{pending.StateApproved, pending.StateRejected, pending.StateExpired}, states)
	ids, _ = list(pending.ListRequest{After: 1, Limit: 1})
	require.Equal(t, []int64{2}, ids)
	require.ErrorIs(t, f.approve(3, bob), pending.ErrExpired)
	for _, invalid := range []pending.ListRequest{{State: "OPEN"}, {After: -1}, {Limit: pending.MaxLimit + 1}, {Limit: -1}} {
		_, err := f.Pending.List(f.ctx, invalid)
		require.ErrorIs(t, err, asset.ErrInvalid)
	}
}
