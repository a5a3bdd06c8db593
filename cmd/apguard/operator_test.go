package main

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var operatorsOn = regexp.MustCompile(`(?m)^operators on (http://\S+/operator)\n`)

// A team's day: a dispute arrives through the public API, and an operator decides it on the
// other listener. Both the user of the operator and the key are created while the server runs.
func TestOperator_Listener(t *testing.T) {
	t.Parallel()
	database := t.TempDir() + "/apguard.db"
	s := startDemo(t, noVariables, "-db", database)
	key := keyOf(t, s)
	operators := operatorsOn.FindStringSubmatch(s.printed)[1]
	user := createUser(t, database, "-name", "Olga")
	secret := keyring{t, database}.create("-scopes", "operator:read,operator:write", "-user", user)

	status, body := request(t, s.url, key, call{path: "/dispute/create", body: `{"content":"https://bad.example","email":"eve@mail.example"}`})
	require.Equal(t, http.StatusOK, status, body)
	status, body = request(t, operators, secret, call{path: "/dispute/resolve", body: `{"id":1,"state":"ACCEPTED","assetStatus":"ALLOWED","reason":"clean"}`})
	require.Equal(t, http.StatusOK, status, body)
	status, body = request(t, s.url, key, call{path: "/asset/check", body: `{"content":"https://bad.example"}`})
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, `"status":"ALLOWED"`)
	status, body = request(t, operators, secret, call{path: "/asset/history?content=https://bad.example"})
	require.Equal(t, http.StatusOK, status, body)
	require.Contains(t, body, user, "the actor of the change")

	status, _ = request(t, operators, key, call{path: "/dispute/resolve", body: `{}`})
	require.Equal(t, http.StatusForbidden, status, "the key of an organization")
	status, _ = request(t, s.url, secret, call{path: "/dispute/resolve", body: `{}`})
	require.Equal(t, http.StatusNotFound, status, "the listener of the public API")
	status, _ = request(t, strings.TrimSuffix(operators, operatorBase), key, call{path: "/api/v2/asset/check", body: `{}`})
	require.Equal(t, http.StatusNotFound, status, "the operators' listener has no public operations")
}
