package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/phishlist"
	"github.com/apguard/apguard/internal/testsize"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage"
)

// library runs import and export on a database.
type library struct {
	*testing.T
	db string
}

func newLibrary(t *testing.T) library {
	t.Helper()
	db := filepath.Join(t.TempDir(), "lists.db")
	store, err := openFile(t.Context(), db)
	require.NoError(t, err)
	require.NoError(t, store.Close())
	return library{t, db}
}

// imports imports a list from the standard input.
func (l library) imports(list string, args ...string) (stdout, stderr string) {
	l.Helper()
	stdout, stderr, err := l.tryImport(list, args...)
	require.NoError(l, err)
	return stdout, stderr
}

// tryImport imports a list from the standard input, which may fail.
func (l library) tryImport(list string, args ...string) (stdout, stderr string, err error) {
	var out, errs bytes.Buffer
	args = append(append([]string{"import", "-db", l.db}, args...), "-")
	err = program{noVariables, strings.NewReader(list), &out, &errs}.run(l.Context(), args)
	return out.String(), errs.String(), err
}

func (l library) exports(args ...string) (stdout, stderr string) {
	l.Helper()
	out, errs, err := runProgram(l.T, noVariables, append([]string{"export", "-db", l.db}, args...)...)
	require.NoError(l, err)
	return out, errs
}

func TestRunImport(t *testing.T) {
	t.Parallel()
	l := newLibrary(t)
	l.imports("good.com\nhttp://worse.com/x\n", "-format", "lines", "-status", "ALLOWED")
	const feed = "bad.com\n# comment\nhxxps://worse[.]com/x\nno asset\ngood.com\n"
	args := []string{"-format", "lines", "-refang", "-reference", "feed of today"}

	plan, told := l.imports(feed, append(args, "-dry-run")...)
	require.Equal(t, "{\"lines\":4,\"set\":3,\"unchanged\":0,\"refused\":1}\n", plan)
	require.Regexp(t, `^line 4: refused: .*\nline 5: good.com would turn from ALLOWED to BLOCKED\n`+
		`line 3: https://worse.com/x would be BLOCKED, but http://worse.com/x is ALLOWED\n$`, told)

	counts, told := l.imports(feed, args...)
	require.Equal(t, plan, counts, "the dry run has stored nothing")
	require.Contains(t, told, "line 5: good.com turns from ALLOWED to BLOCKED\n")
	counts, told = l.imports(feed, args...)
	require.Equal(t, "{\"lines\":4,\"set\":0,\"unchanged\":3,\"refused\":1}\n", counts)
	require.NotContains(t, told, "good.com")

	withStore(t, l.db, func(store storage.Store) {
		for change, err := range asset.NewService(store, asset.Options{}).Changes(t.Context(), asset.ChangeFilter{To: asset.StatusBlocked}) {
			require.NoError(t, err)
			require.Equal(t, asset.Origin{Cause: asset.CauseImport, Reference: "feed of today"}, change.Origin)
		}
	})
}

func TestRunImport_PublicSuffix(t *testing.T) {
	t.Parallel()
	l := newLibrary(t)
	const list = "evil.github.io\ngithub.io\nhttps://com\nbad.com\n"
	for _, dry := range [][]string{{"-dry-run"}, nil} {
		counts, told := l.imports(list, append(dry, "-format", "lines")...)
		require.Equal(t, "{\"lines\":4,\"set\":2,\"unchanged\":0,\"refused\":2}\n", counts)
		require.Contains(t, told, "line 2: refused: blocks a public suffix, which takes -allow-suffixes")
		require.Contains(t, told, "line 3: refused: blocks a public suffix")
	}
	counts, told := l.imports(list, "-format", "lines", "-allow-suffixes")
	require.Equal(t, "{\"lines\":4,\"set\":2,\"unchanged\":2,\"refused\":0}\n", counts)
	require.NotContains(t, told, "refused:")
}

