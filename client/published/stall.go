package published

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"
)

// limits say when a request ends that takes too long.
type limits struct {
	// timeout is how long the server may send nothing. Then it must have sent what the pace needs.
	timeout time.Duration
	// pace is the least number of bytes a second on average after the timeout. If it is 0, the timeout is that of the
	// whole request.
	pace int64
}

// minPace is the least number of bytes of a file that a server must send a second. Otherwise, one that sends a byte now
// and then could keep a client waiting for years.
const minPace = 32 << 10

// stall ends a request at its limits.
type stall struct {
	limits

	began  time.Time
	timer  *time.Timer
	cancel context.CancelCauseFunc
	// cause returns why the request has ended, or nil.
	cause func() error
	// bytes is what was received.
	bytes int64
}

// errStalled is the cause of the end of a request at its limits.
var errStalled = errors.New("limit of a request")

// newStall returns the context of a request and what ends it.
func newStall(ctx context.Context, ends limits) (context.Context, *stall) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(ends.timeout, func() { cancel(errStalled) })
	return ctx, &stall{limits: ends, began: time.Now(), timer: timer, cancel: cancel, cause: func() error {
		if cause := context.Cause(ctx); errors.Is(cause, errStalled) {
			return cause
		}
		return ctx.Err()
	}}
}

// received adds bytes that were received, and lets the request go on as long as these permit.
func (s *stall) received(n int) {
	s.bytes += int64(n)
	s.timer.Reset(min(s.timeout, s.left(time.Since(s.began))))
}

// left returns the time until which more must be received, or a negative one if the request has already taken too long.
func (s *stall) left(taken time.Duration) time.Duration {
	left := s.timeout - taken
	if s.pace > 0 {
		left += time.Duration(float64(s.bytes) / float64(s.pace) * float64(time.Second))
	}
	return left
}

// end ends the request. It may be called more than once.
func (s *stall) end() {
	s.timer.Stop()
	s.cancel(nil)
}

// failed returns the error of a request for a file, without the URL, in which there can be a password.
func (s *stall) failed(name string, err error) error {
	var inURL *url.Error
	if errors.As(err, &inURL) {
		err = inURL.Err
	}
	switch cause := s.cause(); {
	case cause == nil:
		return fmt.Errorf("%s: %w: %w", name, ErrUnavailable, err)
	case errors.Is(cause, errStalled):
		return fmt.Errorf("%s: %w: %s", name, ErrUnavailable, s.reason())
	default:
		return cause
	}
}

// reason says why the request has ended at its limits.
func (s *stall) reason() string {
	if s.bytes == 0 {
		return fmt.Sprintf("the server sends nothing for %s", s.timeout)
	}
	return "the server has stopped, or sends too slowly" // without numbers, so that a failure that repeats is one
}
