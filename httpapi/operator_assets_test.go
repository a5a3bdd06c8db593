package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/protect"
)

func TestExplainAsset(t *testing.T) {
	t.Parallel()
	s := startOperatorWith(t, setup{guard: apguard.Options{ExternalLists: check.ExternalLists{externalList{word: "bad"}, externalList{word: "never"}}}})
	_, err := s.guard.Allowlist.Add(t.Context(), allowlist.AddRequest{
		OrganizationID: 2, Items: []allowlist.Item{{Content: "https://bad.example.com"}},
	})
	require.NoError(t, err)
	got := decode(t, s.read("/asset/explain?content=https://BAD.example.com").Body)
	require.Equal(t, "ALLOWED", got["asset"].(map[string]any)["status"])
	require.Equal(t, "ALLOWLIST", got["change"].(map[string]any)["cause"])
	require.Len(t, got["dissent"], 1)
	require.Equal(t, map[string]any{"more": false, "organizations": []any{
		map[string]any{"id": json.Number("2"), "slug": "globex", "name": "Globex", "addedAt": "2025-06-01T12:00:00.123Z"},
	}}, got["allowedBy"])
	require.Len(t, got["disputes"].(map[string]any)["disputes"], 1)

	// Only a list knows this one.
	got = decode(t, s.read("/asset/explain?content=https://never.example.com").Body)
	require.Equal(t, map[string]any{"id": nil, "type": "URL", "content": "https://never.example.com", "status": "UNKNOWN"}, got["asset"])
	require.Nil(t, got["change"])
	require.Len(t, got["dissent"], 1)

	// Nothing is known about this one.
	got = decode(t, s.read("/asset/explain?content=https://other.example.com").Body)
	require.Equal(t, map[string]any{"id": nil, "type": "URL", "content": "https://other.example.com", "status": "UNKNOWN"}, got["asset"])
	require.Nil(t, got["match"])

	// The domain of this one decides.
	require.Equal(t, http.StatusOK, s.operate("/asset/setStatus", `{"content":"other.example.com","status":"BLOCKED","reference":"ticket/7"}`).Status)
	got = decode(t, s.read("/asset/explain?content=https://www.other.example.com/x").Body)
	require.Equal(t, map[string]any{
		"kind": "DOMAIN", "assetId": json.Number("4"), "type": "PAGE", "content": "other.example.com", "status": "BLOCKED",
		"reason": "OTHER", "note": nil, "since": "2025-06-01T12:00:00.123Z", "by": "OPERATOR", "list": nil,
	}, got["match"])
	require.Equal(t, "ticket/7", got["change"].(map[string]any)["reference"])

	requireError(t, s.read("/asset/explain?content=not%20an%20asset"), "", http.StatusNotFound, "NOT_FOUND", "Asset not found")
}

func TestExplainAsset_ListsFailed(t *testing.T) {
	t.Parallel()
	down := check.HostList("Down", func(context.Context, string) (asset.Status, error) { return "", errors.New("secret") })
	s := startOperatorWith(t, setup{guard: apguard.Options{ExternalLists: check.ExternalLists{down}, FailClosed: true}})
	body := s.read("/asset/explain?content=https://other.example.com").Body
	require.Equal(t, []any{"Down"}, decode(t, body)["listsFailed"])
	require.NotContains(t, body, "secret")
}

func TestListAssetChanges_Pages(t *testing.T) {
	t.Parallel()
	clock := now
	s := startOperatorWith(t, setup{guard: apguard.Options{Clock: func() time.Time { return clock }}})
	for i := range 9 {
		clock = clock.Add(time.Duration(i%2) * time.Millisecond)
		status := asset.Statuses()[i%3]
		require.Equal(t, http.StatusOK, s.operate("/asset/setStatus", `{"content":"new.example.com","status":"`+string(status)+`"}`).Status)
	}
	type page struct {
		Changes    []struct{ ID int64 }
		NextCursor string
	}
	read := func(query string) (p page) {
		require.NoError(t, json.Unmarshal([]byte(s.read("/asset/history?content=New.Example.com&"+query).Body), &p))
		return p
	}
	all := read("")
	require.Len(t, all.Changes, 8, "the first status was UNKNOWN, as before")
	require.Empty(t, all.NextCursor)
	var paged page
	for next := read("limit=3"); ; next = read("limit=3&cursor=" + next.NextCursor) {
		paged.Changes = append(paged.Changes, next.Changes...)
		if next.NextCursor == "" {
			break
		}
	}
	require.Equal(t, all, paged)
	require.JSONEq(t, `{"changes":[],"nextCursor":null}`, s.read("/asset/history?content=https://never.example.com").Body)
	requireInvalid(t, s.read("/asset/history?limit=1001"), "limit: must be from 1 to 1000", "content: is required")
}

