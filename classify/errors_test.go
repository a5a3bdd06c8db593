package classify_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/classify"
)

// reasons holds the closed set.
var reasons = []classify.Reason{
	classify.ReasonEmpty,
	classify.ReasonTooLong,
	classify.ReasonEncoding,
	classify.ReasonForbiddenCharacter,
	classify.ReasonUnknownScheme,
	classify.ReasonMissingSlashes,
	classify.ReasonInvalidHost,
	classify.ReasonInvalidPort,
	classify.ReasonSecret,
	classify.ReasonHexLength,
	classify.ReasonChecksum,
	classify.ReasonInvalidAddress,
	classify.ReasonUserInfo,
	classify.ReasonUnknownSuffix,
	classify.ReasonBareSuffix,
	classify.ReasonInvalidHandle,
	classify.ReasonReservedWord,
	classify.ReasonUnrecognised,
}

func requireRefused(t require.TestingT, reason classify.Reason, err error) {
	var refusal *classify.Error
	require.ErrorAs(t, err, &refusal)
	require.ErrorIs(t, err, classify.ErrRefused)
	require.Equal(t, reason, refusal.Reason)
}

func TestEveryReasonHasItsOwnText(t *testing.T) {
	t.Parallel()
	seen := map[string]classify.Reason{}
	for _, reason := range reasons {
		text := (&classify.Error{Reason: reason}).Error()
		require.NotContains(t, seen, text, "%s and %s", reason, seen[text])
		require.True(t, strings.HasPrefix(text, classify.ErrRefused.Error()+": "), text)
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
	require.Len(t, seen, len(reasons))
}

func TestErrorNeverRepeatsTheContent(t *testing.T) {
	t.Parallel()
	const secret = "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ"
	_, err := classify.Classify(secret)
	requireRefused(t, classify.ReasonSecret, err)
	require.NotContains(t, err.Error(), secret[:5])
}
