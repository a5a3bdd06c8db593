package classify

// solana is the format of a public key in base58 without a checksum.
//
// It rejects texts in one letter case, except for one letter: they are more likely a
// damaged address in bech32 or base32. Keys with few letters are exempt, because they
// are mostly padding.
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