func TestSetAssetStatus(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	body := `{"content":"Phish.Example.com","status":"BLOCKED","reason":"PHISHING","note":"<b>","reference":"ticket/7"}`
	decision := `{"status":"BLOCKED","reason":"PHISHING","note":"<b>","reference":"ticket/7","actor":{"id":2,"fullName":null},"since":"2025-06-01T12:00:00.123Z","expiresAt":null,"reviewAt":null}`
	set := func(previous string) string {
		return `{"id":4,"type":"PAGE","content":"phish.example.com","status":"BLOCKED","decision":` + decision + `,"previous":` + previous +
			`,"exceptions":[],"moreExceptions":false}`
	}
	require.JSONEq(t, set("null"), s.operate("/asset/setStatus", body).Body)
	require.JSONEq(t, set(decision), s.operate("/asset/setStatus", body).Body, "again")
	require.JSONEq(t, `{"changes":[{"id":3,"fromStatus":"UNKNOWN","toStatus":"BLOCKED","updatedAt":"2025-06-01T12:00:00.123Z",`+
		`"cause":"MANUAL","actor":{"id":2,"fullName":null},"reference":"ticket/7"}],"nextCursor":null}`, s.read("/asset/history?content=phish.example.com").Body)
}

// A decision that ends and is due for review is told wherever decisions are.
func TestListDueAssets(t *testing.T) {
	t.Parallel()
	clock := now
	s := startOperatorWith(t, setup{guard: apguard.Options{Clock: func() time.Time { return clock }}})
	require.NoError(t, s.guard.Accounts.PutUser(t.Context(), account.User{ID: 2, FullName: "Grace Hopper"}))
	set := func(content, times string) string {
		got := s.operate("/asset/setStatus", `{"content":"`+content+`","status":"BLOCKED"`+times+`}`)
		require.Equal(t, http.StatusOK, got.Status, got.Body)
		return got.Body
	}
	dueTimes := `"expiresAt":"2025-09-01T00:00:00.000Z","reviewAt":"2025-06-08T00:00:00.000Z"`
	got := set("b.example.com", `,"expiresAt":"2025-09-01T02:00:00+02:00","reviewAt":"2025-06-08T00:00:00Z"`)
	require.Contains(t, got, dueTimes)
	require.Contains(t, s.read("/asset/explain?content=b.example.com").Body, dueTimes)
	set("a.example.com", `,"reviewAt":"2025-06-09T00:00:00Z","expiresAt":null`)
	set("c.example.com", "")

	list := func(query string) (contents []string, cursor any) {
		body := decode(t, s.read("/asset/due?"+query).Body)
		for _, one := range body["assets"].([]any) {
			contents = append(contents, one.(map[string]any)["content"].(string))
		}
		return contents, body["nextCursor"]
	}
	contents, cursor := list("")
	require.Empty(t, contents, "nothing is due yet")
	require.Nil(t, cursor)
	contents, cursor = list("before=2025-06-09T00:00:00Z&limit=1")
	require.Equal(t, []string{"b.example.com"}, contents)
	contents, cursor = list("before=2025-06-09T00:00:00Z&limit=1&cursor=" + cursor.(string))
	require.Equal(t, []string{"a.example.com"}, contents)
	require.Nil(t, cursor)
	clock = time.Date(2025, time.June, 8, 0, 0, 0, 0, time.UTC)
	require.Contains(t, s.read("/asset/due").Body, `{"assets":[{"id":4,"type":"PAGE","content":"b.example.com","status":"BLOCKED","decision":{"status":"BLOCKED","reason":"OTHER",`+
		`"note":null,"reference":null,"actor":{"id":2,"fullName":"Grace Hopper"},"since":"2025-06-01T12:00:00.123Z",`+dueTimes+`}}],"nextCursor":null}`)

	require.Contains(t, set("b.example.com", ""), `"expiresAt":null,"reviewAt":null},"previous"`)
	contents, _ = list("")
	require.Empty(t, contents, "it was looked at")
	requireInvalid(t, s.read("/asset/due?before=2025-06-08&limit=0&cursor=x"),
		"before: must be a time of RFC 3339, such as 2030-12-31T00:00:00Z", "cursor: must be the nextCursor of a page", "limit: must be from 1 to 1000")
}

