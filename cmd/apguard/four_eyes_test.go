package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFourEyes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want int
	}{
		{nil, http.StatusOK},
		{[]string{"-four-eyes"}, http.StatusAccepted},
	} {
		db := newDatabase(t)
		s := start(t, append([]string{"-db", db, "-operator", "127.0.0.1:0"}, c.args...)...)
		secret := keyring{t, db}.create("-scopes", "operator:write", "-user", createUser(t, db, "-name", "Olga"))
		status, body := request(t, operatorsOn.FindStringSubmatch(s.printed)[1], secret,
			call{path: "/asset/setStatus", body: `{"content":"github.io","status":"BLOCKED","confirmProtected":true}`})
		require.Equal(t, c.want, status, body)
	}
}

// A command whose request takes a second operator says so, and that operator approves it with another one.
func TestFourEyes_Commands(t *testing.T) {
	t.Parallel()
	db := newDatabase(t)
	s := start(t, "-db", db, "-operator", "127.0.0.1:0", "-four-eyes")
	server := operatorsOn.FindStringSubmatch(s.printed)[1]
	key := func(name string) func(string) (string, bool) {
		return variables("APGUARD_KEY", keyring{t, db}.create("-scopes", "operator:read,operator:write", "-user", createUser(t, db, "-name", name)))
	}
	ada, bea := key("Ada"), key("Bea")
	block := []string{"-status", "BLOCKED", "-confirm-protected", "-server", server}
	_, _, err := runProgram(t, ada, append([]string{"status", "set-one", "github.io"}, block...)...)
	require.EqualError(t, err, "nothing was changed: another operator must approve act 1, see pending")
	require.Equal(t, exitNegative, exitStatus(err))
	_, refused, err := runProgram(t, ada, append([]string{"status", "set", "google.com", "x.com", "shop.example.com"}, block...)...)
	require.ErrorContains(t, err, "2 of 3 contents were refused")
	require.Contains(t, refused, "refused: google.com: Another operator must approve this\n")
	require.Contains(t, refused, "changed: 1, unchanged: 0, refused: 2, dryRun: false, pending: 2\n")
	listed, _ := mustRun(t, bea, "pending", "list", "-server", server)
	require.Regexp(t, `(?m)^1 +BLOCK_PROTECTED +PENDING +Ada +\S+ +github\.io$`, listed)
	require.Regexp(t, `(?m)^2 +BLOCK_PROTECTED +PENDING +Ada +\S+ +google\.com and others$`, listed)
	_, _, err = runProgram(t, ada, "pending", "approve", "1", "-server", server)
	require.ErrorContains(t, err, "Another operator must approve the act")
	mustRun(t, bea, "pending", "approve", "1", "-comment", "I see it, too", "-server", server)
	mustRun(t, bea, "pending", "reject", "2", "-server", server)
	listed, _ = mustRun(t, bea, "pending", "list", "-state", "APPROVED", "-json", "-server", server)
	require.Contains(t, listed, `"comment":"I see it, too"`)
}