func TestRunImport_Refused(t *testing.T) {
	t.Parallel()
	l := newLibrary(t)
	_, told := l.imports("no asset\na\x1b[2Jb\n5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ\na.com\nb.com\nc.com\n", "-format", "lines")
	require.Regexp(t, `^line 1: refused: [^"]*: "no asset"
line 2: refused: [^"]*: "a\\x1b\[2Jb"
line 3: refused: possible private key or seed; keep it secret
`, told)
	_, told = l.imports(`{"blacklist":["bad.com","jack"]}`, "-format", "eth-phishing-detect")
	require.Contains(t, told, `line 1, byte 30 (blacklist[1]): refused: is not a host: "jack"`)
	_, told = l.imports("github.io\na.com\njack\nb.com\n", "-format", "lines")
	require.Contains(t, told, `line 1: refused: blocks a public suffix, which takes -allow-suffixes: "github.io"`)
	require.Contains(t, told, `line 3: refused: is a word without @, which is an account only with -accounts: "jack"`)
}

// A list of which more than half is refused changes nothing, unless that is asked for.
func TestRunImport_MostlyRefused(t *testing.T) {
	t.Parallel()
	l := newLibrary(t)
	const list = "||bad.com^\ngood.com##.ad\ngood.com##.b\n"
	const refused = "{\"lines\":3,\"set\":0,\"unchanged\":0,\"refused\":2}\n"
	counts, told, err := l.tryImport(list, "-format", "adblock")
	require.ErrorIs(t, err, errMostlyRefused)
	require.Equal(t, refused, counts)
	require.Equal(t, "line 2: refused: hides parts of a page, and blocks nothing: \"good.com##.ad\"\nline 3: refused: hides parts of a page, and blocks nothing: \"good.com##.b\"\n", told)
	one := strings.ReplaceAll(refused, "\"set\":0", "\"set\":1")
	for _, flag := range []string{"-dry-run", "-partial"} {
		counts, told, err = l.tryImport(list, "-format", "adblock", flag)
		require.ErrorIs(t, err, errMostlyRefused)
		require.Equal(t, one, counts, flag)
		require.Equal(t, 2, strings.Count(told, "refused:"))
	}
	counts, _ = l.imports("bad.com\njack\n", "-format", "lines")
	require.Equal(t, "{\"lines\":2,\"set\":0,\"unchanged\":1,\"refused\":1}\n", counts, "one half is not more than half")
	counts, _, err = l.tryImport("<!DOCTYPE html>\n<p>", "-format", "lines")
	require.ErrorIs(t, err, lists.ErrMarkup)
	require.Empty(t, counts)
}

// Refused entries are printed up to a bound, and the others are counted by reason.
func TestRunImport_ManyRefused(t *testing.T) {
	t.Parallel()
	l := newLibrary(t)
	many := testsize.OfUnraced(2_000, 20_000, 1_000_000)
	_, told, err := l.tryImport(strings.Repeat("word\n", many)+"x y\nevil.com\n", "-format", "lines")
	require.ErrorIs(t, err, errMostlyRefused)
	require.Less(t, len(told), 200<<10)
	lines := strings.Split(strings.TrimSuffix(told, "\n"), "\n")
	require.Len(t, lines, maxRefusals+2)
	require.Equal(t, fmt.Sprintf("%d more refused: is a word without @, which is an account only with -accounts", many-maxRefusals), lines[maxRefusals])
	require.Regexp(t, "^1 more refused: ", lines[maxRefusals+1])
}

// What is left out of eth-phishing-detect is counted, and its whitelist is taken if that is asked for.
func TestRunImport_Allowed(t *testing.T) {
	t.Parallel()
	l := newLibrary(t)
	const list = `{"blacklist":["bad.com","both.com"],"whitelist":["good.com","both.com"],"fuzzylist":["x.org"]}`
	counts, _ := l.imports(list, "-format", "eth-phishing-detect")
	require.JSONEq(t, "{\"lines\":1,\"set\":1,\"unchanged\":0,\"refused\":0,\"notTaken\":{\"fuzzylist\":1,\"whitelist\":2,\"whitelisted\":1}}\n", counts)
	counts, _ = l.imports(list, "-format", "eth-phishing-detect", "-allowed")
	require.JSONEq(t, "{\"lines\":3,\"set\":2,\"unchanged\":1,\"refused\":0,\"notTaken\":{\"fuzzylist\":1,\"whitelisted\":1}}\n", counts)
}

