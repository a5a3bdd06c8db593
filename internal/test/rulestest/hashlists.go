package rulestest

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/npmtest"
)

// HashLists are hash lists in Node. It is not safe for concurrent use.
type HashLists struct {
	tb  testing.TB
	in  *json.Encoder
	out *json.Decoder
}

// NewHashLists starts Node until the end of the test. The zero Rules are sufficient for lists that check
// nothing.
func NewHashLists(tb testing.TB, rules Rules) *HashLists {
	tb.Helper()
	RequireNode(tb)
	script := filepath.Join(root(), "rules", "testdata", "hashlists.mjs")
	node := exec.CommandContext(tb.Context(), "node")
	node.Args = append(node.Args, script)
	if rules != (Rules{}) {
		node.Args = append(node.Args, rules.Program, rules.Exec)
	}
	node.Stderr = tb.Output()
	in, out := npmtest.Start(tb, node)
	return &HashLists{tb, json.NewEncoder(in), json.NewDecoder(out)}
}

// Held is what a list holds after a call.
type Held struct {
	// Code is that of the error of the call, or empty. Message, Status and RetryAfter are those of the error.
	Code       string `json:"code"`
	Message    string `json:"message"`
	Status     int    `json:"status"`
	RetryAfter int    `json:"retryAfter"`
	// Answer is that of the call.
	Answer  bool   `json:"answer"`
	Version string `json:"version"`
	// AsOf and MinimumWait are in milliseconds.
	AsOf        int64   `json:"asOf"`
	MinimumWait float64 `json:"minimumWait"`
	// Blocked and Allowed are the hashes.
	Blocked []byte `json:"blocked"`
	Allowed []byte `json:"allowed"`
}

// Update updates the list with a name, which is empty before its first update, and returns what it holds
// then.
func (h *HashLists) Update(t require.TestingT, list string, data []byte, asOf time.Time) Held {
	return ask[Held](t, h, map[string]any{"call": "update", "list": list, "data": data, "asOf": asOf.UnixMilli()})
}

// Refresh is Update with the response of a server.
func (h *HashLists) Refresh(t require.TestingT, list, base, key string) Held {
	return ask[Held](t, h, map[string]any{"call": "refresh", "list": list, "base": base, "key": key})
}

// RefreshFrom is Update with the files of a published folder. A manifest is accepted for an hour.
func (h *HashLists) RefreshFrom(t require.TestingT, list, manifest, verifierKey string) Held {
	return ask[Held](t, h, map[string]any{"call": "refresh", "list": list, "manifest": manifest, "verifierKey": verifierKey})
}

// Clear empties the list with a name.
func (h *HashLists) Clear(t require.TestingT, list string) {
	ask[Held](t, h, map[string]any{"call": "clear", "list": list})
}

// Check returns the verdict or the error for each content, in the form of hashlist.js.
func (h *HashLists) Check(t require.TestingT, list string, contents []string) []map[string]any {
	return ask[[]map[string]any](t, h, map[string]any{"call": "check", "list": list, "contents": contents})
}

func ask[T any](t require.TestingT, h *HashLists, command map[string]any) T {
	var answer T
	require.NoError(t, h.in.Encode(command))
	require.NoError(t, h.out.Decode(&answer))
	return answer
}
