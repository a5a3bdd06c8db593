package storagetest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/storagetest"
)

func TestRun_InvalidOptOut(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason  string
		optOuts []storagetest.OptOut
		want    []error
	}{
		{"none", nil, nil},
		{"a subject", []storagetest.OptOut{{Name: "Concurrency", Reason: "one connection"}}, nil},
		{"a check", []storagetest.OptOut{{Name: "Concurrency/one of four concurrent imports succeeds", Reason: "one connection"}}, nil},
		{"the state machine", []storagetest.OptOut{{Name: "StateMachine", Reason: "too slow"}}, nil},
		{"an unknown name", []storagetest.OptOut{{Name: "Speed", Reason: "slow"}}, []error{storagetest.ErrNoSuchTest}},
		{"a check of another subject", []storagetest.OptOut{{Name: "Import/one of four concurrent imports succeeds", Reason: "slow"}}, []error{storagetest.ErrNoSuchTest}},
		{"a check without its subject", []storagetest.OptOut{{Name: "one of four concurrent imports succeeds", Reason: "slow"}}, []error{storagetest.ErrNoSuchTest}},
		{"a check with underscores", []storagetest.OptOut{{Name: "Concurrency/one_of_four_concurrent_imports_succeeds", Reason: "slow"}}, []error{storagetest.ErrNoSuchTest}},
		{"a name in another letter case", []storagetest.OptOut{{Name: "concurrency", Reason: "slow"}}, []error{storagetest.ErrNoSuchTest}},
		{"no name", []storagetest.OptOut{{Reason: "slow"}}, []error{storagetest.ErrNoSuchTest}},
		{"no reason", []storagetest.OptOut{{Name: "Concurrency"}}, []error{storagetest.ErrNoReason}},
		{"a blank reason", []storagetest.OptOut{{Name: "Concurrency", Reason: " \t"}}, []error{storagetest.ErrNoReason}},
		{
			"an empty opt-out after a valid one",
			[]storagetest.OptOut{{Name: "Closed", Reason: "the host closes"}, {}},
			[]error{storagetest.ErrNoSuchTest, storagetest.ErrNoReason},
		},
	} {
		t.Run(test.reason, func(t *testing.T) {
			t.Parallel()
			err := storagetest.CheckOptOuts(test.optOuts)
			if test.want == nil {
				require.NoError(t, err)
			}
			for _, want := range test.want {
				require.ErrorIs(t, err, want)
			}
		})
	}
}

func TestRun_OptOut(t *testing.T) {
	t.Parallel()
	const subject, out = "Groups", "Groups/no ID above 2^53-1 is assigned"
	var (
		optOuts = []storagetest.OptOut{{Name: out, Reason: "the test requires that it is skipped"}}
		left    = -1
	)
	for _, name := range storagetest.Names() {
		switch {
		case strings.HasPrefix(name, subject+"/"):
			left++
		case !strings.Contains(name, "/") && name != subject:
			optOuts = append(optOuts, storagetest.OptOut{Name: name, Reason: "the test requires that it is skipped"})
		}
	}
	var opened []string
	storagetest.Run(t, func(t *testing.T) storage.Store {
		t.Helper()
		if !strings.HasSuffix(t.Name(), "/Implemented") {
			opened = append(opened, t.Name())
		}
		return memory.New()
	}, optOuts...)
	require.Len(t, opened, left, "opened stores")
	for _, name := range opened {
		require.Contains(t, name, "/"+subject+"/")
		require.NotContains(t, name, strings.ReplaceAll(out, " ", "_"))
	}
}

func TestNames_AreUnique(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	for _, name := range storagetest.Names() {
		require.LessOrEqual(t, strings.Count(name, "/"), 1, "%q", name)
		require.False(t, seen[name], "two tests have the name %q", name)
		seen[name] = true
	}
}