// The entry of an organization that ends, and one of a list, are told with their ends.
func TestExplainAsset_ends(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	_, err := s.guard.Allowlist.Add(t.Context(), allowlist.AddRequest{
		OrganizationID: 1, Items: []allowlist.Item{{Content: "shop.example.com", ExpiresAt: now.Add(time.Hour)}},
	})
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, s.operate("/list/add", `{"name":"feed","format":"jsonl"}`).Status)
	require.Equal(t, http.StatusOK, s.sync("feed", `{"content":"shop.example.com","expiresAt":"2025-06-02T00:00:00Z"}`).Status)
	decisions := decode(t, s.read("/asset/explain?content=shop.example.com").Body)["decisions"].([]any)
	require.Len(t, decisions, 2)
	require.Equal(t, "2025-06-02T00:00:00.000Z", decisions[0].(map[string]any)["expiresAt"])
	require.Equal(t, "2025-06-01T13:00:00.123Z", decisions[1].(map[string]any)["expiresAt"])
}

// What operators have decided is explained, and taken back: an entry of an allowlist then decides.
func TestWithdrawAssetDecision(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	_, err := s.guard.Allowlist.Add(t.Context(), allowlist.AddRequest{OrganizationID: 1, Items: []allowlist.Item{{Content: "shop.example.com"}}})
	require.NoError(t, err)
	blocked := `{"status":"BLOCKED","reason":"SCAM","note":null,"reference":null,"actor":{"id":2,"fullName":null},"since":"2025-06-01T12:00:00.124Z","expiresAt":null,"reviewAt":null}`
	require.Equal(t, http.StatusOK, s.operate("/asset/setStatus", `{"content":"shop.example.com","status":"BLOCKED","reason":"SCAM","confirmProtected":true}`).Status)

	entry := `"source":{"kind":"ORGANIZATION","organization":{"id":1,"slug":"acme","name":"Acme"},"list":null},"status":"ALLOWED","reason":null,"note":null,` +
		`"reference":null,"actor":null,"since":"2025-06-01T12:00:00.123Z","expiresAt":null,"reviewAt":null`
	decisions := func(want string) {
		body := decode(t, s.read("/asset/explain?content=shop.example.com").Body)
		got, err := json.Marshal(body["decisions"])
		require.NoError(t, err)
		require.JSONEq(t, want, string(got))
	}
	decisions(`[{"source":{"kind":"OPERATOR","organization":null,"list":null},` + blocked[1:len(blocked)-1] + `,"counts":true},{` + entry + `,"counts":false}]`)

	requireInvalid(t, s.operate("/asset/withdraw", `{"ifStatus":"FINE"}`), "content: is required", "ifStatus: must be UNKNOWN, ALLOWED or BLOCKED")
	require.Equal(t, http.StatusConflict, s.operate("/asset/withdraw", `{"content":"shop.example.com","ifStatus":"ALLOWED"}`).Status)
	got := s.operate("/asset/withdraw", `{"content":"Shop.Example.com","ifStatus":"BLOCKED","reference":"ticket/8"}`)
	require.JSONEq(t, `{"id":4,"type":"PAGE","content":"shop.example.com","status":"ALLOWED","decision":null,"previous":`+blocked+`}`, got.Body)
	decisions(`[{` + entry + `,"counts":true}]`)
	require.Contains(t, s.read("/asset/history?content=shop.example.com&limit=1").Body, `"toStatus":"ALLOWED","updatedAt":"2025-06-01T12:00:00.123Z",`+
		`"cause":"WITHDRAWAL","actor":{"id":2,"fullName":null},"reference":"ticket/8"`)
	for _, content := range []string{"shop.example.com", "never.example.com"} {
		refused := s.operate("/asset/withdraw", `{"content":"`+content+`"}`)
		require.Equal(t, http.StatusNotFound, refused.Status)
		require.Contains(t, refused.Body, "Operators hold no decision on the asset")
	}
}

// Blocking a domain tells what stays ALLOWED below it, and so does the explanation.
func TestSetAssetStatus_Exceptions(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	for _, content := range []string{"app.evil.example.com", "https://evil.example.com/good/page", "https://evil.example.com"} {
		require.Equal(t, http.StatusOK, s.operate("/asset/setStatus", `{"content":"`+content+`","status":"ALLOWED"}`).Status)
	}
	exceptions := `"exceptions":[{"id":4,"type":"PAGE","content":"app.evil.example.com","status":"ALLOWED"},` +
		`{"id":5,"type":"URL","content":"https://evil.example.com/good/page","status":"ALLOWED"}],"moreExceptions":false`
	got := s.operate("/asset/setStatus", `{"content":"evil.example.com","status":"BLOCKED"}`)
	require.Contains(t, got.Body, exceptions)
	require.Contains(t, s.read("/asset/explain?content=evil.example.com").Body, exceptions)
	require.Contains(t, s.operate("/asset/setStatus", `{"content":"evil.example.com","status":"UNKNOWN"}`).Body, `"exceptions":[]`)
	require.Contains(t, s.read("/asset/explain?content=evil.example.com").Body, `"exceptions":[]`)
}

