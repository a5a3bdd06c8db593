package lists

import (
	"strings"
	"unicode/utf8"

	"github.com/apguard/apguard/classify"
)

// excerpt returns the beginning of a refused text, or nothing if the text may contain a secret.
func excerpt(text string) string {
	text = strings.TrimSpace(text)
	if mayHaveSecret(text) {
		return ""
	}
	if len(text) <= MaxText {
		return strings.Clone(text) // not the whole line
	}
	end := MaxText
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "..."
}

// minSecret is shorter than every private key and seed that the classifier recognizes.
const minSecret = 20

// mayHaveSecret reports whether a text or a word in it looks like a private key or a seed.
func mayHaveSecret(text string) bool {
	if isSecret(text) {
		return true
	}
	// Some keys in bech32 have signs in their prefix.
	for _, separates := range [...]func(rune) bool{isNotAlphanumeric, isNotOfBech32} {
		for word := range strings.FieldsFuncSeq(text, separates) {
			if len(word) >= minSecret && isSecret(word) {
				return true
			}
		}
	}
	return false
}

func isSecret(text string) bool {
	_, err := classify.Classify(text)
	return isSecretError(err)
}

func isNotAlphanumeric(r rune) bool {
	return (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
}

func isNotOfBech32(r rune) bool { return isNotAlphanumeric(r) && r != '-' && r != '_' }
