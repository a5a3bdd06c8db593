package classify

import (
	_ "embed"
	"strings"
)

// chainNames holds the short names of EVM chains in lower case and ascending order, one a line.
// Their source is the registry ethereum-lists/chains, which EIP-3770 names, as the npm packages
// @revoke.cash/chains 80.0.0 and @safe-global/protocol-kit 8.0.7 had it in November 2026. The names
// bitcoin and tron are left out, because they are schemes of payment links of other networks.
//
//go:embed address_chains.txt
var chainNames string

// isChainName reports whether the text in lower case is the short name of an EVM chain.
func isChainName(text string) bool {
	return isASCIIName(text, "-_") && strings.Contains("\n"+chainNames, "\n"+text+"\n")
}
