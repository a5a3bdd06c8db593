package classify

import "github.com/apguard/apguard/asset"

// network is one row of the table of networks.
type network struct {
	name  Network
	forms []form
}

// form returns the canonical form of an address, or "" and why the token is
// none. Any reason but ReasonUnrecognised says that it is a damaged one.
type form func(t token) (canonical string, reason Reason)

// networks holds every network in the order in which they are tried: first those
// whose addresses have a checksum or a mark of their own. Solana's have neither,
// only a length, so that it comes last.
var networks = [...]network{
	{NetworkEVM, []form{hexAddress(40)}},
	{NetworkBitcoin, []form{
		base58Check(0x00, 20), // P2PKH
		base58Check(0x05, 20), // P2SH
		segwit("bc"),
	}},
	{NetworkTron, []form{base58Check(0x41, 20)}},
	{NetworkSolana, []form{base58Plain(32)}},
}

// tryAddress takes the addresses of all networks. It refuses what must not be
// mistaken for anything else: secrets, damaged addresses, and 0x with the digits
// of no address.
func tryAddress(s *subject) verdict {
	t := newToken(s.text)
	if t.isSecret() {
		return refused(ReasonSecret)
	}
	damage := ReasonUnrecognised
	for _, network := range networks {
		for _, form := range network.forms {
			canonical, reason := form(t)
			if canonical != "" {
				v := mine(asset.TypeAddress, canonical)
				v.result.Network = network.name
				return v
			}
			if reason != ReasonUnrecognised {
				damage = reason
			}
		}
	}
	if damage != ReasonUnrecognised {
		return refused(damage)
	}
	if t.isPrefixedHex() {
		return refused(ReasonHexLength)
	}
	return notMine(ReasonUnrecognised)
}

// token is a text, with what several forms need to know of it.
type token struct {
	text string
	// raw is what the text encodes in base58, or nil.
	raw []byte
	// payload is raw without its checksum, or nil when that is wrong.
	payload []byte
}

func newToken(text string) token {
	raw := decodeBase58(text)
	return token{text: text, raw: raw, payload: cutChecksum(raw)}
}
