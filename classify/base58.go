package classify

import "github.com/mr-tron/base58"

// maxBase58 is the longest text that is decoded, since the cost grows with the
// square of the length. The longest text of interest is an extended private key
// of 111 characters (BIP 32).
const maxBase58 = 128

// decodeBase58 returns what the text encodes in Bitcoin's base58, or nil.
func decodeBase58(text string) []byte {
	return decodeBase58With(base58.BTCAlphabet, text)
}

func decodeBase58With(alphabet *base58.Alphabet, text string) []byte {
	if len(text) > maxBase58 {
		return nil
	}
	raw, err := base58.DecodeAlphabet(text, alphabet)
	if err != nil {
		return nil
	}
	return raw
}

// base58Plain is the form of addresses that are base58 of so many bytes.
func base58Plain(size int) form {
	return func(t token) (string, Reason) {
		if len(t.raw) != size {
			return "", ReasonUnrecognised
		}
		return t.text, ""
	}
}
