package classify

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"strings"
)

// isSecret reports whether the token is a private key or a seed in one of the
// usual forms. They are told from handles and addresses so that nobody publishes
// one by mistake. Keys in bech32 are isBech32Key's.
func (t token) isSecret() bool {
	return t.isHexKey() || t.isWIF() || t.isExtendedKey() || t.isEncryptedKey() || t.isMiniKey() ||
		t.isSolanaKey() || t.isTezosKey() || t.isXRPSeed() || t.isStellarSeed()
}

// isHexKey: 32 bytes in hexadecimal digits, as most networks' keys, or 64 where the
// public key follows.
func (t token) isHexKey() bool { return (len(t.text) == 64 || len(t.text) == 128) && isHex(t.text) }

// isWIF: a key in Bitcoin's wallet import format, with or without the byte that
// says that the public key is compressed. Other networks have other versions, all
// with the highest bit set.
func (t token) isWIF() bool {
	switch len(t.payload) {
	case 33:
		return t.payload[0] >= 0x80
	case 34:
		return t.payload[0] >= 0x80 && t.payload[33] == 1
	}
	return false
}

// isExtendedKey: an extended private key of BIP 32, such as xprv, yprv or zprv. A
// public one has no zero before the key.
func (t token) isExtendedKey() bool { return len(t.payload) == 78 && t.payload[45] == 0 }

// isEncryptedKey: a key encrypted with a passphrase (BIP 38).
func (t token) isEncryptedKey() bool {
	return len(t.payload) == 39 && t.payload[0] == 0x01 && (t.payload[1] == 0x42 || t.payload[1] == 0x43)
}

// isMiniKey: a short key of Bitcoin as it is printed on coins, of 22 or 30
// characters. It is as short as a handle. With a question mark behind it, its
// SHA-256 begins with a zero. Those of 30 characters count without that too, even
// if one is missing, for the same reason as in isXRPSeed. Damaged ones of 22 do
// not: too many handles look like them.
func (t token) isMiniKey() bool {
	if !strings.HasPrefix(t.text, "S") || !isMixedWord(t.text) {
		return false
	}
	return hasLength(t.text, 29, 30) ||
		len(t.text) == 22 && t.raw != nil && sha256.Sum256([]byte(t.text + "?"))[0] == 0
}

// isSolanaKey: a key of Ed25519 together with its public key.
func (t token) isSolanaKey() bool { return len(t.raw) == 64 }

// isTezosKey: a seed or a key of any of Tezos' curves, bare, with its public key,
// or encrypted with a passphrase.
func (t token) isTezosKey() bool {
	switch len(t.payload) {
	case 4 + 32, 4 + 64:
		return slices.Contains([]string{"edsk", "spsk", "p2sk", "BLsk"}, t.text[:4])
	case 5 + 56:
		return slices.Contains([]string{"edesk", "spesk", "p2esk", "BLesk"}, t.text[:5])
	}
	return false
}

// isXRPSeed: the seed of an XRP account, for secp256k1 or Ed25519. It has 29 or 31
// characters and is as short as a handle, so that a mistyped one must count too:
// whatever is about as long, begins with s and mixes letters of both cases and
// digits, be they digits of base58 or not. A handle that is written so is refused
// with them. A seed that lost more than one character, its letter case or its only
// digit is not known for one.
func (t token) isXRPSeed() bool {
	if !strings.HasPrefix(t.text, "s") || !hasLength(t.text, 25, 35) {
		return false
	}
	if hasLength(t.text, 28, 32) && isMixedWord(t.text) {
		return true
	}
	seed := cutChecksum(decodeBase58(xrpAlphabet, t.text))
	return len(seed) == 1+16 && seed[0] == 0x21 ||
		len(seed) == 3+16 && bytes.HasPrefix(seed, []byte{0x01, 0xe1, 0x4b})
}

// isStellarSeed: S and 55 more letters and digits of base32 (SEP-23).
func (t token) isStellarSeed() bool {
	return len(t.text) == 56 && t.text[0] == 'S' && strings.Trim(t.text, base32Digits) == ""
}

// isBech32Key: a key whose human-readable part says so: of Cardano (CIP-5), Sui,
// Nostr, Zcash (ZIP 32) or age. The checksum does not matter. The cost grows with
// the length alone, so that the text may be longer than maxToken.
func isBech32Key(text string) bool {
	const shortest = 38 // of the digits of 20 bytes and a checksum
	i := strings.LastIndexByte(text, '1')
	if i < 0 || len(text)-i-1 < shortest || strings.Trim(strings.ToLower(text[i+1:]), bech32Digits) != "" {
		return false
	}
	switch prefix := strings.ToLower(text[:i]); prefix {
	case "xprv", "suiprivkey", "nsec", "secret-extended-key-main", "age-secret-key-":
		return true
	default:
		return strings.HasSuffix(prefix, "_sk") || strings.HasSuffix(prefix, "_xsk")
	}
}

// isMixedWord reports whether the text is of letters of both cases and digits, and
// has some of each.
func isMixedWord(text string) bool {
	lower, upper := countLetters(text)
	return lower > 0 && upper > 0 && lower+upper < len(text) && isASCIIName(text, "")
}
