package dispute_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/idempotency"
)

// putUsers stores user 1, and user 2, who has left.
func (f fixture) putUsers(t *testing.T) {
	t.Helper()
	users, ok := f.store.(account.Store)
	require.True(t, ok)
	for _, user := range []account.User{{ID: 1}, {ID: 2, Deactivated: true}} {
		require.NoError(t, users.PutUser(t.Context(), user, audit.Entry{}))
	}
}

func TestQueueService_Assign(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		actor, assignee int64
		want            int64
		note            int64 // its Assignee
		issue           string
	}{
		"an operator takes it up":                       {5, 0, 5, 0, ""},
		"an operator gives it to a colleague":           {5, 1, 1, 1, ""},
		"the host gives it to somebody":                 {0, 1, 1, 1, ""},
		"an operator gives it to oneself":               {5, 5, 5, 0, ""},
		"a colleague who has left":                      {5, 2, 0, 0, "assigneeId: must be an active user"},
		"nobody has the ID":                             {5, 3, 0, 0, "assigneeId: must be an active user"},
		"an ID that nobody can have":                    {5, asset.MaxID + 1, 0, 0, "assigneeId: "},
		"an ID that nobody can have, which is negative": {5, -1, 0, 0, "assigneeId: "},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.putUsers(t)
			d := f.dispute(t, "eve@mail.example")
			req := dispute.AssignRequest{DisputeID: d.ID, Actor: c.actor, Assignee: c.assignee, Reason: "yours"}
			got, err := f.queue.Assign(t.Context(), req)
			if c.issue != "" {
				require.ErrorIs(t, err, asset.ErrInvalid)
				require.ErrorContains(t, err, c.issue)
				kept, err := f.queue.Get(t.Context(), d.ID)
				require.NoError(t, err)
				require.Equal(t, d, kept)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, got.Assignee)
			last, _ := got.LastTransition()
			require.Equal(t, dispute.Note{
				Kind: dispute.NoteKindTransition, Text: "yours", Author: c.actor, Assignee: c.note, State: dispute.StateUnderReview, CreatedAt: noon,
			}, last)
			_, err = f.queue.Assign(t.Context(), req)
			require.ErrorIs(t, err, dispute.ErrInvalidTransition, "it has to be released first")
			released, err := f.queue.Release(t.Context(), dispute.TransitionRequest{DisputeID: d.ID, Actor: 9})
			require.NoError(t, err)
			require.Zero(t, released.Assignee)
		})
	}
}

// A key belongs to a request with its assignee.
func TestQueueService_Assign_retry(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.putUsers(t)
	d := f.dispute(t, "eve@mail.example")
	req := dispute.AssignRequest{DisputeID: d.ID, Actor: 5, Assignee: 1, Idempotency: idempotency.Key{Text: "k"}}
	first, err := f.queue.Assign(t.Context(), req)
	require.NoError(t, err)
	_, err = f.queue.Release(t.Context(), dispute.TransitionRequest{DisputeID: d.ID, Actor: 1})
	require.NoError(t, err)
	again, err := f.queue.Assign(t.Context(), req)
	require.NoError(t, err)
	first.Replayed = true
	require.Equal(t, first, again)
	req.Assignee = 0
	_, err = f.queue.Assign(t.Context(), req)
	require.ErrorIs(t, err, idempotency.ErrReused)
}