// An item that is refused says why, and does not affect the others.
func TestSetAssetStatuses(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	require.Equal(t, http.StatusOK, s.operate("/asset/setStatus", `{"content":"old.example.com","status":"BLOCKED","note":"old"}`).Status)
	body := `{"items":[{"content":"New.example.com","status":"BLOCKED","expiresAt":"2025-09-01T00:00:00Z"},{"content":"old.example.com","status":"ALLOWED"},` +
		`{"content":"new.example.com","status":"BLOCKED","expiresAt":"2025-09-01T02:00:00+02:00"},{"content":"new.example.com","status":"ALLOWED"},` +
		`{"content":"github.io","status":"BLOCKED"},{"content":"https://\ud800.example.com","status":"BLOCKED"},{"status":"BLOCKED"},` +
		`{"content":"a.example.com","status":"FINE","expiresAt":"2025-01-01"}],"reference":"ticket/7"`
	previous := `{"status":"BLOCKED","reason":"OTHER","note":"old","reference":null,"actor":{"id":2,"fullName":null},"since":"2025-06-01T12:00:00.123Z","expiresAt":null,"reviewAt":null}`
	decided := func(status, reason, since, expiresAt string) string {
		return `{"status":"` + status + `","reason":` + reason + `,"note":null,"reference":"ticket/7","actor":{"id":2,"fullName":null},"since":"` + since + `","expiresAt":` + expiresAt + `,"reviewAt":null}`
	}
	want := func(id, blocked, allowed, previous, dryRun string) string {
		return `{"results":[{"content":"New.example.com","id":` + id + `,"type":"PAGE","canonical":"new.example.com","from":"UNKNOWN","status":"BLOCKED","decision":` + blocked + `,"previous":null},` +
			`{"content":"old.example.com","id":4,"type":"PAGE","canonical":"old.example.com","from":"BLOCKED","status":"ALLOWED","decision":` + allowed + `,"previous":` + previous + `},` +
			`{"content":"new.example.com","id":` + id + `,"type":"PAGE","canonical":"new.example.com","from":"BLOCKED","status":"BLOCKED","decision":` + blocked + `,"previous":null},` +
			`{"content":"new.example.com","error":"Contradicts an earlier status of the same asset","reason":null,"pending":null},` +
			`{"content":"github.io","error":"confirmProtected: must be true to block it: github.io is a public suffix","reason":null,"pending":null},` +
			`{"content":"https://\ufffd.example.com","error":"Invalid asset format","reason":"ENCODING","pending":null},` +
			`{"content":"","error":"Content is required","reason":"EMPTY","pending":null},` +
			`{"content":"a.example.com","error":"status: must be UNKNOWN, ALLOWED or BLOCKED; expiresAt: must be in the future, up to year 9999","reason":null,"pending":null}],` +
			`"changed":2,"unchanged":1,"refused":5,"dryRun":` + dryRun + `,"pending":null}`
	}
	stored := s.stored()
	got := s.operate("/asset/setStatuses", body+`,"dryRun":true}`)
	require.JSONEq(t, want("null", "null", "null", "null", "true"), got.Body)
	require.Equal(t, stored, s.stored())
	require.JSONEq(t, want("5", decided("BLOCKED", `"OTHER"`, "2025-06-01T12:00:00.123Z", `"2025-09-01T00:00:00.000Z"`), decided("ALLOWED", "null", "2025-06-01T12:00:00.124Z", "null"), previous, "false"), s.operate("/asset/setStatuses", body+`}`).Body)
	require.Contains(t, s.read("/asset/history?content=new.example.com").Body, `"cause":"MANUAL","actor":{"id":2,"fullName":null},"reference":"ticket/7"`)

	stored = s.stored()
	require.Contains(t, s.operate("/asset/setStatuses", body+`}`).Body, `"changed":0,"unchanged":3,"refused":5`)
	require.Equal(t, stored, s.stored(), "a repeated request changes nothing")
	require.Contains(t, s.operate("/asset/setStatuses", body+`,"confirmProtected":true}`).Body, `"changed":1,"unchanged":3,"refused":4`)
}

