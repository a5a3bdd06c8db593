package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInTransaction_Rollback(t *testing.T) {
	t.Parallel()
	file := newFile(t)
	p := start(t, file)
	ada := p.token(t, "AGENT")
	db := open(t, file)

	_, err := db.ExecContext(t.Context(), "CREATE TRIGGER rejected BEFORE INSERT ON tickets BEGIN SELECT RAISE(ABORT, 'rejected'); END")
	require.NoError(t, err)
	status, _, reply := p.call(t, "POST", "/tickets", ada, bad)
	require.Equal(t, http.StatusInternalServerError, status)
	require.NotContains(t, reply, "rejected", "the reply does not contain the cause")
	require.Contains(t, p.log.String(), "rejected")
	_, _, reply = p.call(t, "GET", base+"/organization/reports", ada, "")
	require.JSONEq(t, noReports, reply, "the report is rolled back with the ticket")

	_, err = db.ExecContext(t.Context(), "DROP TRIGGER rejected")
	require.NoError(t, err)
	_, _, _ = p.call(t, "POST", "/tickets", ada, bad)
	_, err = db.ExecContext(t.Context(), "UPDATE tickets SET proposal_id = 99")
	require.NoError(t, err)
	status, _, _ = p.call(t, "POST", "/tickets/1/block", ada, "")
	require.Equal(t, http.StatusInternalServerError, status)
	_, _, reply = p.call(t, "GET", "/tickets", ada, "")
	require.Contains(t, reply, `"open":true`, "the ticket is rolled back with the review")
	_, _, reply = p.call(t, "POST", base+"/asset/changelog", ada, "{}")
	require.JSONEq(t, noChanges, reply)
}
