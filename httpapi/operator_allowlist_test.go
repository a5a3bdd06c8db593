package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
)

// An operator sees what an organization has on its allowlist, without its texts, and clears it also after the organization was
// removed. What another organization has stays.
func TestOperator_ClearAllowlist(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	for organization, contents := range map[int64][]string{1: {"https://a.example", "https://b.example"}, 2: {"https://a.example"}} {
		var items []allowlist.Item
		for _, content := range contents {
			items = append(items, allowlist.Item{Content: content, Name: "secret", Description: "secret"})
		}
		_, err := s.guard.Allowlist.Add(t.Context(), allowlist.AddRequest{OrganizationID: organization, Items: items})
		require.NoError(t, err)
	}
	s.administer("/organization/remove", `{"id":1}`)
	list := s.read("/allowlist/list?organizationId=1&prefix=https://b&addedSince=2025-06-01").Body
	require.NotContains(t, list, "secret")
	entries := decode(t, list)["assets"].([]any)
	require.Len(t, entries, 1)
	require.Equal(t, "https://b.example", entries[0].(map[string]any)["content"])
	before := int64(len(decode(t, s.read("/allowlist/list?organizationId=1").Body)["assets"].([]any)))
	require.GreaterOrEqual(t, before, int64(2))

	request := func(fields string) string { return `{"organizationId":1,"addedSince":"2025-06-01"` + fields + `}` }
	const planned = `{"removed":2,"changed":1,"nextCursor":null}`
	require.JSONEq(t, planned, s.operate("/allowlist/clear", request(`,"prefix":"https://","dryRun":true`)).Body)
	require.JSONEq(t, planned, s.operate("/allowlist/clear", request(`,"prefix":"https://"`)).Body)
	require.JSONEq(t, `{"removed":0,"changed":0,"nextCursor":null}`, s.operate("/allowlist/clear", request("")).Body)
	require.JSONEq(t, `{"assets":[],"nextCursor":null}`, s.read("/allowlist/list?organizationId=1&addedSince=2025-06-01").Body)
	require.Len(t, decode(t, s.read("/allowlist/list?organizationId=2&prefix=https://a.example").Body)["assets"].([]any), 1)
	require.Contains(t, s.accountEntries(), "ORGANIZATION CLEARED 1")

	for body, issues := range map[string][]string{
		`{}`: {"organizationId: is required"},
		request(`,"addedBefore":"2025-06-01","status":"?"`):      {"status: must be UNKNOWN, ALLOWED or BLOCKED", "addedBefore: must be after addedSince"},
		request(`,"prefix":"` + strings.Repeat("a", 8193) + `"`): {"prefix: must be at most 8192 bytes long"},
	} {
		requireInvalid(t, s.operate("/allowlist/clear", body), issues...)
	}
	require.Equal(t, http.StatusBadRequest, s.read("/allowlist/list").Status)
	requireInvalid(t, s.postKeyed(operatorBase+"/allowlist/clear", operatorKey, request(""), "k"),
		"Idempotency-Key: must not be given for an operation on allowlists")
}
