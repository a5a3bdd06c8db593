package dispute_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage/memory"
)

func TestDispute_VisibleTo(t *testing.T) {
	t.Parallel()
	const acme, globex, ada, eve = 1, 2, 7, 8
	type owner struct{ organization, user int64 }
	for reason, c := range map[string]struct {
		creator, caller owner
		want            bool
	}{
		"the same organization and user":              {owner{acme, ada}, owner{acme, ada}, true},
		"another user of the organization":            {owner{acme, ada}, owner{acme, eve}, true},
		"a key of the organization without a user":    {owner{acme, ada}, owner{acme, 0}, true},
		"a user, for a dispute without one":           {owner{acme, 0}, owner{acme, eve}, true},
		"another organization":                        {owner{acme, 0}, owner{globex, 0}, false},
		"the user with a key of another organization": {owner{acme, ada}, owner{globex, ada}, false},
		"the user with a key without organization":    {owner{acme, ada}, owner{0, ada}, true},
		"the user, who has an organization now":       {owner{0, ada}, owner{acme, ada}, true},
		"another user without organization":           {owner{0, ada}, owner{0, eve}, false},
		"a user whose ID is that of the organization": {owner{acme, 0}, owner{0, acme}, false},
		"an organization whose ID is the user's":      {owner{0, ada}, owner{ada, 0}, false},
		"a caller without organization and user":      {owner{acme, ada}, owner{}, false},
		"a dispute without organization and user":     {owner{}, owner{acme, ada}, false},
		"neither has an organization or a user":       {owner{}, owner{}, false},
	} {
		d := dispute.Dispute{OrganizationID: c.creator.organization, CreatedBy: c.creator.user}
		require.Equal(t, c.want, d.VisibleTo(c.caller.organization, c.caller.user), reason)
	}
}

func TestService_Get(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	bad := f.put(t, "https://bad.example", asset.StatusBlocked)
	created, err := f.Create(ctx, dispute.CreateRequest{
		Content: "HTTPS://Bad.example", Email: "ada@acme.example", Description: "It is ours.", OrganizationID: 1, Actor: 7, ViaAPI: true,
	})
	require.NoError(t, err)
	id := created.Dispute.ID
	transition := dispute.TransitionRequest{DisputeID: id, Actor: 9, Reason: "for operators"}
	at := func(hours int) time.Time { return noon.Add(time.Duration(hours) * time.Hour) }
	want := dispute.CreatorView{ID: id, Asset: bad, State: dispute.StateOpen, CreatedAt: noon}
	requireView := func(reason string) {
		t.Helper()
		got, err := f.Get(ctx, dispute.GetRequest{DisputeID: id, OrganizationID: 1, Actor: 8})
		require.NoError(t, err, reason)
		require.Equal(t, want, got, reason)
	}
	later := func(hours int) *dispute.QueueService {
		return dispute.NewQueueService(f.store, dispute.QueueOptions{Clock: func() time.Time { return at(hours) }})
	}
	requireView("new")

	_, err = later(1).AddNote(ctx, dispute.AddNoteRequest{DisputeID: id, Text: "for operators", Actor: 9})
	require.NoError(t, err)
	requireView("with a note for operators")

	_, err = later(2).StartReview(ctx, transition)
	require.NoError(t, err)
	want.State = dispute.StateUnderReview
	requireView("under review, which is no decision")

	_, err = later(3).Resolve(ctx, dispute.ResolveRequest{
		DisputeID: id, State: dispute.StateRejected, Actor: 9, Reason: "It copies a login page.",
	})
	require.NoError(t, err)
	want.State, want.Reason, want.ClosedAt = dispute.StateRejected, "It copies a login page.", at(3)
	requireView("rejected")

	_, err = later(4).AddNote(ctx, dispute.AddNoteRequest{DisputeID: id, Text: "for operators", Actor: 9})
	require.NoError(t, err)
	requireView("with a note after the decision")

	_, err = later(5).Reopen(ctx, transition)
	require.NoError(t, err)
	want.State, want.Reason, want.ClosedAt = dispute.StateOpen, "", time.Time{}
	requireView("reopened, so that the decision is void")

	_, err = later(6).Withdraw(ctx, transition)
	require.NoError(t, err)
	want.State, want.ClosedAt = dispute.StateWithdrawn, at(6)
	requireView("withdrawn, which is no decision")

	_, err = later(7).Reopen(ctx, transition)
	require.NoError(t, err)
	_, err = later(8).Resolve(ctx, dispute.ResolveRequest{
		DisputeID: id, State: dispute.StateAccepted, AssetStatus: asset.StatusAllowed, Actor: 9, Reason: "It is theirs.",
	})
	require.NoError(t, err)
	want.State, want.Reason, want.ClosedAt, want.Asset.Status = dispute.StateAccepted, "It is theirs.", at(8), asset.StatusAllowed
	requireView("accepted")

	_, err = f.queue.Erase(ctx, "ada@acme.example")
	require.NoError(t, err)
	want.Reason = ""
	requireView("erased")
}

func TestService_Get_errors(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.put(t, "https://bad.example", asset.StatusBlocked)
	for email, owner := range map[string]int64{"ada@acme.example": 1, "eve@acme.example": 0} {
		_, err := f.Create(t.Context(), dispute.CreateRequest{Content: "https://bad.example", Email: email, OrganizationID: owner})
		require.NoError(t, err)
	}
	for _, id := range []int64{1, 2, 3, 0, -1, asset.MaxID} {
		for _, organization := range []int64{0, 2} {
			got, err := f.Get(t.Context(), dispute.GetRequest{DisputeID: id, OrganizationID: organization, Actor: 7})
			require.Equal(t, dispute.ErrNotFound, err, "organization %d reads dispute %d", organization, id)
			require.Zero(t, got)
		}
	}
	failure := errors.New("disk")
	service := dispute.NewService(unreadableStore{memory.New(), failure}, dispute.Options{})
	_, err := service.Get(t.Context(), dispute.GetRequest{DisputeID: 1, OrganizationID: 1})
	require.Equal(t, failure, err)
}

// unreadableStore fails to read.
type unreadableStore struct {
	dispute.Store
	err error
}

func (s unreadableStore) DisputeWithAsset(context.Context, int64) (dispute.WithAsset, error) {
	return dispute.WithAsset{}, s.err
}
