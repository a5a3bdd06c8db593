package classify

import "encoding/binary"

// The versions of Stellar addresses, each with its first letter.
const (
	strKeyAccount  = 6 << 3  // G
	strKeyContract = 2 << 3  // C
	strKeyMuxed    = 12 << 3 // M: an account and a number
)

// strKeySize is the size of an account or contract.
const strKeySize = 32

// strKey is the format of Stellar: a version, data of the given size, and a CRC-16 in
// little-endian order, in base32 (SEP-23).
func strKey(version byte, size int) format {
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
