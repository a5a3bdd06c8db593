package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEnvironment_Secret(t *testing.T) {
	t.Parallel()
	file := func(content string) string { return writeFile(t, content) }
	for reason, c := range map[string]struct {
		env    environment
		want   secret
		wanted string // in the error
	}{
		"nothing is set":               {variables(), secret{}, ""},
		"a variable":                   {variables("X", "open sesame"), secret{"open sesame", "X"}, ""},
		"a variable with line breaks":  {variables("X", "a\n\n"), secret{"a\n\n", "X"}, ""},
		"a file":                       {variables("X_FILE", file("open sesame")), secret{"open sesame", "X_FILE"}, ""},
		"a file with a line break":     {variables("X_FILE", file("sesame\n")), secret{"sesame", "X_FILE"}, ""},
		"a file with CR and LF":        {variables("X_FILE", file("sesame\r\n")), secret{"sesame", "X_FILE"}, ""},
		"only one line break goes":     {variables("X_FILE", file("sesame \n\n")), secret{"sesame \n", "X_FILE"}, ""},
		"an empty variable":            {variables("X", ""), secret{}, "X must not be empty"},
		"an empty file":                {variables("X_FILE", file("\n")), secret{}, "X_FILE must not be empty"},
		"both":                         {variables("X", "sesame", "X_FILE", file("sesame")), secret{}, "set only one of X and X_FILE"},
		"both, one of them empty":      {variables("X", "", "X_FILE", file("sesame")), secret{}, "set only one of X and X_FILE"},
		"a missing file":               {variables("X_FILE", filepath.Join(t.TempDir(), "sesame")), secret{}, "X_FILE: the file cannot be read: no such file"},
		"the value in place of a file": {variables("X_FILE", "postgres://ada:sesame@host/db"), secret{}, "X_FILE: the file cannot be read: no such file"},
		"a directory":                  {variables("X_FILE", os.TempDir()), secret{}, "X_FILE: the file cannot be read: is a directory"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			got, err := c.env.secret("X")
			require.Equal(t, c.want, got)
			if c.wanted == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.wanted)
			require.NotContains(t, err.Error(), "sesame")
		})
	}
}

// The server and the commands find the database in the same way.
func TestChooseDatabase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"flag.db", "variable.db", "file.db"} {
		db := at(name)
		s := start(t, "-db", db)
		require.NoError(t, s.stop())
		_, _, err := runProgram(t, noVariables, "organizations", "create", "-db", db, "-slug", name, "-name", name)
		require.NoError(t, err)
	}
	for reason, c := range map[string]struct {
		env  environment
		args []string
		// want is the name of the database.
		want, wantErr string
	}{
		"the flag":                       {variables(), []string{"-db", at("flag.db")}, "flag.db", ""},
		"the variable":                   {variables("APGUARD_DB", at("variable.db")), nil, "variable.db", ""},
		"the file":                       {variables("APGUARD_DB_FILE", writeFile(t, at("file.db")+"\n")), nil, "file.db", ""},
		"the flag before the variable":   {variables("APGUARD_DB", at("variable.db")), []string{"-db", at("flag.db")}, "flag.db", ""},
		"the flag before wrong settings": {variables("APGUARD_DB", "", "APGUARD_DB_FILE", "none"), []string{"-db", at("flag.db")}, "flag.db", ""},
		"an empty variable":              {variables("APGUARD_DB", ""), nil, "", "APGUARD_DB must not be empty"},
		"both variables":                 {variables("APGUARD_DB", "a", "APGUARD_DB_FILE", "b"), nil, "", "set only one of APGUARD_DB and APGUARD_DB_FILE"},
		"a connection string":            {variables("APGUARD_DB", "host=x password=secret"), nil, "", "APGUARD_DB must be a file path, memory, or a URL"},
		"memory":                         {variables("APGUARD_DB", "memory"), nil, "", "APGUARD_DB memory keeps nothing"},
		"a missing database":             {variables("APGUARD_DB", at("none.db")), nil, "", "APGUARD_DB: stat " + at("none.db")},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			listed, _, err := runProgram(t, c.env, append([]string{"organizations", "list"}, c.args...)...)
			_, _, keysErr := runProgram(t, c.env, append([]string{"keys", "list"}, c.args...)...)
			if c.wantErr != "" {
				require.ErrorContains(t, err, c.wantErr)
				require.ErrorContains(t, keysErr, c.wantErr)
				return
			}
			require.NoError(t, err)
			require.NoError(t, keysErr)
			require.Contains(t, listed, c.want)
		})
	}
}
