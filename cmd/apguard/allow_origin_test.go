package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi"
)

func TestRun_AllowOrigin(t *testing.T) {
	t.Parallel()
	s := start(t, "-db", "memory", "-seed", writeFile(t, seed), "-allow-origin", "https://wallet.example, chrome-extension://id")
	for origin, allowed := range map[string]string{
		"https://wallet.example": "https://wallet.example", "chrome-extension://id": "chrome-extension://id", "https://evil.example": "",
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodOptions, s.url+"/asset/check", nil)
		require.NoError(t, err)
		r.Header.Set("Origin", origin)
		r.Header.Set("Access-Control-Request-Method", http.MethodPost)
		got, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, got.Body.Close())
		require.Equal(t, allowed, got.Header.Get("Access-Control-Allow-Origin"))
	}
	_, _, err := runProgram(t, noVariables, "serve", "-addr", "127.0.0.1:0", "-db", "memory", "-allow-origin", "https://wallet.example/")
	require.ErrorIs(t, err, httpapi.ErrOptions)
}
