package main

import "context"

// inBackground runs work until stop is called, which also waits for the work to end. The work ends
// before that when ctx does, and returns the error of its context.
func inBackground(ctx context.Context, work func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = work(ctx)
	}()
	return func() {
		cancel()
		<-done
	}
}
