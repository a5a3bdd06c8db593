package idempotency_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/idempotency"
)

func TestReplayError(t *testing.T) {
	t.Parallel()
	require.EqualError(t, &idempotency.ReplayError{Answer: []byte("secret")}, "request was executed before")
}
