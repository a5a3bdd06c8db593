package webhook_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/webhook"
)

func TestService_Take(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e := f.create()
	f.change(2)
	attempt := f.attempt(e)
	require.Equal(t, webhook.Batch{First: 1, Last: 2}, attempt.Endpoint.Batch)
	require.Equal(t, f.now.Add(webhook.LeaseTime), attempt.Endpoint.DueAt)
	require.False(t, attempt.Endpoint.Secret.IsZero())

	taken := f.stored(e.ID)
	for reason, seen := range map[string]webhook.Endpoint{"as it was": e, "as it is": taken} {
		_, err := f.take(seen)
		require.ErrorIs(t, err, webhook.ErrNotDue, reason)
	}
	f.change(1)
	after, err := f.Record(t.Context(), attempt, webhook.Outcome{Status: 200})
	require.NoError(t, err)
	require.EqualValues(t, 2, after.Place.Position)
	require.Zero(t, after.Batch)
	require.Zero(t, after.DueAt)
	require.Equal(t, f.now, after.LastSuccessAt)
	_, err = f.Record(t.Context(), attempt, webhook.Outcome{Status: 200})
	require.ErrorIs(t, err, webhook.ErrLeaseLost, "a second time")
	require.Equal(t, webhook.Batch{First: 3, Last: 3}, f.attempt(after).Choice.Batch)
}

// A sender that is killed loses its lease. The next one sends the same message.
func TestService_Take_AfterTheLease(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e := f.create()
	f.change(2)
	abandoned := f.attempt(e)
	f.change(5)
	f.now = f.now.Add(webhook.LeaseTime - time.Millisecond)
	_, err := f.take(f.stored(e.ID))
	require.ErrorIs(t, err, webhook.ErrNotDue)
	f.now = f.now.Add(time.Millisecond)
	next := f.attempt(f.stored(e.ID))
	require.Equal(t, abandoned.Choice.Message, next.Choice.Message)

	_, err = f.Record(t.Context(), abandoned, webhook.Outcome{Status: 200})
	require.ErrorIs(t, err, webhook.ErrLeaseLost)
	require.ErrorIs(t, f.Release(t.Context(), abandoned), webhook.ErrLeaseLost)
	require.Equal(t, next.Endpoint, f.stored(e.ID))
}

func TestService_Release(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e := f.create()
	f.change(2)
	attempt := f.attempt(e)
	require.NoError(t, f.Release(t.Context(), attempt))
	released := f.stored(e.ID)
	require.Zero(t, released.Failures)
	require.Equal(t, attempt.Choice.Message, f.attempt(released).Choice.Message)
}

func TestService_Take_ChangedByAnOperator(t *testing.T) {
	t.Parallel()
	for reason, change := range map[string]func(f *fixture, id int64) error{
		"paused":   func(f *fixture, id int64) error { _, err := f.Pause(f.t.Context(), id); return err },
		"replayed": func(f *fixture, id int64) error { _, err := f.Replay(f.t.Context(), id, time.Time{}); return err },
	} {
		f := newFixture(t)
		e := f.create()
		f.change(2)
		require.NoError(t, change(f, e.ID))
		_, err := f.take(e)
		require.ErrorIs(t, err, webhook.ErrNotDue, reason)
		_, err = f.Skip(t.Context(), e, webhook.Place{})
		require.ErrorIs(t, err, webhook.ErrNotDue, reason)
		_, err = f.Relocate(t.Context(), e, webhook.Place{})
		require.ErrorIs(t, err, webhook.ErrNotDue, reason)
	}
	f := newFixture(t)
	e := f.create()
	f.change(2)
	require.NoError(t, f.Remove(t.Context(), e.ID))
	_, err := f.take(e)
	require.ErrorIs(t, err, webhook.ErrNotFound)
	_, err = f.Get(t.Context(), e.ID)
	require.ErrorIs(t, err, webhook.ErrNotFound)
}

func TestService_Skip(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e := f.create()
	f.change(2)
	resumed, err := f.Resume(t.Context(), e.ID)
	require.NoError(t, err)
	require.Equal(t, f.now, resumed.DueAt)
	end, err := f.End(t.Context())
	require.NoError(t, err)
	to := end.Place()
	after, err := f.Skip(t.Context(), f.stored(e.ID), to)
	require.NoError(t, err)
	require.Equal(t, to, after.Place)
	require.Zero(t, after.DueAt)
}
