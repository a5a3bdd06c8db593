package phishlist

import (
	"context"
	"time"
)

// DefaultInterval is how often [File.Watch] looks at the file when nothing else is
// asked for.
const DefaultInterval = 10 * time.Second

// Watch reloads the file when it has changed, and returns when ctx ends. It looks at
// the file at the given interval, which is [DefaultInterval] unless it is positive.
//
// It calls report, unless that is nil, with the error of [File.Reload] when the file
// cannot be loaded, and so the old list stays in use: once, until the error is another
// one or is gone. It calls report with nil for each new list that it loads, and not for those that
// the host loads by Reload, and when such an error is gone though the list is the old
// one, so that nil always means that all is well. Nothing is watched while report runs.
func (f *File) Watch(ctx context.Context, every time.Duration, report func(error)) {
	if every <= 0 {
		every = DefaultInterval
	}
	if report == nil {
		report = func(error) {}
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	told := ""
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		changed, err := f.Reload(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			if changed || told != "" {
				report(nil)
			}
			told = ""
		case err.Error() != told:
			told = err.Error()
			report(err)
		}
	}
}
