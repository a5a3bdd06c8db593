package publish_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/publish"
)

func TestParseKey(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-z0-9./-]{1,20}`).Draw(t, "name")
		text, err := publish.GenerateKey(name)
		require.NoError(t, err)
		key, err := publish.ParseKey(text)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(key.Verifier(), name+"+"))
		_, err = note.NewVerifier(key.Verifier())
		require.NoError(t, err)
		require.NotContains(t, fmt.Sprintf("%v %+v %s", key, key, key), strings.SplitN(text, "+", 5)[4])
	})
}

func TestParseKey_Errors(t *testing.T) {
	t.Parallel()
	text, err := publish.GenerateKey("example.com")
	require.NoError(t, err)
	key, err := publish.ParseKey(text)
	require.NoError(t, err)
	for reason, text := range map[string]string{
		"empty":             "",
		"a word":            "secret",
		"of a verifier":     key.Verifier(),
		"cut":               text[:len(text)-8],
		"with a space":      text + " ",
		"of another name":   strings.Replace(text, "example.com", "example.org", 1),
		"without its start": strings.TrimPrefix(text, "PRIVATE+"),
	} {
		_, err := publish.ParseKey(text)
		require.ErrorIs(t, err, publish.ErrKey, reason)
		require.Equal(t, publish.ErrKey.Error(), err.Error(), reason)
	}
}

func TestGenerateKey_Errors(t *testing.T) {
	t.Parallel()
	for reason, name := range map[string]string{"empty": "", "with a space": "a b", "with a line break": "a\n", "with a plus": "a+b", "not UTF-8": "\xff"} {
		_, err := publish.GenerateKey(name)
		require.ErrorIs(t, err, publish.ErrKeyName, reason)
	}
}
