package unicode17_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/unicode17"
)

func TestLooksLike(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		r    rune
		want string // empty for nothing
	}{
		{"a letter in Cyrillic", 'а', "a"},
		{"a palochka, which looks like an l", 'ӏ', "l"},
		{"a letter whose prototype is a capital", 'ꓮ', "a"},
		{"a letter that looks like a small capital", 'т', "t"},
		{"a small capital", 'ʜ', "h"},
		{"two letters", 'æ', "ae"},
		{"a digit", 'б', "6"},
		{"a hyphen", '\u2010', "-"},
		{"a stroke", 'ł', ""},
		{"an accent", 'é', ""},
		{"a letter in Cyrillic that looks like nothing", 'я', ""},
		{"a letter from right to left", 'ס', ""},
		{"an Arabic digit", '٥', ""},
		{"a letter that is mapped", 'ｍ', ""},
		{"ASCII", 'm', ""},
		{"a letter before the first one", '\u00a1', ""},
		{"the last code point", utf8.MaxRune, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, ok := unicode17.LooksLike(test.r)
			require.Equal(t, test.want, got)
			require.Equal(t, test.want != "", ok)
		})
	}
}

// Each character that looks like something can be in a domain, and what it looks like is lower-case ASCII.
func TestLooksLike_laws(t *testing.T) {
	t.Parallel()
	found := 0
	eachRune(func(r rune) {
		text, ok := unicode17.LooksLike(r)
		if !ok {
			return
		}
		found++
		require.Empty(t, strings.Trim(text, "-0123456789abcdefghijklmnopqrstuvwxyz"), "%U", r)
		require.Equal(t, string(r), unicode17.MapDomain(string(r)), "%U", r)
		_, valid := unicode17.EncodeDomain("\u0915\u094d"+string(r), unicode17.CheckDirections)
		require.True(t, valid, "%U", r)
	})
	require.Greater(t, found, 300)
}
