package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCaller_Authorization(t *testing.T) {
	t.Parallel()
	p := start(t, newFile(t))
	ada := p.token(t, "AGENT")
	for reason, test := range map[string]struct {
		headers []string
		status  int
	}{
		"one header":               {[]string{"Bearer " + ada}, http.StatusOK},
		"a lowercase scheme":       {[]string{"bearer " + ada}, http.StatusOK},
		"another scheme":           {[]string{"Basic " + ada}, http.StatusUnauthorized},
		"a token without a scheme": {[]string{ada}, http.StatusUnauthorized},
		"two headers":              {[]string{"Bearer " + ada, "Bearer " + ada}, http.StatusUnauthorized},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/tickets", nil)
		require.NoError(t, err)
		r.Header["Authorization"] = test.headers
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, test.status, response.StatusCode, reason)
	}
}
