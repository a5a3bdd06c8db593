package classify

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"strings"
)

// isSecret reports whether the token is a private key or seed in a common format. Keys
// are refused even where they resemble a handle, so that nothing publishes one by
// mistake. See isBech32Key for keys in bech32.
func (t token) isSecret() bool {
	return t.isHexKey() || t.isWIF() || t.isExtendedKey() || t.isEncryptedKey() || t.isMiniKey() ||
		t.isSolanaKey() || t.isTezosKey() || t.isXRPSeed() || t.isStellarSeed()
}

// isHexKey matches 32 bytes in hex digits, the private key of most networks, and 64
// bytes, which include the public key.
func (t token) isHexKey() bool { return (len(t.text) == 64 || len(t.text) == 128) && isHex(t.text) }

// isWIF matches a key in Bitcoin's wallet import format, with or without the marker of a
// compressed public key. Other networks use other versions, all with the highest bit
// set.
func (t token) isWIF() bool {
	switch len(t.payload) {
	case 33:
		return t.payload[0] >= 0x80
	case 34:
		return t.payload[0] >= 0x80 && t.payload[33] == 1
	}
	return false
}

// isExtendedKey matches a BIP 32 extended private key, such as xprv, yprv or zprv.
// Public keys have no zero byte before the key.
func (t token) isExtendedKey() bool { return len(t.payload) == 78 && t.payload[45] == 0 }

// isEncryptedKey matches a key encrypted with a passphrase (BIP 38).
func (t token) isEncryptedKey() bool {
	return len(t.payload) == 39 && t.payload[0] == 0x01 && (t.payload[1] == 0x42 || t.payload[1] == 0x43)
}

// isMiniKey matches a Bitcoin mini key of 22 or 30 characters, as printed on coins. The
// SHA-256 of a mini key and a question mark begins with a zero byte. That is required at
// 22 characters, because many handles look alike. At 30 characters, also with one
// missing, no check is required: see isXRPSeed.
func (t token) isMiniKey() bool {
	if !strings.HasPrefix(t.text, "S") || !isMixedWord(t.text) {
		return false
	}
	return hasLength(t.text, 29, 30) ||
		len(t.text) == 22 && t.raw != nil && sha256.Sum256([]byte(t.text + "?"))[0] == 0
}

// isSolanaKey matches an Ed25519 key with its public key.
func (t token) isSolanaKey() bool { return len(t.raw) == 64 }

// isTezosKey matches a seed or key on any curve of Tezos: alone, with its public key, or
// encrypted with a passphrase.
func (t token) isTezosKey() bool {
	switch len(t.payload) {
	case 4 + 32, 4 + 64:
		return slices.Contains([]string{"edsk", "spsk", "p2sk", "BLsk"}, t.text[:4])
	case 5 + 56:
		return slices.Contains([]string{"edesk", "spesk", "p2esk", "BLesk"}, t.text[:5])
	}
	return false
}

// isXRPSeed matches the seed of an XRP account, for secp256k1 or Ed25519. A seed has 29
// or 31 characters, the length of a handle, so a mistyped seed must match too: any text
// of about that length that begins with s and mixes digits and letters of both cases.
// Such handles are refused with them. A seed without digits, in one letter case, or with
// several characters missing is not recognized.
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

// isStellarSeed matches S and 55 base32 digits (SEP-23).
func (t token) isStellarSeed() bool {
	return len(t.text) == 56 && t.text[0] == 'S' && strings.Trim(t.text, base32Digits) == ""
}

// isBech32Key matches a key with a secret human-readable part: of Cardano (CIP-5), Sui,
// Nostr, Zcash (ZIP 32) or age. It ignores the checksum. Its cost is linear, so the text
// may be longer than maxToken.
func isBech32Key(text string) bool {
	const shortest = 38 // digits of 20 bytes and a checksum
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

// isMixedWord reports whether the text consists of lower-case letters, upper-case
// letters and digits, with some of each.
func isMixedWord(text string) bool {
	lower, upper := countLetters(text)
	return lower > 0 && upper > 0 && lower+upper < len(text) && isASCIIName(text, "")
}
