package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi"
)

func TestListOf(t *testing.T) {
	t.Parallel()
	for reason, list := range map[string]struct {
		text string
		want []string
	}{
		"one value":    {"a", []string{"a"}},
		"two values":   {"a,b", []string{"a", "b"}},
		"white space":  {" a , b\t", []string{"a", "b"}},
		"empty":        {"", []string{""}},
		"an empty end": {"a,", []string{"a", ""}},
	} {
		got := []string{"before"}
		require.NoError(t, listOf(&got)(list.text))
		require.Equal(t, list.want, got, reason)
	}
}

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
	_, _, err := runProgram(t, noVariables, "-db", "memory", "-allow-origin", "https://wallet.example/")
	require.ErrorIs(t, err, httpapi.ErrOptions)
}
