package classify

import (
	"encoding/binary"
	"strings"

	"github.com/mr-tron/base58"

	"github.com/apguard/apguard/asset"
)

// network is an entry of the table of networks.
type network struct {
	name    Network
	formats []format
}

// format returns the canonical form of an address. Otherwise it returns "" and a reason,
// which is not ReasonUnrecognized for a damaged address.
type format func(t token) (canonical string, reason Reason)

// litecoinScript is the version of Litecoin's P2SH addresses. Before it, they had Bitcoin's, so
// that is their canonical form. The script is the same.
const litecoinScript = "\x32"

// networks holds every network in the order in which they are tried. Solana comes last,
// because its addresses have neither a checksum nor a prefix. Networks that share a
// format are recognized as the first of them.
var networks = [...]network{
	{NetworkEVM, []format{hexAddress(40), xdcAddress}},
	{NetworkMove, []format{moveAddress}},
	{NetworkBitcoin, []format{
		base58Check("\x00"), // P2PKH
		base58Check("\x05"), // P2SH
		base58CheckAs(litecoinScript, "\x05"),
		segwit("bc"),
	}},
	{NetworkLitecoin, []format{
		base58Check("\x30"), // P2PKH
		segwit("ltc"),
	}},
	{NetworkDogecoin, []format{
		base58Check("\x1e"), // P2PKH
		base58Check("\x16"), // P2SH
	}},
	{NetworkDash, []format{
		base58Check("\x4c"), // P2PKH
		base58Check("\x10"), // P2SH
	}},
	{NetworkZcash, []format{
		base58Check(zcashKey),   // t1, P2PKH
		base58Check("\x1c\xbd"), // t3, P2SH
		zcashTEX,
	}},
	{NetworkBitcoinCash, []format{cashAddress}},
	{NetworkTron, []format{base58Check(tronVersion), tronHex}},
	{NetworkXRP, []format{xrpClassic, xrpTagged}},
	{NetworkStellar, []format{
		strKey(strKeyAccount, strKeySize),
		strKey(strKeyContract, strKeySize),
		strKey(strKeyMuxed, strKeySize+8),
	}},
	{NetworkCardano, []format{
		bech32Address("addr", isShelleyPayment),
		bech32Address("stake", isShelleyStake),
		byron,
	}},
	{NetworkCosmos, []format{cosmos}},
	{NetworkSubstrate, []format{ss58}},
	{NetworkTON, []format{tonFriendly, tonRaw}},
	{NetworkAlgorand, []format{algorand}},
	{NetworkTezos, []format{
		base58Check("\x06\xa1\x9f"), // tz1
		base58Check("\x06\xa1\xa1"), // tz2
		base58Check("\x06\xa1\xa4"), // tz3
		base58Check("\x06\xa1\xa6"), // tz4
		base58Check("\x02\x5a\x79"), // KT1
		base58Check("\x06\x7c\x75"), // sr1
	}},
	{NetworkSolana, []format{solana}},
}

const (
	// maxToken is the length of the longest text that is decoded. Secret keys in bech32
	// may be longer, and are recognized by their prefix.
	maxToken = 192
	// minBase58 is the length of the shortest text decoded from base58, a mini key.
	minBase58 = 22
	// tokenSigns are the characters of addresses besides letters and digits: those of a
	// prefix and of base64.
	tokenSigns = ":@_-+/"
)

// tryAddress accepts the addresses of all networks, alone or in an [addressURI]. It rejects
// texts that must not be taken for anything else: secret keys, damaged addresses, and 0x with a
// wrong number of hex digits. After an @, it rejects secret keys alone.
func tryAddress(in *input) outcome {
	if o, ok := tryAddressURI(in.text); ok {
		return o
	}
	return tryBareAddress(in.text)
}

