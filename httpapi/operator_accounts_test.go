package httpapi_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit/trail"
)

func TestOperator_GetOrganization(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	got := s.read("/organization/get?id=2")
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	require.JSONEq(t, `{"id":2,"slug":"globex","name":"Globex","deactivated":false}`, got.Body)
	require.Equal(t, http.StatusNotFound, s.read("/organization/get?id=99").Status)
	requireInvalid(t, s.read("/organization/get"), "id: is required")
}

func TestOperator_CreateAccounts(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	for path, c := range map[string]struct{ body, get, want string }{
		"/organization/create": {`{"slug":"initech","name":"Initech"}`, "/organization/get", `"slug":"initech","name":"Initech","deactivated":false`},
		"/user/create": {
			`{"fullName":"Grace Hopper","email":"grace@acme.test","automation":true}`, "/user/get",
			`"fullName":"Grace Hopper","email":"grace@acme.test","automation":true,"deactivated":false`,
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
	require.JSONEq(t, `{"organizations":[{"id":1,"slug":"acme","name":"Acme","deactivated":false},{"id":2,"slug":"globex","name":"Globex","deactivated":false}],"nextCursor":null}`,
		s.read("/organization/list").Body)
	require.JSONEq(t, `{"organizations":[{"id":2,"slug":"globex","name":"Globex","deactivated":false}],"nextCursor":null}`, s.read("/organization/list?limit=1&cursor=1").Body)
	require.JSONEq(t, `{"users":[{"id":1,"fullName":"Ada Lovelace","email":"ada@acme.test","automation":false,"deactivated":false}],"nextCursor":1}`, s.read("/user/list?limit=1").Body)
	require.JSONEq(t, `{"users":[{"id":2,"fullName":"","email":null,"automation":true,"deactivated":false}],"nextCursor":null}`, s.read("/user/list?cursor=1").Body)
	require.JSONEq(t, `{"organizations":[{"id":2,"slug":"globex","name":"Globex","deactivated":false}],"nextCursor":null}`, s.read("/organization/list?searchQuery=LOBE").Body)
	require.JSONEq(t, `{"users":[{"id":1,"fullName":"Ada Lovelace","email":"ada@acme.test","automation":false,"deactivated":false}],"nextCursor":null}`, s.read("/user/list?searchQuery=%40ACME").Body)
	requireInvalid(t, s.read("/user/list?searchQuery=%00&limit=0"), "searchQuery: must be valid UTF-8 without NUL", "limit: must be from 1 to 100")
	requireError(t, s.read("/user/get?id=9"), "", http.StatusNotFound, "NOT_FOUND", "User not found")
}

// Every change of an account is recorded once, and a repeated request changes nothing.
func TestOperator_ChangeAccounts(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	for i, c := range []struct{ path, body, want, again, entry string }{
		{
			"/organization/rename", `{"id":1,"name":"Acme Corporation"}`,
			`{"id":1,"slug":"acme","name":"Acme Corporation","deactivated":false}`, "", "ORGANIZATION CHANGED 1",
		},
		{
			"/organization/rename", `{"id":1,"slug":"acme-corp","name":null}`,
			`{"id":1,"slug":"acme-corp","name":"Acme Corporation","deactivated":false}`, "", "ORGANIZATION CHANGED 1",
		},
		{
			"/organization/deactivate", `{"id":1}`,
			`{"id":1,"slug":"acme-corp","name":"Acme Corporation","deactivated":true}`, "", "ORGANIZATION DEACTIVATED 1",
		},
		{
			"/organization/reactivate", `{"id":1}`,
			`{"id":1,"slug":"acme-corp","name":"Acme Corporation","deactivated":false}`, "", "ORGANIZATION REACTIVATED 1",
		},
		{"/group/rename", `{"id":7,"organizationId":1,"name":"Shops"}`, `{"id":7,"organizationId":1,"name":"Shops"}`, "", "GROUP CHANGED 7"},
		{"/group/remove", `{"id":7,"organizationId":1}`, `{"id":7}`, "Group not found", "GROUP REMOVED 7"},
		{
			"/user/rename", `{"id":2,"fullName":"Olga","email":"olga@acme.test"}`,
			`{"id":2,"fullName":"Olga","email":"olga@acme.test","automation":true,"deactivated":false}`, "", "USER CHANGED 2",
		},
		{
			"/user/deactivate", `{"id":1}`,
			`{"id":1,"fullName":"Ada Lovelace","email":"ada@acme.test","automation":false,"deactivated":true}`, "", "USER DEACTIVATED 1",
		},
		{
			"/user/reactivate", `{"id":1}`,
			`{"id":1,"fullName":"Ada Lovelace","email":"ada@acme.test","automation":false,"deactivated":false}`, "", "USER REACTIVATED 1",
		},
	} {
		got := s.administer(c.path, c.body)
		require.Equal(t, http.StatusOK, got.Status, got.Body)
		require.JSONEq(t, c.want, got.Body)
		again := s.administer(c.path, c.body)
		if c.again == "" {
			require.JSONEq(t, c.want, again.Body)
		} else {
			requireError(t, again, "", http.StatusNotFound, "NOT_FOUND", c.again)
		}
		entries := s.accountEntries()
		require.Len(t, entries, i+1)
		require.Equal(t, c.entry, entries[i])
	}
}

// accountEntries returns the entries of the audit trail about accounts, oldest first.
func (s testServer) accountEntries() []string {
	s.tb.Helper()
	var entries []string
	for entry, err := range s.guard.Audit.All(s.tb.Context(), trail.Filter{UserID: operatorUser}) {
		require.NoError(s.tb, err)
		entries = append([]string{string(entry.Kind) + " " + string(entry.Action) + " " + entry.Subject}, entries...)
	}
	return entries
}

// The keys of a deactivated account grant no access, until it is reactivated.
func TestOperator_Deactivate(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	authenticate := func(key string) error {
		// A service of its own has no cache.
		_, err := account.NewKeyService(s.store, account.KeyOptions{}).Authenticate(t.Context(), key)
		return err
	}
	for path, key := range map[string]string{"/organization": globexKey, "/user": readerKey} {
		id := `{"id":2}`
		require.NoError(t, authenticate(key))
		require.Equal(t, http.StatusOK, s.administer(path+"/deactivate", id).Status)
		require.ErrorIs(t, authenticate(key), account.ErrDeactivated)
		require.NoError(t, authenticate(acmeKey), "the key of another account")
		require.NoError(t, s.guard.Accounts.PutUser(t.Context(), account.User{ID: 2}))
		require.NoError(t, s.guard.Accounts.PutOrganization(t.Context(), account.Organization{ID: 2, Slug: "globex"}))
		require.ErrorIs(t, authenticate(key), account.ErrDeactivated, "to store it again does not reactivate it")
		if path == "/user" { // the operator, who has no access any more
			_, err := s.guard.Accounts.ReactivateUser(t.Context(), 2)
			require.NoError(t, err)
		} else {
			require.Equal(t, http.StatusOK, s.administer(path+"/reactivate", id).Status)
		}
		require.NoError(t, authenticate(key))
	}
}

// The list of keys says whose deactivation takes their access.
func TestOperator_ListKeys_Deactivated(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	require.Equal(t, http.StatusOK, s.administer("/organization/deactivate", `{"id":2}`).Status)
	require.Equal(t, http.StatusOK, s.administer("/user/deactivate", `{"id":1}`).Status)
	is := func(owner any, id string) bool {
		owning, exists := owner.(map[string]any)
		return exists && owning["id"] == json.Number(id)
	}
	deactivated := 0
	for _, key := range decode(t, s.read("/key/list").Body)["keys"].([]any) {
		key := key.(map[string]any)
		require.Equal(t, is(key["organization"], "2"), key["organizationDeactivated"], key)
		require.Equal(t, is(key["user"], "1"), key["userDeactivated"], key)
		if key["organizationDeactivated"] == true || key["userDeactivated"] == true {
			deactivated++
		}
	}
	require.Positive(t, deactivated)
}

// What a removed organization or user did stays, without the keys.
func TestOperator_RemoveAccounts(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	assets := s.read("/report/list").Body
	for _, path := range []string{"/organization", "/user"} {
		got := s.administer(path+"/remove", `{"id":1}`)
		require.Equal(t, http.StatusOK, got.Status, got.Body)
		require.JSONEq(t, `{"id":1}`, got.Body)
		require.Equal(t, http.StatusNotFound, s.administer(path+"/remove", `{"id":1}`).Status)
		require.Equal(t, http.StatusNotFound, s.read(path+"/get?id=1").Status)
	}
	require.JSONEq(t, `{"groups":[]}`, s.read("/group/list?organizationId=1").Body)
	for _, key := range s.keys() {
		require.NotEqual(t, int64(1), key.OrganizationID)
		require.NotEqual(t, int64(1), key.UserID)
	}
	require.Len(t, decode(t, s.read("/report/list").Body)["reports"], len(decode(t, assets)["reports"].([]any)))
	require.Equal(t, asset.StatusBlocked, s.status("https://bad.example.com"))
}

func TestOperator_Groups(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	require.JSONEq(t, `{"groups":[{"id":7,"organizationId":1,"name":"Sites"}]}`, s.read("/group/list?organizationId=1").Body)
	require.JSONEq(t, `{"groups":[]}`, s.read("/group/list?organizationId=9").Body)
	require.JSONEq(t, `{"id":9,"organizationId":1,"name":"Shops"}`, s.administer("/group/create", `{"organizationId":1,"name":"Shops"}`).Body)
	require.Equal(t, []string{"GROUP CREATED 9"}, s.accountEntries())
	for path, body := range map[string]string{
		"/group/rename": `{"id":8,"organizationId":1,"name":"Mine"}`, "/group/remove": `{"id":8,"organizationId":1}`,
	} {
		requireError(t, s.administer(path, body), "", http.StatusNotFound, "NOT_FOUND", "Group not found")
	}
	require.JSONEq(t, `{"groups":[{"id":8,"organizationId":2,"name":"Shops"}]}`, s.read("/group/list?organizationId=2").Body)
}

func TestOperator_InvalidAccounts(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	long := strings.Repeat("x", account.MaxName+1)
	for _, c := range []struct {
		path, body string
		issues     []string
	}{
		{"/organization/rename", `{"id":1}`, []string{"a slug or a name is required"}},
		{"/organization/rename", `{"id":1,"slug":" "}`, []string{"slug: must not be blank"}},
		{"/organization/rename", `{"id":1,"slug":"` + long + `","name":"` + long + `"}`, []string{
			"name: must be at most 255 bytes long", "slug: must be at most 255 bytes long",
		}},
		{"/organization/rename", `{"id":0,"name":"x"}`, []string{"id: must be a whole number from 1 to 2^53-1"}},
		{"/organization/remove", `{"id":1,"confirm":true}`, []string{"confirm: unknown field"}},
		{"/user/rename", `{"id":1}`, []string{"a full name or an e-mail address is required"}},
		{"/user/rename", `{"id":1,"fullName":" ","email":"ada at acme"}`, []string{"fullName: must not be blank", "email: must be an e-mail address"}},
		{"/user/rename", `{"id":1,"fullName":"` + long + `"}`, []string{"fullName: must be at most 255 bytes long"}},
		{"/user/deactivate", `{"id":"1"}`, []string{"id: must be a whole number from 1 to 2^53-1"}},
		{"/group/create", `{"organizationId":1,"name":"` + long + `"}`, []string{"name: must be at most 255 bytes long"}},
		{"/group/rename", `{"id":7,"organizationId":1,"name":" "}`, []string{"name: must not be blank"}},
		{"/key/revokeAll", `{"id":1}`, []string{"id: unknown field", "userId: is required"}},
	} {
		requireInvalid(t, s.administer(c.path, c.body), c.issues...)
	}
	require.Empty(t, s.accountEntries())
}

func TestOperator_RevokeAllKeys(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	body := `{"userId":1}`
	first := decode(t, s.administer("/key/revokeAll", body).Body)
	require.JSONEq(t, `{"revoked":0}`, s.administer("/key/revokeAll", body).Body)
	revoked := 0
	for _, key := range s.keys() {
		if key.UserID == 1 {
			require.False(t, key.RevokedAt.IsZero())
			revoked++
		} else {
			require.True(t, key.RevokedAt.IsZero())
		}
	}
	require.Positive(t, revoked)
	require.Equal(t, json.Number(strconv.Itoa(revoked)), first["revoked"])
	require.Len(t, s.accountEntries(), revoked)
	_, err := s.guard.Keys.Authenticate(t.Context(), acmeKey)
	require.ErrorIs(t, err, account.ErrRevokedKey, "the cache of this server does not delay it")
}
