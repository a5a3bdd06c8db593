package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// server is one run of the program inside the test.
type server struct {
	// url is the address of the operations, and printed all that came before it.
	url     string
	printed string
	stop    func() error
}

// start runs the program until it listens. It is stopped at the end of the test.
func start(t *testing.T, args ...string) server {
	t.Helper()
	return startRun(t, func(ctx context.Context, stdout, stderr io.Writer) error {
		return run(ctx, onFreePort(args), stdout, stderr)
	})
}

// startWith is start with a change of what no flag can set.
func startWith(t *testing.T, change func(*config), args ...string) server {
	t.Helper()
	return startRun(t, func(ctx context.Context, stdout, stderr io.Writer) error {
		config, err := parseFlags(onFreePort(args), stderr)
		if err != nil {
			return err
		}
		change(&config)
		return runServer(ctx, config, stdout, stderr)
	})
}

func onFreePort(args []string) []string { return append([]string{"-addr", "127.0.0.1:0"}, args...) }

func startRun(t *testing.T, run func(ctx context.Context, stdout, stderr io.Writer) error) server {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	done := make(chan error, 1)
	var stderr bytes.Buffer
	go func() {
		err := run(ctx, in, &stderr)
		in.CloseWithError(errors.Join(err, io.EOF))
		done <- err
	}()
	s := server{stop: sync.OnceValue(func() error {
		cancel()
		return <-done
	})}
	t.Cleanup(func() { require.NoError(t, s.stop(), stderr.String()) })
	s.printed, s.url = readUntilListening(t, out)
	return s
}

// readUntilListening returns what a server prints, and the address at its end.
func readUntilListening(tb testing.TB, out io.Reader) (printed, url string) {
	tb.Helper()
	var text strings.Builder
	buffer := make([]byte, 4096)
	for {
		n, err := out.Read(buffer)
		text.Write(buffer[:n])
		if line := listening.FindStringSubmatch(text.String()); line != nil {
			return text.String(), line[1]
		}
		require.NoError(tb, err, "the server stopped; it printed:\n%s", text.String())
	}
}

var (
	listening = regexp.MustCompile(`(?m)^listening on (http://\S+)\n`)
	exportKey = regexp.MustCompile(`(?m)^export KEY=(apg_\w+)$`)
	exportURL = regexp.MustCompile(`(?m)^export APGUARD=(\S+)$`)
)

// request sends a call and returns the status and the body of the reply.
func request(t *testing.T, url, key string, c call) (int, string) {
	t.Helper()
	method := http.MethodGet
	if c.body != "" {
		method = http.MethodPost
	}
	status, _, body := send(t, method, url, key, c)
	return status, body
}

// send sends a call under a method and returns the reply.
func send(t *testing.T, method, url, key string, c call) (status int, header http.Header, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url+c.path, strings.NewReader(c.body))
	require.NoError(t, err)
	req.Header.Set("X-API-KEY", key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, resp.Header, string(text)
}

// TestReadme holds the README against the program: the same calls, and for each
// the reply that the program gives.
func TestReadme(t *testing.T) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		holdReadme(t, filepath.Join(t.TempDir(), "demo.db"))
	})
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		holdReadme(t, "memory")
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		holdReadme(t, postgresSchema(t))
	})
}

func holdReadme(t *testing.T, db string) {
	t.Helper()
	s := start(t, "-db", db)
	require.Equal(t, s.url, exportURL.FindStringSubmatch(s.printed)[1])
	key := exportKey.FindStringSubmatch(s.printed)[1]

	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	shown := regexp.MustCompile("(?s)```sh\n(curl .*?)\n```\n\n```json\n(.*?)\n```").FindAllStringSubmatch(string(readme), -1)
	require.Len(t, shown, len(tour()))
	for i, c := range tour() {
		require.Contains(t, s.printed, "\n"+c.command()+"\n")
		require.Equal(t, c.command(), shown[i][1], "the README must show the call that the server prints")
		status, body := request(t, s.url, key, c)
		require.Equal(t, http.StatusOK, status, body)
		require.Equal(t, shown[i][2], strings.TrimSuffix(body, "\n"), "the README must show the reply to %s", c.path)
	}
}

// postgresSchema returns the URL of a PostgreSQL database in a schema of its own,
// which is removed at the end of the test.
func postgresSchema(t *testing.T) string {
	t.Helper()
	server := os.Getenv("APGUARD_TEST_POSTGRES")
	if server == "" {
		t.Skip("set APGUARD_TEST_POSTGRES to the URL of a PostgreSQL database, such as postgres://postgres@127.0.0.1/test")
	}
	connection, err := pgx.Connect(t.Context(), server)
	require.NoError(t, err)
	schema := fmt.Sprintf("apguard_server_%d", rand.Uint64())
	_, err = connection.Exec(t.Context(), "CREATE SCHEMA "+schema)
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := connection.Exec(context.Background(), "DROP SCHEMA "+schema+" CASCADE")
		require.NoError(t, errors.Join(err, connection.Close(context.Background())))
	})
	address, err := url.Parse(server)
	require.NoError(t, err)
	query := address.Query()
	query.Set("search_path", schema)
	address.RawQuery = query.Encode()
	return address.String()
}

