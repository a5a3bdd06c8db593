package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/webhook"
)

// webhookWrites returns a valid body for each write of webhooks.
func webhookWrites() []operatorCall {
	return []operatorCall{
		{"/webhook/create", `{"url":"https://a.example","events":["asset.status_changed"]}`},
		{"/webhook/pause", `{"id":1}`},
		{"/webhook/resume", `{"id":1}`},
		{"/webhook/rotate", `{"id":1}`},
		{"/webhook/replay", `{"id":1}`},
		{"/webhook/test", `{"id":1}`},
		{"/webhook/remove", `{"id":1}`},
	}
}

// A webhook is created, changed and removed. Its secret is shown when it is made and never again.
func TestOperator_WebhookLifecycle(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	require.Equal(t, http.StatusOK, s.operate("/webhook/remove", `{"id":1}`).Status)
	created := s.operate("/webhook/create", `{"url":"https://a.example/hook?token=t","events":["asset.status_changed"],"filter":{"types":["URL","PAGE"],"statuses":null}}`)
	require.Equal(t, http.StatusOK, created.Status, created.Body)
	fields := decode(t, created.Body)
	id := fields["id"].(json.Number).String()
	secret := fields["secret"].(string)
	require.Regexp(t, `^whsec_[A-Za-z0-9+/]{43}=$`, secret)
	require.Equal(t, map[string]any{"types": []any{"URL", "PAGE"}, "statuses": []any{}}, fields["filter"])

	for _, step := range []struct {
		path string
		want webhook.State
	}{
		{"/webhook/pause", webhook.StatePaused},
		{"/webhook/replay", webhook.StatePaused},
		{"/webhook/resume", webhook.StateActive},
	} {
		got := s.operate(step.path, `{"id":`+id+`}`)
		require.Equal(t, http.StatusOK, got.Status, got.Body)
		require.Equal(t, string(step.want), decode(t, got.Body)["state"])
		require.Equal(t, got.Body, s.read("/webhook/get?id="+id).Body, "the reply is the webhook as it is stored")
		require.NotContains(t, got.Body, "whsec_")
	}

	rotated := decode(t, s.operate("/webhook/rotate", `{"id":`+id+`}`).Body)["secret"].(string)
	require.NotEqual(t, secret, rotated)
	e, err := s.store.EndpointByID(t.Context(), 2)
	require.NoError(t, err)
	require.Equal(t, rotated, e.Secret.Reveal())
	require.Equal(t, secret, e.OldSecret.Reveal())
	list := s.read("/webhook/list").Body
	require.NotContains(t, list, "whsec_")
	require.Contains(t, list, `"oldSecretUntil":"2025-06-02T12:00:00.123Z"`)
	require.NotContains(t, s.log.String(), "whsec_")
	require.NotContains(t, s.log.String(), "token")

	require.JSONEq(t, `{"id":`+id+`}`, s.operate("/webhook/remove", `{"id":`+id+`}`).Body)
	require.JSONEq(t, `{"webhooks":[],"nextCursor":null}`, s.read("/webhook/list").Body)
	for _, call := range webhookWrites()[1:] {
		requireError(t, s.operate(call.path, call.body), "", http.StatusNotFound, "NOT_FOUND", "Webhook not found")
	}
}

// A key would promise that a retry is safe, but no response with a secret is stored.
func TestOperator_WebhooksWithoutKeys(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	before, err := s.store.EndpointByID(t.Context(), 1)
	require.NoError(t, err)
	writes := 0
	for _, route := range s.api.Routes() {
		if route.Method == http.MethodPost && strings.HasPrefix(route.Path, "/webhook/") {
			writes++
		}
	}
	require.Len(t, webhookWrites(), writes)
	for _, call := range webhookWrites() {
		requireInvalid(t, s.postKeyed(operatorBase+call.path, operatorKey, call.body, "k"),
			"Idempotency-Key: must not be given for an operation on webhooks")
	}
	after, err := s.store.Endpoints(t.Context(), 0, 10)
	require.NoError(t, err)
	require.Equal(t, []webhook.Endpoint{before}, after.Items)
}

