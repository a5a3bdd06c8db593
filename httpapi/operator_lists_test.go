package httpapi_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/lists/fetch"
	"github.com/apguard/apguard/storage"
)

// listWrites returns a valid body for each write of lists. The list a must be there.
func listWrites() []operatorCall {
	return []operatorCall{
		{"/list/add", `{"name":"b","format":"domains"}`},
		{"/list/update", `{"name":"a","format":"hosts"}`},
		{"/list/sync?name=a", "bad.example.com\n"},
		{"/list/fetch", `{"name":"a"}`},
		{"/list/remove", `{"name":"a"}`},
	}
}

// addList adds the list a of domains.
func (s testServer) addList() {
	s.tb.Helper()
	got := s.operate("/list/add", `{"name":"a","format":"domains"}`)
	require.Equal(s.tb, http.StatusOK, got.Status, got.Body)
}

// sync sends a file for a list. The query may have more.
func (s testServer) sync(query, file string) response {
	s.tb.Helper()
	return s.operate("/list/sync?name="+query, file)
}

// domains returns a file of domains with the given numbers, without the last one.
func domains(from, to int) string {
	var file strings.Builder
	for i := from; i < to; i++ {
		_, _ = fmt.Fprintf(&file, "d%d.example.com\n", i)
	}
	return file.String()
}

// A list is added, synced and removed, and all of that leaves traces.
func TestOperator_ListLifecycle(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	const (
		b = `{"name":"b","format":"domains","status":"BLOCKED","reason":"SCAM","entries":0,"createdAt":"2025-06-01T12:00:00.123Z","syncedAt":null,"failedAt":null,"error":null,"failures":0,"url":null,"every":null,"nextAt":null,"removing":false}`
		a = `{"name":"a","format":"lines","status":"ALLOWED","reason":null,"entries":0,"createdAt":"2025-06-01T12:00:00.123Z","syncedAt":null,"failedAt":null,"error":null,"failures":0,"url":null,"every":null,"nextAt":null,"removing":false}`
	)
	require.JSONEq(t, `{"lists":[]}`, s.read("/list/list").Body)
	require.JSONEq(t, b, s.operate("/list/add", `{"name":"b","format":"domains","reason":"SCAM"}`).Body)
	require.JSONEq(t, a, s.operate("/list/add", `{"name":"a","format":"lines","status":"ALLOWED","reason":null}`).Body)
	require.JSONEq(t, `{"lists":[`+a+`,`+b+`]}`, s.read("/list/list").Body, "by name")

	counts := `{"added":2,"withdrawn":0,"kept":0,"refused":1,"overruled":0,"protected":1,"examples":null}`
	require.JSONEq(t, counts, s.sync("b", "one.example.com\ntwo.example.com\nnot a domain\ngithub.io\n").Body)
	require.JSONEq(t, `{"added":1,"withdrawn":1,"kept":1,"refused":0,"overruled":0,"protected":0,"examples":null}`, s.sync("b", "two.example.com\nthree.example.com\n").Body)
	require.Equal(t, asset.StatusUnknown, s.status("one.example.com"))
	require.Equal(t, asset.StatusBlocked, s.status("three.example.com"))
	synced := strings.NewReplacer(`"entries":0`, `"entries":2`, `"syncedAt":null`, `"syncedAt":"2025-06-01T12:00:00.123Z"`).Replace(b)
	require.JSONEq(t, `{"lists":[`+a+`,`+synced+`]}`, s.read("/list/list").Body)

	requireInvalid(t, s.sync("b", "<!doctype html><p>No such file</p>"), "list: must be a list, not an HTML or XML page")
	require.Contains(t, s.read("/list/list").Body, `"failedAt":"2025-06-01T12:00:00.123Z","error":"`)

	require.JSONEq(t, `{"name":"b"}`, s.operate("/list/remove", `{"name":"b"}`).Body)
	require.JSONEq(t, `{"lists":[`+a+`]}`, s.read("/list/list").Body)
	require.JSONEq(t, `{"changes":[`+
		`{"id":8,"fromStatus":"BLOCKED","toStatus":"UNKNOWN","updatedAt":"2025-06-01T12:00:00.123Z","cause":"LIST","actor":{"id":2,"fullName":null},"reference":"b"},`+
		`{"id":5,"fromStatus":"UNKNOWN","toStatus":"BLOCKED","updatedAt":"2025-06-01T12:00:00.123Z","cause":"LIST","actor":{"id":2,"fullName":null},"reference":"b"}`+
		`],"nextCursor":null}`, s.read("/asset/history?content=three.example.com").Body)
	require.Equal(t, []string{
		"REMOVED 1 name=b", "SYNCED 1 name=b,added=1,withdrawn=1", "SYNCED 1 name=b,added=2,withdrawn=0", "CREATED 2 name=a", "CREATED 1 name=b",
	}, s.listActs())
}

