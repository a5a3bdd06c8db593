package classify

// solana is the form of Solana: base58 of a public key, without a checksum.
//
// Such a key has letters of both cases. A text in one case, but for one letter at
// most, is left alone: it is what remains of a damaged address in bech32 or
// base32. Keys with few letters are mostly padding, as Solana's own programs.
func solana(t token) (string, Reason) {
	const (
		keySize    = 32
		fewLetters = 24
	)
	if len(t.raw) != keySize {
		return "", ReasonUnrecognized
	}
	lower, upper := countLetters(t.text)
	if lower+upper > fewLetters && min(lower, upper) <= 1 {
		return "", ReasonUnrecognized
	}
	return t.text, ""
}

func countLetters(text string) (lower, upper int) {
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z':
			lower++
		case 'A' <= c && c <= 'Z':
			upper++
		}
	}
	return lower, upper
}
