package httpapi_test

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

func TestGetDispute(t *testing.T) {
	t.Parallel()
	s := start(t)
	created := s.post(disputePath, acmeKey, `{"content":"https://BAD.example.com","description":"It is ours."}`)
	require.Equal(t, http.StatusOK, created.Status)
	got := s.get(ownPath+"?id=1", acmeKey)
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	require.JSONEq(t, `{"id":"1","asset":{"id":1,"type":"URL","content":"https://bad.example.com","status":"BLOCKED"},`+
		`"state":"OPEN","reason":null,"createdAt":"2025-06-01T12:00:00.123Z","closedAt":null}`, got.Body)

	_, err := s.guard.DisputeQueue.AddNote(t.Context(), dispute.AddNoteRequest{DisputeID: 1, Text: "secret", Actor: 2})
	require.NoError(t, err)
	_, err = s.guard.DisputeQueue.StartReview(t.Context(), dispute.TransitionRequest{DisputeID: 1, Reason: "secret", Actor: 2})
	require.NoError(t, err)
	require.Contains(t, s.get(ownPath+"?id=1", acmeKey).Body, `"state":"UNDER_REVIEW","reason":null,`)
	_, err = s.guard.DisputeQueue.Resolve(t.Context(), dispute.ResolveRequest{
		DisputeID: 1, State: dispute.StateAccepted, AssetStatus: asset.StatusUnknown, Reason: "It is theirs.", Actor: 2,
	})
	require.NoError(t, err)
	got = s.get(ownPath+"?id=1", acmeKey)
	require.JSONEq(t, `{"id":"1","asset":{"id":1,"type":"URL","content":"https://bad.example.com","status":"UNKNOWN"},`+
		`"state":"ACCEPTED","reason":"It is theirs.","createdAt":"2025-06-01T12:00:00.123Z","closedAt":"2025-06-01T12:00:00.123Z"}`, got.Body)

	head := newRequest(http.MethodHead, ownPath+"?id=1", nil)
	head.Header.Set("X-Api-Key", acmeKey)
	require.Equal(t, http.StatusOK, s.do(head).Status)
	require.Empty(t, s.log.String())
}

// Each key reads what its organization or its user has created, and nothing else. A dispute of
// others has the response of one that does not exist.
func TestGetDispute_Isolated(t *testing.T) {
	t.Parallel()
	s := start(t)
	owners := map[string][2]int64{acmeKey: {1, 1}, globexKey: {2, 0}, looseKey: {0, 0}}
	for key, owner := range map[string][2]int64{
		"apg_acme_eve": {1, 2}, "apg_globex_ada": {2, 1}, "apg_ada": {0, 1}, "apg_eve": {0, 2},
	} {
		s.addKeyOf(key, owner[0], owner[1], account.ScopeDispute)
		owners[key] = owner
	}
	ids := make(map[string]string)
	for key := range owners {
		got := s.post(disputePath, key, `{"content":"https://bad.example.com","email":"`+key+`@mail.test"}`)
		require.Equal(t, http.StatusOK, got.Status, got.Body)
		ids[key] = decode(t, got.Body)["id"].(string)
	}
	visible := func(creator, caller [2]int64) bool {
		if creator[0] != 0 && caller[0] != 0 {
			return creator[0] == caller[0]
		}
		return creator[1] != 0 && creator[1] == caller[1]
	}
	missing := s.get(ownPath+"?id=999", acmeKey)
	require.Equal(t, standard("NOT_FOUND", "Dispute not found"), missing.Body)
	for creator, id := range ids {
		for caller := range owners {
			got := s.get(ownPath+"?id="+id, caller)
			if visible(owners[creator], owners[caller]) {
				require.Equal(t, http.StatusOK, got.Status, "%s reads a dispute of %s", caller, creator)
				require.Contains(t, got.Body, `"id":"`+id+`"`)
				continue
			}
			require.Equal(t, missing.Status, got.Status, "%s reads a dispute of %s", caller, creator)
			require.Equal(t, missing.Body, got.Body)
			require.Equal(t, slices.Sorted(maps.Keys(missing.Header)), slices.Sorted(maps.Keys(got.Header)))
		}
	}
	require.Equal(t, http.StatusNotFound, s.get(ownPath+"?id="+ids[looseKey], looseKey).Status, "nobody is the creator")

	s.addKeyOf("apg_removed_organization", 1, 1, account.ScopeDispute)
	s.addKeyOf("apg_removed_user", 0, 2, account.ScopeDispute)
	require.NoError(t, s.guard.Accounts.RemoveOrganization(t.Context(), 1))
	require.NoError(t, s.guard.Accounts.RemoveUser(t.Context(), 2))
	for _, key := range []string{"apg_removed_organization", "apg_removed_user"} {
		require.Equal(t, http.StatusUnauthorized, s.get(ownPath+"?id="+ids[acmeKey], key).Status, key)
	}
}

func TestGetDispute_Invalid(t *testing.T) {
	t.Parallel()
	s := start(t)
	require.Equal(t, http.StatusOK, s.post(disputePath, acmeKey, posts[disputePath]).Status)
	const issue = "id: must be a whole number from 1 to 2^53-1"
	for query, want := range map[string]string{
		"":                       "id: is required",
		"id=":                    "id: is required",
		"id=0":                   issue,
		"id=-1":                  issue,
		"id=1.5":                 issue,
		"id=x":                   issue,
		"id=%22%31%22":           issue,
		"id=%00":                 issue,
		"id=9007199254740992":    issue,
		"id=9223372036854775808": issue,
		"id=1e400":               issue,
		"id=" + longNumber:       issue,
		"id=1,2":                 issue,
		"id=1&id=1":              "id: must be given once",
		"id=1&id=2":              "id: must be given once",
		"id=1&v=2":               "v: unknown field",
		"id=1&ID=1":              "ID: unknown field, did you mean id?",
		"id=1&organizationId=2":  "organizationId: unknown field",
		"id=%zz":                 "the query must be parameters in URL encoding",
	} {
		requireInvalid(t, s.get(ownPath+"?"+query, acmeKey), want)
	}
	for _, id := range []string{"1", "1.0", "1e0", "10e-1"} {
		require.Equal(t, http.StatusOK, s.get(ownPath+"?id="+id, acmeKey).Status, id)
	}
	for _, id := range []string{"2", strconv.Itoa(asset.MaxID)} {
		require.Equal(t, http.StatusNotFound, s.get(ownPath+"?id="+id, acmeKey).Status, id)
	}
}

var longNumber = "1" + strings.Repeat("0", 5000)
