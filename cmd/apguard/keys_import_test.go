package main

import (
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

func TestRunKeys_import(t *testing.T) {
	t.Parallel()
	key := "older-service-" + strings.Repeat("k", 32)
	for source, env := range map[string]environment{
		"a variable": variables("APGUARD_KEY", key),
		"a file":     variables("APGUARD_KEY_FILE", writeFile(t, key+"\n")),
	} {
		t.Run(source, func(t *testing.T) {
			t.Parallel()
			db := filepath.Join(t.TempDir(), "a.db")
			s := startDemo(t, noVariables, "-db", db)
			args := []string{"keys", "import", "-db", db, "-organization", "acme", "-scopes", "changelog", "-name", "older"}
			for range 2 { // it can be repeated
				stdout, stderr, err := runProgram(t, env, args...)
				require.NoError(t, err)
				require.Empty(t, stdout)
				require.Equal(t, "The key "+fingerprint(key)+" does not expire. It is imported.\n", stderr)
			}
			status, body := request(t, s.url, key, oneChange)
			require.Equal(t, http.StatusOK, status, body)
			require.Contains(t, strings.Join(keyring{t, db}.list("-organization", "acme"), "\n"), fingerprint(key)+"|acme|-|changelog|")

			_, _, err := runProgram(t, noVariables, "keys", "revoke", "-db", db, fingerprint(key))
			require.NoError(t, err)
			_, _, err = runProgram(t, env, args...)
			require.ErrorIs(t, err, account.ErrRevokedKey)
			require.NotContains(t, err.Error(), key)
			require.NoError(t, s.stop())
			require.NotContains(t, s.printed+s.logged(), key)
			require.Contains(t, s.logged(), fingerprint(key))
		})
	}
}

func TestRunKeys_importErrors(t *testing.T) {
	t.Parallel()
	k := newKeyring(t)
	const scope = "-scopes=changelog"
	key := "sesame" + strings.Repeat("s", 32)
	for reason, c := range map[string]struct {
		env   environment
		args  []string
		usage bool
		want  string
	}{
		"no key":                   {variables(), []string{scope}, true, "set APGUARD_KEY to the key, or APGUARD_KEY_FILE"},
		"an empty key":             {variables("APGUARD_KEY", ""), []string{scope}, true, "APGUARD_KEY must not be empty"},
		"two keys":                 {variables("APGUARD_KEY", key, "APGUARD_KEY_FILE", "a"), []string{scope}, true, "set only one of APGUARD_KEY and APGUARD_KEY_FILE"},
		"a missing file":           {variables("APGUARD_KEY_FILE", key), []string{scope}, true, "APGUARD_KEY_FILE: the file cannot be read"},
		"a short key":              {variables("APGUARD_KEY", "sesame"), []string{scope}, true, "APGUARD_KEY must have at least 32 characters"},
		"a short key in a file":    {variables("APGUARD_KEY_FILE", writeFile(t, "sesame")), []string{scope}, true, "APGUARD_KEY_FILE must have at least 32 characters"},
		"a key with a space":       {variables("APGUARD_KEY", key+" "), []string{scope}, false, "key: must be 1 to 256 visible ASCII characters"},
		"a key as an argument":     {variables("APGUARD_KEY", key), []string{scope, key}, true, "unexpected argument"},
		"no scopes":                {variables("APGUARD_KEY", key), nil, true, "-scopes must be all, or some of changelog"},
		"an unknown organization":  {variables("APGUARD_KEY", key), []string{scope, "-organization", "none"}, false, `unknown organization "none"`},
		"an unknown user":          {variables("APGUARD_KEY", key), []string{scope, "-user", "9"}, false, "unknown user 9"},
		"a key and a grace period": {variables("APGUARD_KEY", key), []string{scope, "-grace", "1h"}, true, "not defined: -grace"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, err := runProgram(t, c.env, append([]string{"keys", "import", "-db", k.db}, c.args...)...)
			require.ErrorContains(t, err, c.want)
			require.Equal(t, c.usage, errors.As(err, new(usageError)))
			require.Empty(t, stdout+stderr)
			require.NotContains(t, err.Error(), "sesame")
			require.Len(t, k.list(), 1, "nothing is stored")
		})
	}
}
