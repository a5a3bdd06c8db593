package apguard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/dispute"
)

// What a person who leaves has under review waits for somebody else.
func TestGuard_Leave(t *testing.T) {
	t.Parallel()
	for reason, leave := range map[string]func(*testing.T, *apguard.Guard){
		"a user is deactivated": func(t *testing.T, guard *apguard.Guard) {
			t.Helper()
			user, err := guard.DeactivateUser(audit.WithActor(t.Context(), audit.Actor{UserID: 9}), 3)
			require.NoError(t, err)
			require.True(t, user.Deactivated)
		},
		"a user is removed": func(t *testing.T, guard *apguard.Guard) {
			t.Helper()
			require.NoError(t, guard.RemoveUser(audit.WithActor(t.Context(), audit.Actor{UserID: 9}), 3))
			require.ErrorIs(t, guard.RemoveUser(t.Context(), 3), account.ErrUserNotFound, "a second time")
		},
		"a person is erased": func(t *testing.T, guard *apguard.Guard) {
			t.Helper()
			_, err := guard.Erase(audit.WithActor(t.Context(), audit.Actor{UserID: 9}), apguard.Subject{UserID: 3})
			require.NoError(t, err)
		},
	} {
		for name, guard := range map[string]*apguard.Guard{"memory": newGuard(t, apguard.Options{}), "SQLite": newGuardOn(sqliteStore(t))} {
			t.Run(reason+" in "+name, func(t *testing.T) {
				t.Parallel()
				seedPersons(t, guard)
				for id, reviewer := range map[int64]int64{1: 3, 2: 4} {
					_, err := guard.DisputeQueue.StartReview(t.Context(), dispute.TransitionRequest{DisputeID: id, Actor: reviewer})
					require.NoError(t, err)
				}
				leave(t, guard)
				freed, err := guard.DisputeQueue.Get(t.Context(), 1)
				require.NoError(t, err)
				require.Equal(t, dispute.StateOpen, freed.State)
				note, _ := freed.LastTransition()
				require.EqualValues(t, 9, note.Author)
				require.NotEmpty(t, note.Text)
				kept, err := guard.DisputeQueue.Get(t.Context(), 2)
				require.NoError(t, err)
				require.EqualValues(t, 4, kept.Assignee, "that of a colleague")
			})
		}
	}
}

func TestGuard_Leave_Unknown(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	for _, id := range []int64{-1, 0, 99} {
		_, err := guard.DeactivateUser(t.Context(), id)
		require.ErrorIs(t, err, account.ErrUserNotFound)
		require.ErrorIs(t, guard.RemoveUser(t.Context(), id), account.ErrUserNotFound)
	}
}
