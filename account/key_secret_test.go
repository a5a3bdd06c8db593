package account_test

import (
	"crypto/sha256"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
)

func TestGenerateKey(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^apg_[0-9A-Za-z]{43}$`)
	seen := make(map[string]bool)
	for range 1000 {
		key := account.GenerateKey()
		require.Regexp(t, form, key)
		require.True(t, account.ValidKey(key))
		require.False(t, seen[key], "a duplicate")
		seen[key] = true
	}
}

func TestHashKey(t *testing.T) {
	t.Parallel()
	require.Equal(t, sha256.Sum256([]byte("apg_key")), account.HashKey("apg_key"))
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	require.Equal(t, "ba7816bf8f01", account.Fingerprint(account.HashKey("abc")), "the vector of FIPS 180-4")
}

func TestValidKey(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		key  string
		want bool
	}{
		"a key of an older service":     {"legacy-0001", true},
		"every visible ASCII character": {"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", true},
		"the longest":                   {strings.Repeat("k", 256), true},
		"empty":                         {"", false},
		"too long":                      {strings.Repeat("k", 257), false},
		"a space inside":                {"apg_ key", false},
		"a NUL":                         {"apg_\x00", false},
		"a control character":           {"apg_\x7f", false},
		"a letter outside of ASCII":     {"apg_\u00e9", false},
		"invalid UTF-8":                 {"apg_\xff", false},
	} {
		require.Equal(t, c.want, account.ValidKey(c.key), reason)
	}
}
