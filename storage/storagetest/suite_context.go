package storagetest

import (
	"context"
	"sync/atomic"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/report"
)

// countingContext is a context that is canceled at the n-th call of Done or Err. It
// interrupts a store at each place where the store checks its context.
type countingContext struct {
	context.Context //nolint:containedctx // it is a context itself
	end             context.CancelFunc
	// left is the number of calls until the cancellation.
	left atomic.Int64
}

// cancelAfter returns a context that is canceled at the n-th call of Done or Err.
func cancelAfter(parent context.Context, n int) *countingContext {
	w := &countingContext{}
	w.Context, w.end = context.WithCancel(parent)
	w.left.Store(int64(n))
	return w
}

func (w *countingContext) count() {
	if w.left.Add(-1) == 0 {
		w.end()
	}
}

func (w *countingContext) Done() <-chan struct{} {
	w.count()
	return w.Context.Done()
}

func (w *countingContext) Err() error {
	w.count()
	return w.Context.Err()
}

// interrupt calls the method with contexts that are canceled later and later, until it
// succeeds.
func (p *probe) interrupt(op operation) {
	p.Helper()
	before := p.snapshot()
	for n := 1; n < noLimit; n += n/2 + 1 {
		ctx := cancelAfter(p.Context(), n)
		err := op.call(ctx, p.Store)
		ctx.end()
		if err == nil {
			return
		}
		require.ErrorIs(p, err, context.Canceled, "%s with a context that is canceled at check %d", op.name, n)
		require.Equal(p, before, p.snapshot(), "%s must store nothing if its context is canceled at check %d", op.name, n)
	}
	require.FailNow(p, "the method must succeed if its context ends late enough", op.name)
}

// interruptionChecks test every method with contexts that end while it runs.
func interruptionChecks() []requirement {
	return append(eachOperation((*probe).interrupt),
		requirement{"a page of reports that has a next one", (*probe).interruptReports})
}

// interruptReports reads a page of reports with contexts that are canceled at each check, some
// of them between the queries for reports and for their proposals.
func (p *probe) interruptReports() {
	p.Helper()
	p.file(fileCommand("older", 1))
	newer := p.file(fileCommand("newer", 2))
	for n := 1; ; n++ {
		ctx := cancelAfter(p.Context(), n)
		page, err := p.Reports(ctx, report.ListRequest{Scope: report.InOrganization(1), Limit: 1})
		ctx.end()
		if err == nil {
			require.Equal(p, report.Page{Reports: []report.Report{newer}, NextCursor: newer.ID}, page)
			return
		}
		require.ErrorIs(p, err, context.Canceled, "with a context that is canceled at check %d", n)
		require.Empty(p, page, "with a context that is canceled at check %d", n)
	}
}

// endedContextChecks test every method with contexts that have ended.
func endedContextChecks() []requirement {
	return eachOperation(func(p *probe, op operation) {
		before := p.snapshot()

		canceled, cancel := context.WithCancel(p.Context())
		cancel()
		require.ErrorIs(p, op.call(canceled, p.Store), context.Canceled, "%s with a canceled context", op.name)
		expired, cancel := context.WithDeadline(p.Context(), at(0).AddDate(-1, 0, 0))
		defer cancel()
		require.ErrorIs(p, op.call(expired, p.Store), context.DeadlineExceeded, "%s with an expired context", op.name)

		require.Equal(p, before, p.snapshot(), "%s must store nothing if its context has ended", op.name)
		require.NoError(p, op.call(p.Context(), p.Store), "%s with a context that has not ended", op.name)
	})
}
