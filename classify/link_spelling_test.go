package classify_test

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/classify"
)

var (
	escapeOrPercent = regexp.MustCompile(`%[0-9A-Fa-f]{2}|%`)
	unreserved      = regexp.MustCompile(`^[A-Za-z0-9._~-]$`)
	emptyQuery      = regexp.MustCompile(`^[^?#]*\?(#|$)`)
)

// normalEscapes is a slow oracle for the normal form of percent-encoding.
func normalEscapes(text string) string {
	return escapeOrPercent.ReplaceAllStringFunc(text, func(escape string) string {
		if escape == "%" {
			return "%25"
		}
		decoded, err := hex.DecodeString(escape[1:])
		if err == nil && unreserved.Match(decoded) {
			return string(decoded)
		}
		return strings.ToUpper(escape)
	})
}

// withoutEmptyQuery drops a question mark that only a fragment or nothing follows.
func withoutEmptyQuery(href string) string {
	if emptyQuery.MatchString(href) {
		return strings.Replace(href, "?", "", 1)
	}
	return href
}

func TestClassify_escapes(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct{ content, canonical string }{
		"an unreserved character in a path":      {"https://example.com/l%6fgin", "https://example.com/login"},
		"an unreserved character in a query":     {"https://example.com/?%7Ea=%5f", "https://example.com/?~a=_"},
		"an unreserved character in a route":     {"https://example.com/#/%2D%2e", "https://example.com/#/-."},
		"an unreserved character in a hashbang":  {"https://example.com/#!%41", "https://example.com/#!A"},
		"a reserved character in lower case":     {"https://example.com/a%2fb?c%3d#/%3f", "https://example.com/a%2Fb?c%3D#/%3F"},
		"a reserved character in upper case":     {"https://example.com/a%2Fb", "https://example.com/a%2Fb"},
		"another script in lower case":           {"https://example.com/%c3%bc", "https://example.com/%C3%BC"},
		"a percent sign at the end":              {"https://example.com/100%", "https://example.com/100%25"},
		"a percent sign before one digit":        {"https://example.com/%4", "https://example.com/%254"},
		"a percent sign before an escape":        {"https://example.com/%%41", "https://example.com/%25A"},
		"a percent sign before an escaped digit": {"https://example.com/%4%31", "https://example.com/%2541"},
		"an escaped percent sign before digits":  {"https://example.com/%2541", "https://example.com/%2541"},
		"a percent sign in a query and a route":  {"https://example.com/?%#/%", "https://example.com/?%25#/%25"},
		"dots are resolved before decoding":      {"https://example.com/a/%2e%2E/%2e/b", "https://example.com/b"},
		"dots that no decoding makes":            {"https://example.com/a/%252e%252e/b", "https://example.com/a/%252e%252e/b"},
		"three dots":                             {"https://example.com/a/%2e%2e%2e/b", "https://example.com/a/.../b"},
		"an escaped slash makes no segment":      {"https://example.com/a%2f..%2fb", "https://example.com/a%2F..%2Fb"},
		"an escaped exclamation mark":            {"https://example.com/#%21a", "https://example.com"},
		"an empty query":                         {"https://example.com/a?", "https://example.com/a"},
		"an empty query without a path":          {"https://example.com?", "https://example.com"},
		"an empty query before a fragment":       {"https://example.com/a?#b", "https://example.com/a"},
		"an empty query before a route":          {"https://example.com/a?#/b", "https://example.com/a#/b"},
		"an empty query after user information":  {"https://bob@example.com/a?#b", "https://example.com/a"},
		"a query of a question mark":             {"https://example.com/a??", "https://example.com/a??"},
		"a page":                                 {"example.com:443/%7e%2f%?", "example.com/~%2F%25"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			got, err := classify.Classify(c.content)
			require.NoError(t, err)
			require.Equal(t, c.canonical, got.Canonical)
			again, err := classify.Classify(got.Canonical)
			require.NoError(t, err)
			require.Equal(t, got.Identity, again.Identity, "the canonical form is stable")
		})
	}
}

// An escape of an unreserved character means that character, unless a lone % comes
// before it.
func TestClassify_escapesLaw(t *testing.T) {
	t.Parallel()
	letter := regexp.MustCompile(`[g-zG-Z~_-]`)
	rapid.Check(t, func(t *rapid.T) {
		plain := "https://example.com/" + strings.Join(rapid.SliceOf(rapid.StringMatching(`[g-zG-Z~_-]|[/?#!&]|%2f|%`)).Draw(t, "tail"), "")
		format := rapid.SampledFrom([]string{"%x", "%X"}).Draw(t, "hex digits")
		const start = len("https://example.com/")
		escaped := plain[:start] + letter.ReplaceAllStringFunc(plain[start:], func(c string) string {
			if rapid.Bool().Draw(t, "escape") {
				return "%" + fmt.Sprintf(format, c)
			}
			return c
		})
		want, err := classify.Classify(plain)
		require.NoError(t, err)
		got, err := classify.Classify(escaped)
		require.NoError(t, err)
		require.Equal(t, want.Identity, got.Identity, "%q and %q", plain, escaped)
	})
}
