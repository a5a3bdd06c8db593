package main

import (
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	bad       = `{"content":"https://bad.example"}`
	noReports = `{"reports":[],"nextCursor":null}`
	noChanges = `{"changelog":[]}`
)

// printedCall is what the program prints for the shell.
var printedCall = regexp.MustCompile(`(?m)^curl -s( -X POST)? "\$DESK(\S+)" -H "Authorization: Bearer \$(\w+)"(?: -H '[^']*')?(?: -d '(.*)')?$`)

func TestWhatIsPrintedCanBeCalled(t *testing.T) {
	t.Parallel()
	p := start(t, newFile(t))
	want := []int{http.StatusCreated, http.StatusOK, http.StatusOK, http.StatusOK, http.StatusForbidden}
	calls := printedCall.FindAllStringSubmatch(p.printed, -1)
	require.Len(t, calls, len(want), p.printed)
	for i, c := range calls {
		method := http.MethodGet
		if c[1] != "" || c[4] != "" {
			method = http.MethodPost
		}
		status, _, reply := p.call(t, method, c[2], p.token(t, c[3]), c[4])
		require.Equal(t, want[i], status, "%s\n%s", c[0], reply)
	}
	require.Contains(t, p.printed, "export DESK="+p.url+"\n")
	p.stop() // all lines of the log are written then
	for _, secret := range []string{p.token(t, "AGENT"), p.token(t, "READER")} {
		require.NotContains(t, p.log.String(), secret)
	}
	require.Contains(t, p.log.String(), "method=POST path=/api/v2/dispute/create status=403 bytes=64 ")
}

func TestTicketsAndTheServiceChangeTogether(t *testing.T) {
	t.Parallel()
	p := start(t, newFile(t))
	ada := p.token(t, "AGENT")

	status, _, reply := p.call(t, "POST", "/tickets", ada, bad)
	require.Equal(t, http.StatusCreated, status)
	require.JSONEq(t, `{"id":1,"content":"https://bad.example","open":true}`, reply)
	_, _, reply = p.call(t, "GET", base+"/organization/reports?status=TODO&reporterQuery=ADA", ada, "")
	require.Contains(t, reply, `"title":"Ticket of Ada Acme"`)

	_, _, reply = p.call(t, "POST", "/tickets/1/block", ada, "")
	require.JSONEq(t, `{"id":1,"content":"https://bad.example","open":false}`, reply)
	_, _, reply = p.call(t, "POST", base+"/asset/changelog", ada, `{"toStatus":"BLOCKED"}`)
	require.Contains(t, reply, `"content":"https://bad.example"`)
	_, _, reply = p.call(t, "GET", "/tickets", ada, "")
	require.JSONEq(t, `[{"id":1,"content":"https://bad.example","open":false}]`, reply)

	status, _, _ = p.call(t, "POST", "/tickets/1/block", ada, "")
	require.Equal(t, http.StatusNotFound, status, "it is closed already")
}

func TestWhatFailsIsKeptInNeither(t *testing.T) {
	t.Parallel()
	file := newFile(t)
	p := start(t, file)
	ada := p.token(t, "AGENT")
	db := look(t, file)

	_, err := db.ExecContext(t.Context(), "CREATE TRIGGER refused BEFORE INSERT ON tickets BEGIN SELECT RAISE(ABORT, 'refused'); END")
	require.NoError(t, err)
	status, _, reply := p.call(t, "POST", "/tickets", ada, bad)
	require.Equal(t, http.StatusInternalServerError, status)
	require.NotContains(t, reply, "refused", "the cause is nobody's business")
	require.Contains(t, p.log.String(), "refused")
	_, _, reply = p.call(t, "GET", base+"/organization/reports", ada, "")
	require.JSONEq(t, noReports, reply, "the report of a ticket that was not written")

	_, err = db.ExecContext(t.Context(), "DROP TRIGGER refused")
	require.NoError(t, err)
	_, _, _ = p.call(t, "POST", "/tickets", ada, bad)
	_, err = db.ExecContext(t.Context(), "UPDATE tickets SET proposal_id = 99")
	require.NoError(t, err)
	status, _, _ = p.call(t, "POST", "/tickets/1/block", ada, "")
	require.Equal(t, http.StatusInternalServerError, status)
	_, _, reply = p.call(t, "GET", "/tickets", ada, "")
	require.Contains(t, reply, `"open":true`, "a ticket whose report nobody could review")
	_, _, reply = p.call(t, "POST", base+"/asset/changelog", ada, "{}")
	require.JSONEq(t, noChanges, reply)
}

