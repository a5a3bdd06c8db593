package webhook_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/webhook"
)

func TestOutcome_Told(t *testing.T) {
	t.Parallel()
	unreachable := webhook.Outcome{Failure: webhook.FailureConnection}
	for reason, c := range map[string]struct{ outcome, want webhook.Outcome }{
		"public, accepted":     {webhook.Outcome{Status: 204}, webhook.Outcome{Status: 204}},
		"public, refused":      {webhook.OutcomeOf(503, "60", start()), webhook.Outcome{Status: 503, Failure: webhook.FailureStatus}},
		"public, no response":  {webhook.Outcome{Failure: webhook.FailureTLS}, webhook.Outcome{Failure: webhook.FailureTLS}},
		"not public, accepted": {webhook.Outcome{Status: 204, Private: true}, webhook.Outcome{Status: 204}},
		"not public, refused": {
			webhook.Outcome{Status: 503, Failure: webhook.FailureStatus, RetryAfter: time.Minute, Private: true}, unreachable,
		},
		"not public, gone":           {webhook.Outcome{Status: 410, Failure: webhook.FailureStatus, Private: true}, unreachable},
		"not public, redirected":     {webhook.Outcome{Status: 302, Failure: webhook.FailureRedirect, Private: true}, unreachable},
		"not public, no response":    {webhook.Outcome{Failure: webhook.FailureTimeout, Private: true}, unreachable},
		"not public, not encrypted":  {webhook.Outcome{Failure: webhook.FailureTLS, Private: true}, unreachable},
		"not public and not allowed": {webhook.Outcome{Failure: webhook.FailureAddress}, webhook.Outcome{Failure: webhook.FailureAddress}},
		"not public, not reachable":  {webhook.Outcome{Failure: webhook.FailureConnection, Private: true}, unreachable},
	} {
		require.Equal(t, c.want, c.outcome.Told(), reason)
	}
}
