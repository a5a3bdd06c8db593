package main

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

// Every key that works tells both APIs whose it is. The log has its fingerprint, not the key.
func TestCaller(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "caller.db")
	s := start(t, "-db", db, "-operator", "127.0.0.1:0", "-seed", writeFile(t, seed))
	apis := map[string]string{"public": s.url, "operators": operatorsOn.FindStringSubmatch(s.printed)[1]}
	keys := kindsOfKeys(t, keyring{t, db})
	for reason, key := range keys {
		for api, url := range apis {
			t.Run(reason+", "+api+" API", func(t *testing.T) {
				status, body := request(t, url, key, call{path: "/caller/get"})
				require.Equal(t, http.StatusOK, status, body)
				var got struct {
					Fingerprint string
					Scopes      []account.Scope
				}
				require.NoError(t, json.Unmarshal([]byte(body), &got))
				require.Equal(t, fingerprint(key), got.Fingerprint)
				require.NotNil(t, got.Scopes)
				status, _, _ = send(t, http.MethodHead, url, key, call{path: "/caller/get"})
				require.Equal(t, http.StatusOK, status)
			})
		}
	}
	require.NoError(t, s.stop())
	for reason, key := range keys {
		require.NotContains(t, s.printed+s.logged(), key, reason)
		require.Contains(t, s.logged(), fingerprint(key), reason)
	}
}

// createUser creates a user and returns the ID.
func createUser(t *testing.T, db string, args ...string) string {
	t.Helper()
	printed, _ := mustRun(t, noVariables, append([]string{"users", "create", "-db", db}, args...)...)
	var created account.User
	require.NoError(t, json.Unmarshal([]byte(printed), &created))
	return strconv.FormatInt(created.ID, 10)
}

// kindsOfKeys returns a usable key of every kind by what is special about it.
func kindsOfKeys(t *testing.T, ring keyring) map[string]string {
	t.Helper()
	operators := account.OperatorScopes()
	scopes := append(append(account.Scopes(), operators...), account.ScopeOperatorAdmin)
	named := createUser(t, ring.db, "-email", "eve@globex.example", "-name", "Eve \"<&>\" \u00c9")
	unnamed, program := createUser(t, ring.db, "-name", "x"), createUser(t, ring.db, "-automation", "-name", "bot")
	keys := map[string]string{
		"seed":                              "apg_globex",
		"no organization and no user":       ring.create("-scopes", "all"),
		"organization":                      ring.create("-scopes", "all", "-organization", "globex"),
		"user":                              ring.create("-scopes", "all", "-user", named),
		"user without an e-mail address":    ring.create("-scopes", "all", "-user", unnamed),
		"program":                           ring.create("-scopes", "all", "-user", program),
		"organization and user":             ring.create("-scopes", "all", "-organization", "globex", "-user", named),
		"name":                              ring.create("-scopes", "all", "-name", "Laptop \"<&>\" \u00c9"),
		"expiry":                            ring.create("-scopes", "all", "-expires", "1h"),
		"expiry in a century":               ring.create("-scopes", "all", "-expires", "876000h"),
		"all scopes, of operators too":      ring.create("-scopes", joined(scopes), "-user", named),
		"organization of an operator's key": ring.create("-scopes", "operator:write", "-organization", "globex", "-user", named),
		"operator's key that only reads":    ring.create("-scopes", "operator:read"),
	}
	for _, scope := range scopes {
		keys["only the scope "+string(scope)] = ring.create("-scopes", string(scope), "-user", named)
	}
	rotated := ring.create("-scopes", "check", "-organization", "globex", "-name", "rotated")
	successor, _ := mustRun(t, noVariables, "keys", "rotate", "-db", ring.db, "-grace", "1h", fingerprint(rotated))
	keys["rotated, in its grace period"], keys["successor of a key that is rotated"] = rotated, strings.TrimSpace(successor)

	imported := "older!service" + strings.Repeat("~", 32)
	mustRun(t, variables("APGUARD_KEY", imported), "keys", "import", "-db", ring.db, "-organization", "globex", "-scopes", "changelog")
	keys["imported"] = imported

	guard := openGuard(t, ring.db)
	for reason, request := range map[string]account.KeyRequest{
		"no scope":                    {},
		"no scope, with organization": {OrganizationID: 7, ExpiresAt: time.Now().Add(time.Hour)},
	} {
		key, err := guard.Keys.Create(t.Context(), request)
		require.NoError(t, err)
		keys[reason] = key
	}
	return keys
}
