package main

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/webhook"
)

// withoutCommand has the operations that no command calls, with the reason.
var withoutCommand = map[string]string{
	"GET /openapi.json":                   "the document is for programs that call the API",
	"POST /public/getOrganizationReports": "it is deprecated; report own calls its successor",
}

// Every operation of both APIs has a command, every field of its request is a flag or an argument, and what the API
// requires the command requires. Records, cursors and fields of tables are in the responses.
func TestOperations(t *testing.T) {
	t.Parallel()
	for _, operators := range []bool{false, true} {
		document := documentOf(t, operators)
		known := make(map[string]operation)
		for _, o := range operations() {
			if o.operators == operators {
				known[o.call] = o
			}
		}
		for path, methods := range document.Paths {
			for method, described := range methods {
				call := strings.ToUpper(method) + " " + path
				o, exists := known[call]
				delete(known, call)
				if withoutCommand[call] != "" {
					require.False(t, exists, "%s has a command: remove it from the list of those without", call)
					continue
				}
				require.True(t, exists, "%s has no command: add a row to a table of operations", call)
				document.compare(t, o, described)
			}
		}
		require.Empty(t, slices.Collect(maps.Keys(known)), "commands of operations that the API does not have")
	}
}

// compare requires a command to have the fields that the document describes.
func (d openAPI) compare(t *testing.T, o operation, described describedOperation) {
	t.Helper()
	fields := make(map[string]bool)
	for i, p := range described.Parameters {
		if p.Ref != "" {
			p = d.Components.Parameters[p.Ref[strings.LastIndexByte(p.Ref, '/')+1:]]
			described.Parameters[i] = p
		}
		if p.In == "query" || p.In == "path" {
			fields[p.Name] = p.Required
		}
	}
	keyed := slices.ContainsFunc(described.Parameters, func(p parameter) bool { return p.Name == "Idempotency-Key" })
	require.Equal(t, keyed, o.key, "%s: Idempotency-Key", o.name)
	if _, upload := described.RequestBody.Content["text/plain"]; upload {
		fields[bodyField] = true
	}
	d.addFields(fields, "", d.resolve(described.RequestBody.Content["application/json"].Schema))
	if o.paged() {
		require.Contains(t, fields, "limit", o.name)
		for _, p := range described.Parameters {
			if p.Name == "limit" {
				require.Equal(t, p.Schema.Maximum, o.page, "%s: maximum of a page", o.name)
			}
		}
		delete(fields, "limit")
	}
	if o.cursor != "" {
		require.Contains(t, fields, "cursor", o.name)
		delete(fields, "cursor")
	}
	got := make(map[string]bool)
	for _, f := range o.fields {
		for _, member := range f.members { // which is sent as it was printed
			name := f.name + "." + member
			require.True(t, removeField(fields, name), "%s: the operation has no field %s", o.name, name)
		}
		if f.kind != kindRecords {
			got[f.name] = f.required || f.kind == kindContents
		}
	}
	for name, required := range fields {
		require.Contains(t, got, name, "%s: no flag or argument for the field %s", o.name, name)
		require.True(t, !required || got[name], "%s: %s is required", o.name, name)
	}
	for name := range got {
		require.Contains(t, fields, name, "%s: the operation has no field %s", o.name, name)
	}
	reply := d.resolve(described.Responses["200"].Content["application/json"].Schema)
	if o.list != "" {
		require.Contains(t, reply.Properties, o.list, o.name)
	}
	if o.cursor != "" {
		require.Contains(t, reply.Properties, o.cursor, o.name)
	}
	if o.secret != "" {
		require.Contains(t, reply.Properties, o.secret, o.name)
	}
	for column := range strings.FieldsSeq(o.columns) {
		path, _, _ := strings.Cut(column, ":")
		if o.cells[path] == nil {
			require.True(t, d.has(d.resolve(reply.Properties[o.list].Items), path), "%s: the records have no field %s", o.name, path)
		}
	}
}

// Flags have the names of fields, unless a database has them under another name. No two of a command are the same.
func TestOperations_Flags(t *testing.T) {
	t.Parallel()
	named := map[string]string{
		"users create fullName": "name", "users rename fullName": "name", "audit userId": "user", "erase userId": "user",
		"keys create userId": "user", "keys create organizationId": "organization", "keys list organizationId": "organization",
		"keys create expiresInSeconds": "expires", "keys rotate graceSeconds": "grace",
	}
	names := make(map[string]bool)
	for _, o := range operations() {
		require.False(t, names[o.name], "two commands %s", o.name)
		names[o.name] = true
		for _, f := range o.fields {
			want := kebab(f.name[strings.LastIndex(f.name, ".")+1:])
			if other := named[o.name+" "+f.name]; other != "" {
				want = other
			}
			require.Equal(t, want, f.flag, o.name)
		}
		flags := flagNames(o.newFlags(new(guardFlags)))
		require.Len(t, flags, len(slices.Compact(slices.Sorted(slices.Values(flags)))), o.name)
		require.True(t, o.list == "" || o.asJSON || o.columns != "", "%s: a list needs columns", o.name)
	}
}

