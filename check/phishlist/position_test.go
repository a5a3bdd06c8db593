package phishlist_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/phishlist"
)

func TestPosition(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("k", 500_000)
	deep := strings.Repeat(`{"key":`, 1000)
	for reason, c := range map[string]struct{ text, want string }{
		"a word":                       {`{"some_Key": }`, `byte 13 (some_Key): `},
		"an escape":                    {`{"a\u001b[31m": }`, `("a\x1b[31m"): `},
		"a line break":                 {`{"a\nb": }`, `("a\nb"): `},
		"a dot in a key":               {`{"a.b": }`, `("a.b"): `},
		"another script":               {`{"ключ": }`, `("ключ"): `},
		"a bidirectional control":      {`{"a\u202eb": }`, `("a\u202eb"): `},
		"an empty key":                 {`{"": }`, `(""): `},
		"an element":                   {`{"x": [1, {"y": }]}`, `(x[1].y): `},
		"a long key":                   {`{"` + long + `": }`, `(` + long[:64] + `...): `},
		"a key of the maximum length":  {`{"` + long[:64] + `": }`, `(` + long[:64] + `): `},
		"a key cut before a character": {`{"a` + strings.Repeat("ü", 40) + `": }`, `("a` + strings.Repeat("ü", 31) + `"...): `},
		"a long number":                {`{"` + strings.Repeat("0", 1000) + `": }`, `("` + strings.Repeat("0", 64) + `"...): `},
		"nested keys":                  {`{"x": ` + deep + `}`, `(x` + strings.Repeat(".key", 63) + `...): `},
		"a long duplicate key":         {`{"` + long + `":1,"` + long + `":1}`, `(` + long[:64] + `...): `},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			_, err := phishlist.Load(strings.NewReader(c.text), phishlist.Options{})
			require.ErrorIs(t, err, asset.ErrInvalid)
			require.Less(t, len(err.Error()), 500)
			require.ErrorContains(t, err, c.want)
		})
	}
}
