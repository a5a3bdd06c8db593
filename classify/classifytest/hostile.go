package classifytest

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"pgregory.net/rapid"

	"github.com/apguard/apguard/classify"
)

// Hostile draws contents of an attacker: arbitrary bytes, characters of every Unicode
// category, mixed scripts, invisible characters and directional marks, thousands of the
// signs that parsers look for, and contents of the maximum length or one byte more. A
// few of them are valid.
func Hostile() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
		rapid.StringOf(anyCategory()),
		rapid.Custom(drawMixedScripts),
		rapid.Custom(drawInvisible),
		rapid.Custom(drawRepeated),
		rapid.Custom(drawLongest),
	)
}

// anyCategory draws characters of each category with the same frequency.
func anyCategory() *rapid.Generator[rune] {
	return characters(unicode.Categories)
}

// anyScript draws characters of each script with the same frequency.
func anyScript() *rapid.Generator[rune] {
	return characters(unicode.Scripts)
}

func characters(tables map[string]*unicode.RangeTable) *rapid.Generator[rune] {
	var generators []*rapid.Generator[rune]
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		if table := tables[name]; len(table.R16)+len(table.R32) > 0 {
			generators = append(generators, rapid.RuneFrom(nil, table))
		}
	}
	return rapid.OneOf(generators...)
}

// drawMixedScripts draws a name of many scripts in the place of a name.
func drawMixedScripts(t *rapid.T) string {
	name := rapid.StringOfN(anyScript(), 1, 12, -1).Draw(t, "name")
	return drawOne(t, "", "@", "https://", "https://x.com/", "youtube.com/@", "linkedin.com/in/", "bob@") +
		name + drawOne(t, "", ".com", "@example.com", "."+name)
}

// drawInvisible draws a valid content with an invisible character in it.
func drawInvisible(t *rapid.T) string {
	content := Content().Draw(t, "valid").Content
	at := rapid.IntRange(0, len(content)).Draw(t, "at")
	return content[:at] + drawOne(t,
		"\u200b", "\u200c", "\u200d", "\u2060", "\u00ad", "\ufeff", "\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d",
		"\u202e", "\u2066", "\u2067", "\u2068", "\u2069", "\u061c", "\u034f", "\u180e", "\ufe0f", "\U000e0041", "\x00", "\x7f",
		"\u0085", "\u2028", " ", "\t", "\n", "\xff", "\xc0\xaf", "\xed\xa0\x80",
	) + content[at:]
}

// drawRepeated draws thousands of the signs that parsers look for.
func drawRepeated(t *rapid.T) string {
	piece := drawOne(t,
		".", ":", "%", "@", "/", "\\", "#", "?", "-", "_", "[", "]", "%25", "%2e", "%C3", "xn--", "xn--a.", "a.", "1.", "0x", "1",
		"r", "z", "\u3002", "\u00fc", "\u00fc.", "\u0301", "\u202e", "\u200d", "\U0001f4a9", "//", "../", "@a", ":1", "\xff",
	)
	n := rapid.IntRange(1, classify.MaxContent/len(piece)).Draw(t, "times")
	return drawOne(t, "", "@", "https://", "http://[", "https://a", "example.com/", "a@", "bc1", "0x") +
		strings.Repeat(piece, n) + drawOne(t, "", ".com", "@example.com", "/")
}

// drawLongest draws a content of the maximum length or one byte more.
func drawLongest(t *rapid.T) string {
	content := strings.TrimSpace(Content().Draw(t, "valid").Content) + drawOne(t, "", "/", "?", "#", ".", "@")
	size := rapid.IntRange(classify.MaxContent, classify.MaxContent+1).Draw(t, "size")
	return content + strings.Repeat(drawOne(t, "a", "1", "%", "."), max(0, size-len(content)))
}
