package classifytest

import (
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// network is a network with functions that draw canonical forms of its addresses.
type network struct {
	name classify.Network
	draw []func(t *rapid.T) string
}

func networks() []network {
	forms := func(draw ...func(t *rapid.T) string) []func(t *rapid.T) string { return draw }
	return []network{
		{classify.NetworkEVM, forms(hexOf(20))},
		{classify.NetworkMove, forms(hexOf(32), drawPadded)},
		{classify.NetworkBitcoin, forms(base58Check("\x00"), base58Check("\x05"), segwit("bc"))},
		{classify.NetworkLitecoin, forms(base58Check("\x30"), segwit("ltc"))},
		{classify.NetworkDogecoin, forms(base58Check("\x1e"), base58Check("\x16"))},
		{classify.NetworkDash, forms(base58Check("\x4c"), base58Check("\x10"))},
		{classify.NetworkZcash, forms(base58Check("\x1c\xb8"), base58Check("\x1c\xbd"))},
		{classify.NetworkBitcoinCash, forms(published(bitcoinCash...))},
		{classify.NetworkTron, forms(base58Check("\x41"))},
		{classify.NetworkXRP, forms(drawXRP, drawTaggedXRP)},
		{classify.NetworkStellar, forms(strKey('G', 32), strKey('C', 32), strKey('M', 40))},
		{classify.NetworkCardano, forms(bech32Of("addr", "\x01", 56), bech32Of("addr", "\x61", 28), bech32Of("stake", "\xe1", 28), published(byron...))},
		{classify.NetworkCosmos, forms(bech32Of("cosmos", "", 20), bech32Of("osmo", "", 32), bech32Of("inj", "", 20))},
		{classify.NetworkSubstrate, forms(drawSS58)},
		{classify.NetworkTON, forms(drawTON)},
		{classify.NetworkAlgorand, forms(drawAlgorand)},
		{classify.NetworkTezos, forms(
			base58Check("\x06\xa1\x9f"), base58Check("\x06\xa1\xa1"), base58Check("\x06\xa1\xa4"),
			base58Check("\x06\xa1\xa6"), base58Check("\x02\x5a\x79"), base58Check("\x06\x7c\x75"),
		)},
		{classify.NetworkSolana, forms(drawSolana)},
	}
}

// Address draws addresses of all [classify.Networks].
func Address() *rapid.Generator[Case] {
	return written(rapid.Custom(func(t *rapid.T) classify.Result {
		return rapid.SampledFrom(networks()).Draw(t, "network").address(t)
	}))
}

// AddressOf draws addresses of one of [classify.Networks]. It panics for any other name.
func AddressOf(name classify.Network) *rapid.Generator[Case] {
	for _, network := range networks() {
		if network.name == name {
			return written(rapid.Custom(network.address))
		}
	}
	panic("classifytest: no addresses of network " + string(name))
}

func (n network) address(t *rapid.T) classify.Result {
	draw := rapid.SampledFrom(n.draw).Draw(t, "form")
	of := result(asset.TypeAddress, draw(t))
	of.Network = n.name
	return of
}
