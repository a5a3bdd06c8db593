package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTickets_ReportAndStatus(t *testing.T) {
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
	require.Equal(t, http.StatusNotFound, status, "a closed ticket")
}
