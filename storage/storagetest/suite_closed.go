package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage"
)

// closedChecks test every method on a closed store.
func closedChecks() []requirement {
	return eachOperation(func(p *probe, op operation) {
		if op.read != nil {
			require.NoError(p, op.call(p.Context(), p.Store)) // a cache must not answer after Close
		}
		require.NoError(p, p.Close(), "Close")
		require.ErrorIs(p, op.call(p.Context(), p.Store), storage.ErrClosed, "%s after Close", op.name)
		require.NoError(p, p.Close(), "a second Close must succeed")
	})
}
