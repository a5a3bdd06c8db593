package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage"
)

// closedChecks hold every operation against a closed store.
func closedChecks() []check {
	ops := operations()
	checks := make([]check, len(ops))
	for i, op := range ops {
		checks[i] = check{op.name, func(p *probe) {
			p.prepare(op)
			if op.read != nil {
				require.NoError(p, op.call(p.Context(), p.Store)) // a cache must not answer after Close
			}
			require.NoError(p, p.Close())
			require.ErrorIs(p, op.call(p.Context(), p.Store), storage.ErrClosed, "%s after Close", op.name)
			require.NoError(p, p.Close(), "closing twice is no error")
		}}
	}
	return checks
}