// A list with a URL is due at once. Addresses that are not public need an option of the guard.
func TestOperator_AddListWithURL(t *testing.T) {
	t.Parallel()
	const (
		near = `{"name":"near","format":"lines","url":"http://127.0.0.1/a"}`
		want = `{"name":"far","format":"hosts","status":"BLOCKED","reason":"OTHER","entries":0,"createdAt":"2025-06-01T12:00:00.123Z","syncedAt":null,"failedAt":null,"error":null,"failures":0,"url":"https://lists.example/a?b","every":"1h30m","nextAt":"2025-06-01T12:00:00.123Z","removing":false}`
	)
	s := startOperator(t)
	require.JSONEq(t, want, s.operate("/list/add", `{"name":"far","format":"hosts","url":"https://lists.example/a?b","every":"90m"}`).Body)
	require.JSONEq(t, `{"lists":[`+want+`]}`, s.read("/list/list").Body)
	requireInvalid(t, s.operate("/list/add", near), "url: must start with https://")
	s = startOperatorWith(t, setup{guard: apguard.Options{PrivateLists: true}})
	got := s.operate("/list/add", near)
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	require.Contains(t, got.Body, `"every":"1h"`)
}

// Each field changes alone, and null leaves it. Nothing that the list holds changes before the next sync.
func TestOperator_UpdateList(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	s.addList()
	require.Equal(t, http.StatusOK, s.sync("a", "bad.example.com\n").Status)
	list := strings.TrimSuffix(strings.TrimPrefix(s.read("/list/list").Body, `{"lists":[`), `]}`)
	for _, c := range []struct {
		body, old, now string
	}{
		{`{"name":"a"}`, "", ""},
		{`{"name":"a","format":null,"status":null,"reason":null,"url":null,"every":null}`, "", ""},
		{`{"name":"a","reason":"SCAM"}`, `"reason":"OTHER"`, `"reason":"SCAM"`},
		{`{"name":"a","url":"https://lists.example/a"}`, `"url":null,"every":null,"nextAt":null`,
			`"url":"https://lists.example/a","every":"1h","nextAt":"2025-06-01T12:00:00.123Z"`},
		{`{"name":"a","every":"90m"}`, `"every":"1h"`, `"every":"1h30m"`},
		{`{"name":"a","format":"hosts","status":"ALLOWED","reason":"LEGITIMATE"}`,
			`"format":"domains","status":"BLOCKED","reason":"SCAM"`,
			`"format":"hosts","status":"ALLOWED","reason":"LEGITIMATE"`},
		{`{"name":"a","url":""}`, `"url":"https://lists.example/a","every":"1h30m","nextAt":"2025-06-01T12:00:00.123Z"`,
			`"url":null,"every":null,"nextAt":null`},
	} {
		require.Contains(t, list, c.old, c.body)
		list = strings.Replace(list, c.old, c.now, 1)
		require.JSONEq(t, list, s.operate("/list/update", c.body).Body, c.body)
		require.JSONEq(t, `{"lists":[`+list+`]}`, s.read("/list/list").Body, c.body)
	}
	require.Equal(t, asset.StatusBlocked, s.status("bad.example.com"))
	require.Equal(t, []string{
		"CHANGED 1 name=a,changed=url+every", "CHANGED 1 name=a,changed=format+status+reason", "CHANGED 1 name=a,changed=every",
		"CHANGED 1 name=a,changed=url+every", "CHANGED 1 name=a,changed=reason", "SYNCED 1 name=a,added=1,withdrawn=0", "CREATED 1 name=a",
	}, s.listActs())
}

