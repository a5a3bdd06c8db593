package storagetest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage"
)

// testingT is what [testing.T] and rapid's T have in common.
type testingT interface {
	require.TestingT
	Helper()
	Context() context.Context
}

// probe is a store under test. Its methods in lower case call the store and check the
// results. They fail the test on any error.
type probe struct {
	testingT
	storage.Store
	// another opens another store. The current one must be closed first.
	another func() *probe
	// skip skips the check. It is nil in a run of the whole suite.
	skip func(reason string)
}

// noLimit is a limit that no list of the suite reaches. Its pages are limited only by
// step.MaxPageBytes.
const noLimit = 1_000_000

// at returns a time on January 5, 2025, that many milliseconds after ten o'clock.
func at(milliseconds int) time.Time {
	return time.Date(2025, time.January, 5, 10, 0, 0, 0, time.UTC).Add(time.Duration(milliseconds) * time.Millisecond)
}

// ids returns the IDs from 1 to n.
func ids(n int) []int64 {
	list := make([]int64, n)
	for i := range list {
		list[i] = int64(i + 1)
	}
	return list
}

// only returns the only element of the list. It fails the test if there are more or none.
func only[T any](p *probe, list []T) T {
	p.Helper()
	require.Len(p, list, 1, "the list must have one element")
	return list[0]
}

// sorted returns the IDs in ascending order.
func sorted(ids []int64) []int64 {
	return slices.Sorted(slices.Values(ids))
}

// numbersTo returns 0 to n-1.
func numbersTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// orNil returns nil for an empty list.
func orNil[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}

// concurrently starts n calls at the same time. It returns their errors.
func concurrently(n int, call func(i int) error) []error {
	var (
		group sync.WaitGroup
		start = make(chan struct{})
		errs  = make([]error, n)
	)
	for i := range n {
		group.Go(func() {
			<-start
			errs[i] = call(i)
		})
	}
	close(start)
	group.Wait()
	return errs
}

// allSucceed requires that no call failed.
func (p *probe) allSucceed(errs []error) {
	p.Helper()
	require.NoError(p, errors.Join(errs...), "concurrent calls must succeed")
}

// oneSucceeds requires that one call succeeded and all others failed with that error.
func (p *probe) oneSucceeds(errs []error, others error) {
	p.Helper()
	succeeded := 0
	for _, err := range errs {
		if err == nil {
			succeeded++
			continue
		}
		require.ErrorIs(p, err, others, "all concurrent calls but one must fail")
	}
	require.Equal(p, 1, succeeded, "exactly one of %d concurrent calls must succeed", len(errs))
}

// readWhile calls read repeatedly, by several callers, while write runs.
func (p *probe) readWhile(readers int, write, read func() error) {
	p.Helper()
	done := make(chan struct{})
	p.allSucceed(concurrently(readers+1, func(i int) error {
		if i == 0 {
			defer close(done)
			return write()
		}
		for {
			if err := read(); err != nil {
				return err
			}
			select {
			case <-done:
				return nil
			default:
			}
		}
	}))
}
