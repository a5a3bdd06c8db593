package client_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The values that requests and samples have, so that what a response repeats of its request is the same.
const (
	sampleText   = "x"
	sampleNumber = int64(time.Second) // which is also a valid wait
)

// schema is a JSON schema, as far as samples need it.
type schema struct {
	Ref             string `json:"$ref"`
	Type            any
	Enum            []any
	Const           any
	Format, Pattern string
	Properties      map[string]*schema
	Items           *schema
	OneOf, AnyOf    []*schema
}

func (d document) resolved(s *schema) *schema {
	for s.Ref != "" {
		s = d.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
	}
	return s
}

func (s *schema) is(kind string) bool {
	kinds, several := s.Type.([]any)
	return several && slices.Contains(kinds, any(kind)) || s.Type == any(kind)
}

// sample is a response with all members of its schema.
type sample struct {
	mediaType string
	body      any
	leaves    []leaf
	// cursor is one of a next page.
	cursor any
}

// leaf is a value of a sample that has no members, and another one that its schema permits.
type leaf struct {
	path  string
	get   func() any
	set   func(any)
	other any
	// status says that it is the status of an asset.
	status bool
}

func (s sample) text(t *testing.T) []byte {
	t.Helper()
	text, err := json.Marshal(s.body)
	require.NoError(t, err)
	if s.mediaType == "application/x-ndjson" {
		text = append(text, '\n')
	}
	return text
}

// sample returns a sample of the response. The bits of the choice choose between two forms, from the outside to the
// inside.
func (o operation) sample(choice int) *sample {
	made := &sample{mediaType: "application/json"}
	s := &schema{}
	if content, is := o.Responses["200"].Content["application/json"]; is {
		s = content.Schema
	}
	if _, lines := o.Responses["200"].Content["application/x-ndjson"]; lines {
		made.mediaType, s = "application/x-ndjson", o.Components.Schemas["ListedAsset"]
	}
	made.body = o.build(made, s, "", choice, nil, func(any) {})
	if fit, is := fitted()[o.OperationID]; is {
		fit(made.body.(map[string]any), choice)
	}
	return made
}

// build returns a sample of a schema, and adds its leaves.
func (d document) build(made *sample, s *schema, path string, choice int, get func() any, set func(any)) any {
	s = d.resolved(s)
	forms := slices.DeleteFunc(slices.Concat(s.OneOf, s.AnyOf), func(form *schema) bool { return form.is("null") })
	if len(forms) > 0 {
		if len(forms) > 1 {
			forms, choice = forms[choice%2:], choice/2
		}
		return d.build(made, forms[0], path, choice, get, set)
	}
	switch {
	case s.is("array"):
		list := make([]any, 1)
		list[0] = d.build(made, s.Items, path+"[]", choice, func() any { return list[0] }, func(v any) { list[0] = v })
		return list
	case len(s.Properties) > 0:
		object := make(map[string]any)
		for name, member := range s.Properties {
			object[name] = d.build(made, member, strings.TrimPrefix(path+"."+name, "."), choice,
				func() any { return object[name] }, func(v any) { object[name] = v })
		}
		return object
	default:
		value, other := s.values(path)
		if strings.HasSuffix(path, "nextCursor") {
			made.cursor = value
			value, other = nil, value
		}
		made.leaves = append(made.leaves, leaf{path, get, set, other, slices.Contains(s.Enum, any("BLOCKED"))})
		return value
	}
}

// fitted has what makes a sample one of the filled request, by operation.
func fitted() map[string]func(body map[string]any, choice int) {
	count := func(body map[string]any, choice int) {
		body["changed"], body["unchanged"], body["refused"] = 0, 1-choice%2, choice%2
		if choice%2 == 1 {
			refused := body["results"].([]any)[0].(map[string]any)
			refused["error"], refused["reason"] = "Another operator must approve this", nil
		}
	}
	return map[string]func(map[string]any, int){
		"addOrganizationAssets": func(body map[string]any, _ int) { body["dryRun"] = true },
		"removeOrganizationAssets": func(body map[string]any, _ int) {
			body["results"] = append(body["results"].([]any), body["results"].([]any)...)
		},
		"listChangesUnder":   func(body map[string]any, _ int) { body["partial"] = false },
		"setAssetStatuses":   count,
		"undoAssetDecisions": count,
	}
}

// values returns two values of a schema.
func (s *schema) values(path string) (one, other any) {
	name := path[strings.LastIndexByte(path, '.')+1:]
	switch {
	case len(s.Enum) > 1:
		return s.Enum[0], s.Enum[1]
	case s.Const != nil:
		return s.Const, sampleText
	case s.is("boolean"):
		return true, false
	case s.is("integer"), s.is("number"):
		return sampleNumber, sampleNumber + 1
	case name == "every":
		return "1h", "2h"
	case s.Format == "date-time":
		return "2025-01-05T10:00:00.000Z", "2025-01-05T11:00:00.000Z"
	case strings.Contains(s.Pattern, "{12}"):
		return "0123456789ab", "ba9876543210"
	case strings.Contains(s.Pattern, "[0-9]"), strings.Contains(s.Pattern, `\d`):
		return fmt.Sprint(sampleNumber), fmt.Sprint(sampleNumber + 1)
	default:
		return sampleText, sampleText + "y"
	}
}