func TestReadmeEmbedsWhatCompiles(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	code := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(readme)
	require.NotNil(t, code)
	file := filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(file, code[1], 0o600))
	out, err := exec.CommandContext(t.Context(), "go", "vet", file).CombinedOutput()
	require.NoError(t, err, string(out))
}

func TestTheDemoIsMadeOnce(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "a?b #1%.db")
	first := start(t, "-db", db)
	key := exportKey.FindStringSubmatch(first.printed)[1]
	added := call{path: "/organization/assets", body: `{"assets":[{"content":"https://kept.example"}]}`}
	_, before := request(t, first.url, key, added)
	require.Contains(t, before, `"successCount":1`)
	require.NoError(t, first.stop())
	require.FileExists(t, db)

	second := start(t, "-db", db)
	require.NotContains(t, second.printed, "KEY", "the key is shown once")
	_, after := request(t, second.url, key, added)
	require.Contains(t, after, "Asset already exists in organization", "the data is still there")
}

func TestMemory(t *testing.T) {
	t.Parallel()
	s := start(t, "-db", "memory", "-base", "/guard/")
	require.True(t, strings.HasSuffix(s.url, "/guard"), s.url)
	key := exportKey.FindStringSubmatch(s.printed)[1]
	status, body := request(t, s.url, key, call{path: "/asset/changelog", body: `{}`})
	require.Equal(t, http.StatusOK, status, body)
}

func TestOtherPathsAreAnsweredInTheShapeOfTheAPI(t *testing.T) {
	t.Parallel()
	s := start(t, "-db", "memory")
	for reason, path := range map[string]string{
		"an operation that does not exist": "/asset/nothing",
		"the base itself":                  "",
		"outside of the base":              "/../../other",
	} {
		status, body := request(t, s.url, "", call{path: path})
		require.Equal(t, http.StatusNotFound, status, reason)
		require.Contains(t, body, `"code":"NOT_FOUND"`, reason)
	}
}

func TestOtherMethodsAreAnsweredInTheShapeOfTheAPI(t *testing.T) {
	t.Parallel()
	const refused = `{"code":"METHOD_NOT_SUPPORTED","message":"Method not supported"`
	for _, base := range []string{"/api/v2", "/"} {
		s := start(t, "-db", "memory", "-base", base)
		for path, c := range map[string]struct{ allow, body string }{
			"/asset/changelog":      {"POST", refused + `,"issues":[]}`},
			"/organization/assets":  {"POST", `{"error":` + refused + `}}`},
			"/organization/reports": {"GET, HEAD", refused + `,"issues":[]}`},
		} {
			for _, method := range []string{"FOO", "post", http.MethodDelete} {
				status, header, body := send(t, method, s.url, "", call{path: path})
				require.Equal(t, http.StatusMethodNotAllowed, status, method+" "+path)
				require.Equal(t, c.allow, header.Get("Allow"), method+" "+path)
				require.Equal(t, c.body, body, method+" "+path)
			}
		}
		status, _, body := send(t, "FOO", s.url, "", call{path: "/else"})
		require.Equal(t, http.StatusNotFound, status)
		require.Contains(t, body, `"code":"NOT_FOUND"`)
	}
}

const seed = `{
	"organizations": [{"id": 7, "slug": "globex", "name": "Globex", "groups": [{"id": 70, "name": "Sites"}]}],
	"users": [{"id": 5, "fullName": "Bob", "email": "bob@globex.example", "automation": false}],
	"keys": [{"key": "apg_globex", "organization": "globex", "user": 5, "scopes": ["changelog", "allowlist"]}],
	"assets": [{"content": "https://bad.example", "status": "BLOCKED", "changedAt": "2025-01-05T10:00:00Z"}]
}`

func writeFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "seed.json")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestSeed(t *testing.T) {
	t.Parallel()
	db, file := filepath.Join(t.TempDir(), "seeded.db"), writeFile(t, seed)
	first := start(t, "-db", db, "-seed", file)
	require.Contains(t, first.printed, "now contains "+file)
	status, body := request(t, first.url, "apg_globex", call{path: "/asset/changelog", body: `{}`})
	require.Equal(t, http.StatusOK, status)
	require.JSONEq(t, `{"changelog":[{"assetId":1,"type":"URL","content":"https://bad.example","fromStatus":"UNKNOWN","toStatus":"BLOCKED","updatedAt":"2025-01-05T10:00:00.000Z"}]}`, body)
	require.NoError(t, first.stop())

	second := start(t, "-db", db, "-seed", file)
	require.Contains(t, second.printed, "was ignored", "a database with data is not filled again")
}

