package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/pending"
)

// secondKey is that of another operator, who has a name.
const secondKey = "apg_second"

// startFourEyes returns the operators' API with four eyes on, at the time of the clock.
func startFourEyes(t *testing.T, clock func() time.Time) testServer {
	t.Helper()
	s := startOperatorWith(t, setup{guard: apguard.Options{FourEyes: true, Clock: clock}})
	require.NoError(t, s.guard.Accounts.PutUser(t.Context(), account.User{ID: 3, FullName: "Sue"}))
	require.NoError(t, s.guard.Keys.Put(t.Context(), secondKey, account.KeyRequest{UserID: 3, Scopes: account.OperatorScopes()}))
	return s
}

// second sends a body to an operation with the key of the second operator.
func (s testServer) second(path, body string) response {
	s.tb.Helper()
	return s.post(operatorBase+path, secondKey, body)
}

// actOf returns the act of a response.
func actOf(t *testing.T, got response, status int) (act struct {
	ID        int64
	Kind      pending.Kind
	State     pending.State
	Actor     struct{ ID int64 }
	DecidedBy *struct{ FullName string }
},
) {
	t.Helper()
	require.Equal(t, status, got.Status, got.Body)
	body := struct{ Pending any }{&act}
	require.NoError(t, json.Unmarshal([]byte(got.Body), &body))
	return act
}

// Each request that needs a second operator is answered with 202 and changes nothing until that one approves it.
func TestPending_Approve(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		before func(s testServer)
		asked  operatorCall
		kind   pending.Kind
		// happened reports whether the act was executed.
		happened func(s testServer) bool
	}{
		"a protected asset": {
			nil,
			operatorCall{"/asset/setStatus", `{"content":"github.io","status":"BLOCKED","confirmProtected":true}`},
			pending.KindBlock,
			func(s testServer) bool { return s.presentStatus("github.io") == asset.StatusBlocked },
		},
		"a review": {
			testServer.reportSuffix,
			operatorCall{"/report/review", `{"proposalId":4,"reviewStatus":"APPROVE","confirmProtected":true,"ifReview":null}`},
			pending.KindBlock,
			func(s testServer) bool { return s.presentStatus("github.io") == asset.StatusBlocked },
		},
		"the removal of a list": {
			func(s testServer) {
				require.Equal(s.tb, http.StatusOK, s.operate(exampleList.path, exampleList.body).Status)
			},
			operatorCall{"/list/remove", `{"name":"acme-feed"}`},
			pending.KindRemoval,
			func(s testServer) bool {
				_, err := s.guard.Lists.Get(context.Background(), "acme-feed")
				return err != nil
			},
		},
		"a fetch": {
			func(s testServer) {
				require.Equal(s.tb, http.StatusOK, s.operate("/list/add", `{"name":"acme-feed","format":"domains","url":"https://lists.example/acme"}`).Status)
				require.Equal(s.tb, http.StatusOK, s.operate("/list/sync?name=acme-feed", manyDomains()).Status)
			},
			operatorCall{"/list/fetch", `{"name":"acme-feed","confirm":true}`},
			pending.KindSync,
			func(s testServer) bool { return s.presentStatus("d0.example.com") == asset.StatusUnknown },
		},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s := startFourEyes(t, nil)
			if c.before != nil {
				c.before(s)
			}
			asked := actOf(t, s.operate(c.asked.path, c.asked.body), http.StatusAccepted)
			require.Equal(t, c.kind, asked.Kind)
			require.Equal(t, int64(operatorUser), asked.Actor.ID)
			require.Equal(t, asked, actOf(t, s.operate(c.asked.path, c.asked.body), http.StatusAccepted), "asked for twice")
			require.False(t, c.happened(s))
			requireError(t, s.operate("/pending/approve", `{"id":1}`), "", http.StatusConflict, "CONFLICT", "Another operator must approve the act")
			require.False(t, c.happened(s))
			approved := actOf(t, s.second("/pending/approve", `{"id":1,"comment":"x"}`), http.StatusOK)
			require.Equal(t, pending.StateApproved, approved.State)
			require.Equal(t, "Sue", approved.DecidedBy.FullName)
			require.True(t, c.happened(s))
			requireError(t, s.second("/pending/approve", `{"id":1}`), "", http.StatusConflict, "CONFLICT", "The act is already APPROVED")
			require.Contains(t, s.read("/pending/list?state=APPROVED").Body, `"comment":"x"}],"nextCursor":null}`)
			require.JSONEq(t, `{"acts":[],"nextCursor":null}`, s.read("/pending/list").Body)
		})
	}
}

