package classify

import (
	"slices"
	"strings"
)

// addressURI is a text that names an address with its network: an account ID (CAIP-10), a payment
// link (EIP-681, BIP 21 and others) or an address with the short name of its chain (EIP-3770).
type addressURI struct {
	// network is the network that the text names, or "" if it is unknown.
	network Network
	address string
	// tag is the destination tag behind an account of the XRP Ledger.
	tag string
	// tagged reports whether there is a tag.
	tagged bool
	// parameters are the values in the query of a payment link.
	parameters []parameter
}

type parameter struct{ name, value string }

// tryAddressURI accepts texts that name an address with its network, as that address. It
// reports false for any other text.
//
// It rejects texts with a possible secret in any part, and payment links with which a wallet may
// pay something else than the address, such as the recipient of a token.
func tryAddressURI(text string) (outcome, bool) {
	uri, ok := parseAddressURI(text)
	if !ok {
		return outcome{}, false
	}
	if hasSecret(strings.Replace(text, uri.address, "", 1)) {
		return reject(ReasonSecret), true
	}
	o := tryBareAddress(uri.address)
	switch {
	case o.answer != accepted && uri.network == NetworkEVM && isEthereumName(uri.address):
		return reject(ReasonEthereumName), true
	case o.reason == ReasonUnrecognized:
		return reject(ReasonInvalidAddress), true
	case o.answer != accepted:
		return reject(o.reason), true
	case !uri.fits(o.result):
		return reject(ReasonNetworkMismatch), true
	case uri.tagged && (!isXRPTag(uri.tag) || !isXRPClassic(o.result)):
		return reject(ReasonInvalidAddress), true
	}
	for _, p := range uri.parameters {
		switch {
		case p.namesOther(o.result):
			return reject(ReasonSeveralAddresses), true
		case uri.network == NetworkXRP && p.name == "dt" && !isXRPTag(p.value):
			return reject(ReasonInvalidAddress), true
		}
	}
	return o, true
}

// fits reports whether an address belongs to the network that the text names. Some addresses
// of Litecoin and Bitcoin Cash are recognized as Bitcoin.
func (uri addressURI) fits(of Result) bool {
	switch {
	case of.Network != NetworkBitcoin:
		return of.Network == uri.network
	case strings.HasPrefix(uri.address, "M"): // Litecoin's own version
		return uri.network == NetworkLitecoin
	}
	switch uri.network {
	case NetworkLitecoin:
		return of.Canonical[0] == '3'
	case NetworkBitcoinCash:
		return of.Canonical[0] == '1' || of.Canonical[0] == '3'
	default:
		return uri.network == NetworkBitcoin
	}
}

// hasSecret reports whether a part of a text is a private key or seed.
func hasSecret(text string) bool {
	parts := strings.FieldsFunc(decodePercent(text), func(r rune) bool { return strings.ContainsRune(":?&=/@#+,; ", r) })
	return slices.ContainsFunc(parts, func(part string) bool {
		return isBech32Key(part) || len(part) <= maxToken && newToken(part).isSecret()
	})
}

// namesOther reports whether a wallet may pay something else because of the parameter: another
// address of the network in a parameter of any name, or whatever a parameter with one of these
// names stands for.
func (p parameter) namesOther(of Result) bool {
	const shortest = 25 // an address of the XRP Ledger
	if p.namesToken(of.Network) {
		return false
	}
	if len(p.value) >= shortest {
		if o := tryBareAddress(p.value); o.answer == accepted && o.result.Network == of.Network {
			return o.result.Canonical != of.Canonical
		}
	}
	switch name := strings.TrimPrefix(p.name, "req-"); name {
	case "lightning", "lno", "sp", "pay": // BIP 321: invoices, offers and silent payments
		return true
	case "r", "request", "pj": // BIP 72 and BIP 78: a server names the recipient
		return true
	case "bin": // TON: a message to a contract, which may name a recipient
		return of.Network == NetworkTON
	default:
		return strings.Contains(name, "address") // with a number in ZIP 321, or a type of EIP-681
	}
}

