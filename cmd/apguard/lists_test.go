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

	"github.com/apguard/apguard/check/phishlist"
	"github.com/apguard/apguard/internal/test/testsize"
)

// importFrom imports a list from the standard input.
func importFrom(ctx context.Context, list io.Reader, db string, args ...string) (stdout, stderr string, err error) {
	var out, errs bytes.Buffer
	args = append(append([]string{"import", "-db", db}, args...), "-")
	err = program{noVariables, list, &out, &errs}.run(ctx, args)
	return out.String(), errs.String(), err
}

// importAndExport imports a list in the format of eth-phishing-detect, with its whitelist, and exports it again.
func importAndExport(t *testing.T, db, list string) (counts, exported string) {
	t.Helper()
	counts, _, err := importFrom(t.Context(), strings.NewReader(list), db, "-format", "eth-phishing-detect", "-allowed")
	require.NoError(t, err)
	exported, _ = mustRun(t, noVariables, "export", "-db", db, "-format", "eth-phishing-detect")
	return counts, exported
}

// Refused entries are printed up to a bound, and the others are counted by reason.
func TestRunImport_ManyRefused(t *testing.T) {
	t.Parallel()
	many := testsize.Of(2_000, 20_000, 1_000_000)
	list := strings.NewReader(strings.Repeat("word\n", many) + "x y\nevil.com\n")
	_, told, err := importFrom(t.Context(), list, newDatabase(t), "-format", "lines")
	require.ErrorIs(t, err, errMostlyRefused)
	require.Less(t, len(told), 200<<10)
	lines := strings.Split(strings.TrimSuffix(told, "\n"), "\n")
	require.Len(t, lines, maxRefusals+2)
	require.Equal(t, fmt.Sprintf("%d more refused: is a word without @, which is an account only with -accounts", many-maxRefusals), lines[maxRefusals])
	require.Regexp(t, "^1 more refused: ", lines[maxRefusals+1])
}

func TestRunImport_Canceled(t *testing.T) {
	t.Parallel()
	db := newDatabase(t)
	ctx, cancel := context.WithCancel(t.Context())
	list, in := io.Pipe()
	go func() {
		for i := range 1500 {
			_, _ = fmt.Fprintf(in, "site-%d.com\n", i)
		}
		cancel()
		_ = in.Close()
	}()
	planned, _, err := importFrom(ctx, list, db, "-format", "lines", "-dry-run")
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "after 1000 lines")
	counts, _, err := importFrom(ctx, strings.NewReader("a.com\n"), db, "-format", "lines")
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, planned+counts)
}

// A file stays as it was if its successor cannot be written.
func TestWriteWhole_Fails(t *testing.T) {
	t.Parallel()
	file := writeFile(t, "before")
	err := writeWhole(file, func(w io.Writer) error {
		_, _ = io.WriteString(w, "half")
		return io.ErrClosedPipe
	})
	require.ErrorIs(t, err, io.ErrClosedPipe)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "before", string(text))
	entries, err := os.ReadDir(filepath.Dir(file))
	require.NoError(t, err)
	require.Len(t, entries, 1, "no other file is left")
}

// The verdicts of an eth-phishing-detect list survive an import and an export.
func TestRunExport_SameVerdicts(t *testing.T) {
	t.Parallel()
	hosts := make([]string, 3000)
	for i := range hosts {
		hosts[i] = fmt.Sprintf(`"bad-%d.example-%d.com"`, i, i%700)
	}
	list := `{"blacklist":[` + strings.Join(hosts, ",\n") + `],"whitelist":["good.bad-1.example-1.com","bad-5.example-5.com"]}`
	counts, exported := importAndExport(t, newDatabase(t), list)
	require.Equal(t, "{\"lines\":3001,\"set\":3001,\"unchanged\":0,\"refused\":0,\"notTaken\":{\"whitelisted\":1}}\n", counts)
	want, err := phishlist.Load(strings.NewReader(list), phishlist.Options{})
	require.NoError(t, err)
	got, err := phishlist.Load(strings.NewReader(exported), phishlist.Options{})
	require.NoError(t, err)
	for _, quoted := range hosts {
		host := strings.Trim(quoted, `"`)
		for _, name := range []string{host, "sub." + host, "good." + host, host + ".org"} {
			require.Equal(t, want.Check(name).Blocked, got.Check(name).Blocked, name)
		}
	}
}
