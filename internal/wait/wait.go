// Package wait waits for a time, until a context ends.
package wait

import (
	"context"
	"time"
)

// For waits for a time, or until wake receives, and reports whether it did. wake can be nil. The error is that of ctx if
// ctx ends first.
func For(ctx context.Context, pause time.Duration, wake <-chan struct{}) (woken bool, err error) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-timer.C:
		return false, nil
	case <-wake:
		return true, nil
	}
}