// printerOf returns a printer of a command with a table.
func printerOf(t *testing.T, name string, stdout io.Writer) *printer {
	t.Helper()
	i := slices.IndexFunc(operations(), func(o operation) bool { return o.name == name })
	return newPrinter(program{stdout: stdout, stderr: t.Output()}, operations()[i], new(cli.Command))
}

// documentOf returns the document of one of the APIs, as its handler serves it.
func documentOf(t *testing.T, operators bool) (d openAPI) {
	t.Helper()
	guard := apguard.New(storage.Unimplemented{}, apguard.Options{})
	options := httpapi.Options{TestWebhook: func(context.Context, int64) (webhook.Outcome, error) { return webhook.Outcome{}, nil }}
	build := httpapi.New
	if operators {
		build = httpapi.NewOperator
	}
	api, err := build(guard, keyboard{}, options)
	require.NoError(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://test/openapi.json", http.NoBody)
	require.NoError(t, err)
	response, err := inProcess{api}.RoundTrip(request)
	require.NoError(t, err)
	defer response.Body.Close() //nolint:errcheck // it is only read
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.NoError(t, json.NewDecoder(response.Body).Decode(&d))
	return d
}

// openAPI has the parts of a document that the test compares.
type openAPI struct {
	Paths      map[string]map[string]describedOperation `json:"paths"`
	Components struct {
		Schemas    map[string]*schema   `json:"schemas"`
		Parameters map[string]parameter `json:"parameters"`
		Responses  map[string]content   `json:"responses"`
	} `json:"components"`
}

type describedOperation struct {
	Parameters  []parameter        `json:"parameters"`
	RequestBody content            `json:"requestBody"`
	Responses   map[string]content `json:"responses"`
}

type parameter struct {
	Ref      string `json:"$ref"`
	Name, In string
	Required bool
	Schema   schema
}

type content struct {
	Content map[string]struct{ Schema *schema }
}

type schema struct {
	Ref        string             `json:"$ref"`
	Properties map[string]*schema `json:"properties"`
	Required   []string           `json:"required"`
	Items      *schema            `json:"items"`
	Maximum    int                `json:"maximum"`
	AnyOf      []*schema          `json:"anyOf"`
	OneOf      []*schema          `json:"oneOf"`
}

// resolve returns a schema without references. Of several, it is the one with all their properties.
func (d openAPI) resolve(s *schema) *schema {
	for s != nil && s.Ref != "" {
		s = d.Components.Schemas[s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]]
	}
	if s == nil {
		return &schema{}
	}
	if choices := slices.Concat(s.AnyOf, s.OneOf); len(choices) > 0 {
		all := schema{Properties: maps.Clone(s.Properties)}
		for _, choice := range choices {
			one := d.resolve(choice)
			if all.Properties == nil {
				all.Properties = make(map[string]*schema)
			}
			maps.Copy(all.Properties, one.Properties)
			if one.Items != nil {
				all.Items = one.Items
			}
		}
		return &all
	}
	return s
}

// addFields adds the fields of an object, with those of objects and arrays of objects in it.
func (d openAPI) addFields(fields map[string]bool, prefix string, s *schema) {
	for name, property := range s.Properties {
		below := d.resolve(property)
		if below.Items != nil {
			below = d.resolve(below.Items)
		}
		if len(below.Properties) > 0 {
			d.addFields(fields, prefix+name+".", below)
			continue
		}
		fields[prefix+name] = slices.Contains(s.Required, name)
	}
}

// removeField removes a field, or those of its value, and reports whether there were any.
func removeField(fields map[string]bool, name string) bool {
	before := len(fields)
	maps.DeleteFunc(fields, func(one string, _ bool) bool { return one == name || strings.HasPrefix(one, name+".") })
	return len(fields) < before
}

// has reports whether objects have a field with a path.
func (d openAPI) has(s *schema, path string) bool {
	first, rest, nested := strings.Cut(path, ".")
	property, exists := s.Properties[first]
	return exists && (!nested || d.has(d.resolve(property), rest))
}
