// Package classify finds out what kind of asset a text is: a URL, a domain, a
// blockchain address, an e-mail address, a social handle or an identifier on
// one of ten platforms.
//
// [Classify] answers with the identity of the asset, which is its type and its
// canonical form. Two contents with the same identity are the same asset:
//
//	HTTPS://user@Example.com:443/  and  https://example.com.
//	@jack  and  https://twitter.com/jack?lang=en
//
// A content in no recognised form, a damaged address and a secret key are all
// refused with an [*Error], whose [Reason] is meant for programs. [Explain] gives
// the same answer and says how it came about.
//
// Four laws hold for every content that is accepted:
//
//   - The canonical form is itself accepted, with the same identity.
//   - Outer white space changes nothing.
//   - The ASCII letter case of a host, of hexadecimal digits and their 0x, of a
//     handle, and of a bech32 or cashaddr address as a whole changes nothing.
//     (Base58 is not so: an address, a damaged one or a secret key in one letter
//     case can be a handle in another, as only its letter case gives it away.)
//   - The same content always has the same result. Classify does no input or
//     output, keeps no state and reads no clock.
//
// All functions are safe for concurrent use. The package also compiles to
// WebAssembly, so that a browser can judge by the very same rules.
package classify

import "strings"

// MaxContent is the largest number of bytes that a content may have, outer white
// space left aside. No canonical form is longer either.
const MaxContent = 8192

// Classify finds out what kind of asset the content is. White space around the
// content is ignored. What follows is tried in this order, and the first that
// fits is taken:
//
//   - a link with http:// or https://, read as browsers do (WHATWG URL
//     Standard): an identifier on a platform if it is one, a URL otherwise
//   - an ADDRESS in full form, checksum and all
//   - a link to a platform's identifier without a scheme, as github.com/owner
//   - a PAGE: a domain under an ICANN public suffix or an IP address, with or
//     without port, path and query
//   - an EMAIL
//   - a handle, with or without @: TWITTER, or INSTAGRAM when it is longer than
//     15 characters
//
// What looks like a secret key is refused, with @ too.
//
// Unlike in browsers, a host with a label of another script, or in punycode, is
// refused when it has more than 300 characters or a label more than 59 that are not
// ASCII: no name server knows such a name.
//
// A host that only looks like a platform's, as one in Cyrillic letters, is another
// host: links to it are a URL or PAGE with its punycode, and never an identifier on
// the platform. To recognise look-alikes is not the business of this package.
//
// The error is always an [*Error], which matches [ErrRefused].
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
