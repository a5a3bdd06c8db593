package classify_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/apguard/apguard/classify"
)

// BenchmarkHostile classifies texts of up to the maximum length that cause much work in
// one rule. The cost must be linear: x-growth is the ratio of the cost of a byte at the
// maximum length and at 512 bytes. Quadratic cost would make it 16. Use -benchtime 5x.
func BenchmarkHostile(b *testing.B) {
	frames := []struct{ rule, before, after string }{
		{"any", "", ""},
		{"scheme", "", "://a"},
		{"host", "https://", "/"},
		{"port", "https://example.com:", "/"},
		{"user", "https://", "@example.com/"},
		{"path", "https://example.com/", ""},
		{"slow-path", "https://@example.com/", ""},
		{"query", "https://example.com/?", ""},
		{"slow-query", "https://@example.com/?", ""},
		{"fragment", "https://example.com/#", ""},
		{"route", "https://example.com/#/", ""},
		{"hex", "0x", ""},
		{"bech32", "bc1", ""},
		{"payment", "bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa?", ""},
		{"payment-values", "bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa?a=", ""},
		{"platform", "youtube.com/@", ""},
		{"platform-host", "", ".t.me"},
		{"page", "", ".com"},
		{"page-path", "example.com/", ""},
		{"local-part", "", "@example.com"},
		{"email-domain", "a@", ".com"},
		{"handle", "@", ""},
	}
	for _, frame := range frames {
		for _, piece := range hostilePieces() {
			b.Run(frame.rule+"/"+piece.name, func(b *testing.B) {
				sizes := []int{64, 512, 4096, 8192}
				works := make([]func(), len(sizes))
				for i, size := range sizes {
					room := size - len(frame.before) - len(frame.after)
					works[i] = classifying(frame.before + fill(piece.text, room) + frame.after)
				}
				took := measure(b, works...)
				perByte := func(i int) float64 { return took[i] / float64(sizes[i]) }
				for i, size := range sizes {
					b.ReportMetric(perByte(i), "ns/B-of-"+strconv.Itoa(size))
				}
				b.ReportMetric(perByte(3)/perByte(1), "x-growth")
			})
		}
	}
}

// BenchmarkHostile_opened reads texts of up to 256 KiB as an address bar does. x-growth is the
// ratio of the cost of a byte at the maximum length and at 4 KiB.
func BenchmarkHostile_opened(b *testing.B) {
	frames := []struct{ part, before, after string }{
		{"any", "", ""},
		{"white-space", " ", "\t"},
		{"user", "https:", "@evil.com/"},
		{"host", "https:", ".evil.com/"},
		{"last-label", "https:evil.", "/"},
		{"path", "https:evil.com/", ""},
		{"query", "https:evil.com/?", ""},
		{"route", "https:evil.com/#/", ""},
		{"platform", "https:youtube.com/@", ""},
		{"bare-user", "", "@evil.com/"},
		{"bare-host", "", ".evil.com/ "},
		{"bare-path", "evil.com/ ", ""},
	}
	sizes := []int{4 << 10, 32 << 10, 256 << 10}
	for _, frame := range frames {
		for _, piece := range append(hostilePieces(), hostilePiece{"tabs", "\t"}, hostilePiece{"ignored", "\u00ad"}, hostilePiece{"invalid", "\xe2\x82"}) {
			b.Run(frame.part+"/"+piece.name, func(b *testing.B) {
				works := make([]func(), len(sizes))
				for i, size := range sizes {
					text := frame.before + strings.Repeat(piece.text, size/len(piece.text)) + frame.after
					works[i] = func() {
						_, _ = classify.Classify(text)
						classify.CoveringOpened(text)
					}
				}
				took := measure(b, works...)
				for i, size := range sizes {
					b.ReportMetric(took[i]/float64(size), "ns/B-of-"+strconv.Itoa(size))
				}
				b.ReportMetric(took[2]/took[0]/float64(sizes[2]/sizes[0]), "x-growth")
			})
		}
	}
}

type hostilePiece struct{ name, text string }

func hostilePieces() []hostilePiece {
	return []hostilePiece{
		{"parameters", "&"}, {"addresses", "&a=3J98t1WpEZ73CNmQviecrnyiWrnqRhWNL"},
		{"dots", "."}, {"colons", ":"}, {"percents", "%"}, {"ats", "@"}, {"encoded-percents", "%25"}, {"encoded-dots", "/%2e%2e"},
		{"slashes", "/"}, {"backslashes", `\`}, {"dot-segments", "/.."}, {"segments", "/a"}, {"labels", "a."},
		{"punycode", "xn--"}, {"punycode-labels", "xn--a."}, {"digits", "1"}, {"numbers", "1."}, {"base58", "z"}, {"bech32", "q"},
		{"hex", "a"}, {"base32", "A"}, {"opening", "["}, {"parentheses", "("}, {"closing", "]"}, {"signs", "|"}, {"quotes", `"`}, {"underscores", "_"},
		{"letters", "\u00fc"}, {"hebrew", "\u05d0"}, {"marks", "\u0301"}, {"jamo", "\u1100\u1161"}, {"emoji", "\U0001f4a9"}, {"encoded", "%F0%9F"},
		{"different-letters", differentLetters(500)},
	}
}

// fill repeats the piece up to the given length in whole characters.
func fill(piece string, room int) string {
	text := strings.Repeat(piece, room/len(piece)+1)
	for !utf8.RuneStart(text[room]) {
		room--
	}
	return text[:room]
}

func differentLetters(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteRune('\u4e00' + rune(37*i))
	}
	return b.String()
}
