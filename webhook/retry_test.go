package webhook_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/webhook"
)

func TestRetryDelay(t *testing.T) {
	t.Parallel()
	const hour = time.Hour
	want := []time.Duration{5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * hour, 5 * hour, 10 * hour, 12 * hour, 12 * hour}
	for i, delay := range want {
		require.Equal(t, delay, webhook.RetryDelay(i+1, 0, 0), "failure %d", i+1)
	}
	require.Equal(t, 12*hour, webhook.RetryDelay(1_000_000, 0, 0))
	for reason, one := range map[string]struct{ after, want time.Duration }{
		"shorter than the first delay": {time.Millisecond, 5 * time.Second},
		"shorter than the schedule":    {time.Minute, time.Minute},
		"longer than the schedule":     {3 * hour, 3 * hour},
		"longer than the last delay":   {100 * hour, 12 * hour},
	} {
		require.Equal(t, one.want, webhook.RetryDelay(3, one.after, 0), reason)
	}
}

func TestRetryDelay_Jitter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		failures, jitter := rapid.IntRange(1, 20).Draw(t, "failures"), rapid.Float64Range(0, 1).Draw(t, "jitter")
		plain, delay := webhook.RetryDelay(failures, 0, 0), webhook.RetryDelay(failures, 0, jitter)
		require.GreaterOrEqual(t, delay, plain)
		require.LessOrEqual(t, delay, plain+plain/10)
	})
}

func TestOutcomeOf(t *testing.T) {
	t.Parallel()
	now := start()
	for reason, one := range map[string]struct {
		status int
		header string
		want   webhook.Outcome
	}{
		"success":                        {204, "60", webhook.Outcome{Status: 204}},
		"redirection":                    {302, "", webhook.Outcome{Status: 302, Failure: webhook.FailureRedirect}},
		"not modified":                   {304, "", webhook.Outcome{Status: 304, Failure: webhook.FailureRedirect}},
		"gone":                           {410, "", webhook.Outcome{Status: 410, Failure: webhook.FailureStatus}},
		"informational":                  {101, "", webhook.Outcome{Status: 101, Failure: webhook.FailureStatus}},
		"Retry-After in seconds":         {429, " 120 ", webhook.Outcome{Status: 429, Failure: webhook.FailureStatus, RetryAfter: 2 * time.Minute}},
		"Retry-After as a date":          {503, "Sun, 05 Jan 2025 10:03:00 GMT", webhook.Outcome{Status: 503, Failure: webhook.FailureStatus, RetryAfter: 3 * time.Minute}},
		"Retry-After in the past":        {503, "Sun, 05 Jan 2025 09:00:00 GMT", webhook.Outcome{Status: 503, Failure: webhook.FailureStatus}},
		"Retry-After that is negative":   {503, "-5", webhook.Outcome{Status: 503, Failure: webhook.FailureStatus}},
		"Retry-After that overflows":     {503, "99999999999999999999", webhook.Outcome{Status: 503, Failure: webhook.FailureStatus}},
		"Retry-After that is not a time": {503, "soon", webhook.Outcome{Status: 503, Failure: webhook.FailureStatus}},
	} {
		require.Equal(t, one.want, webhook.OutcomeOf(one.status, one.header, now), reason)
	}
}

func FuzzParseRetryAfter(f *testing.F) {
	f.Add("120")
	f.Add("Sun, 05 Jan 2025 10:03:00 GMT")
	f.Fuzz(func(t *testing.T, text string) {
		require.GreaterOrEqual(t, webhook.ParseRetryAfter(text, start()), time.Duration(0))
	})
}
