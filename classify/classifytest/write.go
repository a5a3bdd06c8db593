package classifytest

import (
	"strings"

	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// write draws a notation of the asset.
func write(t *rapid.T, of classify.Result) string {
	text := writeText(t, of)
	if len(text) > classify.MaxContent {
		text = of.Canonical
	}
	return drawOne(t, outerSpaces...) + text + drawOne(t, outerSpaces...)
}

func writeText(t *rapid.T, of classify.Result) string {
	switch of.Type {
	case asset.TypeURL:
		return writeURL(t, of.Canonical)
	case asset.TypePage:
		return writePage(t, of.Canonical)
	case asset.TypeAddress:
		return writeAddress(t, of)
	case asset.TypeEmail:
		return writeEmail(t, of.Canonical)
	default:
		return writeIdentifier(t, of)
	}
}

// outerSpaces is outer white space.
var outerSpaces = []string{"", "", "", " ", "\t", "\r\n", "\u00a0", "\u2003", "\u3000 "}

// drawOne draws one of the texts, the simplest first.
func drawOne(t *rapid.T, texts ...string) string {
	return rapid.SampledFrom(texts).Draw(t, "one of")
}

// drawChance draws true with a probability of one in four.
func drawChance(t *rapid.T, what string) bool {
	return rapid.IntRange(0, 3).Draw(t, what) == 3
}

const (
	digits  = "0123456789"
	letters = "abcdefghijklmnopqrstuvwxyz"
	capital = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// drawText draws min to max characters of the alphabet.
func drawText(t *rapid.T, alphabet string, min, max int) string {
	return rapid.StringOfN(rapid.SampledFrom([]rune(alphabet)), min, max, -1).Draw(t, "text")
}

// drawCase draws the text in another ASCII letter case.
func drawCase(t *rapid.T, text string) string {
	switch rapid.IntRange(0, 3).Draw(t, "letter case") {
	case 0:
		return text
	case 1:
		return mapASCII(text, func(byte) bool { return true })
	default:
		bits := rapid.Uint64().Draw(t, "upper case")
		return mapASCII(text, func(byte) bool {
			bits = bits>>1 | bits<<63
			return bits&1 == 1
		})
	}
}

// mapASCII puts the selected letters in upper case.
func mapASCII(text string, upper func(c byte) bool) string {
	b := []byte(text)
	for i, c := range b {
		if 'a' <= c && c <= 'z' && upper(c) {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

// drawPercent draws the text, possibly with the first of the wanted ASCII characters
// percent-encoded.
func drawPercent(t *rapid.T, text, wanted string) string {
	at := strings.IndexAny(text, wanted)
	if at < 0 || !drawChance(t, "percent-encode") {
		return text
	}
	hex := drawOne(t, "0123456789ABCDEF", "0123456789abcdef")
	c := text[at]
	return text[:at] + "%" + hex[c>>4:c>>4+1] + hex[c&15:c&15+1] + text[at+1:]
}
