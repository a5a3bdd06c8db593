//go:build !js

package rules_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/rulestest"
)

// javaScript answers calls of functions of rules.js, which runs the rules as WebAssembly.
type javaScript struct {
	calls bytes.Buffer
}

// add adds a call.
func (j *javaScript) add(tb testing.TB, call ...any) {
	tb.Helper()
	require.NoError(tb, json.NewEncoder(&j.calls).Encode(call))
}

// run builds the rules and returns the answer of each call.
func (j *javaScript) run(t *testing.T) []string {
	t.Helper()
	built := rulestest.Build(t)
	node := exec.CommandContext(t.Context(), "node", filepath.Join("testdata", "run.mjs"), built.Program, built.Exec)
	node.Stdin = &j.calls
	var failure bytes.Buffer
	node.Stderr = &failure
	answers, err := node.Output()
	require.NoError(t, err, "%s", &failure)
	return strings.Split(strings.TrimSuffix(string(answers), "\n"), "\n")
}

// The rules give the same answers in JavaScript as in Go.
func TestWebAssembly(t *testing.T) {
	t.Parallel()
	type argument = map[string]any
	var (
		js   javaScript
		want []string
	)
	add := func(rule string, argument any, args ...any) {
		text, err := json.Marshal(argument)
		require.NoError(t, err)
		js.add(t, append([]any{rule}, args...)...)
		want = append(want, fmt.Sprintf(`{"answer":%s}`, call(t, rule, string(text))))
	}
	contents := goldenContents(t)
	add("classify", argument{"contents": contents}, contents)
	for _, content := range contents {
		if json.Valid([]byte(quote(content))) {
			add("explain", argument{"content": content}, content)
		}
	}
	body := argument{"assets": []argument{{"content": "a.example.com"}, {"content": "?"}, {"content": "A.example.com"}, {"content": "https://аpple.com"}}}
	text, err := json.Marshal(body)
	require.NoError(t, err)
	add("plan", argument{"body": string(text), "at": now}, body, now)
	add("validate", argument{"operation": "/asset/list", "query": "limit=0"}, "/asset/list", argument{"query": "limit=0"})
	add("validate", argument{"operation": "/asset/check", "body": "{}"}, "/asset/check", argument{"body": argument{}})
	add("validate", argument{"operation": "/asset/check", "body": "{"}, "/asset/check", argument{"body": "{"})
	add("validate", argument{"operation": "/dispute/create", "idempotencyKey": "a b"}, "/dispute/create", argument{"idempotencyKey": "a b"})
	add("transitions", argument{"state": "OPEN"}, "OPEN")
	add("reportStatus", argument{"reviewStatuses": []any{"APPROVE", nil}}, []any{"APPROVE", nil})
	add("limits", argument{})
	js.add(t, "classify", []any{5})
	want = append(want, `{"error":"TypeError"}`)

	got := js.run(t)
	require.Len(t, got, len(want))
	for i := range want {
		require.JSONEq(t, want[i], got[i])
	}
}
