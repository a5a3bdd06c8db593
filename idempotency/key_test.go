package idempotency_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/idempotency"
)

func TestParseKey(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("k", idempotency.MaxKeyLength)
	for reason, c := range map[string]struct{ header, want string }{
		"a UUID":                             {"8e03978e-40d5-43e8-bc93-6894a57f9324", "8e03978e-40d5-43e8-bc93-6894a57f9324"},
		"a UUID in quotes":                   {`"8e03978e-40d5-43e8-bc93-6894a57f9324"`, "8e03978e-40d5-43e8-bc93-6894a57f9324"},
		"a single character":                 {"k", "k"},
		"a single character in quotes":       {`"k"`, "k"},
		"the first and last visible ones":    {"!~", "!~"},
		"the longest":                        {longest, longest},
		"the longest in quotes":              {`"` + longest + `"`, longest},
		"only one pair of quotes is removed": {`""k""`, `"k"`},
		"a backslash escapes nothing":        {`"a\"b"`, `a\"b`},
	} {
		key, err := idempotency.ParseKey(c.header)
		require.NoError(t, err, reason)
		require.Equal(t, idempotency.Key{Text: c.want}, key, reason)
		require.NoError(t, key.Validate(), reason)
	}
}

func TestParseKey_unbalancedQuotes(t *testing.T) {
	t.Parallel()
	for _, header := range []string{`"k`, `k"`, `""k`, `"\k`} {
		key, err := idempotency.ParseKey(header)
		require.EqualError(t, err, "idempotency key must not have only one of two double quotes", header)
		require.Zero(t, key)
	}
}

func TestParseKey_Invalid(t *testing.T) {
	t.Parallel()
	tooLong := strings.Repeat("k", idempotency.MaxKeyLength+1)
	for reason, header := range map[string]string{
		"empty":                  "",
		"empty quotes":           `""`,
		"a single quote":         `"`,
		"too long":               tooLong,
		"too long in quotes":     `"` + tooLong + `"`,
		"a space":                "a b",
		"a space in quotes":      `"a b"`,
		"two headers, joined":    "a, b",
		"outer white space":      " k",
		"a tab":                  "a\tb",
		"NUL":                    "a\x00b",
		"DEL":                    "a\x7fb",
		"a letter beyond ASCII":  "é",
		"an invalid UTF-8 byte":  "a\xff",
		"a quoted control":       "\"\x1f\"",
		"only white space":       "  ",
		"a quoted line feed":     "\"\n\"",
		"parameters with spaces": `"k"; p=1`,
	} {
		key, err := idempotency.ParseKey(header)
		require.EqualError(t, err, "idempotency key must be 1 to 255 visible ASCII characters", reason)
		require.ErrorAs(t, err, new(*idempotency.KeyError), reason)
		require.Zero(t, key, reason)
	}
}

// A text is a valid key exactly if the header with that text in quotes is.
func TestParseKey_QuotesLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.StringMatching(`[!-~]{0,260}`),
			rapid.StringMatching(`"?[a-b"\\]{0,3}"?`),
			rapid.String(),
		).Draw(t, "text")
		quoted, err := idempotency.ParseKey(`"` + text + `"`)
		if text == "" || (idempotency.Key{Text: text}).Validate() != nil {
			require.Error(t, err)
			return
		}
		require.NoError(t, err)
		require.Equal(t, idempotency.Key{Text: text}, quoted)
		if !strings.HasPrefix(text, `"`) && !strings.HasSuffix(text, `"`) {
			bare, err := idempotency.ParseKey(text)
			require.NoError(t, err)
			require.Equal(t, quoted, bare)
		}
	})
}

func TestKey_Validate(t *testing.T) {
	t.Parallel()
	require.NoError(t, idempotency.Key{}.Validate(), "no key")
	require.NoError(t, idempotency.Key{Fingerprint: idempotency.FingerprintOf()}.Validate(), "no key, whatever the fingerprint")
	require.NoError(t, idempotency.Key{Text: strings.Repeat("k", 255)}.Validate())
	for reason, text := range map[string]string{"too long": strings.Repeat("k", 256), "a space": "a b", "NUL": "\x00"} {
		require.ErrorAs(t, idempotency.Key{Text: text}.Validate(), new(*idempotency.KeyError), reason)
	}
}

func TestKey_Claim(t *testing.T) {
	t.Parallel()
	fields := func() []string { return []string{"a", "b"} }
	require.Zero(t, idempotency.Key{}.Claim("add", 1, 2, noon, fields), "no key")
	want := idempotency.Claim{
		OrganizationID: 1, UserID: 2, Operation: "add", At: noon,
		Key: idempotency.Key{Text: "k", Fingerprint: idempotency.FingerprintOf("a", "b")},
	}
	require.Equal(t, want, idempotency.Key{Text: "k"}.Claim("add", 1, 2, noon, fields))
	want.Key.Fingerprint = idempotency.FingerprintOf("given")
	require.Equal(t, want, want.Key.Claim("add", 1, 2, noon, fields), "a given fingerprint")
}

func FuzzParseKey(f *testing.F) {
	for _, seed := range []string{"", `"`, `""`, "k", `"k"`, `""k""`, "a b", "é", "\x00", strings.Repeat("k", 256)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		key, err := idempotency.ParseKey(header)
		if err != nil {
			require.ErrorAs(t, err, new(*idempotency.KeyError))
			require.Zero(t, key)
			return
		}
		require.NoError(t, key.Validate())
		require.NotEmpty(t, key.Text)
		require.LessOrEqual(t, len(key.Text), idempotency.MaxKeyLength)
		require.Contains(t, []string{key.Text, `"` + key.Text + `"`}, header)
	})
}