// presentStatus is status for an asset that may not exist.
func (s testServer) presentStatus(content string) asset.Status {
	s.tb.Helper()
	found, err := s.guard.Asset(context.Background(), content)
	if err != nil {
		require.ErrorIs(s.tb, err, asset.ErrNotFound)
		return asset.StatusUnknown
	}
	return found.Status
}

// The file of an upload is not kept, so that another operator sends it again.
func TestPending_Upload(t *testing.T) {
	t.Parallel()
	s := startFourEyes(t, nil)
	require.Equal(t, http.StatusOK, s.operate(exampleList.path, exampleList.body).Status)
	require.Equal(t, http.StatusOK, s.operate("/list/sync?name=acme-feed", "a.example.com\n").Status)
	const empty = "/list/sync?name=acme-feed&confirm=true"
	asked := actOf(t, s.operate(empty, "# nothing"), http.StatusAccepted)
	require.Equal(t, asked, actOf(t, s.operate(empty, "# nothing at all"), http.StatusAccepted))
	requireError(t, s.second("/pending/approve", `{"id":1}`), "", http.StatusConflict, "CONFLICT",
		"To approve the sync, sync the list with the same file and confirm")
	got := s.second(empty, "# nothing")
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	require.Contains(t, got.Body, `"withdrawn":1`)
	require.Contains(t, s.read("/pending/list?state=APPROVED").Body, `"state":"APPROVED"`)
}

func TestPending_Refused(t *testing.T) {
	t.Parallel()
	present := now
	s := startFourEyes(t, func() time.Time { return present })
	const block = `{"content":"github.io","status":"BLOCKED","confirmProtected":true}`
	actOf(t, s.operate("/asset/setStatus", block), http.StatusAccepted)
	require.Equal(t, http.StatusOK, s.operate("/asset/setStatus", `{"content":"github.io","status":"ALLOWED"}`).Status)
	for _, c := range []struct {
		call    operatorCall
		status  int
		message string
	}{
		{operatorCall{"/pending/approve", `{"id":1}`}, http.StatusConflict, "What the act would do has changed; ask for it again"},
		{operatorCall{"/pending/approve", `{"id":9}`}, http.StatusNotFound, "Pending act not found"},
		{operatorCall{"/pending/reject", `{"id":9}`}, http.StatusNotFound, "Pending act not found"},
	} {
		got := s.second(c.call.path, c.call.body)
		require.Equal(t, c.status, got.Status)
		require.Contains(t, got.Body, c.message)
	}
	present = present.Add(pending.Lifetime)
	for _, path := range []string{"/pending/approve", "/pending/reject"} {
		requireError(t, s.second(path, `{"id":1}`), "", http.StatusConflict, "CONFLICT", "The act has expired; ask for it again")
	}
	require.Contains(t, s.read("/pending/list?state=EXPIRED").Body, `"state":"EXPIRED"`)
	require.Equal(t, http.StatusBadRequest, s.read("/pending/list?state=OPEN").Status)
	require.Equal(t, asset.StatusAllowed, s.status("github.io"))
}

// The same key gets the same act, whatever has become of it.
func TestPending_Repeat(t *testing.T) {
	t.Parallel()
	s := startFourEyes(t, nil)
	const block = `{"content":"github.io","status":"BLOCKED","confirmProtected":true}`
	ask := func(body string) response {
		return s.postKeyed(operatorBase+"/asset/setStatus", operatorKey, body, "k")
	}
	actOf(t, ask(block), http.StatusAccepted)
	require.Equal(t, http.StatusOK, s.second("/pending/approve", `{"id":1}`).Status)
	again := ask(block)
	require.Equal(t, pending.StateApproved, actOf(t, again, http.StatusAccepted).State)
	require.Equal(t, "true", again.Header.Get("Idempotency-Replayed"))
	requireReused(t, ask(block+" "), operatorBase+"/asset/setStatus")
}

