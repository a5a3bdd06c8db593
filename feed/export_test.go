package feed

import (
	"bytes"
	"io"

	"github.com/apguard/apguard/asset"
)

// ErrSource is errSource, and ErrDamaged errDamaged.
var (
	ErrSource  = errSource
	ErrDamaged = errDamaged
)

// ReadSnapshot reads a snapshot and returns its cursor.
func ReadSnapshot(data []byte, views ...View) (asset.FeedCursor, error) {
	c, err := readSnapshot(bytes.NewReader(data), int64(len(data)), views)
	if err != nil {
		return asset.FeedCursor{}, err
	}
	return c.cursor, nil
}

// WriteSnapshot writes a snapshot of the copies of a Replica that does not run.
func (r *Replica) WriteSnapshot(w io.Writer) error { return r.next.writeSnapshot(w) }
