package phishlist_test

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/phishlist"
	"github.com/apguard/apguard/internal/test/testsize"
)

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// endless repeats a text forever.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		copied := copy(p[n:], e.text[e.at:])
		n += copied
		e.at = (e.at + copied) % len(e.text)
	}
	return n, nil
}

func TestLoad_MaxBytes(t *testing.T) {
	t.Parallel()
	const text = `{"blacklist": ["bad.com"]}`
	opts := phishlist.Options{MaxBytes: int64(len(text))}
	for reason, opts := range map[string]phishlist.Options{"at the limit": opts, "above the maximum": {MaxBytes: math.MaxInt64}} {
		_, err := phishlist.Load(strings.NewReader(text), opts)
		require.NoError(t, err, reason)
	}
	for reason, reader := range map[string]io.Reader{
		"one byte too many":              strings.NewReader(text + " "),
		"one entry too many":             strings.NewReader(`{"blacklist": ["bad.com", ""]}`),
		"endless white space":            &endless{text: " "},
		"an endless string":              io.MultiReader(strings.NewReader(`{"blacklist": ["`), &endless{text: "a"}),
		"endless entries":                io.MultiReader(strings.NewReader(`{"blacklist": [`), &endless{text: `"a.b",`}),
		"a list and endless white space": io.MultiReader(strings.NewReader(text), &endless{text: " "}),
	} {
		_, err := phishlist.Load(reader, opts)
		require.ErrorIs(t, err, phishlist.ErrTooLarge, reason)
		require.ErrorIs(t, err, asset.ErrInvalid, reason)
		require.ErrorContains(t, err, "must be at most 26 bytes", reason)
	}
}

func TestLoad_DefaultMaxBytes(t *testing.T) {
	t.Parallel()
	testsize.Measurement(t) // it reads 256 MiB
	_, err := phishlist.Load(io.MultiReader(strings.NewReader(`{"comment": [`), &endless{text: strings.Repeat(" ", 1<<16)}), phishlist.Options{})
	require.ErrorIs(t, err, phishlist.ErrTooLarge)
}

func TestLoad_ReaderError(t *testing.T) {
	t.Parallel()
	broken := errors.New("input/output error")
	for _, start := range []string{"", "{", `{"blacklist": ["a.com", "b`, `{"blacklist": []}`} {
		_, err := phishlist.Load(io.MultiReader(strings.NewReader(start), iotest.ErrReader(broken)), phishlist.Options{})
		require.ErrorIs(t, err, broken)
		require.NotErrorIs(t, err, asset.ErrInvalid)
	}
}

// TestLoad_ReaderErrorIsFinal has a reader that would return a valid list after the
// error.
func TestLoad_ReaderErrorIsFinal(t *testing.T) {
	t.Parallel()
	broken := errors.New("input/output error")
	const text = `{"blacklist": ["bad.com"]}`
	for _, start := range []string{"", "{", `{"blacklist": [`} {
		rest := strings.NewReader(text[len(start):])
		failed := false
		_, err := phishlist.Load(io.MultiReader(strings.NewReader(start), readerFunc(func(p []byte) (int, error) {
			if !failed {
				failed = true
				return 0, broken
			}
			return rest.Read(p)
		})), phishlist.Options{})
		require.ErrorIs(t, err, broken, start)
		require.NotErrorIs(t, err, asset.ErrInvalid, start)
	}
}

func TestLoad_NoProgress(t *testing.T) {
	t.Parallel()
	nothing := readerFunc(func([]byte) (int, error) { return 0, nil })
	for _, start := range []string{"", "{", `{"blacklist": ["a.com", "b`, `{"blacklist": []}`} {
		_, err := phishlist.Load(io.MultiReader(strings.NewReader(start), nothing), phishlist.Options{})
		require.ErrorIs(t, err, io.ErrNoProgress, start)
		require.NotErrorIs(t, err, asset.ErrInvalid, start)
	}
}

// TestLoad_EmptyReads has a reader that returns no bytes as often as is accepted.
func TestLoad_EmptyReads(t *testing.T) {
	t.Parallel()
	reader := iotest.OneByteReader(strings.NewReader(`{"blacklist": ["bad.com"]}`))
	reads := 0
	list, err := phishlist.Load(readerFunc(func(p []byte) (int, error) {
		if reads++; reads%100 != 0 {
			return 0, nil
		}
		return reader.Read(p)
	}), phishlist.Options{})
	require.NoError(t, err)
	require.True(t, list.Check("bad.com").Blocked)
}