// The items of a batch that wait name their act. The others are done.
func TestPending_Statuses(t *testing.T) {
	t.Parallel()
	s := startFourEyes(t, nil)
	body := `{"items":[{"content":"github.io","status":"BLOCKED"},{"content":"evil.example.com","status":"BLOCKED"},{"content":"gitlab.io","status":"BLOCKED"}],` +
		`"confirmProtected":true`
	for _, step := range []struct{ end, id string }{{`,"dryRun":true}`, "null"}, {`}`, "1"}} { // the dry run first
		got, id := s.operate("/asset/setStatuses", body+step.end), step.id
		require.Equal(t, http.StatusOK, got.Status)
		for _, content := range []string{"github.io", "gitlab.io"} {
			require.Contains(t, got.Body, `{"content":"`+content+`","error":"Another operator must approve this","reason":null,"pending":`+id+`}`)
		}
		require.Contains(t, got.Body, `"changed":1,"unchanged":0,"refused":2`)
		require.Contains(t, got.Body, `"pending":{"id":`+id+`,"kind":"BLOCK_PROTECTED"`)
	}
	require.Equal(t, asset.StatusBlocked, s.status("evil.example.com"))
	require.Equal(t, asset.StatusUnknown, s.presentStatus("github.io"))
	require.Equal(t, http.StatusOK, s.second("/pending/approve", `{"id":1}`).Status)
	require.Equal(t, asset.StatusBlocked, s.status("github.io"))
	require.Equal(t, asset.StatusBlocked, s.status("gitlab.io"))
}

// A server that does not fetch lists says how a sync is approved.
func TestPending_NoFetch(t *testing.T) {
	t.Parallel()
	s := startFourEyes(t, nil)
	_, err := s.guard.Lists.Add(t.Context(), lists.List{Name: "acme-feed", Format: lists.Domains, URL: "https://lists.example/acme"})
	require.NoError(t, err)
	actOf(t, s.operate("/list/sync?name=acme-feed&confirm=true", "# nothing"), http.StatusAccepted)
	requireError(t, s.second("/pending/approve", `{"id":1}`), "", http.StatusConflict, "CONFLICT", "What the act would do has changed; ask for it again")
	api, err := httpapi.NewOperator(s.guard, httpapi.APIKeys(s.guard.Keys), httpapi.Options{})
	require.NoError(t, err)
	mux := http.NewServeMux()
	api.Mount(mux, operatorBase)
	s.Handler = mux
	requireError(t, s.second("/pending/approve", `{"id":1}`), "", http.StatusConflict, "CONFLICT",
		"To approve the sync, sync the list with the same file and confirm")
}

// An undone act cannot wait for a second operator, so it does not block what is protected, even if that is confirmed.
func TestPending_Undo(t *testing.T) {
	t.Parallel()
	s := startFourEyes(t, nil)
	act := actOf(t, s.operate("/asset/setStatus", `{"content":"github.io","status":"BLOCKED","confirmProtected":true}`), http.StatusAccepted)
	require.Equal(t, http.StatusOK, s.second("/pending/approve", fmt.Sprintf(`{"id":%d}`, act.ID)).Status)
	var freed struct {
		Decision, Previous json.RawMessage
	}
	got := s.operate("/asset/setStatus", `{"content":"github.io","status":"ALLOWED"}`)
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	require.NoError(t, json.Unmarshal([]byte(got.Body), &freed))
	undo := fmt.Sprintf(`{"items":[{"content":"github.io","decision":%s,"previous":%s}]`, freed.Decision, freed.Previous)
	require.Contains(t, s.operate("/asset/undo", undo+`}`).Body, `"error":"confirmProtected: must be true to block it: github.io is a public suffix"`)
	require.Contains(t, s.operate("/asset/undo", undo+`,"confirmProtected":true}`).Body,
		`"error":"confirmProtected: does not suffice: set the status, so that another operator can approve it: github.io is a public suffix"`)
	require.Equal(t, asset.StatusAllowed, s.presentStatus("github.io"))
}