// listActs returns what was done to lists, by the operator and with the key, newest first.
func (s testServer) listActs() []string {
	s.tb.Helper()
	entries := decode(s.tb, s.read("/audit/list?kind=LIST").Body)["entries"].([]any)
	acts := make([]string, 0, len(entries))
	for _, one := range entries {
		entry := one.(map[string]any)
		actor := entry["actor"].(map[string]any)
		require.Equal(s.tb, "API", actor["channel"])
		require.NotNil(s.tb, actor["user"])
		require.NotNil(s.tb, actor["key"])
		acts = append(acts, fmt.Sprintf("%s %s %s", entry["action"], entry["subject"], entry["detail"]))
	}
	return acts
}

// No operation on lists takes a key. Without one, each can be repeated: the second call does nothing.
func TestOperator_ListsWithoutKeys(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	s.addList()
	writes := 0
	for _, route := range s.api.Routes() {
		if route.Method == http.MethodPost && strings.HasPrefix(route.Path, "/list/") {
			writes++
		}
	}
	require.Len(t, listWrites(), writes)
	before, err := s.store.Lists(t.Context())
	require.NoError(t, err)
	for _, call := range listWrites() {
		requireInvalid(t, s.postKeyed(operatorBase+call.path, operatorKey, call.body, "k"),
			"Idempotency-Key: must not be given for an operation on lists")
	}
	after, err := s.store.Lists(t.Context())
	require.NoError(t, err)
	require.Equal(t, before, after)
}

