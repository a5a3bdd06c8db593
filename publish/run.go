package publish

import (
	"context"
	"errors"
	"time"

	"github.com/apguard/apguard/internal/wait"
)

// maxPause is the longest time until a publication is tried again after an error, unless the interval is longer.
const maxPause = 30 * time.Second

// Run calls [Publisher.Publish] at once and then at the interval of [Options], until ctx ends. It returns the error of
// ctx. After an error it waits for the interval, and twice as long after each further one, up to 30 seconds
// or the interval, whichever is longer. Meanwhile the folder has the last publication, whose manifest says how old it is. [ErrNotCleaned] is
// no reason to wait longer.
func (p *Publisher) Run(ctx context.Context) error {
	failure, retry := "", p.options.Interval
	for {
		made, err := p.Publish(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		pause := p.options.Interval
		published := err == nil || errors.Is(err, ErrNotCleaned)
		if published {
			p.options.OnPublished(made)
			retry = pause
		} else {
			pause, retry = retry, min(2*retry, max(maxPause, p.options.Interval))
		}
		if err == nil {
			failure = ""
		} else if err.Error() != failure {
			failure = err.Error()
			p.options.OnError(err)
		}
		if _, err := wait.For(ctx, pause, nil); err != nil {
			return err
		}
	}
}
