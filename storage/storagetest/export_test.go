package storagetest

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"github.com/apguard/apguard/storage"
)

// For the tests of the suite itself.
var (
	CheckOptOuts  = checkOptOuts
	ErrNoReason   = errNoReason
	ErrNoSuchTest = errNoSuchTest
	Names         = names
)

// Methods returns the names of the methods that operations call.
func Methods() map[string]bool {
	methods := make(map[string]bool)
	for _, op := range operations() {
		method, _, _ := strings.Cut(op.name, " ")
		methods[method] = true
	}
	return methods
}

// ReadMethods returns the names of the methods that read.
func ReadMethods() []string {
	var methods []string
	for _, op := range operations() {
		if op.read != nil {
			methods = append(methods, op.name)
		}
	}
	return methods
}

// Failures runs a check, given as in an opt-out, and returns its failures.
//
//nolint:contextcheck // the recorder has the context
func Failures(ctx context.Context, name string, open func() storage.Store) []string {
	t := &recorder{ctx: ctx}
	var another func() *probe
	another = func() *probe { return &probe{testingT: t, Store: open(), another: another} }
	for _, s := range subjects() {
		for _, c := range s.checks {
			if s.nameOf(c) == name {
				t.run(func() { c.run(another()) })
			}
		}
	}
	return t.failures
}

// Lacking returns the problem that try finds with each method of a store.
//
//nolint:contextcheck // the recorder has the context
func Lacking(ctx context.Context, store storage.Store) map[string]error {
	p := &probe{testingT: &recorder{ctx: ctx}, Store: store}
	lacking := make(map[string]error)
	for _, op := range operations() {
		lacking[op.name] = p.try(op)
	}
	return lacking
}

// recorder is a testingT that keeps the failures of a check.
type recorder struct {
	ctx      context.Context //nolint:containedctx // it stands in for a *testing.T
	failures []string
}

func (r *recorder) Helper()                  {}
func (r *recorder) Context() context.Context { return r.ctx }
func (r *recorder) FailNow()                 { runtime.Goexit() }

func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

// run runs a check that may call FailNow.
func (r *recorder) run(check func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		check()
	}()
	<-done
}
