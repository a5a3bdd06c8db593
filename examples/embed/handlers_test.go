package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	bad       = `{"content":"https://bad.example"}`
	noReports = `{"reports":[],"nextCursor":null}`
	noChanges = `{"changelog":[]}`
)

const (
	changes = base + "/asset/changelog"
	dispute = base + "/dispute/create"
	reports = base + "/organization/reports"
)

func TestHandlers_Roles(t *testing.T) {
	t.Parallel()
	p := start(t, newFile(t))
	tokens := map[string]string{
		"agent": p.token(t, "AGENT"), "reader": p.token(t, "READER"), "anonymous": "", "unknown": "desk_AAAA", "empty": " ",
	}
	for request, allowed := range map[string]string{
		"GET /":           "agent reader anonymous unknown empty",
		"GET /tickets":    "agent reader",
		"POST /tickets":   "agent",
		"POST " + changes: "agent reader",
		"POST " + dispute: "agent",
		"GET " + reports:  "agent reader",
	} {
		method, path, _ := strings.Cut(request, " ")
		for who, token := range tokens {
			status, header, reply := p.call(t, method, path, token, `{"content":"@acme"}`)
			reason := who + ", " + request + ": " + reply
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

func TestHandlers_InvalidRequests(t *testing.T) {
	t.Parallel()
	p := start(t, newFile(t))
	for reason, test := range map[string]struct {
		path, body string
		status     int
		reply      string
	}{
		"not JSON":                {"/tickets", "bad.example", http.StatusBadRequest, errBody.Error()},
		"a body that is too long": {"/tickets", `{"content":"` + strings.Repeat("a", maxBody) + `"}`, http.StatusBadRequest, errBody.Error()},
		"not an asset":            {"/tickets", `{"content":"no asset"}`, http.StatusBadRequest, "content"},
		"a malformed ticket ID":   {"/tickets/one/block", "", http.StatusNotFound, errTicketNotFound.Error()},
		"an unknown operation":    {base + "/else", "{}", http.StatusNotFound, `"code":"NOT_FOUND"`},
	} {
		status, _, reply := p.call(t, "POST", test.path, p.token(t, "AGENT"), test.body)
		require.Equal(t, test.status, status, reason)
		require.Contains(t, reply, test.reply, reason)
	}
	require.NotContains(t, p.log.String(), "level=ERROR")
}
