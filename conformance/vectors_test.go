package conformance_test

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

var update = flag.Bool("update", false, "write what the rules answer to the files with vectors")

// kinds returns the kinds in the order of their names.
func kinds() []kind { return slices.Sorted(maps.Keys(rules)) }

// The files have what the rules answer, byte for byte. Hash lists are made here. What other vectors give is in
// their files.
func TestFiles(t *testing.T) {
	t.Parallel()
	for _, k := range kinds() {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			f, have := read(t, k)
			vectors := f.Vectors
			if k == "hashlists" {
				vectors = hashListVectors(t)
			}
			want := made(t, k, vectors).text(t)
			if *update {
				require.NoError(t, os.WriteFile(string(k)+".json", want, 0o600))
				return
			}
			require.Equal(t, string(want), string(have), "to write the file: go test ./conformance -run TestFiles -update")
		})
	}
}

// A name says which vector has failed.
func TestFiles_names(t *testing.T) {
	t.Parallel()
	for _, k := range kinds() {
		f, _ := read(t, k)
		seen := map[string]bool{}
		for _, v := range f.Vectors {
			require.False(t, seen[v.Name], "%s: %s", k, v.Name)
			seen[v.Name] = true
		}
	}
}

// each decodes what each vector of a kind is given and answers.
func each[G, A any](t *testing.T, k kind, do func(given G, answer A)) {
	t.Helper()
	f, _ := read(t, k)
	for _, v := range f.Vectors {
		var (
			given  G
			answer A
		)
		decode(t, v.Given, &given)
		require.NoError(t, json.Unmarshal(v.Want, &answer))
		do(given, answer)
	}
}

// A client without rules of its own takes the covers of a content from the vectors.
func TestFiles_coversOfOthers(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	each(t, "covers", func(given content, _ covers) { known[given.Content] = true })
	each(t, "check", func(given checked, _ verdict) { require.True(t, known[given.Content], given.Content) })
	each(t, "hashlists", func(given hashLists, _ updated) {
		for _, text := range given.Contents {
			require.True(t, known[text], text)
		}
	})
}

// Each value that an answer can have is the answer to some vector.
func TestFiles_complete(t *testing.T) {
	t.Parallel()
	answered := map[any]bool{}
	each(t, "identity", func(_ content, answer identity) {
		answered[answer.Network], answered[answer.Reason] = true, true
	})
	each(t, "covers", func(_ content, answer covers) {
		for _, one := range answer.Covers {
			answered[one.Kind], answered[one.Effect] = true, true
		}
	})
	each(t, "acts", func(given acts, _ performed) {
		for _, one := range given.Acts {
			answered[one.Act] = true
		}
	})
	each(t, "decisions", func(_ held, answer settled) { answered[answer.By], answered[answer.Status] = true, true })
	each(t, "hashlists", func(_ hashLists, answer updated) {
		for _, one := range answer.Responses {
			answered[one.Error] = true
		}
	})
	require.Subset(t, answered, map[any]bool{
		classify.CoverDecides: true, classify.CoverBlocks: true, classify.CoverWithholds: true,
		asset.SourceOperator: true, asset.SourceOrganization: true, asset.SourceList: true,
		"DECIDE": true, "WITHDRAW": true, "UNDO": true, "ADD": true, "REMOVE": true, "LIST": true, "UNLIST": true, "WAIT": true,
		"DAMAGED": true, "REPLAYED": true, "DOWNGRADED": true, "OTHER_RULES": true,
	})
	requireAnswered(t, answered, asset.Statuses())
	requireAnswered(t, answered, classify.Networks())
	requireAnswered(t, answered, classify.CoverKinds())
	// JSON cannot have a content that is not UTF-8.
	requireAnswered(t, answered, slices.DeleteFunc(classify.Reasons(), func(r classify.Reason) bool { return r == classify.ReasonEncoding }))
}

func requireAnswered[V comparable](t *testing.T, answered map[any]bool, values []V) {
	t.Helper()
	for _, value := range values {
		require.True(t, answered[value], "no vector has the answer %v", value)
	}
}
