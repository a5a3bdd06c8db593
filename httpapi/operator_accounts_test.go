package httpapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

func TestOperator_GetOrganization(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	got := s.read("/organization/get?id=2")
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	require.JSONEq(t, `{"id":2,"slug":"globex","name":"Globex"}`, got.Body)
	require.Equal(t, http.StatusNotFound, s.read("/organization/get?id=99").Status)
	requireInvalid(t, s.read("/organization/get"), "id: is required")
}

func TestOperator_CreateAccounts(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	for path, c := range map[string]struct{ body, get, want string }{
		"/organization/create": {`{"slug":"initech","name":"Initech"}`, "/organization/get", `"slug":"initech","name":"Initech"`},
		"/user/create": {
			`{"fullName":"Grace Hopper","email":"grace@acme.test","automation":true}`, "/user/get",
			`"fullName":"Grace Hopper","email":"grace@acme.test","automation":true`,
		},
	} {
		created := s.administer(path, c.body)
		require.Equal(t, http.StatusOK, created.Status, created.Body)
		id := decode(t, created.Body)["id"].(json.Number).String()
		require.JSONEq(t, `{"id":`+id+`,`+c.want+`}`, created.Body)
		require.Equal(t, created.Body, s.read(c.get+"?id="+id).Body)
	}
	requireError(t, s.administer("/organization/create", `{"slug":"acme"}`), "", http.StatusConflict, "CONFLICT", "Slug belongs to another organization")
	requireInvalid(t, s.administer("/organization/create", `{"slug":" "}`), "slug: must not be blank")
	requireInvalid(t, s.administer("/user/create", `{"email":"grace@acme.test"}`), "fullName: must not be blank")
	requireInvalid(t, s.administer("/user/create", `{"fullName":"Grace","email":"grace at acme"}`), "email: must be an e-mail address")
	long := strings.Repeat("x", account.MaxName+1)
	requireInvalid(t, s.administer("/organization/create", `{"slug":"initech","name":"`+long+`"}`), "name: must be at most 255 bytes long")
	requireInvalid(t, s.administer("/user/create", `{"fullName":"`+long+`"}`), "fullName: must be at most 255 bytes long")
	requireInvalid(t, s.administer("/user/create", `{"fullName":"Grace","id":7}`), "id: unknown field")
}

func TestOperator_ListAccounts(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	require.JSONEq(t, `{"organizations":[{"id":1,"slug":"acme","name":"Acme"},{"id":2,"slug":"globex","name":"Globex"}],"nextCursor":null}`,
		s.read("/organization/list").Body)
	require.JSONEq(t, `{"organizations":[{"id":2,"slug":"globex","name":"Globex"}],"nextCursor":null}`, s.read("/organization/list?limit=1&cursor=1").Body)
	require.JSONEq(t, `{"users":[{"id":1,"fullName":"Ada Lovelace","email":"ada@acme.test","automation":false}],"nextCursor":1}`, s.read("/user/list?limit=1").Body)
	require.JSONEq(t, `{"users":[{"id":2,"fullName":"","email":null,"automation":true}],"nextCursor":null}`, s.read("/user/list?cursor=1").Body)
	requireError(t, s.read("/user/get?id=9"), "", http.StatusNotFound, "NOT_FOUND", "User not found")
}