func TestSetAssetStatuses_Invalid(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	stored := s.stored()
	items := func(n int) string {
		return `{"items":[` + strings.TrimSuffix(strings.Repeat(`{"content":"a.example.com","status":"BLOCKED"},`, n), ",") + `]}`
	}
	for reason, c := range map[string]struct {
		body   string
		issues []string
	}{
		"nothing":              {`{}`, []string{"items: is required"}},
		"no items":             {items(0), []string{"items: must be from 1 to 1000"}},
		"too many items":       {items(1001), []string{"items: must be from 1 to 1000"}},
		"an item of no fields": {`{"items":[7]}`, []string{"items[0]: must be an object"}},
		"values of other types": {
			`{"items":[{"content":7,"status":true,"expiresAt":0}],"dryRun":1}`,
			[]string{"dryRun: must be true or false", "items[0].content: must be a string", "items[0].status: must be a string", "items[0].expiresAt: must be a string"},
		},
		"a note that is too long": {
			`{"items":[{"content":"a.example.com","status":"BLOCKED"}],"note":"` + strings.Repeat("a", asset.MaxNote+1) + `"}`,
			[]string{"note: must be at most 200 bytes long"},
		},
	} {
		t.Run(reason, func(t *testing.T) { requireInvalid(t, s.operate("/asset/setStatuses", c.body), c.issues...) })
	}
	require.Equal(t, http.StatusOK, s.operate("/asset/setStatuses", strings.Replace(items(1000), "}]}", `}],"dryRun":true}`, 1)).Status)
	got := s.postKeyed(operatorBase+"/asset/setStatuses", operatorKey, items(1), "k")
	requireInvalid(t, got, "Idempotency-Key: must not be given for an operation on several assets")
	require.Equal(t, stored, s.stored())
}

// The results of a request are the items that undo it, and those of the undo do it again.
func TestUndoAssetDecisions(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	items := func(got response) string {
		var body struct {
			Results []struct {
				Content            string          `json:"content"`
				Decision, Previous json.RawMessage // as they were answered
			} `json:"results"`
		}
		require.NoError(t, json.Unmarshal([]byte(got.Body), &body))
		text, err := json.Marshal(map[string]any{"items": body.Results})
		require.NoError(t, err)
		return strings.NewReplacer("Decision", "decision", "Previous", "previous").Replace(string(text))
	}
	set := s.operate("/asset/setStatuses", `{"items":[{"content":"https://bad.example.com","status":"ALLOWED"},{"content":"new.example.com","status":"BLOCKED"}]}`)
	dry := strings.Replace(items(set), "{", `{"dryRun":true,`, 1)
	stored := s.stored()
	require.Contains(t, s.operate("/asset/undo", dry).Body, `"changed":2,"unchanged":0,"refused":0,"dryRun":true`)
	require.Equal(t, stored, s.stored())
	undone := s.operate("/asset/undo", items(set))
	require.Contains(t, undone.Body, `"changed":2,"unchanged":0,"refused":0,"dryRun":false`)
	require.Contains(t, s.read("/asset/history?content=new.example.com").Body, `"toStatus":"UNKNOWN","updatedAt":"2025-06-01T12:00:00.123Z","cause":"WITHDRAWAL","actor":{"id":2,"fullName":null}`)
	require.Contains(t, s.operate("/asset/undo", items(set)).Body, `"changed":0,"unchanged":2,"refused":0`)
	require.Contains(t, s.operate("/asset/undo", items(undone)).Body, `"changed":2,"unchanged":0,"refused":0`)

	require.Equal(t, http.StatusOK, s.operate("/asset/setStatus", `{"content":"new.example.com","status":"ALLOWED"}`).Status)
	got := s.operate("/asset/undo", items(set))
	require.Contains(t, got.Body, `{"content":"new.example.com","error":"Changed in the meantime","reason":null,"pending":null}`)
	require.Contains(t, got.Body, `"changed":1,"unchanged":0,"refused":1`)
}

func TestUndoAssetDecisions_Invalid(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	stored := s.stored()
	for reason, c := range map[string]struct {
		body   string
		issues []string
	}{
		"nothing":  {`{}`, []string{"items: is required"}},
		"no items": {`{"items":[]}`, []string{"items: must be from 1 to 1000"}},
		"values of other types": {
			`{"items":[{"content":"a.example.com","decision":7,"previous":{"status":1,"since":"now","x":1}}]}`,
			[]string{"items[0].decision: must be an object", "items[0].previous.x: unknown field", "items[0].previous.status: must be a string", "items[0].previous.since: must be a time of RFC 3339, such as 2030-12-31T00:00:00Z"},
		},
	} {
		t.Run(reason, func(t *testing.T) { requireInvalid(t, s.operate("/asset/undo", c.body), c.issues...) })
	}
	got := s.operate("/asset/undo", `{"items":[{"content":"a.example.com"},{"content":"a.example.com","decision":{"status":"BLOCKED"}},{"content":"no asset"}]}`)
	require.Contains(t, got.Body, `"error":"decision: is required without previous"`)
	require.Contains(t, got.Body, `"error":"decision.since: must be the time of the decision"`)
	require.Contains(t, got.Body, `"error":"Invalid asset format"`)
	require.Equal(t, stored, s.stored())
}

