package phishlist_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute/phishlist"
)

func TestAPlaceIsShortAndPlain(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("k", 5_000_000)
	deep := strings.Repeat(`{"key":`, 1000)
	for reason, c := range map[string]struct{ text, want string }{
		"a word":                         {`{"some_Key": }`, `byte 13 (some_Key): `},
		"an escape":                      {`{"a\u001b[31m": }`, `("a\x1b[31m"): `},
		"a line break":                   {`{"a\nb": }`, `("a\nb"): `},
		"what looks like a path":         {`{"a.b": }`, `("a.b"): `},
		"another script":                 {`{"ключ": }`, `("ключ"): `},
		"a reversal of writing":          {`{"a\u202eb": }`, `("a\u202eb"): `},
		"an empty key":                   {`{"": }`, `(""): `},
		"an element":                     {`{"x": [1, {"y": }]}`, `(x[1].y): `},
		"a key that is long":             {`{"` + long + `": }`, `(` + long[:64] + `...): `},
		"a key as long as is told":       {`{"` + long[:64] + `": }`, `(` + long[:64] + `): `},
		"a key cut within a character":   {`{"a` + strings.Repeat("ü", 40) + `": }`, `("a` + strings.Repeat("ü", 31) + `"...): `},
		"a number that is long":          {`{"` + strings.Repeat("0", 1000) + `": }`, `("` + strings.Repeat("0", 64) + `"...): `},
		"keys in keys":                   {`{"x": ` + deep + `}`, `(x` + strings.Repeat(".key", 63) + `...): `},
		"a long key that is given twice": {`{"` + long + `":1,"` + long + `":1}`, `(` + long[:64] + `...): `},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			_, err := phishlist.Load(strings.NewReader(c.text))
			require.ErrorIs(t, err, asset.ErrInvalid)
			require.Less(t, len(err.Error()), 500)
			require.ErrorContains(t, err, c.want)
		})
	}
}

// TestAReaderThatFailsOnceIsNotReadFurther gives a list after the error.
func TestAReaderThatFailsOnceIsNotReadFurther(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk on fire")
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
		})))
		require.ErrorIs(t, err, broken, start)
		require.NotErrorIs(t, err, asset.ErrInvalid, start)
	}
}

func TestAReaderThatBringsNothingIsNoBadInput(t *testing.T) {
	t.Parallel()
	nothing := readerFunc(func([]byte) (int, error) { return 0, nil })
	for _, start := range []string{"", "{", `{"blacklist": ["a.com", "b`, `{"blacklist": []}`} {
		_, err := phishlist.Load(io.MultiReader(strings.NewReader(start), nothing))
		require.ErrorIs(t, err, io.ErrNoProgress, start)
		require.NotErrorIs(t, err, asset.ErrInvalid, start)
	}
}

// TestAReaderMayBringNothingNowAndThen brings something as seldom as is taken.
func TestAReaderMayBringNothingNowAndThen(t *testing.T) {
	t.Parallel()
	reader := iotest.OneByteReader(strings.NewReader(`{"blacklist": ["bad.com"]}`))
	turn := 0
	list, err := phishlist.Load(readerFunc(func(p []byte) (int, error) {
		if turn++; turn%100 != 0 {
			return 0, nil
		}
		return reader.Read(p)
	}))
	require.NoError(t, err)
	require.True(t, list.Check("bad.com").Blocked)
}
