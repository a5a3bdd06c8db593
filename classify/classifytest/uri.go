package classifytest

import (
	"strings"

	"pgregory.net/rapid"

	"github.com/apguard/apguard/classify"
)

// hexDigits returns the digits of an EVM address, which are the last 40 characters.
func hexDigits(address string) string { return address[len(address)-40:] }

// writeURI draws an account ID or a payment link of the address, or the address alone.
func writeURI(t *rapid.T, of classify.Result, address string) string {
	if !drawChance(t, "URI") {
		return address
	}
	bare := strings.TrimPrefix(strings.TrimPrefix(address, "bitcoincash:"), "BITCOINCASH:")
	switch of.Network {
	case classify.NetworkEVM:
		return drawOne(t,
			"eip155:1:"+address, "EIP155:8453:"+address, "ethereum:"+address, "ethereum:pay-"+address+"@10?value=1e18", "ethereum:"+address+"/mint?uint256=1",
			"eth:0x"+hexDigits(address), "MATIC:0x"+hexDigits(address)+"?value=1",
		)
	case classify.NetworkMove:
		return drawOne(t, "aptos:1:", "sui:mainnet:", "starknet:SN_MAIN:") + address
	case classify.NetworkCardano: // has no namespace
		return drawOne(t, "cardano:", "web+cardano:") + address + drawOne(t, "", "?amount=1")
	case classify.NetworkBitcoin:
		return drawOne(t, "bitcoin:"+address, "BITCOIN:"+address+"?amount=1&label=a%20b", "bip122:000000000019d6689c085ae165831e93:"+address)
	case classify.NetworkLitecoin, classify.NetworkDogecoin, classify.NetworkDash, classify.NetworkZcash:
		return string(of.Network) + ":" + address + drawOne(t, "", "?amount=1")
	case classify.NetworkBitcoinCash:
		return drawOne(t, "bitcoincash:"+bare+"?amount=1", "bip122:000000000000000000651ef99cb9fcbe:"+address)
	case classify.NetworkStellar:
		return drawOne(t, "stellar:pubnet:"+address, "stellar:pubnet:"+address+"-memo", "stellar:"+address, "web+stellar:pay?amount=1&destination="+address)
	case classify.NetworkXRP:
		if address[0] == 'r' && drawChance(t, "tag") {
			return "xrpl:0:" + address + drawOne(t, "-0", "-495", "-4294967295")
		}
		return drawOne(t, "xrpl:0:"+address, "xrp:"+address+"?dt=1", "ripple:"+address)
	case classify.NetworkSubstrate:
		return drawOne(t, "polkadot:91b171bb158e2d3848fa23a9f1c25182:", "polkadot:", "substrate:") + address
	case classify.NetworkTON:
		return drawOne(t, "tvm:-239:", "ton:", "ton://transfer/") + address
	case classify.NetworkTron, classify.NetworkCosmos, classify.NetworkAlgorand, classify.NetworkTezos, classify.NetworkSolana:
		if of.Network != classify.NetworkCosmos && drawChance(t, "payment link") {
			return string(of.Network) + drawOne(t, ":", "://") + address + "?amount=1"
		}
		return string(of.Network) + ":1:" + address
	}
	return address
}