// A preview counts what a status concerns, and stores nothing.
func TestPreviewAssetStatus(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	stored := s.stored()
	got := s.operate("/asset/preview", `{"content":"HTTPS://Bad.example.com","status":"UNKNOWN"}`)
	require.JSONEq(t, `{"asset":{"id":1,"type":"URL","content":"https://bad.example.com","status":"BLOCKED"},"status":"UNKNOWN","wide":null,`+
		`"verdict":{"status":"UNKNOWN","source":"NONE","match":null,"lists":[],"listsFailed":[]},"protection":null,`+
		`"above":{"assets":[],"count":0},"below":{"assets":[],"count":0,"more":false},"exceptions":[],"moreExceptions":false,`+
		`"allowedBy":{"count":0,"more":false},"openDisputes":{"count":1,"more":false},"openReports":{"count":1,"more":false}}`, got.Body)
	require.Contains(t, s.operate("/asset/preview", `{"content":"github.io","status":"BLOCKED"}`).Body,
		`"protection":{"reason":"PUBLIC_SUFFIX","by":"github.io"}`)
	require.Contains(t, s.operate("/asset/preview", `{"content":"google.com","status":"ALLOWED"}`).Body,
		`"wide":{"protection":"POPULAR","blockedBelow":0}`)
	require.Equal(t, stored, s.stored())
	for reason, c := range map[string]struct {
		body   string
		issues []string
	}{
		"nothing":           {`{}`, []string{"content: is required", "status: is required"}},
		"an unknown status": {`{"content":"x.example.com","status":"FINE"}`, []string{"status: must be UNKNOWN, ALLOWED or BLOCKED"}},
		"content that is not recognized": {
			`{"content":"no asset","status":"BLOCKED"}`,
			[]string{"content: inner white space, control character or invisible direction mark"},
		},
	} {
		t.Run(reason, func(t *testing.T) { requireInvalid(t, s.operate("/asset/preview", c.body), c.issues...) })
	}
	got = s.postKeyed(operatorBase+"/asset/preview", readerKey, `{"content":"x.example.com","status":"BLOCKED"}`, "k")
	requireInvalid(t, got, "Idempotency-Key: must not be given for an operation that only reads")
}

// What many people use is blocked only with a confirmation, which says why it takes one.
func TestSetAssetStatus_Protected(t *testing.T) {
	t.Parallel()
	s := startOperatorWith(t, setup{guard: apguard.Options{Protected: protect.Names([]string{"login.bank.com"})}})
	_, err := s.guard.Allowlist.Add(t.Context(), allowlist.AddRequest{OrganizationID: 1, Items: []allowlist.Item{{Content: "https://shop.example.com/cart"}}})
	require.NoError(t, err)
	for content, why := range map[string]string{
		"google.com":                    "google.com is a popular host",
		"https://x.com":                 "x.com is a host of a platform",
		"bank.com":                      "bank.com is protected",
		"https://shop.example.com/cart": "https://shop.example.com/cart is on an allowlist",
		"example.com":                   "https://shop.example.com/cart is on an allowlist",
	} {
		body := `{"content":"` + content + `","status":"BLOCKED"`
		requireInvalid(t, s.operate("/asset/setStatus", body+`}`), "confirmProtected: must be true to block it: "+why)
		got := s.operate("/asset/setStatus", body+`,"confirmProtected":true}`)
		require.Equal(t, http.StatusOK, got.Status, got.Body)
		require.Equal(t, "BLOCKED", decode(t, got.Body)["status"])
	}
	for _, content := range []string{"evil.bank.com", "https://google.com/evil", "evil.shop.example.com"} {
		require.Equal(t, http.StatusOK, s.operate("/asset/setStatus", `{"content":"`+content+`","status":"BLOCKED"}`).Status, content)
	}
}

func TestSetAssetStatus_PublicSuffix(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	for _, confirm := range []string{"", `,"confirmProtected":null`, `,"confirmProtected":false`} {
		requireInvalid(t, s.operate("/asset/setStatus", `{"content":"github.io","status":"BLOCKED"`+confirm+`}`),
			"confirmProtected: must be true to block it: github.io is a public suffix")
	}
	requireInvalid(t, s.operate("/asset/setStatus", `{"content":"github.io","status":"BLOCKED","confirmProtected":"true"}`),
		"confirmProtected: must be true or false")
	got := s.operate("/asset/setStatus", `{"content":"github.io","status":"BLOCKED","confirmProtected":true}`)
	require.Equal(t, "BLOCKED", decode(t, got.Body)["status"])
}