func TestOperator_InvalidListRequests(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	s.addList()
	const (
		add    = "/list/add"
		update = "/list/update"
		sync   = "/list/sync"
		fetch  = "/list/fetch"
		remove = "/list/remove"
		name   = `name: must be from 1 to 64 bytes: letters from a to z, digits, and ".", "_" and "-" between them`
		format = "format: must be lines, domains, hosts, adblock, rpz, csv, jsonl or eth-phishing-detect"
		every  = "every: must be a time such as 1h30m"
		flag   = "must be true or false"
	)
	for _, c := range []struct {
		reason, path, body string
		issues             []string
	}{
		{"nothing", add, `{}`, []string{"name: is required", "format: is required"}},
		{"null", add, `{"name":null,"format":null}`, []string{"name: is required", "format: is required"}},
		{"an empty name", add, `{"name":"","format":"domains"}`, []string{"name: must not be empty"}},
		{"a capital letter", add, `{"name":"A","format":"domains"}`, []string{name}},
		{"a long name", add, `{"name":"` + strings.Repeat("a", 65) + `","format":"domains"}`, []string{name}},
		{"an unknown format", add, `{"name":"b","format":"pdf"}`, []string{format}},
		{"a number as a format", add, `{"name":"b","format":5}`, []string{"format: must be a string"}},
		{"the status UNKNOWN", add, `{"name":"b","format":"domains","status":"UNKNOWN"}`, []string{"status: must be BLOCKED or ALLOWED"}},
		{"an unknown reason", add, `{"name":"b","format":"domains","reason":"FUN"}`, []string{"reason: must be a known reason"}},
		{"a reason of another status", add, `{"name":"b","format":"domains","status":"ALLOWED","reason":"SCAM"}`, []string{"reason: must be a reason of the status ALLOWED"}},
		{"faults of several fields", add, `{"name":5,"format":"pdf","status":"FINE"}`, []string{"name: must be a string", format, "status: must be BLOCKED or ALLOWED"}},
		{"a URL with http", add, `{"name":"b","format":"domains","url":"http://lists.example/b"}`, []string{"url: must start with https://"}},
		{"the server itself as a URL", add, `{"name":"b","format":"domains","url":"https://localhost/b"}`,
			[]string{"url: must not have the host localhost, which is the server itself"}},
		{"a URL with a password", add, `{"name":"b","format":"domains","url":"https://a:b@lists.example/b"}`, []string{"url: must not have a user name or password"}},
		{"an empty URL", add, `{"name":"b","format":"domains","url":""}`, []string{"url: must not be empty"}},
		{"a number as a time", add, `{"name":"b","format":"domains","url":"https://lists.example/b","every":3600}`, []string{"every: must be a string"}},
		{"a time without a unit", add, `{"name":"b","format":"domains","url":"https://lists.example/b","every":"3600"}`, []string{every}},
		{"no time", add, `{"name":"b","format":"domains","url":"https://lists.example/b","every":"0s"}`, []string{every}},
		{"too short a time", add, `{"name":"b","format":"domains","url":"https://lists.example/b","every":"59s"}`, []string{"every: must be from 1 minute to 30 days"}},
		{"a time without a URL", add, `{"name":"b","format":"domains","every":"1h"}`, []string{"every: must not be given without a URL"}},
		{"an unknown field", add, `{"name":"b","format":"domains","entries":1}`, []string{"entries: unknown field"}},
		{"no name of a list to update", update, `{"name":null,"reason":"SCAM"}`, []string{"name: is required"}},
		{"an empty reason", update, `{"name":"a","reason":""}`, []string{"reason: must not be empty"}},
		{"a reason that does not fit the list", update, `{"name":"a","reason":"LEGITIMATE"}`, []string{"reason: must be a reason of the status BLOCKED"}},
		{"another format that does not exist", update, `{"name":"a","format":"pdf"}`, []string{format}},
		{"another URL with http", update, `{"name":"a","url":"http://lists.example/b"}`, []string{"url: must start with https://"}},
		{"numbers in an update", update, `{"name":"a","status":1,"url":2,"every":3}`,
			[]string{"status: must be a string", "url: must be a string", "every: must be a string"}},
		{"a time of a list without a URL", update, `{"name":"a","url":"","every":"1h"}`, []string{"every: must not be given without a URL"}},
		{"another name", update, `{"name":"a","newName":"b"}`, []string{"newName: unknown field"}},
		{"no name of a list to sync", sync, "", []string{"name: is required"}},
		{"an empty name in the query", sync + "?name=", "", []string{"name: is required"}},
		{"other words for true", sync + "?name=a&confirm=yes&dryRun=1", "", []string{"confirm: " + flag, "dryRun: " + flag}},
		{"a name twice", sync + "?name=a&name=b", "", []string{"name: must be given once"}},
		{"another spelling of a parameter", sync + "?name=a&dryrun=true", "", []string{"dryrun: unknown field, did you mean dryRun?"}},
		{"an HTML page as a file", sync + "?name=a", "<html>\n", []string{"list: must be a list, not an HTML or XML page"}},
		{"no name of a list to fetch", fetch, `{}`, []string{"name: is required"}},
		{"other words for true in a body", fetch, `{"name":"a","confirm":"true","dryRun":1}`, []string{"confirm: " + flag, "dryRun: " + flag}},
		{"no name of a list to remove", remove, `{}`, []string{"name: is required"}},
		{"a number as a name", remove, `{"name":1}`, []string{"name: must be a string"}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			t.Parallel()
			requireInvalid(t, s.operate(c.path, c.body), c.issues...)
		})
	}
	requireInvalid(t, s.read("/list/list?limit=1"), "limit: unknown field")
}

