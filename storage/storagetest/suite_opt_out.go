package storagetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// OptOut skips a part of the suite. Both fields are required.
type OptOut struct {
	// Name is the name of a subject, such as "Concurrency", of a check, such as
	// "Concurrency/one of four concurrent imports succeeds", or "StateMachine". It has
	// spaces where the output of go test has underscores.
	Name string
	// Reason says why the adapter cannot pass. The skipped test prints it.
	Reason string
}

// Brief returns opt-outs that leave what depends most on a driver: how it binds values, and how
// it ends transactions. Use them for go test -short, and for a further driver of a store that
// passes the whole suite with another one.
func Brief() []OptOut {
	kept := []string{"Import", "Texts", "Times", "Services", "Interruption", "Functions"}
	var optOuts []OptOut
	for _, s := range subjects() {
		if !slices.Contains(kept, s.name) {
			optOuts = append(optOuts, OptOut{s.name, "not in the brief suite"})
		}
	}
	return optOuts
}

// Errors in an opt-out.
var (
	errNoSuchTest = errors.New("unknown test of the suite")
	errNoReason   = errors.New("missing reason")
)

// checkOptOuts returns all errors in the opt-outs.
func checkOptOuts(optOuts []OptOut) error {
	known := names()
	var errs []error
	for _, o := range optOuts {
		if !slices.Contains(known, o.Name) {
			errs = append(errs, fmt.Errorf("opt-out %q: %w", o.Name, errNoSuchTest))
		}
		if strings.TrimSpace(o.Reason) == "" {
			errs = append(errs, fmt.Errorf("opt-out %q: %w", o.Name, errNoReason))
		}
	}
	return errors.Join(errs...)
}

// names returns all valid names of opt-outs.
func names() []string {
	list := []string{stateMachine}
	for _, s := range subjects() {
		list = append(list, s.name)
		for _, c := range s.checks {
			list = append(list, s.nameOf(c))
		}
	}
	return list
}

// skipOptedOut skips the test if an opt-out names it.
func skipOptedOut(t *testing.T, name string, optOuts []OptOut) {
	t.Helper()
	for _, o := range optOuts {
		if o.Name == name {
			t.Skip("opted out: " + o.Reason)
		}
	}
}
