package conformance_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/npmtest"
	"github.com/apguard/apguard/internal/test/rulestest"
)

// outcome is that of a vector.
type outcome struct {
	Kind   kind            `json:"kind"`
	Name   string          `json:"name"`
	Passed bool            `json:"passed"`
	Answer json.RawMessage `json:"answer"`
}

// client runs the vectors of files that it has rules for.
type client func(t require.TestingT, files map[kind]file) []outcome

// inGo runs all vectors in Go.
func inGo(t require.TestingT, files map[kind]file) []outcome {
	var outcomes []outcome
	for _, k := range kinds() {
		for _, v := range files[k].Vectors {
			_, answer := rules[k](t, v.Given)
			outcomes = append(outcomes, outcome{k, v.Name, reflect.DeepEqual(value(t, answer), value(t, v.Want)), answer})
		}
	}
	return outcomes
}

// value returns the value of JSON.
func value(t require.TestingT, text json.RawMessage) (v any) {
	require.NoError(t, json.Unmarshal(text, &v))
	return v
}

// inNode returns a client that runs testdata/run.mjs in Node with arguments.
func inNode(t *testing.T, args ...string) client {
	t.Helper()
	rulestest.RequireNode(t)
	node := exec.CommandContext(t.Context(), "node")
	node.Args = append(append(node.Args, filepath.Join("testdata", "run.mjs")), args...)
	node.Stderr = t.Output()
	in, out := npmtest.Start(t, node)
	encoder, decoder := json.NewEncoder(in), json.NewDecoder(out)
	return func(t require.TestingT, files map[kind]file) []outcome {
		require.NoError(t, encoder.Encode(files))
		var outcomes []outcome
		require.NoError(t, decoder.Decode(&outcomes))
		return outcomes
	}
}

func TestVectors_Go(t *testing.T) {
	t.Parallel()
	requireConforms(t, inGo, kinds(), 0)
}

// JavaScript has no rules of identity and of covers. It knows the covers of the vectors.
func TestVectors_JavaScript(t *testing.T) {
	t.Parallel()
	requireConforms(t, inNode(t), []kind{"acts", "check", "decisions", "hashlists", "webhooks"}, 0)
}

// The WebAssembly is what pages need: it checks without external lists.
func TestVectors_WebAssembly(t *testing.T) {
	t.Parallel()
	built := rulestest.Build(t)
	withLists := 0
	f, _ := read(t, "check")
	for _, v := range f.Vectors {
		var given checked
		decode(t, v.Given, &given)
		if given.Lists != nil {
			withLists++
		}
	}
	requireConforms(t, inNode(t, built.Program, built.Exec), []kind{"check", "covers", "hashlists", "identity"}, withLists)
}

// requireConforms requires that a client answers all vectors of some kinds, except for a number of them, as the
// files say, and that it does not if any part of the answers in the files is another.
func requireConforms(t *testing.T, answers client, has []kind, except int) {
	t.Helper()
	files := map[kind]file{}
	want := -except
	for _, k := range kinds() {
		files[k], _ = read(t, k)
		if slices.Contains(has, k) {
			want += len(files[k].Vectors)
		}
	}
	outcomes := answers(t, files)
	require.Len(t, outcomes, want)
	for _, o := range outcomes {
		require.True(t, o.Passed, "%s: %s: the answer is %s", o.Kind, o.Name, o.Answer)
	}
	for _, k := range has {
		intact := files[k]
		files[k] = broken(t, intact)
		for _, o := range answers(t, files) {
			require.Equal(t, o.Kind != k, o.Passed, "%s: %s, while the vectors of %s are broken", o.Kind, o.Name, k)
		}
		files[k] = intact
	}
}

// broken returns a file with another answer of each vector.
func broken(t *testing.T, f file) file {
	t.Helper()
	f.Vectors = slices.Clone(f.Vectors)
	for i, v := range f.Vectors {
		want := value(t, v.Want)
		n := leaves(want)
		at := i % n
		f.Vectors[i].Want = encode(t, breakLeaf(want, &at))
	}
	return f
}

// leaves returns the number of values in a value that have no members.
func leaves(v any) int {
	n := 0
	for _, member := range members(v) {
		n += leaves(member)
	}
	return max(n, 1)
}

// members returns the members of an object, by name, or of an array.
func members(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case map[string]any:
		var found []any
		for _, name := range slices.Sorted(maps.Keys(v)) {
			found = append(found, v[name])
		}
		return found
	default:
		return nil
	}
}

// breakLeaf returns a value with another value at the leaf with a number. It reduces the number by the leaves
// that it has passed.
func breakLeaf(v any, at *int) any {
	if n := leaves(v); *at >= n {
		*at -= n
		return v
	}
	switch v := v.(type) {
	case []any:
		for i, member := range v {
			v[i] = breakLeaf(member, at)
			if *at < 0 {
				return v
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			v[name] = breakLeaf(v[name], at)
			if *at < 0 {
				return v
			}
		}
	}
	*at = -1
	return []any{fmt.Sprint(v)}
}
