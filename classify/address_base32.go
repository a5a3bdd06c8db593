package classify

import "encoding/base32"

// base32Digits are the digits of base32 (RFC 4648).
const base32Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

var base32Encoding = base32.StdEncoding.WithPadding(base32.NoPadding)

// decodeBase32 decodes base32 of the given size in bytes. It returns nil for another
// length, an invalid digit or excess bits.
func decodeBase32(text string, size int) []byte {
	if len(text) != base32Encoding.EncodedLen(size) {
		return nil
	}
	data, err := base32Encoding.DecodeString(text)
	if err != nil || base32Encoding.EncodeToString(data) != text {
		return nil
	}
	return data
}
