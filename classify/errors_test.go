package classify_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/classify"
)

func requireRefused(t require.TestingT, reason classify.Reason, err error) {
	var refusal *classify.Error
	require.ErrorAs(t, err, &refusal)
	require.ErrorIs(t, err, classify.ErrRefused)
	require.Equal(t, reason, refusal.Reason)
}

func TestEveryReasonHasItsOwnText(t *testing.T) {
	t.Parallel()
	seen := map[string]classify.Reason{}
	for _, reason := range classify.Reasons() {
		text := (&classify.Error{Reason: reason}).Error()
		require.NotContains(t, seen, text, "%s and %s", reason, seen[text])
		require.Equal(t, reason.Text(), text)
		seen[text] = reason
	}
}

func TestEveryReasonIsGivenForSomeContent(t *testing.T) {
	t.Parallel()
	seen := map[classify.Reason]bool{
		// A golden table of readable lines has no room for these two.
		classify.ReasonTooLong:  true,
		classify.ReasonEncoding: true,
	}
	for _, rows := range goldenRows(t) {
		for _, row := range rows {
			if row.Reason != "" {
				seen[row.Reason] = true
			}
		}
	}
	require.ElementsMatch(t, classify.Reasons(), slices.Collect(maps.Keys(seen)))
}

func TestErrorNeverRepeatsTheContent(t *testing.T) {
	t.Parallel()
	const secret = "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ"
	_, err := classify.Classify(secret)
	requireRefused(t, classify.ReasonSecret, err)
	require.NotContains(t, err.Error(), secret[:5])
}