func TestBadStarts(t *testing.T) {
	t.Parallel()
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, taken.Close()) })
	noDatabase := writeFile(t, strings.Repeat("this is no database. ", 100))

	cases := map[string]struct {
		args  []string
		usage bool
		want  string
	}{
		"a flag that does not exist":         {[]string{"-port", "80"}, true, "-port"},
		"an argument":                        {[]string{"serve"}, true, `unexpected argument "serve"`},
		"a base that is no path":             {[]string{"-base", "api"}, true, "-base must begin with a slash"},
		"a base with a pattern in it":        {[]string{"-base", "/{x}"}, true, "-base must be a plain path"},
		"a base with two slashes":            {[]string{"-base", "/a//b"}, true, "-base must be a plain path"},
		"a base that ends in two slashes":    {[]string{"-base", "/a//"}, true, "-base must be a plain path"},
		"a base of slashes":                  {[]string{"-base", "//"}, true, "-base must be a plain path"},
		"a base with the folder above":       {[]string{"-base", "/a/../b"}, true, "-base must be a plain path"},
		"a base that is the folder above":    {[]string{"-base", "/.."}, true, "-base must be a plain path"},
		"a base with the folder itself":      {[]string{"-base", "/a/./b"}, true, "-base must be a plain path"},
		"a base with a broken escape":        {[]string{"-base", "/a%zz"}, true, "-base must be a plain path"},
		"a base with an escape":              {[]string{"-base", "/a%20b"}, true, "-base must be a plain path"},
		"a base with a pipe":                 {[]string{"-base", "/a|b"}, true, "-base must be a plain path"},
		"a base with a line break":           {[]string{"-base", "/a\n"}, true, "-base must be a plain path"},
		"a base that is not all ASCII":       {[]string{"-base", "/b\u00e9"}, true, "-base must be a plain path"},
		"a server that does not answer":      {[]string{"-db", "postgres://ada:secret@127.0.0.1:1/x?sslmode=disable"}, false, "-db postgres://...: "},
		"a base that is a probe":             {[]string{"-base", "/livez"}, true, "paths of the probes"},
		"a base that is a probe and a slash": {[]string{"-base", "/readyz/"}, true, "paths of the probes"},
		"a drain that ends before it begins": {[]string{"-drain", "-1s"}, true, "-drain must not be negative"},
		"metrics on a port in use":           {[]string{"-metrics", taken.Addr().String()}, false, "-metrics " + taken.Addr().String()},
		"metrics at an address that is none": {[]string{"-metrics", "nowhere"}, false, "-metrics nowhere"},
		"a missing phishing list":            {[]string{"-phishlist", "no-such.json"}, false, "-phishlist: stat no-such.json: "},
		"an invalid phishing list":           {[]string{"-phishlist", writeFile(t, `{"blacklist":[5]}`)}, false, "(blacklist[0]): must be a string"},
		"a port in use":                      {[]string{"-addr", taken.Addr().String()}, false, "address already in use"},
		"an address that is none":            {[]string{"-addr", "nowhere"}, false, "-addr nowhere"},
		"a file that is no database":         {[]string{"-db", noDatabase}, false, noDatabase},
		"a database in a folder that is not": {[]string{"-db", filepath.Join(t.TempDir(), "no", "such.db")}, false, "such.db"},
		"a folder as a database":             {[]string{"-db", t.TempDir()}, false, "-db"},
		"a seed file that is not there":      {[]string{"-seed", "no-such.json"}, false, "no-such.json"},
		"a seed that is no JSON":             {[]string{"-seed", writeFile(t, "{\n\"users\": [}\n")}, false, "line 2"},
		"a seed that makes no sense":         {[]string{"-seed", writeFile(t, `{"assets":[{"content":"no asset"}]}`)}, false, "assets[0].content"},
	}
	for reason, c := range cases {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			db := filepath.Join(t.TempDir(), "new.db")
			var stdout, stderr bytes.Buffer
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // a server that starts after all must end
			defer cancel()
			err := run(ctx, append([]string{"-addr", "127.0.0.1:0", "-db", db}, c.args...), &stdout, &stderr)
			require.Error(t, err)
			require.Empty(t, stdout.String(), "no key is shown and nothing listens")
			require.NoFileExists(t, db, "nothing was made")
			require.Equal(t, c.usage, errors.As(err, new(usageError)))
			require.Empty(t, stderr.String(), "main prints the error")
			require.ErrorContains(t, err, c.want)
		})
	}
}