func TestOperator_ListWebhooks(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	for i := range 10 {
		body := fmt.Sprintf(`{"url":"https://%d.example","events":["asset.status_changed"]}`, i)
		require.Equal(t, http.StatusOK, s.operate("/webhook/create", body).Status)
	}
	require.Equal(t, http.StatusOK, s.operate("/webhook/remove", `{"id":4}`).Status)
	page := func(query string) (ids []int64, next int64) {
		got := s.read("/webhook/list?" + query)
		require.Equal(t, http.StatusOK, got.Status, got.Body)
		var decoded struct {
			Webhooks   []struct{ ID int64 }
			NextCursor int64
		}
		require.NoError(t, json.Unmarshal([]byte(got.Body), &decoded))
		for _, e := range decoded.Webhooks {
			ids = append(ids, e.ID)
		}
		return ids, decoded.NextCursor
	}
	all, next := page("limit=10")
	require.Equal(t, []int64{1, 2, 3, 5, 6, 7, 8, 9, 10, 11}, all)
	require.Zero(t, next, "a page that is just full is the last one")
	var paged []int64
	for cursor := ""; ; {
		ids, next := page("limit=3&cursor=" + cursor)
		paged = append(paged, ids...)
		if next == 0 {
			break
		}
		cursor = fmt.Sprint(next)
	}
	require.Equal(t, all, paged)
	beyond, _ := page("cursor=11")
	require.Empty(t, beyond)
}

func TestOperator_InvalidWebhookRequests(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	const (
		create = "/webhook/create"
		events = `,"events":["asset.status_changed"]`
		id     = "id: must be a whole number from 1 to 2^53-1"
		from   = "from: must be a date, written YYYY-MM-DD, or a time of RFC 3339"
	)
	for _, c := range []struct {
		reason, path, body string
		issues             []string
	}{
		{"nothing", create, `{}`, []string{"url: must start with https://", "events: must not be empty"}},
		{"http", create, `{"url":"http://a.example"` + events + `}`, []string{"url: must start with https://"}},
		{"an address that is not public", create, `{"url":"https://127.0.0.1"` + events + `}`, []string{"url: must not have an address that is not public"}},
		{"localhost", create, `{"url":"https://localhost"` + events + `}`, []string{"url: must not have the host localhost, which is the server itself"}},
		{"a number as a host", create, `{"url":"https://0/"` + events + `}`, []string{
			"url: must have a name or an IP address as its host, an IPv4 address as four numbers from 0 to 255",
		}},
		{"port 99999", create, `{"url":"https://a.example:99999/"` + events + `}`, []string{"url: must have a port from 1 to 65535"}},
		{"a number as a URL", create, `{"url":5` + events + `}`, []string{"url: must be a string"}},
		{"an unknown kind of event", create, `{"url":"https://a.example","events":["x"]}`, []string{"events[0]: unknown value"}},
		{"a text as events", create, `{"url":"https://a.example","events":"x"}`, []string{"events: must be an array"}},
		{"a list as a filter", create, `{"url":"https://a.example"` + events + `,"filter":[]}`, []string{"filter: must be an object"}},
		{"an unknown field of the filter", create, `{"url":"https://a.example"` + events + `,"filter":{"Types":[]}}`, []string{"filter.Types: unknown field, did you mean types?"}},
		{"a repeated type", create, `{"url":"https://a.example"` + events + `,"filter":{"types":["URL","URL"]}}`, []string{"filter.types[1]: must not be repeated"}},
		{"a number as a status", create, `{"url":"https://a.example"` + events + `,"filter":{"statuses":["BLOCKED",5]}}`, []string{"filter.statuses[1]: must be a string"}},
		{"too many types", create, `{"url":"https://a.example"` + events + `,"filter":{"types":["URL"` + strings.Repeat(`,"URL"`, 100) + `]}}`, []string{"filter.types: must hold at most 100 elements"}},
		{"faults of all fields", create, `{"url":"http://a.example","events":["x"],"filter":{"types":["x"],"statuses":["x"]}}`, []string{
			"url: must start with https://", "events[0]: unknown value", "filter.types[0]: unknown value", "filter.statuses[0]: unknown value",
		}},
		{"no identifier", "/webhook/pause", `{}`, []string{"id: is required"}},
		{"a text as an identifier", "/webhook/remove", `{"id":"1"}`, []string{id}},
		{"an unknown field", "/webhook/rotate", `{"id":1,"grace":1}`, []string{"grace: unknown field"}},
		{"a time without a zone", "/webhook/replay", `{"id":1,"from":"2025-06-01T12:00:00"}`, []string{from}},
		{"an empty time", "/webhook/replay", `{"from":""}`, []string{"id: is required", from}},
		{"a number as a time", "/webhook/replay", `{"id":1,"from":1748779200}`, []string{from}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			t.Parallel()
			requireInvalid(t, s.operate(c.path, c.body), c.issues...)
		})
	}
}

