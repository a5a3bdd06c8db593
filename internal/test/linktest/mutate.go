package linktest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

var (
	// insertedPieces are what a mutation inserts.
	insertedPieces = []string{
		"\t", "\n", "\r", "\r\n", " ", "  ", "\x00", "\x01", "\x0b", "\x1f", "\x7f", "\u0085", "\u00a0", "\u3000", "\u2028",
		"/", "//", "\\", "/\\", "@", ":", "?", "#", "%", "%00", "%09", "%20", "%2e", "%2F", "%40", "%ff", "%e2%80%8b", "..", ".", "/../", "/./",
		"\u00ad", "\u200b", "\u2060", "\ufeff", "\u2064", "\ufe0f", "\u034f", "\u180b", "\u200c", "\u200d", "\u200e", "\u202e", "\u2066",
		"\u3002", "\uff0e", "\uff61", "\u2024", "\uff0f", "\uff20", "\uff21", "\uff05", "\u0301", "\u05d0", "\u0660", "\u00df", "\u1e9e", "\u212a", "\u2460", "\U0001f4a9",
		"\ufffd", "\xff", "\xe2\x82", "\xf0\x9f\x92", "\xc0\x80", "\xed\xa0\x80",
		"xn--", "xn--a.", "0", "0x", "1", "[", "]", "<", "\"", "|", "'", "`", "{", "-", "_", "+", "www.", ":443", ":80", ":99999", "http:", "https://",
	}
	// longPieces are inserted rarely, because they make long contents.
	longPieces = []string{
		strings.Repeat("a", 9000), strings.Repeat("b/", 5000), strings.Repeat("\u00ad", 400), strings.Repeat("\u00fc", 70), strings.Repeat("\u00fc.", 120),
		strings.Repeat("a.", 200), strings.Repeat("a", 100), strings.Repeat("\t", 9000), strings.Repeat(".", 300), strings.Repeat("/..", 3000),
		strings.Repeat("\uff10", 80), strings.Repeat("%41", 3000), "?" + strings.Repeat("q", 9000), "#/" + strings.Repeat("r", 9000), strings.Repeat("e\u0301", 200),
	}
)

// Mutate returns a link with up to three changes that URL parsers may or may not ignore. It may
// be invalid UTF-8, or a few thousand bytes longer. The same random numbers give the same link.
func Mutate(random *rand.Rand, link string) string {
	text := link
	for range random.IntN(4) {
		text = mutate(random, text)
	}
	if random.IntN(20) == 0 {
		at := random.IntN(len(text) + 1)
		text = text[:at] + longPieces[random.IntN(len(longPieces))] + text[at:]
	}
	return text
}

// mutate makes one change.
func mutate(random *rand.Rand, text string) string {
	at := random.IntN(len(text) + 1)
	end := min(len(text), at+1+random.IntN(3))
	switch random.IntN(8) {
	case 0:
		return text[:at] + text[end:]
	case 1:
		return text[:at] + strings.ToUpper(text[at:])
	case 2:
		return text[:at] + percentEncoded(text[at:end]) + text[end:]
	case 3:
		return text[:at] + fullWidth(text[at:end]) + text[end:]
	case 4:
		if scheme, rest, ok := strings.Cut(text, "://"); ok {
			return scheme + ":" + []string{"", "/", "///", "\\\\", "\\", "/\\/", "\t//", "/\n/"}[random.IntN(8)] + rest
		}
	}
	if random.IntN(3) == 0 { // near the start, where most marks matter
		at = min(at, random.IntN(24))
	}
	return text[:at] + insertedPieces[random.IntN(len(insertedPieces))] + text[at:]
}

func percentEncoded(text string) string {
	var b strings.Builder
	for i := range len(text) {
		fmt.Fprintf(&b, "%%%02x", text[i])
	}
	return b.String()
}

// fullWidth replaces visible ASCII characters with their full-width forms.
func fullWidth(text string) string {
	return strings.Map(func(r rune) rune {
		if '!' <= r && r <= '~' {
			return r - '!' + '\uff01'
		}
		return r
	}, text)
}
