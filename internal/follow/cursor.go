package follow

import (
	"errors"

	"github.com/apguard/apguard/asset"
)

// maxAhead is how often a cursor may be beyond the end of the feed until it is lost. Behind a
// load balancer, a server may be behind the one that returned the cursor, and a standby server behind
// another one.
const maxAhead = 4

// Cursor knows whether the cursor of a copy is lost. The zero value is that of a new copy.
type Cursor struct {
	// ahead is how often the cursor was beyond the end of the feed since that was read.
	ahead int
}

// Lost reports whether a new copy is needed after a read of the feed with the error, which may be nil.
func (c *Cursor) Lost(err error) bool {
	switch {
	case err == nil:
		c.ahead = 0
		return false
	case errors.Is(err, asset.ErrFutureCursor):
		c.ahead++
		return c.ahead >= maxAhead
	default:
		return errors.Is(err, asset.ErrForeignCursor) || errors.Is(err, asset.ErrPrunedCursor) || errors.Is(err, asset.ErrMalformedCursor)
	}
}