// tryBareAddress is tryAddress for a text that does not name a network.
func tryBareAddress(content string) outcome {
	text, at := strings.CutPrefix(content, "@")
	damage := ReasonUnrecognized
	if isPrefixedHex(content) {
		damage = ReasonHexLength
	}
	switch {
	case isBech32Key(text):
		return reject(ReasonSecret)
	case len(text) > maxToken, !isASCIIName(text, tokenSigns):
		return rejectDamaged(damage)
	}
	t := newToken(text)
	switch {
	case t.isSecret():
		return reject(ReasonSecret)
	case at:
		return pass(ReasonUnrecognized)
	}
	for _, network := range networks {
		for _, format := range network.formats {
			canonical, reason := format(t)
			if canonical != "" {
				o := accept(asset.TypeAddress, canonical)
				o.result.Network = network.name
				return o
			}
			if damage == ReasonUnrecognized {
				damage = reason
			}
		}
	}
	return rejectDamaged(damage)
}

// Networks returns every network, in the order in which they are tried.
func Networks() []Network {
	names := make([]Network, 0, len(networks))
	for _, network := range networks {
		names = append(names, network.name)
	}
	return names
}

// rejectDamaged rejects a damaged address, so that no later rule accepts it. It passes
// any other text.
func rejectDamaged(reason Reason) outcome {
	if reason == ReasonUnrecognized {
		return pass(reason)
	}
	return reject(reason)
}

// token is a candidate for an address. It caches the work that several formats share.
type token struct {
	text string
	// lower is the text in lower case.
	lower string
	// raw is the text decoded from base58, or nil. Short texts are not decoded.
	raw []byte
	// payload is raw without its base58check checksum, or nil if that is wrong.
	payload []byte
}

func newToken(text string) token {
	t := token{text: text, lower: strings.ToLower(text)}
	if len(text) >= minBase58 {
		t.raw = decodeBase58(base58.BTCAlphabet, text)
		t.payload = cutChecksum(t.raw)
	}
	return t
}

// isOneCase reports whether the letters are all lower or all upper case.
func (t token) isOneCase() bool {
	return t.text == t.lower || t.text == strings.ToUpper(t.text)
}

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

// hexAddress is the format of 0x and a number of hex digits. It does not verify the
// checksum in the letter case (EIP-55).
func hexAddress(digits int) format {
	return func(t token) (string, Reason) {
		if len(t.text) != len("0x")+digits || !isPrefixedHex(t.text) {
			return "", ReasonUnrecognized
		}
		return t.lower, ""
	}
}

// xdcAddress is the format of the XDC Network: xdc in place of 0x before 40 hex digits.
func xdcAddress(t token) (string, Reason) {
	digits, ok := strings.CutPrefix(t.lower, "xdc")
	if !ok || len(digits) != 40 || !isHex(digits) {
		return "", ReasonUnrecognized
	}
	return "0x" + digits, ""
}

// moveDigits is the number of hex digits of an address of Aptos, Sui or Starknet.
const moveDigits = 64

// moveAddress is the format of 0x and 64 hex digits, of which the first four may be missing if
// they are zeros. Starknet's libraries leave out leading zeros. Addresses with fewer digits
// are too likely damaged ones.
func moveAddress(t token) (string, Reason) {
	const missing = 4
	digits := len(t.text) - len("0x")
	if digits < moveDigits-missing || digits > moveDigits || !isPrefixedHex(t.text) {
		return "", ReasonUnrecognized
	}
	return padMove(t.lower), ""
}

// padMove adds the leading zeros that an address of Aptos, Sui or Starknet lacks. It returns
// any other text as it is.
func padMove(text string) string {
	missing := moveDigits - (len(text) - len("0x"))
	if missing <= 0 || missing == moveDigits || !isPrefixedHex(text) {
		return text
	}
	return text[:len("0x")] + strings.Repeat("0", missing) + text[len("0x"):]
}

func isPrefixedHex(text string) bool {
	return len(text) >= 2 && text[0] == '0' && text[1]|0x20 == 'x' && isHex(text[2:])
}
