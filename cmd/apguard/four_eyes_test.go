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