func TestSetAssetStatus_Invalid(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	for _, c := range []struct {
		reason, body string
		issues       []string
	}{
		{"nothing", `{}`, []string{"content: is required", "status: is required"}},
		{"nulls", `{"content":null,"status":null,"reference":null}`, []string{"content: is required", "status: is required"}},
		{"everything wrong", `{"content":7,"status":"FINE","reference":5}`, []string{"content: must be a string", "reference: must be a string", "status: must be UNKNOWN, ALLOWED or BLOCKED"}},
		{"an unknown status", `{"content":"x.example.com","status":"FINE"}`, []string{"status: must be UNKNOWN, ALLOWED or BLOCKED"}},
		{"content of another type", `{"content":7,"status":"BLOCKED"}`, []string{"content: must be a string"}},
		{"empty content", `{"content":"","status":"BLOCKED"}`, []string{"content: must not be empty"}},
		{"content that is too long", `{"content":"https://x.example.com/` + strings.Repeat("a", classify.MaxContent) + `","status":"BLOCKED"}`, []string{"content: content or canonical form longer than 8192 bytes"}},
		{"a reference that is too long", `{"content":"x.example.com","status":"BLOCKED","reference":"` + strings.Repeat("a", asset.MaxReference+1) + `"}`, []string{"reference: must be at most 500 bytes long"}},
		{"a reason of another status", `{"content":"x.example.com","status":"BLOCKED","reason":"LEGITIMATE"}`, []string{"reason: must be a reason of the status BLOCKED"}},
		{"an unknown reason", `{"content":"x.example.com","status":"BLOCKED","reason":"phishing"}`, []string{"reason: must be a known reason"}},
		{"a note with a line break", `{"content":"x.example.com","status":"BLOCKED","note":"a\nb"}`, []string{"note: must have no line breaks or other control characters"}},
		{"a note that is too long", `{"content":"x.example.com","status":"BLOCKED","note":"` + strings.Repeat("a", asset.MaxNote+1) + `"}`, []string{"note: must be at most 200 bytes long"}},
		{"times that are past", `{"content":"x.example.com","status":"BLOCKED","expiresAt":"2025-06-01T12:00:00.123Z","reviewAt":"2025-01-01T00:00:00Z"}`, []string{"expiresAt: must be in the future, up to year 9999", "reviewAt: must be in the future, up to year 9999"}},
		{"a review at the end", `{"content":"x.example.com","status":"BLOCKED","expiresAt":"2026-01-01T00:00:00Z","reviewAt":"2026-01-01T01:00:00+01:00"}`, []string{"reviewAt: must be before expiresAt"}},
		{"times that are none", `{"content":"x.example.com","status":"BLOCKED","expiresAt":"2026-01-01","reviewAt":7}`, []string{"expiresAt: must be a time of RFC 3339, such as 2030-12-31T00:00:00Z", "reviewAt: must be a string"}},
		{"the zero time", `{"content":"x.example.com","status":"BLOCKED","expiresAt":"0001-01-01T00:00:00Z"}`, []string{"expiresAt: must be a time of RFC 3339, such as 2030-12-31T00:00:00Z"}},
		{"a reference with NUL", `{"content":"x.example.com","status":"BLOCKED","reference":"\u0000"}`, []string{"reference: must be valid UTF-8 without NUL"}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			t.Parallel()
			requireInvalid(t, s.operate("/asset/setStatus", c.body), c.issues...)
		})
	}
}

// FuzzOperator sends any body and any query to every operation. The responses follow the
// document, and none is a failure of the server.
func FuzzOperator(f *testing.F) {
	routes := startOperator(f).api.Routes()
	for i := range routes {
		for _, text := range []string{
			`{"id":1,"state":"ACCEPTED","assetStatus":"ALLOWED","reason":"x","text":"x","proposalId":3,"reviewStatus":"APPROVE","comment":"x","reviewId":1,"content":"https://bad.example.com","status":"BLOCKED"}`,
			`id=1&proposalId=1&content=https://bad.example.com&limit=1&cursor=1736071200000.7&states=OPEN&email=a@b.c&startDate=2025-01-01`,
		} {
			f.Add(i, text)
		}
	}
	f.Fuzz(func(t *testing.T, i int, text string) {
		if i < 0 || i >= len(routes) {
			t.Skip("the generated number is of no operation; the fuzzer goes on with others")
		}
		s := startOperator(t)
		r := newPost(operatorBase+routes[i].Path, operatorKey, strings.NewReader(text))
		if routes[i].Method != http.MethodPost {
			r = newGet(operatorBase+routes[i].Path, operatorKey)
			r.URL.RawQuery = text
			r.Method = routes[i].Method
		}
		got := s.do(r)
		require.Less(t, got.Status, http.StatusInternalServerError, got.Body)
		require.True(t, json.Valid([]byte(got.Body)) || r.Method == http.MethodHead)
	})
}

