package console

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/testsize"
)

func TestBuild(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t) // it builds the WebAssembly
	site, err := Build(t.Context(), Addresses{API: "https://api.example/api/v2", OperatorAPI: "/operator"})
	require.NoError(t, err)
	require.Equal(t, "\x00asm", string(site["rules.wasm"][:4]))
	require.Contains(t, string(site["index.html"]), "connect-src 'self' https://api.example;")
	require.NotContains(t, string(site["index.html"]), "{{")
	require.JSONEq(t, `{"api":"https://api.example/api/v2","operatorApi":"/operator","signIn":"","keysInLink":false}`, string(site["config.json"]))
	for _, name := range []string{"wasm_exec.js", "rules-worker.js", "rules-remote.js", "rules.js", "app.js", "views/check.js", "style/base.css"} {
		require.NotEmpty(t, site[name], name)
	}
	require.NotContains(t, site, "tsconfig.json")

	dir := filepath.Join(t.TempDir(), "site")
	require.NoError(t, site.Write(dir))
	for name, content := range site {
		written, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		require.NoError(t, err)
		require.Equal(t, content, written, name)
	}
}

func TestBuild_Refuses(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"":                            "must be a path",
		"api/v2":                      "must be a path",
		"//api.example":               "must be a path",
		"javascript:alert(1)":         "must be a path",
		"https://a@api.example":       "without a user",
		"https://*.example":           "must be a path",
		`https://api.example"><b>`:    "must be a path",
		"https://api.example;img-src": "must be a path",
		"https://":                    "must be a path",
	} {
		_, err := Build(t.Context(), Addresses{API: address, OperatorAPI: "/operator"})
		require.ErrorContains(t, err, want, address)
		_, err = Build(t.Context(), Addresses{API: "/api/v2", OperatorAPI: address})
		require.ErrorContains(t, err, want, address)
	}
	for reason, addresses := range map[string]Addresses{
		"a cookie of another server": {API: "/api/v2", OperatorAPI: "/operator", SignIn: "https://api.example/session"},
		"an API of another server":   {API: "https://api.example/api/v2", OperatorAPI: "/operator", SignIn: "/session"},
		"operators elsewhere":        {API: "/api/v2", OperatorAPI: "https://desk.example/operator", SignIn: "/session"},
	} {
		_, err := Build(t.Context(), addresses)
		require.ErrorIs(t, err, ErrAddress, reason)
	}
}
