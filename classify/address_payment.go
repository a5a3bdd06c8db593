package classify

import "strings"

// maxAddressScheme is the length of the longest scheme, namespace or short name of a chain.
const maxAddressScheme = 64

// paymentNetwork returns the network of a scheme of payment links.
func paymentNetwork(scheme string) (Network, bool) {
	switch scheme {
	case "bitcoin", "litecoin", "dogecoin", "dash", "zcash", "bitcoincash": // BIP 21, ZIP 321
		return Network(scheme), true
	case "ethereum": // EIP-681
		return NetworkEVM, true
	case "starknet": // as EIP-681, in myBraavos/starknet-url
		return NetworkMove, true
	case "solana": // Solana Pay
		return NetworkSolana, true
	case "ton": // docs.ton.org, deep links
		return NetworkTON, true
	case "tron":
		return NetworkTron, true
	case "xrp", "ripple", "xrpl": // XLS-2 has the parameters
		return NetworkXRP, true
	case "stellar", "web+stellar": // SEP-7
		return NetworkStellar, true
	case "cardano", "web+cardano": // CIP-13
		return NetworkCardano, true
	case "polkadot", "substrate": // polkadot.js writes substrate in QR codes
		return NetworkSubstrate, true
	case "algorand": // ARC-26
		return NetworkAlgorand, true
	case "tezos":
		return NetworkTezos, true
	}
	return "", false
}

// isPaymentLink reports whether the scheme of a link with slashes is one of payment links.
func isPaymentLink(scheme string) bool {
	_, ok := paymentNetwork(strings.ToLower(scheme))
	return ok
}

// parsePayment splits the part of a payment link after its scheme. Two slashes may come first,
// as in ton://transfer/ADDRESS and algorand://ADDRESS.
func parsePayment(network Network, text string) (addressURI, bool) {
	text, slashes := strings.CutPrefix(text, "//")
	address, query, hasQuery := strings.Cut(text, "?")
	if network == NetworkBitcoinCash && !slashes && !hasQuery {
		return addressURI{}, false // bitcoincash: is a part of the address
	}
	query, _, _ = strings.Cut(query, "#")
	if slashes && network != NetworkTON {
		address = strings.TrimSuffix(address, "/")
	}
	uri := addressURI{network: network, address: paymentAddress(network, address)}
	isOperation := network == NetworkStellar && strings.EqualFold(address, "pay") // SEP-7
	for text := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(text, "=")
		p := parameter{strings.ToLower(decodePercent(name)), decodePercent(value)}
		if isOperation && p.name == "destination" {
			uri.address, isOperation = p.value, false
			continue
		}
		uri.parameters = append(uri.parameters, p)
	}
	return uri, true
}

// paymentAddress returns the address in the part of a payment link before its query.
func paymentAddress(network Network, text string) string {
	switch network {
	case NetworkEVM, NetworkMove:
		text = cutPrefixFold(text, "pay-")
		text, _, _ = strings.Cut(text, "/") // before a function
		text, _, _ = strings.Cut(text, "@") // before a chain
	case NetworkTON:
		const length = 48 // of an address, which can end in a slash itself
		text = cutPrefixFold(text, "transfer/")
		if len(text) > length {
			text = strings.TrimSuffix(text, "/")
		}
	case NetworkSubstrate:
		text, _, _ = strings.Cut(text, ":") // before a public key and a name
	default:
	}
	return text
}

// cutPrefixFold returns the text without a prefix in any letter case, unless nothing follows.
func cutPrefixFold(text, prefix string) string {
	if len(text) > len(prefix) && strings.EqualFold(text[:len(prefix)], prefix) {
		return text[len(prefix):]
	}
	return text
}

// namesChainAddress reports whether a text may follow the short name of a chain: an address, or a
// name that stands for one.
func namesChainAddress(text string) bool {
	text, _, _ = strings.Cut(text, "?")
	text = strings.ToLower(text)
	return strings.HasPrefix(text, "0x") || strings.HasSuffix(text, ".eth")
}
