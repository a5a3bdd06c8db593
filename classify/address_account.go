package classify

import (
	"encoding/binary"
	"strings"

	"github.com/apguard/apguard/asset"
)

// accountOf returns the account of an ADDRESS that names more than one: an X-address of the XRP
// Ledger with a tag, or a muxed account of Stellar. It reports false for any other identity.
func accountOf(identity asset.Identity) (asset.Identity, bool) {
	if identity.Type != asset.TypeAddress || identity.Canonical == "" {
		return asset.Identity{}, false
	}
	account := ""
	switch identity.Canonical[0] {
	case 'X':
		if classic, tagged, reason := cutXRPTag(identity.Canonical); reason == "" && tagged {
			account = classic
		}
	case 'M':
		account = stellarAccount(identity.Canonical)
	}
	return asset.Identity{Type: asset.TypeAddress, Canonical: account}, account != ""
}

// stellarAccount returns the account of a muxed account, which is that and a number (SEP-23). It
// returns "" for any other text.
func stellarAccount(text string) string {
	const idSize = 8
	if canonical, _ := strKey(strKeyMuxed, strKeySize+idSize)(token{text: text}); canonical == "" {
		return ""
	}
	data := decodeBase32(text, 1+strKeySize+idSize+crc16Size)[:1+strKeySize]
	data[0] = strKeyAccount
	return base32Encoding.EncodeToString(binary.LittleEndian.AppendUint16(data, crc16(data)))
}

// coverAddress returns the covers of an ADDRESS.
func coverAddress(identity asset.Identity) []Cover {
	covers := []Cover{{Identity: identity, Kind: CoverExact}}
	if account, ok := accountOf(identity); ok {
		covers = append(covers, Cover{Identity: account, Kind: CoverAccount, Step: 1})
	}
	return covers
}

// isXRPTag reports whether the text is a destination tag of the XRP Ledger, a number of 32 bits.
func isXRPTag(text string) bool {
	const longest = len("4294967295")
	return hasLength(text, 1, longest) && isDigits(text) &&
		(len(text) < longest || strings.Compare(text, "4294967295") <= 0)
}