func TestOperator_ListConflicts(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	s.addList()
	requireError(t, s.operate("/list/add", `{"name":"a","format":"csv"}`), "", http.StatusConflict, "CONFLICT", "Another list has this name")
	for _, call := range []operatorCall{
		{"/list/sync?name=b", "bad.example.com"}, {"/list/sync?name=b&dryRun=true", ""}, {"/list/fetch", `{"name":"b"}`}, {"/list/remove", `{"name":"b"}`},
		{"/list/update", `{"name":"b","format":"pdf"}`},
	} {
		requireError(t, s.operate(call.path, call.body), "", http.StatusNotFound, "NOT_FOUND", "List not found")
	}
	requireError(t, s.operate("/list/fetch", `{"name":"a"}`), "", http.StatusConflict, "CONFLICT", "The list has no URL; sync it with a file")
	for err, want := range map[error]struct {
		call    operatorCall
		message string
	}{
		lists.ErrTooMany:    {listWrites()[0], "There are 1000 lists already; remove one first"},
		lists.ErrSuperseded: {listWrites()[2], superseded},
	} {
		s := startOperatorWith(t, setup{wrap: failingEverywhere(err)})
		requireError(t, s.operate(want.call.path, want.call.body), "", http.StatusConflict, "CONFLICT", want.message)
	}
}

// A sync that would change suspiciously much changes nothing until it is confirmed. A dry run tells the same.
func TestOperator_SyncBrakes(t *testing.T) {
	t.Parallel()
	const advice = "; if that is right, repeat it with confirm"
	for _, c := range []struct {
		reason, file string
		// confirm reports whether confirm=true helps.
		confirm bool
		message string
	}{
		{"a tenth of the list is gone, and a little more", domains(101, 1000), true, "The sync would add 0 entries, withdraw 101 and keep 899" + advice},
		{"much is new", domains(0, 11_001), true, "The sync would add 10001 entries, withdraw 0 and keep 1000" + advice},
		{"no entries", "# nothing\n", true, "The file has no entries. The sync would add 0 entries, withdraw 1000 and keep 0" + advice},
		{"an empty body", "", true, "The file has no entries. The sync would add 0 entries, withdraw 1000 and keep 0" + advice},
		{"another format", domains(0, 999) + strings.Repeat("not a domain\n", 1000), false,
			"1000 entries were refused, more than were accepted; check that the file has the format of the list"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			t.Parallel()
			s := startOperator(t)
			s.addList()
			require.Equal(t, http.StatusOK, s.sync("a", domains(0, 1000)).Status, "the first sync may add any number")
			before := s.history()
			for _, query := range []string{"a", "a&dryRun=true", "a&confirm=false"} {
				requireError(t, s.sync(query, c.file), "", http.StatusConflict, "CONFLICT", c.message)
			}
			require.Equal(t, before, s.history())
			got := s.sync("a&confirm=true", c.file)
			require.Equal(t, c.confirm, got.Status == http.StatusOK, got.Body)
		})
	}
}

// history returns the history of the first domain.
func (s testServer) history() string {
	s.tb.Helper()
	return s.read("/asset/history?content=d0.example.com").Body
}

// A dry run counts what the sync then does, and stores nothing.
func TestOperator_SyncDryRun(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	s.addList()
	require.Equal(t, http.StatusOK, s.sync("a", domains(0, 3)).Status)
	before, lists := s.history(), s.read("/list/list").Body
	dry := s.sync("a&dryRun=true", domains(1, 5))
	require.Equal(t, http.StatusOK, dry.Status, dry.Body)
	require.Equal(t, before, s.history())
	require.Equal(t, lists, s.read("/list/list").Body)
	const counts = `"added":2,"withdrawn":1,"kept":2,"refused":0,"overruled":0,"protected":0,`
	require.JSONEq(t, `{`+counts+`"examples":{"added":["d3.example.com","d4.example.com"],"withdrawn":["d0.example.com"],"overruled":[],"protected":[],"refused":[]}}`, dry.Body)
	require.JSONEq(t, `{`+counts+`"examples":null}`, s.sync("a&dryRun=false", domains(1, 5)).Body)
}

