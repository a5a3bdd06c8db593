package classify

import (
	"strings"

	"github.com/mr-tron/base58"

	"github.com/apguard/apguard/asset"
)

// network is one row of the table of networks.
type network struct {
	name  Network
	forms []form
}

// form returns the canonical form of an address, or "" and why the token is
// none. Any reason but ReasonUnrecognized says that it is a damaged one.
type form func(t token) (canonical string, reason Reason)

// networks holds every network in the order in which they are tried: first those
// whose addresses have a checksum or a mark of their own. Solana's have neither,
// only a length, so that it comes last. Where networks share a form, the first of
// them has it.
var networks = [...]network{
	{NetworkEVM, []form{hexAddress(40)}},
	{NetworkMove, []form{hexAddress(64)}},
	{NetworkBitcoin, []form{
		base58Check("\x00"), // P2PKH
		base58Check("\x05"), // P2SH
		segwit("bc"),
	}},
	{NetworkLitecoin, []form{
		base58Check("\x30"), // P2PKH
		base58Check("\x32"), // P2SH
		segwit("ltc"),
	}},
	{NetworkDogecoin, []form{
		base58Check("\x1e"), // P2PKH
		base58Check("\x16"), // P2SH
	}},
	{NetworkDash, []form{
		base58Check("\x4c"), // P2PKH
		base58Check("\x10"), // P2SH
	}},
	{NetworkZcash, []form{
		base58Check("\x1c\xb8"), // t1, P2PKH
		base58Check("\x1c\xbd"), // t3, P2SH
		bech32Address("tex", isTEX),
	}},
	{NetworkBitcoinCash, []form{cashAddress}},
	{NetworkTron, []form{base58Check("\x41")}},
	{NetworkXRP, []form{xrpClassic, xrpTagged}},
	{NetworkStellar, []form{
		strKey(strKeyAccount, 32),
		strKey(strKeyContract, 32),
		strKey(strKeyMuxed, 40),
	}},
	{NetworkCardano, []form{
		bech32Address("addr", isShelleyPayment),
		bech32Address("stake", isShelleyStake),
		byron,
	}},
	{NetworkCosmos, []form{cosmos}},
	{NetworkSubstrate, []form{ss58}},
	{NetworkTON, []form{tonFriendly, tonRaw}},
	{NetworkAlgorand, []form{algorand}},
	{NetworkTezos, []form{
		base58Check("\x06\xa1\x9f"), // tz1
		base58Check("\x06\xa1\xa1"), // tz2
		base58Check("\x06\xa1\xa4"), // tz3
		base58Check("\x06\xa1\xa6"), // tz4
		base58Check("\x02\x5a\x79"), // KT1
		base58Check("\x06\x7c\x75"), // sr1
	}},
	{NetworkSolana, []form{solana}},
}

const (
	// maxToken is the longest text that is decoded. What may be longer are keys in
	// bech32, of up to 302 characters (Zcash's), which are told by how they begin.
	maxToken = 192
	// minBase58 is the shortest text of interest in base58, a mini key.
	minBase58 = 22
	// tokenSigns are the signs that addresses have beside letters and digits: of a
	// prefix, and of base64.
	tokenSigns = ":@_-+/"
)

// tryAddress takes the addresses of all networks. It refuses what must not be
// mistaken for anything else: secrets, damaged addresses, and 0x with the digits
// of no address. With an @ in front, all but secrets may be handles.
func tryAddress(in *input) outcome {
	text, at := strings.CutPrefix(in.text, "@")
	damage := ReasonUnrecognized
	if isPrefixedHex(in.text) {
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
		for _, form := range network.forms {
			canonical, reason := form(t)
			if canonical != "" {
				v := accept(asset.TypeAddress, canonical)
				v.result.Network = network.name
				return v
			}
			if damage == ReasonUnrecognized {
				damage = reason
			}
		}
	}
	return rejectDamaged(damage)
}

// Networks returns all networks, in the order in which they are tried. The slice
// is the caller's.
func Networks() []Network {
	names := make([]Network, 0, len(networks))
	for _, network := range networks {
		names = append(names, network.name)
	}
	return names
}

// damaged is the outcome of a text that is no address: damaged ones are nothing
// else, whatever they look like.
func rejectDamaged(reason Reason) outcome {
	if reason == ReasonUnrecognized {
		return pass(reason)
	}
	return reject(reason)
}

// token is a text, with what several forms need to know of it.
type token struct {
	text string
	// lower is the text in lower case.
	lower string
	// raw is what the text encodes in base58, or nil. Short texts are not decoded.
	raw []byte
	// payload is raw without its checksum, or nil when that is wrong.
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

// isOneCase reports whether the letters of the token are all lower or all upper
// case.
func (t token) isOneCase() bool {
	return t.text == t.lower || t.text == strings.ToUpper(t.text)
}
