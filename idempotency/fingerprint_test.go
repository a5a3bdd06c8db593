package idempotency_test

import (
	"crypto/sha256"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/idempotency"
)

func TestFingerprintOf(t *testing.T) {
	t.Parallel()
	require.NotZero(t, idempotency.FingerprintOf(), "no fields are fields, too")
	// One text after its length in eight bytes.
	require.Equal(t, idempotency.Fingerprint(sha256.Sum256([]byte("\x00\x00\x00\x00\x00\x00\x00\x02ab"))), idempotency.FingerprintOf("ab"))
}

func TestFingerprintOf_Law(t *testing.T) {
	t.Parallel()
	texts := rapid.SliceOfN(rapid.StringMatching(`[ab\x00]{0,3}`), 0, 3)
	rapid.Check(t, func(t *rapid.T) {
		a, b := texts.Draw(t, "a"), texts.Draw(t, "b")
		require.Equal(t, slices.Equal(a, b), idempotency.FingerprintOf(a...) == idempotency.FingerprintOf(b...))
	})
}
