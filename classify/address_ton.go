package classify

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"
)

const (
	tonHash = 32
	// The workchains of the main net, as both forms write them.
	tonMasterchain = -1
	tonBasechain   = 0
)

// The tags that a user-friendly address begins with. They say what becomes of a
// payment that fails, and belong to the way of paying, not to the account.
const (
	tonBounceable    = 0x11
	tonNonBounceable = 0x51
	tonTestOnly      = 0x80
)

// tonFriendly is the user-friendly form of TON: base64 of a tag, a workchain, the
// account's hash and a CRC-16. Both alphabets of base64 (RFC 4648) are in use, but
// never in one address. The canonical form is the raw one.
func tonFriendly(t token) (string, Reason) {
	encoding := base64.RawURLEncoding
	if strings.ContainsAny(t.text, "+/") {
		encoding = base64.RawStdEncoding
	}
	const size = 1 + 1 + tonHash
	if len(t.text) != encoding.EncodedLen(size+crc16Size) {
		return "", ReasonUnrecognized
	}
	data, err := encoding.DecodeString(t.text)
	if err != nil {
		return "", ReasonUnrecognized
	}
	tag, workchain := data[0], int(int8(data[1])) //nolint:gosec // it is in two's complement
	switch {
	case tag&^tonTestOnly != tonBounceable && tag&^tonTestOnly != tonNonBounceable:
		return "", ReasonUnrecognized
	case crc16(data[:size]) != binary.BigEndian.Uint16(data[size:]):
		return "", ReasonChecksum
	case tag&tonTestOnly != 0, workchain != tonMasterchain && workchain != tonBasechain:
		return "", ReasonInvalidAddress
	}
	return strconv.Itoa(workchain) + ":" + hex.EncodeToString(data[2:size]), ""
}

// tonRaw is the raw form: the workchain, a colon, and the hash in hexadecimal
// digits.
func tonRaw(t token) (string, Reason) {
	const longestPort = len("65535")
	workchain, hash, ok := strings.Cut(t.lower, ":")
	number, err := strconv.ParseInt(workchain, 10, 32)
	switch {
	case !ok, err != nil, len(hash) <= longestPort, !isHex(hash):
		return "", ReasonUnrecognized
	case len(hash) != 2*tonHash:
		return "", ReasonHexLength
	case number != tonMasterchain && number != tonBasechain, workchain != strconv.FormatInt(number, 10):
		return "", ReasonInvalidAddress
	}
	return t.lower, ""
}