func TestRunImport_Flags(t *testing.T) {
	t.Parallel()
	l := newLibrary(t)
	counts, _ := l.imports("# id,link\n1,http://evil.com/a\n", "-format", "csv", "-column", "link")
	require.Contains(t, counts, "\"set\":1,\"unchanged\":0,\"refused\":0")
	counts, _ = l.imports("jack\n", "-format", "lines", "-accounts")
	require.Contains(t, counts, "\"set\":1,\"unchanged\":0,\"refused\":0")
}

func TestRunImport_File(t *testing.T) {
	t.Parallel()
	l := newLibrary(t)
	file := filepath.Join(t.TempDir(), "hosts")
	require.NoError(t, os.WriteFile(file, []byte("0.0.0.0 bad.com\r\n127.0.0.1 localhost\r\n"), 0o600))
	out, told, err := runProgram(t, noVariables, "import", "-format", "hosts", "-db", l.db, file)
	require.NoError(t, err)
	require.Equal(t, "{\"lines\":1,\"set\":1,\"unchanged\":0,\"refused\":0}\n", out)
	require.Empty(t, told)
	_, _, err = runProgram(t, noVariables, "import", "-format", "hosts", "-db", l.db, file+"x")
	require.ErrorIs(t, err, os.ErrNotExist)
	_, _, err = runProgram(t, noVariables, "import", "-format", "csv", "-db", l.db, file)
	require.ErrorIs(t, err, asset.ErrInvalid)
}

func TestRunImport_Canceled(t *testing.T) {
	t.Parallel()
	l := newLibrary(t)
	ctx, cancel := context.WithCancel(t.Context())
	list, in := io.Pipe()
	go func() {
		for i := range 1500 {
			_, _ = fmt.Fprintf(in, "site-%d.com\n", i)
		}
		cancel()
		_ = in.Close()
	}()
	var out, errs bytes.Buffer
	err := program{noVariables, list, &out, &errs}.run(ctx, []string{"import", "-db", l.db, "-format", "lines", "-dry-run", "-"})
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "after 1000 lines")
	err = program{noVariables, strings.NewReader("a.com\n"), &out, &errs}.run(ctx, []string{"import", "-db", l.db, "-format", "lines", "-"})
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, out.String())
}

func TestRunExport(t *testing.T) {
	t.Parallel()
	l := newLibrary(t)
	l.imports("content,status\nbad.com,\nhttps://bad.com/x,\ngood.com,ALLOWED\nunknown.com,UNKNOWN\n", "-format", "csv")
	for format, want := range map[string]string{
		"domains":             "# blocked domains\nbad.com\n# left out: 1 (has a path or query)\n",
		"hosts":               "# blocked hosts\n0.0.0.0 bad.com\n# left out: 1 (has a path or query)\n",
		"adblock":             "[Adblock Plus 2.0]\n! Title: blocked hosts\n||bad.com^\n! left out: 1 (has a path or query)\n",
		"eth-phishing-detect": "\"whitelist\": [\n    \"good.com\"\n  ],\n  \"blacklist\": [\n    \"bad.com\"\n  ],\n  \"leftOut\": [\n    {\"reason\": \"has a path or query\", \"count\": 1}\n  ]",
		"rpz":                 "hostmaster.localhost. 3 3600",
		"csv":                 "1,PAGE,bad.com,bad.com,BLOCKED,",
		"jsonl":               `{"id":1,"type":"PAGE","content":"bad.com","canonical":"bad.com","status":"BLOCKED","updatedAt":"`,
	} {
		out, told := l.exports("-format", format)
		require.Contains(t, out, want, format)
		require.Equal(t, format != "csv" && format != "jsonl", told == "left out: 1 (has a path or query)\n", format)
		require.NotContains(t, out, "unknown.com", format)
	}
	both, _ := l.exports("-format", "csv", "-status", "any")
	require.Equal(t, 4, strings.Count(both, "\n"))
	counts, _ := l.imports(both, "-format", "csv")
	require.Equal(t, "{\"lines\":3,\"set\":0,\"unchanged\":3,\"refused\":0}\n", counts, "an export is imported without effect")
}

