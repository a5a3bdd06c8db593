package classify

import (
	"strings"

	"github.com/mr-tron/base58"
)

// decodeBase58 decodes base58. It returns nil for an invalid text. The cost is quadratic
// in the length, which maxToken limits.
func decodeBase58(alphabet *base58.Alphabet, text string) []byte {
	// This rejects most texts at less cost than the library.
	if strings.ContainsAny(text, "0OIl") || !isASCIIName(text, "") {
		return nil
	}
	raw, err := base58.DecodeAlphabet(text, alphabet)
	if err != nil {
		return nil
	}
	return raw
}
