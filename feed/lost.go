package feed

import (
	"errors"

	"github.com/apguard/apguard/asset"
)

// maxAhead is how often a cursor may be beyond the end of the feed until it is lost. Behind a
// load balancer, a server may be behind the one that returned the cursor, and a standby server behind
// another one.
const maxAhead = 4

// followed knows whether copies cannot be continued. The zero value is that of new copies.
type followed struct {
	// ahead is how often the cursor was beyond the end of the feed since that was read.
	ahead int
}

// lost reports whether new copies are needed after a read of the feed with the error, which may be nil.
func (f *followed) lost(err error) bool {
	if errors.Is(err, asset.ErrFutureCursor) {
		f.ahead++
		return f.ahead >= maxAhead
	}
	return isRefused(err)
}

// isRefused reports whether the error says that a source can never continue from the cursor.
func isRefused(err error) bool {
	return errors.Is(err, asset.ErrForeignCursor) || errors.Is(err, asset.ErrPrunedCursor) || errors.Is(err, asset.ErrMalformedCursor)
}