func TestRunExport_File(t *testing.T) {
	t.Parallel()
	l := newLibrary(t)
	l.imports("bad.com\n", "-format", "lines")
	dir := t.TempDir()
	file := filepath.Join(dir, "list.txt")
	out, _ := l.exports("-format", "domains", "-o", file)
	require.Empty(t, out)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "# blocked domains\nbad.com\n", string(text))

	require.NoError(t, os.Chmod(file, 0o600))
	err = writeWhole(file, func(w io.Writer) error {
		_, _ = io.WriteString(w, "half")
		return io.ErrClosedPipe
	})
	require.ErrorIs(t, err, io.ErrClosedPipe)
	after, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, text, after, "the file is as it was")
	l.exports("-format", "hosts", "-o", file)
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "it keeps its mode")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "no other file is left")
	_, _, err = runProgram(t, noVariables, "export", "-format", "domains", "-db", l.db, "-o", filepath.Join(dir, "none", "list"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// The verdicts of an eth-phishing-detect list survive an import and an export.
func TestRunExport_SameVerdicts(t *testing.T) {
	t.Parallel()
	l := newLibrary(t)
	hosts := make([]string, 3000)
	for i := range hosts {
		hosts[i] = fmt.Sprintf(`"bad-%d.example-%d.com"`, i, i%700)
	}
	list := `{"blacklist":[` + strings.Join(hosts, ",\n") + `],"whitelist":["good.bad-1.example-1.com","bad-5.example-5.com"]}`
	counts, _ := l.imports(list, "-format", "eth-phishing-detect", "-allowed")
	require.Equal(t, "{\"lines\":3001,\"set\":3001,\"unchanged\":0,\"refused\":0,\"notTaken\":{\"whitelisted\":1}}\n", counts)
	out, _ := l.exports("-format", "eth-phishing-detect")
	want, err := phishlist.Load(strings.NewReader(list), phishlist.Options{})
	require.NoError(t, err)
	got, err := phishlist.Load(strings.NewReader(out), phishlist.Options{})
	require.NoError(t, err)
	for _, quoted := range hosts {
		host := strings.Trim(quoted, `"`)
		for _, name := range []string{host, "sub." + host, "good." + host, host + ".org"} {
			require.Equal(t, want.Check(name).Blocked, got.Check(name).Blocked, name)
		}
	}
}

func TestRunLists_Usage(t *testing.T) {
	t.Parallel()
	l := newLibrary(t)
	for reason, args := range map[string][]string{
		"import without a format":          {"import", "-db", l.db, "-"},
		"import of an unknown format":      {"import", "-db", l.db, "-format", "xml", "-"},
		"import of a column of lines":      {"import", "-db", l.db, "-format", "lines", "-column", "url", "-"},
		"import of the whitelist of lines": {"import", "-db", l.db, "-format", "lines", "-allowed", "-"},
		"import of an unknown status":      {"import", "-db", l.db, "-format", "lines", "-status", "any", "-"},
		"import without a file":            {"import", "-db", l.db, "-format", "lines"},
		"import of two files":              {"import", "-db", l.db, "-format", "lines", "a", "b"},
		"import into memory":               {"import", "-db", "memory", "-format", "lines", "-"},
		"import into no database":          {"import", "-db", l.db + "x", "-format", "lines", "-"},
		"import with an unknown flag":      {"import", "-nope"},
		"export without a format":          {"export", "-db", l.db},
		"export of an unknown format":      {"export", "-db", l.db, "-format", "lines"},
		"export of UNKNOWN":                {"export", "-db", l.db, "-format", "csv", "-status", "UNKNOWN"},
		"export of ALLOWED without status": {"export", "-db", l.db, "-format", "hosts", "-status", "ALLOWED"},
		"export with an argument":          {"export", "-db", l.db, "-format", "csv", "file"},
		"export of no database":            {"export", "-db", l.db + "x", "-format", "csv"},
	} {
		_, _, err := runProgram(t, noVariables, args...)
		require.ErrorAs(t, err, new(usageError), reason)
	}
}
