package classify

import "slices"

// Rewrite is a code for a difference between the content and its canonical form.
// [Rewrites] returns the complete set. The zero value is not a rewrite.
type Rewrite string

// The rewrites.
const (
	// RewriteWhiteSpace drops outer white space.
	RewriteWhiteSpace Rewrite = "WHITE_SPACE_DROPPED"
	// RewriteLetterCase puts a scheme, host, name or address in lower case.
	RewriteLetterCase Rewrite = "LETTER_CASE"
	// RewriteSlashes turns backslashes into slashes, and adds or drops slashes after the
	// scheme or at the end.
	RewriteSlashes Rewrite = "SLASHES"
	// RewriteUserInfo drops a user name and password.
	RewriteUserInfo Rewrite = "USER_INFO_DROPPED"
	// RewriteTrailingDot drops the dot after a domain.
	RewriteTrailingDot Rewrite = "TRAILING_DOT_DROPPED"
	// RewriteUnicode converts a domain to punycode, such as xn--bcher-kva, or composes the
	// letters and marks of a name (NFC).
	RewriteUnicode Rewrite = "UNICODE"
	// RewriteIPNotation puts an IP address in its usual notation.
	RewriteIPNotation Rewrite = "IP_NOTATION"
	// RewritePort drops the default port of the scheme, or the leading zeros of a port.
	RewritePort Rewrite = "PORT"
	// RewriteDotSegments resolves the segments . and .. of the path.
	RewriteDotSegments Rewrite = "DOT_SEGMENTS"
	// RewritePercentEncoding percent-encodes or decodes characters, or puts the digits of
	// percent-encoding in upper case.
	RewritePercentEncoding Rewrite = "PERCENT_ENCODING"
	// RewriteQueryDropped drops the query of a platform identifier, or a question mark without
	// a query.
	RewriteQueryDropped Rewrite = "QUERY_DROPPED"
	// RewriteFragmentDropped drops a fragment that is not the route of a single-page
	// application.
	RewriteFragmentDropped Rewrite = "FRAGMENT_DROPPED"
	// RewritePlatformForm replaces a handle or a link to a platform with the shortest link, such as
	// github.com/owner/repo.
	RewritePlatformForm Rewrite = "PLATFORM_FORM"
	// RewriteAddressForm puts an address in another of its network's formats, adds its prefix, or
	// drops what names its network or a payment.
	RewriteAddressForm Rewrite = "ADDRESS_FORM"
)

// rewrites holds every rewrite, in the order of the constants.
var rewrites = [...]Rewrite{
	RewriteWhiteSpace,
	RewriteLetterCase,
	RewriteSlashes,
	RewriteUserInfo,
	RewriteTrailingDot,
	RewriteUnicode,
	RewriteIPNotation,
	RewritePort,
	RewriteDotSegments,
	RewritePercentEncoding,
	RewriteQueryDropped,
	RewriteFragmentDropped,
	RewritePlatformForm,
	RewriteAddressForm,
}

// Rewrites returns every rewrite, in the order of the constants.
func Rewrites() []Rewrite { return slices.Clone(rewrites[:]) }
