// Package classify determines the type and canonical form of an asset: a URL, a domain, a
// blockchain address, an e-mail address, a social media handle or an identifier on one of
// ten platforms.
//
// [Classify] returns the identity of the asset, which is its type and canonical form. Two
// inputs with the same identity are the same asset:
//
//	HTTPS://user@Example.com:443/  and  https://example.com
//	@jack  and  https://twitter.com/jack?lang=en
//
// Classify returns an [*Error] for unrecognized input, damaged addresses and secret keys.
// Its [Reason] is a code for programs. [Explain] returns the same result with the steps
// that led to it. [Covering] returns the assets that cover an asset, such as the domain
// of a link. [CoveringOpened] returns them for a refused content that browsers open.
// [LookAlike] returns the domain that a name in other letters looks like, for people to see.
//
// Classify guarantees four properties for every input that it accepts:
//
//   - The canonical form is accepted too, with the same identity.
//   - Outer white space does not change the identity.
//   - ASCII letter case does not change the identity in a host, in 0x and hexadecimal
//     digits, or in a handle. The same applies to a bech32 or cashaddr address that is
//     entirely in one case, alone or in an account ID or payment link that is entirely in
//     that case. (Only letter case distinguishes some base58 addresses and keys from
//     handles.)
//   - The result depends only on the input. Classify does no I/O, keeps no state and
//     reads no clock.
//
// All functions are safe for concurrent use. The package compiles to WebAssembly, so
// that browsers can apply the same rules.
package classify

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxContent is the maximum length of the content in bytes, not counting outer white
// space. The canonical form has the same limit.
const MaxContent = 8192

// Classify returns the type and canonical form of the asset that the content denotes. It
// ignores outer white space. The first rule that matches decides:
//
//   - A link with http:// or https://, parsed as in browsers (WHATWG URL Standard), is
//     a platform identifier or a URL.
//   - A complete blockchain address with a valid checksum is an ADDRESS. The same applies to
//     one in an account ID (CAIP-10) or a payment link (EIP-681, BIP 21) of its network.
//   - A link to a platform identifier without a scheme, such as github.com/owner, is
//     that identifier.
//   - A domain under an ICANN public suffix or an IP address is a PAGE, with or
//     without a port, path and query.
//   - An e-mail address is an EMAIL.
//   - A handle, with or without @, is TWITTER, or INSTAGRAM if it is longer than 15
//     characters.
//
// Links are normalized as in RFC 3986, section 6.2.2. Percent-encoding is decoded where
// it is not needed. Elsewhere its digits are in upper case.
//
// Unlike browsers, Classify refuses a host in another script or in punycode with more
// than 300 characters, or with more than 59 non-ASCII characters in one label. DNS cannot
// represent such a name.
//
// Classify does not recognize look-alikes; see [LookAlike]. A host in Cyrillic letters that
// resembles a platform's is a different host, and its links are a URL or PAGE in punycode.
//
// Texts that pay the same account and say nothing more have one canonical form:
//
//   - An SS58 address has the prefix 42, the generic one of the SS58 registry.
//   - An X-address of the XRP Ledger without a tag is the classic address.
//   - A Litecoin address that begins with M is the one that begins with 3, which looks like one
//     of Bitcoin and counts as it.
//   - A Bitcoin Cash address for CashTokens (z, r) is the one without (q, p).
//   - A TEX address of Zcash is the t1 address, and a TON address is the raw one.
//   - A Starknet address has its leading zeros, of which up to four may be missing.
//   - An EVM address with xdc has 0x, and a TRON address in hexadecimal digits is in base58.
//
// An X-address with a tag and a muxed account of Stellar are identities of their own, which the
// account covers (see [Covering]).
//
// An account ID, such as eip155:1:0x..., a payment link, such as ethereum:0x...@1?value=1
// or bitcoin:...?amount=1, and an address with the short name of an EVM chain (EIP-3770), such as
// eth:0x..., are the address alone. Everything else in them is dropped: the chain, the amount,
// labels, a memo, a tag. Account IDs are those of the namespaces eip155, bip122, solana, cosmos,
// polkadot, stellar, tezos, tron, xrpl, algorand, tvm, aptos, sui and starknet. The last three may
// lack any number of leading zeros. Payment links have the schemes ethereum, bitcoin, litecoin,
// dogecoin, dash, zcash, bitcoincash, starknet, solana, ton, tron, xrp, ripple, xrpl, stellar,
// web+stellar, cardano, web+cardano, polkadot, substrate, algorand and tezos, with or without two
// slashes. They are refused if the address does not belong to the network, or if a parameter names
// a second address: ethereum:TOKEN/transfer?address=RECIPIENT names two. The token of a payment on
// Solana, TON, TRON or Starknet and the issuer of a Stellar asset are not recipients. Parameters
// that let a wallet pay in another way are refused, too: lightning, lno, sp and pay (BIP 321), r
// and request (BIP 72), pj (BIP 78), bin (TON). A name of the Ethereum Name Service is not an
// address and is refused.
//
// Secret keys are refused, even after an @ or in any part of a payment link.
//
// The error is always an [*Error], which matches [ErrContentRequired] or [ErrInvalidFormat].
func Classify(content string) (Result, error) {
	d, err := decide(content, nil)
	if err != nil {
		return Result{}, err
	}
	return d.result, nil
}

