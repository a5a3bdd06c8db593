package classifytest

import (
	"encoding/binary"
	"encoding/hex"
	"strings"

	"github.com/btcsuite/btcd/btcutil/base58"
	"github.com/btcsuite/btcd/btcutil/bech32"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/classify"
)

// writeAddress draws a notation of an address.
func writeAddress(t *rapid.T, of classify.Result) string {
	if of.Network == classify.NetworkBitcoin && of.Canonical[0] == '3' && drawChance(t, "on Litecoin") {
		return drawOne(t, "", "litecoin:") + otherVersion(of.Canonical, "\x32")
	}
	return writeURI(t, of, writeBareAddress(t, of))
}

// writeBareAddress draws an encoding of the account.
func writeBareAddress(t *rapid.T, of classify.Result) string {
	text := of.Canonical
	switch {
	case isHex(of):
		return drawCase(t, drawHex(t, of))
	case of.Network == classify.NetworkTON:
		return drawOne(t, drawCase(t, text), friendlyTON(t, text))
	case isBech32(of):
		if tokens, ok := withTokens[text]; ok && drawChance(t, "with tokens") {
			text = tokens
		}
		if of.Network == classify.NetworkBitcoinCash && drawChance(t, "without its prefix") {
			_, text, _ = strings.Cut(text, ":")
		}
		return drawOne(t, text, strings.ToUpper(text))
	case drawChance(t, "another encoding"):
		return otherEncoding(t, of)
	default:
		return text
	}
}

// drawHex draws an address of EVM networks with the prefix of XDC, or one of Move without its
// leading zeros.
func drawHex(t *rapid.T, of classify.Result) string {
	text := of.Canonical
	if !drawChance(t, "another encoding") {
		return text
	}
	if of.Network == classify.NetworkEVM {
		return "xdc" + text[2:]
	}
	for range rapid.IntRange(0, 4).Draw(t, "zeros") {
		text = strings.Replace(text, "0x0", "0x", 1)
	}
	return text
}

// otherEncoding returns another text of the account, or its canonical form.
func otherEncoding(t *rapid.T, of classify.Result) string {
	text := of.Canonical
	switch {
	case of.Network == classify.NetworkSubstrate:
		data := base58.Decode(text)
		return ss58(drawPrefix(t), data[1:len(data)-2])
	case of.Network == classify.NetworkXRP && text[0] == 'r':
		return taggedXRP(base58.Decode(replaceDigits(text, xrpDigits, base58Digits))[1:21], 0, 0)
	case of.Network == classify.NetworkTron:
		return hex.EncodeToString(base58.Decode(text)[:21])
	case of.Network == classify.NetworkZcash && strings.HasPrefix(text, "t1"):
		tex := must(bech32.EncodeM("tex", inFives(base58.Decode(text)[2:22])))
		return drawOne(t, tex, strings.ToUpper(tex))
	default:
		return text
	}
}

// otherVersion returns an address in base58check with another version of one byte.
func otherVersion(text, version string) string {
	hash, _, err := base58.CheckDecode(text)
	return base58.CheckEncode(must(hash, err), version[0])
}

// drawPrefix draws a prefix of SS58 of one byte or two that is not reserved.
func drawPrefix(t *rapid.T) []byte {
	if rapid.Bool().Draw(t, "one byte") {
		return []byte{rapid.ByteRange(0, 45).Draw(t, "prefix")}
	}
	prefix := rapid.Uint16Range(64, 1<<14-1).Draw(t, "prefix")
	return []byte{0x40 | byte(prefix>>2&0x3f), byte(prefix>>8) | byte(prefix&3)<<6}
}

// drawPadded draws an address of Starknet that begins with zeros.
func drawPadded(t *rapid.T) string {
	zeros := rapid.IntRange(1, 4).Draw(t, "zeros")
	return "0x" + strings.Repeat("0", zeros) + hexOf(32)(t)[2+zeros:]
}

// drawTaggedXRP draws an X-address with a tag.
func drawTaggedXRP(t *rapid.T) string {
	return taggedXRP(drawBytes(t, 20), 1, rapid.Uint32().Draw(t, "tag"))
}

// taggedXRP returns the X-address of an account.
func taggedXRP(account []byte, flag byte, tag uint32) string {
	data := append([]byte{0x44}, account...)
	data = binary.LittleEndian.AppendUint64(append(data, flag), uint64(tag))
	return inXRPDigits(base58.CheckEncode(data, 0x05))
}
