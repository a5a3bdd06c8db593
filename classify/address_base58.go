package classify

import (
	"strings"

	"github.com/mr-tron/base58"
)

// decodeBase58 returns what the text encodes in base58, or nil. The cost grows
// with the square of the length, which is why no token is longer than maxToken.
func decodeBase58(alphabet *base58.Alphabet, text string) []byte {
	// What most texts fail at is seen here at less cost than by the library.
	if strings.ContainsAny(text, "0OIl") || !isASCIIName(text, "") {
		return nil
	}
	raw, err := base58.DecodeAlphabet(text, alphabet)
	if err != nil {
		return nil
	}
	return raw
}