// decide classifies a content. It appends the outcome of each rule to tried, unless
// that is nil.
func decide(content string, tried *[]Attempt) (decision, *Error) {
	text := strings.TrimSpace(content)
	if reason := precheck(text); reason != "" {
		return decision{}, newError(content, reason)
	}
	d := applyRules(text, tried)
	if d.reason != "" {
		return d, newError(content, d.reason)
	}
	d.result.Content = text
	return d, nil
}

// precheck returns the reason to refuse the trimmed text before any rule, or "".
func precheck(text string) Reason {
	switch {
	case text == "":
		return ReasonEmpty
	case len(text) > MaxContent:
		return ReasonTooLong
	case !utf8.ValidString(text):
		return ReasonEncoding
	case isTelephoneNumber(text):
		return ReasonTelephone
	case hasForbidden(text):
		return ReasonForbiddenCharacter
	}
	return ""
}

// isTelephoneNumber reports whether the text is a telephone number in international
// form: a + and 5 to 15 digits, with or without separators.
func isTelephoneNumber(text string) bool {
	number, ok := strings.CutPrefix(text, "+")
	digits := 0
	for i := range len(number) {
		switch {
		case isDigit(number[i]):
			digits++
		case strings.IndexByte(" -.()/", number[i]) < 0:
			return false
		}
	}
	return ok && 5 <= digits && digits <= 15
}

// isDefanged reports whether the text before the first slash is disarmed for display:
// with hxxp for http, or with a bracket before a dot, a colon or an @. A bracket at the
// beginning belongs to an IPv6 address instead.
func isDefanged(authority string) bool {
	if scheme, _, ok := strings.Cut(authority, ":"); ok && isDefangedScheme(scheme) {
		return true
	}
	for i := 1; i < len(authority); i++ {
		if c := authority[i]; (c == '[' || c == '(') && startsDefanged(authority[i+1:]) {
			return true
		}
	}
	return false
}

// startsDefanged reports whether the text after a bracket is a disarmed sign.
func startsDefanged(text string) bool {
	for _, sign := range [...]string{".", "@", ":]", ":)", "dot]", "dot)", "at]", "at)"} {
		if len(text) >= len(sign) && strings.EqualFold(text[:len(sign)], sign) {
			return true
		}
	}
	return text == ":" // of ://
}

func isDefangedScheme(scheme string) bool {
	return strings.EqualFold(scheme, "hxxp") || strings.EqualFold(scheme, "hxxps")
}

func hasForbidden(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c >= utf8.RuneSelf:
			return strings.ContainsFunc(text[i:], isForbidden)
		case c <= ' ', c == 0x7f:
			return true
		}
	}
	return false
}

// isForbidden reports whether no content may contain r. Such characters are invisible
// and make a text look like another one. Other invisible characters, such as U+200B,
// need no ban: the mapping of hosts drops or refuses them, and percent-encoding makes
// them visible in a path.
func isForbidden(r rune) bool {
	if r < utf8.RuneSelf {
		return r <= ' ' || r == 0x7f
	}
	return unicode.IsControl(r) || unicode.IsSpace(r) ||
		r == '\ufeff' || // byte order mark
		r == '\u200e' || r == '\u200f' || // bidirectional marks
		'\u202a' <= r && r <= '\u202e' || // embeddings and overrides
		'\u2066' <= r && r <= '\u2069' // isolates
}
