package unicode17_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/internal/unicode17"
)

func encode(domain string) (string, bool) {
	return unicode17.EncodeDomain(unicode17.MapDomain(domain), unicode17.CheckDirections)
}

func TestEncodeDomain(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, domain, want string }{ // want is empty for an error
		{"ASCII", "Example.COM", "example.com"},
		{"a letter", "b\u00fccher.de", "xn--bcher-kva.de"},
		{"a letter and a mark", "bu\u0308cher.de", "xn--bcher-kva.de"},
		{"punycode", "xn--bcher-kva.de", "xn--bcher-kva.de"},
		{"punycode in upper case", "XN--BCHER-KVA.de", "xn--bcher-kva.de"},
		{"a sharp s", "fa\u00df.de", "xn--fa-hia.de"},
		{"a sharp s in upper case", "FA\u1e9e.de", "xn--fa-hia.de"},
		{"a final sigma", "\u03b2\u03cc\u03bb\u03bf\u03c2.com", "xn--nxasmm1c.com"},
		{"full-width letters", "\uff45\uff58.com", "ex.com"},
		{"an ideographic full stop", "a\u3002b", "a.b"},
		{"a soft hyphen is ignored", "a\u00adb.com", "ab.com"},
		{"a letter of Unicode 17", "\u088f.com", "xn--7xb.com"},
		{"an unassigned code point", "a\u0378.com", ""},
		{"a mark first", "\u0301a.com", ""},
		{"punycode of nothing", "xn--.com", ""},
		{"punycode of ASCII", "xn--a-.com", ""},
		{"punycode that is cut", "xn--bcher-kv.de", ""},
		{"punycode of a letter that is mapped", "xn--wca.de", ""},
		{"punycode that decodes above Unicode", "xn--99999999a.com", ""},
		{"punycode with another script", "xn--\u00fc.de", ""},
		{"a joiner after a virama", "\u0915\u094d\u200d.com", "xn--11b6iy14e.com"},
		{"a joiner alone", "a\u200db.com", ""},
		{"a non-joiner between joining letters", "\u0628\u200c\u0628.com", "xn--ngba799q.com"},
		{"a non-joiner before a letter that does not join", "\u0628\u200ca.com", ""},
		{"letters from right to left", "\u05d0\u05d1.com", "xn--4dbc.com"},
		{"both directions in a label", "a\u05d0.com", ""},
		{"a digit first beside another direction", "1.\u05d0", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, ok := encode(test.domain)
			require.Equal(t, test.want != "", ok, got)
			require.Equal(t, test.want, got)
		})
	}
}

func TestNFC(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, want string }{
		{"ASCII", "abc", "abc"},
		{"a letter and a mark", "e\u0301", "\u00e9"},
		{"marks in another order", "q\u0307\u0323", "q\u0323\u0307"},
		{"a mark between", "e\u0323\u0301", "\u1eb9\u0301"},
		{"an excluded composite", "\u0958", "\u0915\u093c"},
		{"a singleton", "\u212b", "\u00c5"},
		{"Hangul", "\u1112\u1161\u11ab", "\ud55c"},
		{"Hangul with a tail", "\ud558\u11ab", "\ud55c"},
		{"invalid UTF-8", "\xffe\u0301", "\ufffd\u00e9"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, unicode17.NFC(test.text))
		})
	}
}

func TestIsStreamSafe(t *testing.T) {
	t.Parallel()
	require.True(t, unicode17.IsStreamSafe("a"+strings.Repeat("\u0301", 30)))
	require.False(t, unicode17.IsStreamSafe("a"+strings.Repeat("\u0301", 31)))
}

// A domain in ASCII that was encoded is encoded as itself, and a text in NFC stays.
func TestLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { requireLaws(t, string(runes().Draw(t, "text"))) })
}

func requireLaws(t require.TestingT, text string) {
	normal := unicode17.NFC(text)
	require.True(t, utf8.ValidString(normal))
	require.Equal(t, normal, unicode17.NFC(normal))
	mapped := unicode17.MapDomain(text)
	require.Equal(t, mapped, unicode17.MapDomain(mapped))
	for _, directions := range []unicode17.Directions{unicode17.CheckDirections, unicode17.AnyDirections} {
		if ascii, ok := unicode17.EncodeDomain(mapped, directions); ok {
			again, ok := unicode17.EncodeDomain(unicode17.MapDomain(ascii), directions)
			require.True(t, ok, "%+q: %s", text, ascii)
			require.Equal(t, ascii, again, "%+q", text)
		}
	}
}

func FuzzEncodeDomain(f *testing.F) {
	for _, text := range []string{"b\u00fccher.de", "xn--bcher-kva", "\u0628\u200c\u0628", "a\u0301\u0323.\u05d0", "xn--zzzzzzzz", "\ud55c\u1e9e\u3164"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 1000 { // punycode is quadratic
			requireLaws(t, text)
		}
	})
}
