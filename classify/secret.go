package classify

import (
	"bytes"
	"strings"

	"github.com/mr-tron/base58"
)

// isSecret reports whether the token is a private key or a seed in one of the
// usual forms. They are told from handles and addresses so that nobody publishes
// one by mistake.
func (t token) isSecret() bool {
	return t.isHexKey() || t.isWIF() || t.isExtendedKey() || t.isEncryptedKey() ||
		t.isSolanaKey() || t.isTezosKey() || t.isXRPSeed() || t.isStellarSeed()
}

// isHexKey: 32 bytes in hexadecimal digits, as most networks' keys.
func (t token) isHexKey() bool { return len(t.text) == 64 && isHex(t.text) }

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

// isSolanaKey: a key of Ed25519 together with its public key.
func (t token) isSolanaKey() bool { return len(t.raw) == 64 }

// isTezosKey: a seed, or a key with its public key, of any of Tezos' curves.
func (t token) isTezosKey() bool {
	if len(t.payload) != 4+32 && len(t.payload) != 4+64 {
		return false
	}
	switch t.text[:4] {
	case "edsk", "spsk", "p2sk", "BLsk":
		return true
	}
	return false
}

var xrpAlphabet = base58.NewAlphabet("rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz")

// isXRPSeed: the seed of an XRP account, for secp256k1 or Ed25519. It is as short
// as a handle.
func (t token) isXRPSeed() bool {
	if !strings.HasPrefix(t.text, "s") || !hasLength(t.text, 25, 35) {
		return false
	}
	seed := cutChecksum(decodeBase58With(xrpAlphabet, t.text))
	return len(seed) == 1+16 && seed[0] == 0x21 ||
		len(seed) == 3+16 && bytes.HasPrefix(seed, []byte{0x01, 0xe1, 0x4b})
}

// isStellarSeed: S and 55 more letters and digits of base32 (SEP-23).
func (t token) isStellarSeed() bool {
	return len(t.text) == 56 && t.text[0] == 'S' &&
		strings.Trim(t.text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}
