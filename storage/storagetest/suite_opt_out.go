package storagetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// OptOut takes a part of the suite out of a run. Both fields are required.
type OptOut struct {
	// Name is that of a subject, such as "Concurrency", of one of its checks, such
	// as "Concurrency/one of four imports succeeds", with the spaces that the
	// check has in its table, or "StateMachine".
	Name string
	// Reason says why the adapter cannot do it. It is shown with the skipped test.
	Reason string
}

// What can be wrong with an opt-out.
var (
	errNoSuchTest = errors.New("the suite has no test of this name")
	errNoReason   = errors.New("an opt-out needs a reason")
)

// checkOptOuts returns everything that is wrong with the opt-outs, or nil.
func checkOptOuts(optOuts []OptOut) error {
	known := names()
	var wrong []error
	for _, o := range optOuts {
		if !slices.Contains(known, o.Name) {
			wrong = append(wrong, fmt.Errorf("opt-out %q: %w", o.Name, errNoSuchTest))
		}
		if strings.TrimSpace(o.Reason) == "" {
			wrong = append(wrong, fmt.Errorf("opt-out %q: %w", o.Name, errNoReason))
		}
	}
	return errors.Join(wrong...)
}

// names returns all names that an opt-out may have.
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

// skipOptedOut skips the test of that name if an opt-out says so.
func skipOptedOut(t *testing.T, name string, optOuts []OptOut) {
	t.Helper()
	for _, o := range optOuts {
		if o.Name == name {
			t.Skip("opted out: " + o.Reason)
		}
	}
}
