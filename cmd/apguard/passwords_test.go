package main

import (
	"errors"
	"fmt"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/testsize"
)

// The parts of a hostile password.
const head, tail = "sesame", "mellon"

// No error, log line or other output contains a part of a password, whatever it looks like
// and however the database is given.
func TestRun_HostilePasswords(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	for _, characters := range []string{
		"", "@", ":", "/", "?", "#", "%", "%41", "&", "=", " ", "'", `"`, `\`, ",", ";", "+", "[]", "\t", "\n", "$", "`", "\u00e9", "\xff",
		" host=x ", "/@", "@/", "/a?b=c@d/", ":1?a=", "/" + tail + "?a=", "@" + tail + ":1,", " -x ", "://",
	} {
		for _, password := range []string{head + characters + tail, "12" + characters + tail} {
			for _, db := range connectionStrings(password) {
				t.Run(db, func(t *testing.T) {
					t.Parallel()
					requireSilent(t, db)
				})
			}
		}
	}
}

// connectionStrings returns well-formed and malformed connection strings with the password.
func connectionStrings(password string) []string {
	const place = "127.0.0.1:1/test?sslmode=disable"
	return []string{
		"postgres://ada:" + password + "@" + place,
		"postgres://" + url.UserPassword("ada", password).String() + "@" + place,
		"postgresql://:" + password + "@" + place,
		"postgres://" + place + "&user=ada&password=" + password,
		"POSTGRES://ada:" + password + "@" + place,
		" postgres://ada:" + password + "@" + place,
		"postgres:/ada:" + password + "@" + place,
		"//ada:" + password + "@" + place,
		"ada:" + password + "@" + place,
		"mysql://ada:" + password + "@" + place,
		"host=127.0.0.1 port=1 user=ada password=" + password,
		"password='" + password + "' host=127.0.0.1 port=1",
		" password = " + password,
		"/test?password=" + password,
	}
}

// requireSilent gives a database to the server and to its commands, which must fail without
// the markers of a password.
func requireSilent(t *testing.T, db string) {
	t.Helper()
	file := writeFile(t, db)
	for _, command := range [][]string{{"-addr", "127.0.0.1:0"}, {"keys", "list"}, {"organizations", "list"}} {
		for _, way := range []struct {
			env  environment
			args []string
		}{
			{noVariables, []string{"-db", db}},
			{noVariables, []string{"-db=" + db}},
			{noVariables, []string{db}},
			{noVariables, []string{"-db", "x.db", db}},
			{variables("APGUARD_DB", db), nil},
			{variables("APGUARD_DB_FILE", file), nil},
			{variables("APGUARD_DB_FILE", db), nil},
		} {
			args := append(append([]string(nil), command...), way.args...)
			stdout, stderr, err := runProgram(t, way.env, args...)
			require.Error(t, err, "%q", args)
			for _, text := range []string{err.Error(), stdout, stderr, fmt.Sprintf("%+v", err), fmt.Sprint(errors.Unwrap(err))} {
				require.NotContains(t, text, head, "%q", args)
				require.NotContains(t, text, tail, "%q", args)
			}
		}
	}
}

func FuzzRun_Password(f *testing.F) {
	for _, characters := range []string{"@", ":", "/", "?", "#", "%", "&", " ", "'", "@/?=:"} {
		f.Add(characters)
	}
	f.Fuzz(func(t *testing.T, characters string) {
		password := head + characters + tail
		requireSilent(t, "postgres://ada:"+password+"@127.0.0.1:1/test?sslmode=disable")
		requireSilent(t, "host=127.0.0.1 port=1 user=ada password="+password)
	})
}