func TestWhoMayDoWhat(t *testing.T) {
	t.Parallel()
	p := start(t, newFile(t))
	tokens := map[string]string{
		"agent": p.token(t, "AGENT"), "reader": p.token(t, "READER"), "nobody": "", "stranger": "desk_AAAA", "empty": " ",
	}
	for request, allowed := range map[string]string{
		"GET /":           "agent reader nobody stranger empty",
		"GET /tickets":    "agent reader",
		"POST /tickets":   "agent",
		"POST " + changes: "agent reader",
		"POST " + dispute: "agent",
		"GET " + reports:  "agent reader",
	} {
		method, path, _ := strings.Cut(request, " ")
		for who, token := range tokens {
			status, header, reply := p.call(t, method, path, token, `{"content":"@acme"}`)
			reason := who + " asks " + request + ": " + reply
			known := token == tokens["agent"] || token == tokens["reader"]
			switch {
			case strings.Contains(allowed, who):
				require.NotContains(t, []int{401, 403, 500}, status, reason)
			case known:
				require.Equal(t, http.StatusForbidden, status, reason)
			default:
				require.Equal(t, http.StatusUnauthorized, status, reason)
				require.Equal(t, "Bearer", header.Get("WWW-Authenticate"), reason)
			}
		}
	}
}

const (
	changes = base + "/asset/changelog"
	dispute = base + "/dispute/create"
	reports = base + "/organization/reports"
)

func TestOneHeaderAuthorizes(t *testing.T) {
	t.Parallel()
	p := start(t, newFile(t))
	ada := p.token(t, "AGENT")
	for reason, test := range map[string]struct {
		headers []string
		status  int
	}{
		"one":                          {[]string{"Bearer " + ada}, http.StatusOK},
		"a scheme without its case":    {[]string{"bearer " + ada}, http.StatusOK},
		"another scheme":               {[]string{"Basic " + ada}, http.StatusUnauthorized},
		"the token alone":              {[]string{ada}, http.StatusUnauthorized},
		"two, as readers may disagree": {[]string{"Bearer " + ada, "Bearer " + ada}, http.StatusUnauthorized},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/tickets", nil)
		require.NoError(t, err)
		r.Header["Authorization"] = test.headers
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, test.status, response.StatusCode, reason)
	}
}

func TestWhatNobodyCanRead(t *testing.T) {
	t.Parallel()
	p := start(t, newFile(t))
	for reason, test := range map[string]struct {
		path, body string
		status     int
		reply      string
	}{
		"no JSON":               {"/tickets", "bad.example", http.StatusBadRequest, errBody.Error()},
		"a body that is long":   {"/tickets", `{"content":"` + strings.Repeat("a", maxBody) + `"}`, http.StatusBadRequest, errBody.Error()},
		"no asset":              {"/tickets", `{"content":"no asset"}`, http.StatusBadRequest, "content"},
		"a ticket of no number": {"/tickets/one/block", "", http.StatusNotFound, errNoTicket.Error()},
		"no such operation":     {base + "/else", "{}", http.StatusNotFound, `"code":"NOT_FOUND"`},
	} {
		status, _, reply := p.call(t, "POST", test.path, p.token(t, "AGENT"), test.body)
		require.Equal(t, test.status, status, reason)
		require.Contains(t, reply, test.reply, reason)
	}
	require.NotContains(t, p.log.String(), "level=ERROR")
}

func TestASecondStart(t *testing.T) {
	t.Parallel()
	file := newFile(t)
	first := start(t, file)
	ada := first.token(t, "AGENT")
	_, _, _ = first.call(t, "POST", "/tickets", ada, bad)
	first.stop()

	second := start(t, file)
	require.Equal(t, "listening on "+second.url+"\n", second.printed, "nobody is hired twice")
	status, _, reply := second.call(t, "GET", "/tickets", ada, "")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, reply, "https://bad.example")
	_, err := os.Stat(file)
	require.NoError(t, err)
}
