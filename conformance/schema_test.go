package conformance_test

import (
	"bytes"
	"io/fs"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/conformance"
)

// schema returns the value of schema.json, and what it compiles to.
func schema(t *testing.T) (map[string]any, *jsonschema.Schema) {
	t.Helper()
	text, err := fs.ReadFile(conformance.Files(), "schema.json")
	require.NoError(t, err)
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource("schema.json", document))
	compiled, err := compiler.Compile("schema.json")
	require.NoError(t, err)
	return document.(map[string]any), compiled
}

func TestSchema(t *testing.T) {
	t.Parallel()
	_, compiled := schema(t)
	for _, k := range kinds() {
		f, text := read(t, k)
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		require.NoError(t, err)
		require.NoError(t, compiled.Validate(document), k)
		for _, v := range broken(t, f).Vectors {
			f.Vectors = []vector{v}
			document, err := jsonschema.UnmarshalJSON(bytes.NewReader(f.text(t)))
			require.NoError(t, err)
			require.Error(t, compiled.Validate(document), "%s: %s: an array in place of another value", k, v.Name)
		}
	}
}

// The schema has the values of the rules.
func TestSchema_values(t *testing.T) {
	t.Parallel()
	document, _ := schema(t)
	definitions := document["$defs"].(map[string]any)
	for name, values := range map[string]any{
		"type":         asset.Types(),
		"status":       asset.Statuses(),
		"statusReason": asset.Reasons(),
		"network":      classify.Networks(),
		"reason":       classify.Reasons(),
		"coverKind":    classify.CoverKinds(),
		"source":       check.Sources(),
	} {
		require.Equal(t, value(t, encode(t, values)), definitions[name].(map[string]any)["enum"], name)
	}
}