// startFetching returns the operators' API with a fetcher, and the list far, whose server answers as given.
func startFetching(t *testing.T, answer http.HandlerFunc) testServer {
	t.Helper()
	site := httptest.NewServer(answer)
	t.Cleanup(site.Close)
	var s testServer
	s = startOperatorWith(t, setup{guard: apguard.Options{PrivateLists: true}, options: httpapi.Options{
		FetchList: func(ctx context.Context, req lists.SyncRequest) (lists.SyncResult, error) {
			return fetch.New(s.guard.Lists, fetch.Options{}).FetchNow(ctx, req)
		},
	}})
	got := s.operate("/list/add", `{"name":"far","format":"domains","url":"`+site.URL+`"}`)
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	return s
}

// A fetch is a sync with the file of the URL, with the same brakes, and the act of the operator.
func TestOperator_FetchList(t *testing.T) {
	t.Parallel()
	file, status := domains(0, 3), http.StatusOK
	s := startFetching(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, file)
	})
	const (
		now     = `{"name":"far"}`
		dry     = `{"name":"far","dryRun":true}`
		confirm = `{"name":"far","confirm":true,"dryRun":null}`
		counts  = `{"added":3,"withdrawn":0,"kept":0,"refused":0,"overruled":0,"protected":0,"examples":null}`
		stopped = "The file has no entries. The sync would add 0 entries, withdraw 3 and keep 0; if that is right, repeat it with confirm"
	)
	const named = `"examples":{"added":["d0.example.com","d1.example.com","d2.example.com"],"withdrawn":[],"overruled":[],"protected":[],"refused":[]}`
	require.JSONEq(t, strings.Replace(counts, `"examples":null`, named, 1), s.operate("/list/fetch", dry).Body)
	require.Empty(t, s.failed(), "no such asset yet")
	require.JSONEq(t, counts, s.operate("/list/fetch", now).Body)
	require.Contains(t, s.history(), `"actor":{"id":2,`)

	status = http.StatusNotFound
	for _, body := range []string{dry, now} {
		require.Empty(t, s.failed())
		requireError(t, s.operate("/list/fetch", body), "", http.StatusConflict, "CONFLICT", "The file was not received: status 404")
	}
	require.Empty(t, s.failed(), "an attempt by hand does not count as a failure of the list")
	file, status = "<html>", http.StatusOK
	requireError(t, s.operate("/list/fetch", now), "", http.StatusConflict, "CONFLICT", "The file was not taken: must be a list, not an HTML or XML page")

	file = "# nothing\n"
	for _, body := range []string{dry, now} {
		requireError(t, s.operate("/list/fetch", body), "", http.StatusConflict, "CONFLICT", stopped)
	}
	require.Equal(t, asset.StatusBlocked, s.status("d0.example.com"))
	require.JSONEq(t, `{"added":0,"withdrawn":3,"kept":0,"refused":0,"overruled":0,"protected":0,"examples":null}`, s.operate("/list/fetch", confirm).Body)
	require.Equal(t, asset.StatusUnknown, s.status("d0.example.com"))
	require.Equal(t, []string{
		"SYNCED 1 name=far,added=0,withdrawn=3", "SYNCED 1 name=far,added=3,withdrawn=0", "CREATED 1 name=far",
	}, s.listActs())
	require.Empty(t, s.log.String())
}

// failed returns the error of the only list.
func (s testServer) failed() string {
	s.tb.Helper()
	all, err := s.store.Lists(s.tb.Context())
	require.NoError(s.tb, err)
	require.Len(s.tb, all, 1)
	return all[0].Error
}

const superseded = "Another sync of the list has begun, whose file counts, or the list was changed; then sync it again"

// A slow fetch undoes no sync that has begun meanwhile.
func TestOperator_FetchListSuperseded(t *testing.T) {
	t.Parallel()
	var s testServer
	s = startFetching(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = s.guard.Lists.Sync(r.Context(), lists.SyncRequest{Name: "far", File: strings.NewReader(domains(0, 3))})
		_, _ = io.WriteString(w, domains(5, 9))
	})
	requireError(t, s.operate("/list/fetch", `{"name":"far"}`), "", http.StatusConflict, "CONFLICT", superseded)
	require.Equal(t, asset.StatusBlocked, s.status("d0.example.com"))
}

