package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRefuseBlocked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, `"success":true`},
		{[]string{"-refuse-blocked"}, `"success":false,"error":"Asset is blocked"`},
		{[]string{"-refuse-blocked=false"}, `"success":true`},
	} {
		s := start(t, append([]string{"-db", "memory", "-seed", writeFile(t, seed)}, c.args...)...)
		status, body := request(t, s.url, "apg_globex", call{path: "/organization/assets", body: `{"assets":[{"content":"https://bad.example"}]}`})
		require.Equal(t, http.StatusOK, status, body)
		require.Contains(t, body, `{"content":"https://bad.example",`+c.want, c.args)
	}
}