// namesToken reports whether the parameter says what is paid, or marks the payment, so that an
// address in it receives nothing.
func (p parameter) namesToken(network Network) bool {
	switch network {
	case NetworkSolana: // Solana Pay: the mint of a token, and keys to find the payment by
		return p.name == "spl-token" || p.name == "reference" || p.name == "memo"
	case NetworkTON: // Tonhub's and Tonkeeper's transfer links
		return p.name == "jetton"
	case NetworkTron, NetworkMove:
		return p.name == "token"
	case NetworkStellar: // SEP-7
		return p.name == "asset_issuer" || p.name == "memo"
	default:
		return false
	}
}

// parseAddressURI splits a text that names an address with its network. It reports false for
// any other text.
func parseAddressURI(text string) (addressURI, bool) {
	scheme, rest, ok := strings.Cut(text, ":")
	if !ok || !hasLength(scheme, 1, maxAddressScheme) {
		return addressURI{}, false
	}
	scheme = strings.ToLower(scheme)
	if uri, ok := parseAccount(scheme, rest); ok {
		return uri, true
	}
	if network, ok := paymentNetwork(scheme); ok {
		return parsePayment(network, rest)
	}
	if namesChainAddress(rest) && isChainName(scheme) {
		return parsePayment(NetworkEVM, rest)
	}
	return addressURI{}, false
}

// parseAccount splits the part of an account ID after its namespace.
func parseAccount(namespace, text string) (addressURI, bool) {
	reference, address, ok := strings.Cut(text, ":")
	if !ok || !hasLength(reference, 1, 32) || !isASCIIName(reference, "-_") {
		return addressURI{}, false
	}
	network, ok := accountNetwork(namespace, reference)
	uri := addressURI{network: network}
	switch network {
	case NetworkStellar:
		address, _, _ = strings.Cut(address, "-") // before a memo
	case NetworkXRP:
		address, uri.tag, uri.tagged = strings.Cut(address, "-")
	case NetworkMove:
		address = padMove(address)
	default:
	}
	uri.address = address
	return uri, ok
}

// accountNetwork returns the network of a namespace of CAIP-10 and a reference in it. A
// reference names a chain of the namespace. The same address can be used on all of them, other
// than in bip122.
func accountNetwork(namespace, reference string) (Network, bool) {
	switch namespace {
	case "eip155":
		return NetworkEVM, true
	case "bip122":
		return genesisNetwork(strings.ToLower(reference)), true
	case "solana":
		return NetworkSolana, true
	case "cosmos":
		return NetworkCosmos, true
	case "polkadot":
		return NetworkSubstrate, true
	case "stellar":
		return NetworkStellar, true
	case "tezos":
		return NetworkTezos, true
	case "tron":
		return NetworkTron, true
	case "xrpl":
		return NetworkXRP, true
	case "algorand":
		return NetworkAlgorand, true
	case "tvm":
		return NetworkTON, true
	case "aptos", "sui", "starknet":
		return NetworkMove, true
	}
	return "", false
}

// genesisNetwork returns the network of the chain whose first block has a hash that begins
// with the 32 hexadecimal digits, or "". Bitcoin Cash has the hash of the block after the fork,
// and the one that the namespace's description gives.
func genesisNetwork(hash string) Network {
	switch hash {
	case "000000000019d6689c085ae165831e93":
		return NetworkBitcoin
	case "12a765e31ffd4059bada1e25190f6e98":
		return NetworkLitecoin
	case "1a91e3dace36e2be3bf030a65679fe82":
		return NetworkDogecoin
	case "00000ffd590b1485b3caadc19b22e637":
		return NetworkDash
	case "00040fe8ec8471911baa1db1266ea15d":
		return NetworkZcash
	case "000000000000000000651ef99cb9fcbe", "000000000000000000b15ad892af8f6a":
		return NetworkBitcoinCash
	}
	return ""
}

// isEthereumName reports whether the text is a name of the Ethereum Name Service, which stands
// for an address.
func isEthereumName(text string) bool {
	ascii, ok := domainToASCII(text)
	name, found := strings.CutSuffix(ascii, ".eth")
	return ok && found && name != "" && inDomain.span(name) == len(name)
}
