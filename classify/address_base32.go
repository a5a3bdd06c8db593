package classify

import (
	"bytes"
	"crypto/sha512"
	"encoding/base32"
	"encoding/binary"
)

// base32Digits are the letters and digits of base32 (RFC 4648).
const base32Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

var base32Encoding = base32.StdEncoding.WithPadding(base32.NoPadding)

// decodeBase32 returns the so many bytes that the text encodes in base32, or nil
// when it is of another length or sets bits that belong to no byte.
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

// The versions of Stellar's addresses. They show as the first letter.
const (
	strKeyAccount  = 6 << 3  // G
	strKeyContract = 2 << 3  // C
	strKeyMuxed    = 12 << 3 // M: an account and a number
)

// strKey is the form of Stellar: base32 of a version, so many bytes, and a CRC-16
// with its lower byte first (SEP-23).
func strKey(version byte, size int) form {
	return func(t token) (string, Reason) {
		data := decodeBase32(t.text, 1+size+crc16Size)
		switch {
		case data == nil, data[0] != version:
			return "", ReasonUnrecognized
		case crc16(data[:1+size]) != binary.LittleEndian.Uint16(data[1+size:]):
			return "", ReasonChecksum
		}
		return t.text, ""
	}
}

// algorand is the form of Algorand: base32 of a public key and the last four
// bytes of its SHA-512/256.
func algorand(t token) (string, Reason) {
	const keySize = 32
	data := decodeBase32(t.text, keySize+checksumSize)
	if data == nil {
		return "", ReasonUnrecognized
	}
	sum := sha512.Sum512_256(data[:keySize])
	if !bytes.Equal(data[keySize:], sum[len(sum)-checksumSize:]) {
		return "", ReasonChecksum
	}
	return t.text, ""
}
