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
	// The workchains of the main network.
	tonMasterchain = -1
	tonBasechain   = 0
)

// The tags of user-friendly addresses. They tell what happens to a failed payment, and
// are not part of the account.
const (
	tonBounceable    = 0x11
	tonNonBounceable = 0x51
	tonTestOnly      = 0x80
)

// tonFriendly is TON's user-friendly format: a tag, a workchain, the account's hash and
// a CRC-16, in either alphabet of base64 (RFC 4648). The canonical form is the raw
// format.
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

// tonRaw is TON's raw format: the workchain, a colon and the hash in hex digits.
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
