package classify_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/classify"
)

// TestParseHost_ipv6 compares the parser of IPv6 addresses with the library.
func TestParseHost_ipv6(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{
		"0", "0", "0", "0000", "1", "00a", "ABCD", "ffff", "00001", "", ":", "1.2.3.4", "0.0.0.0", "255.255.255.255", "256.1.1.1", "01.2.3.4", "1.2.3", "a.1.1.1",
	})
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(piece, 0, 9).Draw(t, "pieces")
		if rapid.Bool().Draw(t, "whole") {
			pieces = rapid.SliceOfN(rapid.SampledFrom([]string{"0", "0", "0000", "1", "ABCD", "ffff"}), 8, 8).Draw(t, "pieces")
			if rapid.Bool().Draw(t, "with an IPv4 address") {
				pieces = append(pieces[:6], "1.2.3.4")
			}
		}
		text := strings.Join(pieces, ":")
		if from := rapid.IntRange(0, len(text)).Draw(t, "from"); rapid.Bool().Draw(t, "shortened") {
			to := rapid.IntRange(from, len(text)).Draw(t, "to")
			text = text[:from] + "::" + text[to:]
		}
		content := "http://[" + text + "]/a"

		got, err := classify.Classify(content)
		want, wantErr := browserParser().Parse(content)
		if wantErr != nil {
			requireRefused(t, classify.ReasonInvalidHost, err)
			return
		}
		accepted++
		require.NoError(t, err, "%q", content)
		require.Equal(t, urlIdentity(canonicalURL(want)), got.Identity)
	})
	require.Positive(t, accepted)
}
