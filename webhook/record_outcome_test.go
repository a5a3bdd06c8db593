package webhook_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/webhook"
)

func TestService_Record_Failures(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e := f.create()
	f.change(1)
	message := f.attempt(e).Choice.Message
	f.now = f.now.Add(webhook.LeaseTime)
	began := f.now
	for e = f.stored(e.ID); ; f.now = e.DueAt {
		require.Equal(t, message, e.Choose(e.Place, f.entries(e.Place)).Message)
		e = f.fail(f.stored(e.ID), 500)
		require.Equal(t, began, e.FailingSince)
		require.Equal(t, webhook.Outcome{Status: 500, Failure: webhook.FailureStatus}, e.Last)
		require.Empty(t, e.Lease)
		if e.State != webhook.StateActive {
			break
		}
		require.Less(t, f.now.Sub(began), webhook.DisableAfter)
		require.True(t, e.DueAt.After(f.now))
		require.LessOrEqual(t, e.DueAt.Sub(f.now), 14*time.Hour)
		f.change(1)
	}
	require.Equal(t, webhook.ReasonFailing, e.DisabledBy)
	require.GreaterOrEqual(t, f.now.Sub(began), webhook.DisableAfter)
	require.InDelta(t, 15, e.Failures, 2)
	require.Zero(t, e.Place, "the place stays")

	resumed, err := f.Resume(t.Context(), e.ID)
	require.NoError(t, err)
	require.Equal(t, webhook.StateActive, resumed.State)
	require.Zero(t, resumed.DisabledBy)
	require.Zero(t, resumed.Failures)
	require.Zero(t, resumed.FailingSince)
	attempt := f.attempt(f.stored(e.ID))
	require.Equal(t, message, attempt.Choice.Message)
	e, err = f.Record(t.Context(), attempt, webhook.Outcome{Status: 200})
	require.NoError(t, err)
	require.EqualValues(t, 1, e.Place.Position)
}

func TestService_Record_SuccessEndsFailures(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e := f.create()
	f.change(1)
	e = f.fail(e, 503)
	e = f.stored(e.ID)
	f.now = e.DueAt
	e, err := f.Record(t.Context(), f.attempt(e), webhook.Outcome{Status: 200})
	require.NoError(t, err)
	require.Zero(t, e.Failures)
	require.Zero(t, e.FailingSince)
	f.now = f.now.Add(webhook.DisableAfter)
	f.change(1)
	e = f.fail(e, 503)
	require.Equal(t, webhook.StateActive, e.State)
	require.Equal(t, f.now, e.FailingSince)
}

func TestService_Record_Gone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e := f.create()
	f.change(1)
	e = f.fail(e, 410)
	require.Equal(t, webhook.StateDisabled, e.State)
	require.Equal(t, webhook.ReasonGone, e.DisabledBy)
	paused, err := f.Pause(t.Context(), e.ID)
	require.NoError(t, err)
	require.Equal(t, webhook.StateDisabled, paused.State)
}

// A request that is under way keeps its lease, so that no second one begins.
func TestService_DuringARequest(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e := f.create()
	f.change(2)
	attempt := f.attempt(e)
	_, err := f.Pause(t.Context(), e.ID)
	require.NoError(t, err)
	_, err = f.Resume(t.Context(), e.ID)
	require.NoError(t, err)
	_, err = f.take(f.stored(e.ID))
	require.ErrorIs(t, err, webhook.ErrNotDue, "resumed")
	_, err = f.Replay(t.Context(), e.ID, time.Time{})
	require.NoError(t, err)
	_, err = f.take(f.stored(e.ID))
	require.ErrorIs(t, err, webhook.ErrNotDue, "replayed")

	after, err := f.Record(t.Context(), attempt, webhook.Outcome{Status: 200})
	require.NoError(t, err)
	require.Zero(t, after.Place, "the outcome does not undo the replay")
	require.NotEqual(t, attempt.Choice.Message.ID, f.attempt(after).Choice.Message.ID)

	f = newFixture(t)
	e = f.create()
	f.change(2)
	attempt = f.attempt(e)
	_, err = f.Pause(t.Context(), e.ID)
	require.NoError(t, err)
	after, err = f.Record(t.Context(), attempt, webhook.Outcome{Status: 200})
	require.NoError(t, err)
	require.EqualValues(t, 2, after.Place.Position, "paused")
	require.Equal(t, webhook.StatePaused, after.State)
}