func TestOperator_FetchListWithoutFetcher(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	api, err := httpapi.NewOperator(s.guard, httpapi.APIKeys(s.guard.Keys), httpapi.Options{})
	require.NoError(t, err)
	s.Handler = http.StripPrefix(operatorBase, api)
	requireError(t, s.operate("/list/fetch", `{"name":"a"}`), "", http.StatusNotFound, "NOT_FOUND", "This server does not fetch lists")
}

// A file may take longer than the time of the service to arrive. Then each part of the sync has the whole time.
func TestOperator_FetchListTime(t *testing.T) {
	t.Parallel()
	const steps = 4
	for reason, c := range map[string]struct {
		fetch, step time.Duration
		want        int
	}{
		"a slow server of lists":     {5 * time.Minute, httpapi.DefaultTimeout / 2, http.StatusOK},
		"a fetch that does not end":  {time.Hour, 0, http.StatusServiceUnavailable},
		"a step that takes too long": {0, httpapi.DefaultTimeout + time.Second, http.StatusServiceUnavailable},
	} {
		synctest.Test(t, func(t *testing.T) {
			var s testServer
			s = startOperatorWith(t, setup{
				wrap: func(store storage.Store) storage.Store {
					return decidingStore{store, func(ctx context.Context) error {
						time.Sleep(c.step)
						return ctx.Err()
					}}
				},
				options: httpapi.Options{FetchList: func(ctx context.Context, req lists.SyncRequest) (lists.SyncResult, error) {
					time.Sleep(c.fetch)
					if ctx.Err() != nil {
						return lists.SyncResult{}, ctx.Err()
					}
					req.File = strings.NewReader(domains(0, steps*asset.MaxItems))
					return s.guard.Lists.Sync(ctx, req)
				}},
			})
			s.addList()
			require.Equal(t, c.want, s.operate("/list/fetch", `{"name":"a"}`).Status, reason)
		})
	}
}

// A list that holds a status explains it, next to the decision of the operators.
func TestExplainAsset_List(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	require.Equal(t, http.StatusOK, s.operate("/list/add", `{"name":"feed","format":"lines","reason":"PHISHING"}`).Status)
	require.Equal(t, http.StatusOK, s.sync("feed", "lure.example.com\n").Status)
	const (
		byList = `{"source":{"kind":"LIST","organization":null,"list":"feed"},"status":"BLOCKED","reason":"PHISHING","note":null,"reference":null,` +
			`"actor":null,"since":"2025-06-01T12:00:00.123Z","expiresAt":null,"reviewAt":null,"counts":`
		byOperator = `{"source":{"kind":"OPERATOR","organization":null,"list":null},"status":"ALLOWED","reason":"FALSE_POSITIVE","note":null,"reference":null,` +
			`"actor":{"id":2,"fullName":null},"since":"2025-06-01T12:00:00.123Z","expiresAt":null,"reviewAt":null,"counts":true}`
	)
	decisions := func() string {
		body := s.read("/asset/explain?content=lure.example.com").Body
		_, rest, _ := strings.Cut(body, `"decisions":`)
		list, _, _ := strings.Cut(rest, `,"change":`)
		return list
	}
	require.JSONEq(t, "["+byList+"true}]", decisions())
	require.Equal(t, http.StatusOK, s.operate("/asset/setStatus", `{"content":"lure.example.com","status":"ALLOWED","reason":"FALSE_POSITIVE"}`).Status)
	require.JSONEq(t, "["+byOperator+","+byList+"false}]", decisions())
	require.JSONEq(t, `{"added":0,"withdrawn":0,"kept":1,"refused":0,"overruled":1,"protected":0,"examples":null}`, s.sync("feed", "lure.example.com\n").Body)
}