func TestOperator_ChangesUnder(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	require.Equal(t, http.StatusOK, s.operate("/asset/setStatus", `{"content":"https://new.example.com/x","status":"BLOCKED"}`).Status)
	first := decode(t, s.read("/asset/changes?under=Example.com&limit=1").Body)
	change := first["changes"].([]any)[0].(map[string]any)
	require.Equal(t, "https://new.example.com/x", change["content"])
	require.Equal(t, "URL", change["type"])
	require.Equal(t, json.Number("2"), change["actor"].(map[string]any)["id"])
	cursor := first["nextCursor"].(string)
	second := decode(t, s.read("/asset/changes?under=example.com&cursor="+cursor).Body)
	require.NotContains(t, second["changes"], change)
	require.NotEmpty(t, second["changes"])
	require.Nil(t, second["nextCursor"])
	require.JSONEq(t, `{"changes":[],"partial":false,"nextCursor":null}`, s.read("/asset/changes?under=other.example.com").Body)
	requireInvalid(t, s.read("/asset/changes"), "under: is required")
	requireInvalid(t, s.read("/asset/changes?under=example.com&cursor=7&limit=0&content=x"),
		"content: unknown field", "cursor: must be the nextCursor of a page", "limit: must be from 1 to 1000")
}

func TestOperator_ListDecisions(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	require.JSONEq(t, `{"changes":[],"nextCursor":null}`, s.read("/decision/list?userId=2").Body)
	for _, call := range []operatorCall{
		{"/asset/setStatus", `{"content":"good.example.com","status":"BLOCKED"}`},
		{"/asset/withdraw", `{"content":"good.example.com"}`},
		resolution("ACCEPTED", `,"assetStatus":"UNKNOWN"`),
		{"/report/review", `{"proposalId":3,"reviewStatus":"APPROVE","ifReview":null}`},
	} {
		require.Equal(t, http.StatusOK, s.operate(call.path, call.body).Status, call.path)
	}
	var causes []any
	for query := "&limit=2"; query != ""; {
		page := decode(t, s.read("/decision/list?userId=2"+query).Body)
		for _, change := range page["changes"].([]any) {
			causes = append(causes, change.(map[string]any)["cause"])
		}
		query = ""
		if cursor, more := page["nextCursor"].(string); more {
			query = "&limit=2&cursor=" + cursor
		}
	}
	require.Equal(t, []any{"REVIEW", "DISPUTE", "WITHDRAWAL", "MANUAL"}, causes)
	require.JSONEq(t, `{"changes":[],"nextCursor":null}`, s.read("/decision/list?userId=1").Body)
	requireInvalid(t, s.read("/decision/list"), "userId: is required")
	requireInvalid(t, s.read("/decision/list?userId=0&user=2"), "user: unknown field", "userId: must be a whole number from 1 to 2^53-1")
}

// What a request says of the end of the decision before does not lift the protection: the store may hold another end,
// and a time that is too short for it is none.
func TestUndoAssetDecisions_ProtectedEnds(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	block := s.operate("/asset/setStatus", `{"content":"github.io","status":"BLOCKED","confirmProtected":true}`)
	allow := s.operate("/asset/setStatus", `{"content":"github.io","status":"ALLOWED"}`)
	since := func(got response) string { return decode(t, got.Body)["decision"].(map[string]any)["since"].(string) }
	const protected = "confirmProtected: must be true to block it: github.io is a public suffix"
	for reason, c := range map[string]struct{ previous, want string }{
		"the decision that was replaced, as if it had ended": {`"since":"` + since(block) + `","expiresAt":"2020-01-01T00:00:00Z"`, protected},
		"another one that has ended":                         {`"since":"2020-01-01T00:00:00Z","expiresAt":"2021-01-01T00:00:00Z"`, protected},
		"an end that is stored as none": {
			`"since":"2020-01-01T00:00:00Z","expiresAt":"0001-01-01T00:00:00.0001Z"`, "previous.expiresAt: must be a time up to year 9999",
		},
		"a time that is stored as none": {`"since":"0001-01-01T00:00:00.0001Z"`, "previous.since: must be the time of the decision"},
	} {
		got := s.operate("/asset/undo", `{"items":[{"content":"github.io","decision":{"status":"ALLOWED","since":"`+since(allow)+`"},`+
			`"previous":{"status":"BLOCKED",`+c.previous+`}}]}`)
		require.Contains(t, got.Body, `"error":"`+c.want, reason)
	}
	require.Equal(t, asset.StatusAllowed, s.presentStatus("github.io"))
}
