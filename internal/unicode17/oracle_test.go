package unicode17_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/internal/unicode17"
)

// The oracles are golang.org/x/text, golang.org/x/net/idna and package unicode, where the version
// of Go gives them the same tables.
func needsSameTables(t *testing.T) {
	t.Helper()
	if norm.Version != unicode17.Version || unicode.Version != unicode17.Version || idna.UnicodeVersion != unicode17.Version {
		t.Skip("SKIPPED: this version of Go has tables of Unicode " + norm.Version + ": set GOTOOLCHAIN to Go 1.27 to run it")
	}
}

func eachRune(do func(r rune)) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r < 0xd800 || 0xdfff < r {
			do(r)
		}
	}
}

func TestNFC_oracle(t *testing.T) {
	t.Parallel()
	needsSameTables(t)
	eachRune(func(r rune) {
		for _, text := range []string{string(r), "a" + string(r) + "\u0301", string(r) + "\u0323\u0307"} {
			if got, want := unicode17.NFC(text), norm.NFC.String(text); got != want {
				require.Equal(t, want, got, "%U", r)
			}
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		text := string(runes().Draw(t, "text"))
		require.Equal(t, norm.NFC.String(text), unicode17.NFC(text), "%+q", text)
	})
}

// runes draws sequences that often combine. They are too short for the joiners that the library
// inserts after 30 marks, and have no non-joiner, after which the library takes any letter.
func runes() *rapid.Generator[[]rune] {
	mark := rapid.RuneFrom(nil, unicode.Mn, unicode.Mc)
	letter := rapid.RuneFrom([]rune("aeouABCkK\u1100\u1161\u11a8\uac00\u0915\u094d\u05d0\u0627\u200d-0.1"), unicode.L)
	other := rapid.Rune().Filter(func(r rune) bool { return r != '\u200c' })
	return rapid.SliceOfN(rapid.OneOf(mark, letter, letter, other), 0, 12)
}

func TestToLower_oracle(t *testing.T) {
	t.Parallel()
	needsSameTables(t)
	eachRune(func(r rune) {
		if got, want := unicode17.ToLower(string(r)), strings.ToLower(string(r)); got != want {
			require.Equal(t, want, got, "%U", r)
		}
		if got, want := unicode17.IsLetter(r), unicode.In(r, unicode.L, unicode.M, unicode.N); got != want {
			require.Equal(t, want, got, "%U", r)
		}
	})
}

// errUnstable reports that the library does not accept its own result.
var errUnstable = errors.New("unstable")

var idnaOptions = []idna.Option{
	idna.MapForLookup(), idna.StrictDomainName(false), idna.CheckHyphens(false), idna.CheckJoiners(true), idna.Transitional(false), idna.VerifyDNSLength(false),
}

func TestEncodeDomain_oracle(t *testing.T) {
	t.Parallel()
	needsSameTables(t)
	profiles := map[unicode17.Directions]*idna.Profile{
		unicode17.AnyDirections:   idna.New(idnaOptions...),
		unicode17.CheckDirections: idna.New(append(slices.Clone(idnaOptions), idna.BidiRule())...),
	}
	check := func(t require.TestingT, domain string) {
		for directions, profile := range profiles {
			got, ok := unicode17.EncodeDomain(unicode17.MapDomain(domain), directions)
			want, err := profile.ToASCII(domain)
			// The library checks directions before it maps characters, and so accepts some domains
			// whose result it refuses.
			if again, refused := profile.ToASCII(want); err == nil && (again != want || refused != nil) {
				err = errUnstable
			}
			if ok && strings.Trim(got, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" {
				continue // the library refuses more signs than the URL Standard
			}
			require.Equal(t, err == nil, ok, "%+q: %q %v", domain, want, err)
			if ok {
				require.Equal(t, want, got, "%+q", domain)
			}
		}
	}
	eachRune(func(r rune) {
		if r%7 == 0 || r < 0x3000 {
			check(t, "a"+string(r)+"b.example")
			check(t, string(r)+".example")
		}
	})
	rapid.Check(t, func(t *rapid.T) { check(t, "a."+string(runes().Draw(t, "label"))+".b") })
}