func TestOperator_PrivateWebhooks(t *testing.T) {
	t.Parallel()
	s := startOperatorWith(t, setup{guard: apguard.Options{PrivateWebhooks: true}})
	got := s.operate("/webhook/create", `{"url":"http://127.0.0.1:8080/hook","events":["asset.status_changed"]}`)
	require.Equal(t, http.StatusOK, got.Status, got.Body)
}

// A replay begins at a time, less a margin, or at the beginning.
func TestOperator_ReplayWebhook(t *testing.T) {
	t.Parallel()
	clock := now
	s := startOperatorWith(t, setup{guard: apguard.Options{Clock: func() time.Time { return clock }}})
	for _, content := range []string{"https://1.example", "https://2.example"} {
		clock = clock.Add(24 * time.Hour)
		_, err := s.guard.SetStatus(t.Context(), content, asset.StatusBlocked, asset.Origin{})
		require.NoError(t, err)
	}
	require.NoError(t, s.guard.Feed.Publish(t.Context()))
	feed, err := s.guard.Feed.State(t.Context())
	require.NoError(t, err)
	for from, want := range map[string]int64{
		`null`:                        0,
		`"2025-06-03"`:                feed.Last - 1,
		`"2025-06-03T14:00:00+02:00"`: feed.Last - 1,
		`"2025-06-02T12:00:00.123Z"`:  feed.Last - 2,
		`"2025-06-04"`:                feed.Last,
	} {
		got := s.operate("/webhook/replay", `{"id":1,"from":`+from+`}`)
		require.Equal(t, http.StatusOK, got.Status, got.Body)
		e, err := s.guard.Webhooks.Get(t.Context(), 1)
		require.NoError(t, err)
		require.Equal(t, want, e.Place.Position, from)
	}
}

// A failed test is an answer too. A server without a sender has no such operation.
func TestOperator_TestWebhook(t *testing.T) {
	t.Parallel()
	s := startOperatorWith(t, setup{options: httpapi.Options{TestWebhook: func(_ context.Context, id int64) (webhook.Outcome, error) {
		require.Equal(t, int64(1), id)
		return webhook.Outcome{Failure: webhook.FailureTimeout}, nil
	}}})
	got := s.operate("/webhook/test", `{"id":1}`)
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	require.JSONEq(t, `{"status":null,"failure":"TIMEOUT"}`, got.Body)

	api, err := httpapi.NewOperator(apguard.New(memory.New(), apguard.Options{}), fullAccess(), httpapi.Options{})
	require.NoError(t, err)
	for _, route := range api.Routes() {
		require.NotEqual(t, "/webhook/test", route.Path)
	}
}
