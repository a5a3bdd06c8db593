package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
)

// listWrites returns a valid body for each write of lists. The list a must be there.
func listWrites() []operatorCall {
	return []operatorCall{
		{"/list/add", `{"name":"b","format":"domains"}`},
		{"/list/sync?name=a", "bad.example.com\n"},
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
		b = `{"name":"b","format":"domains","status":"BLOCKED","reason":"SCAM","entries":0,"createdAt":"2025-06-01T12:00:00.123Z","syncedAt":null,"failedAt":null,"error":null,"failures":0,"url":null,"every":null,"nextAt":null}`
		a = `{"name":"a","format":"lines","status":"ALLOWED","reason":null,"entries":0,"createdAt":"2025-06-01T12:00:00.123Z","syncedAt":null,"failedAt":null,"error":null,"failures":0,"url":null,"every":null,"nextAt":null}`
	)
	require.JSONEq(t, `{"lists":[]}`, s.read("/list/list").Body)
	require.JSONEq(t, b, s.operate("/list/add", `{"name":"b","format":"domains","reason":"SCAM"}`).Body)
	require.JSONEq(t, a, s.operate("/list/add", `{"name":"a","format":"lines","status":"ALLOWED","reason":null}`).Body)
	require.JSONEq(t, `{"lists":[`+a+`,`+b+`]}`, s.read("/list/list").Body, "by name")

	counts := `{"added":2,"withdrawn":0,"kept":0,"refused":1,"overruled":0,"protected":1}`
	require.JSONEq(t, counts, s.sync("b", "one.example.com\ntwo.example.com\nnot a domain\ngithub.io\n").Body)
	require.JSONEq(t, `{"added":1,"withdrawn":1,"kept":1,"refused":0,"overruled":0,"protected":0}`, s.sync("b", "two.example.com\nthree.example.com\n").Body)
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
		sync   = "/list/sync"
		remove = "/list/remove"
		name   = `name: must be from 1 to 64 bytes: letters from a to z, digits, and ".", "_" and "-" between them`
		format = "format: must be lines, domains, hosts, adblock, rpz, csv, jsonl or eth-phishing-detect"
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
		{"an unknown field", add, `{"name":"b","format":"domains","entries":1}`, []string{"entries: unknown field"}},
		{"no name of a list to sync", sync, "", []string{"name: is required"}},
		{"an empty name in the query", sync + "?name=", "", []string{"name: is required"}},
		{"other words for true", sync + "?name=a&confirm=yes&dryRun=1", "", []string{"confirm: " + flag, "dryRun: " + flag}},
		{"a name twice", sync + "?name=a&name=b", "", []string{"name: must be given once"}},
		{"another spelling of a parameter", sync + "?name=a&dryrun=true", "", []string{"dryrun: unknown field, did you mean dryRun?"}},
		{"an HTML page as a file", sync + "?name=a", "<html>\n", []string{"list: must be a list, not an HTML or XML page"}},
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
	for _, call := range []operatorCall{{"/list/sync?name=b", "bad.example.com"}, {"/list/sync?name=b&dryRun=true", ""}, {"/list/remove", `{"name":"b"}`}} {
		requireError(t, s.operate(call.path, call.body), "", http.StatusNotFound, "NOT_FOUND", "List not found")
	}
	for err, want := range map[error]struct {
		call    operatorCall
		message string
	}{
		lists.ErrTooMany:    {listWrites()[0], "There are 1000 lists already; remove one first"},
		lists.ErrSuperseded: {listWrites()[1], "Another sync of the list has begun, whose file counts"},
	} {
		s := startOperatorWith(t, setup{wrap: failingEverywhere(err)})
		requireError(t, s.operate(want.call.path, want.call.body), "", http.StatusConflict, "CONFLICT", want.message)
	}
}

// A sync that would change suspiciously much changes nothing until it is confirmed. A dry run tells the same.
func TestOperator_SyncBrakes(t *testing.T) {
	t.Parallel()
	const advice = "; if that is right, send the file again with confirm=true"
	for _, c := range []struct {
		reason, file string
		// confirm reports whether confirm=true helps.
		confirm bool
		message string
	}{
		{"a tenth of the list is gone, and a little more", domains(101, 1000), true, "The sync would add 0 entries, withdraw 101 and keep 899" + advice},
		{"much is new", domains(0, 11_001), true, "The sync would add 10001 entries, withdraw 0 and keep 1000" + advice},
		{"no entries", "# nothing\n", true, "The sync would add 0 entries, withdraw 1000 and keep 0" + advice},
		{"an empty body", "", true, "The sync would add 0 entries, withdraw 1000 and keep 0" + advice},
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
	require.JSONEq(t, `{"added":2,"withdrawn":1,"kept":2,"refused":0,"overruled":0,"protected":0}`, dry.Body)
	require.JSONEq(t, dry.Body, s.sync("a&dryRun=false", domains(1, 5)).Body)
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
	require.JSONEq(t, `{"added":0,"withdrawn":0,"kept":1,"refused":0,"overruled":1,"protected":0}`, s.sync("feed", "lure.example.com\n").Body)
}
