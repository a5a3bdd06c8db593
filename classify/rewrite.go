package classify

import "slices"

// Rewrite is a code for one difference between the content and its canonical form.
// [Rewrites] returns the complete set. The zero value is not a rewrite.
type Rewrite string

// The rewrites of links from left to right, then those of handles, names and
// addresses.
const (
	// RewriteWhiteSpace drops outer white space.
	RewriteWhiteSpace Rewrite = "WHITE_SPACE_DROPPED"
	// RewriteSchemeCase puts the scheme in lower case.
	RewriteSchemeCase Rewrite = "SCHEME_CASE"
	// RewriteSchemeDropped drops the scheme of a platform identifier.
	RewriteSchemeDropped Rewrite = "SCHEME_DROPPED"
	// RewriteSlashes sets the number of slashes after the scheme to two.
	RewriteSlashes Rewrite = "SLASHES"
	// RewriteBackslashes turns backslashes into slashes.
	RewriteBackslashes Rewrite = "BACKSLASHES"
	// RewriteUserInfo drops a user name and password.
	RewriteUserInfo Rewrite = "USER_INFO_DROPPED"

	// RewriteTrailingDot drops the dot after a domain.
	RewriteTrailingDot Rewrite = "TRAILING_DOT_DROPPED"
	// RewriteHostCase puts the host in lower case.
	RewriteHostCase Rewrite = "HOST_CASE"
	// RewritePunycode converts a domain with non-ASCII characters to punycode, such as
	// xn--bcher-kva.
	RewritePunycode Rewrite = "PUNYCODE"
	// RewriteHostMapped replaces characters of the host as UTS #46 maps them, such as
	// full-width letters.
	RewriteHostMapped Rewrite = "HOST_MAPPED"
	// RewriteIPNotation puts an IP address in its usual notation.
	RewriteIPNotation Rewrite = "IP_NOTATION"
	// RewriteHostPrefix drops www., m. or mobile. before a platform's host.
	RewriteHostPrefix Rewrite = "HOST_PREFIX_DROPPED"
	// RewritePlatformHost puts the platform's main host in place of another of its
	// hosts, or before a bare handle.
	RewritePlatformHost Rewrite = "PLATFORM_HOST"
	// RewriteDefaultPort drops the scheme's default port, or a colon without a port.
	RewriteDefaultPort Rewrite = "DEFAULT_PORT_DROPPED"
	// RewritePortZeros drops the leading zeros of a port.
	RewritePortZeros Rewrite = "PORT_ZEROS_DROPPED"

	// RewriteDotSegments resolves the segments . and .. of the path.
	RewriteDotSegments Rewrite = "DOT_SEGMENTS"
	// RewriteSlashAdded adds the slash of an empty path before a query or a route.
	RewriteSlashAdded Rewrite = "SLASH_ADDED"
	// RewriteSlashDropped drops an insignificant slash at the end.
	RewriteSlashDropped Rewrite = "TRAILING_SLASH_DROPPED"
	// RewritePlatformPath replaces words before an identifier with the platform's
	// shortest form, such as joinchat with +.
	RewritePlatformPath Rewrite = "PLATFORM_PATH"
	// RewriteGitDropped drops the ending .git of a repository.
	RewriteGitDropped Rewrite = "GIT_ENDING_DROPPED"
	// RewriteQueryDropped drops the query of a platform identifier.
	RewriteQueryDropped Rewrite = "QUERY_DROPPED"
	// RewriteEmptyQueryDropped drops a question mark without a query.
	RewriteEmptyQueryDropped Rewrite = "EMPTY_QUERY_DROPPED"
	// RewriteFragmentDropped drops a fragment that is not the route of a single-page
	// application.
	RewriteFragmentDropped Rewrite = "FRAGMENT_DROPPED"

	// RewritePercentDecoded decodes characters that need no percent-encoding.
	RewritePercentDecoded Rewrite = "PERCENT_DECODED"
	// RewritePercentEncoded percent-encodes characters, including a % that does not
	// begin an escape.
	RewritePercentEncoded Rewrite = "PERCENT_ENCODED"
	// RewriteEscapeCase puts the digits of percent-encoding in upper case.
	RewriteEscapeCase Rewrite = "ESCAPE_CASE"

	// RewriteAtDropped drops the @ before a handle.
	RewriteAtDropped Rewrite = "AT_DROPPED"
	// RewriteNameCase puts a name or the local part of an e-mail address in lower case.
	RewriteNameCase Rewrite = "NAME_CASE"
	// RewriteNameComposed composes letters and their marks (NFC).
	RewriteNameComposed Rewrite = "NAME_COMPOSED"

	// RewriteAddressCase puts an address in lower case.
	RewriteAddressCase Rewrite = "ADDRESS_CASE"
	// RewriteAddressPrefix adds the prefix of an address.
	RewriteAddressPrefix Rewrite = "ADDRESS_PREFIX_ADDED"
	// RewriteAddressForm puts an address in another of its network's formats.
	RewriteAddressForm Rewrite = "ADDRESS_FORM"
)

// rewrites holds every rewrite, in reading order of a content.
var rewrites = [...]Rewrite{
	RewriteWhiteSpace,
	RewriteSchemeCase,
	RewriteSchemeDropped,
	RewriteSlashes,
	RewriteBackslashes,
	RewriteUserInfo,
	RewriteTrailingDot,
	RewriteHostCase,
	RewritePunycode,
	RewriteHostMapped,
	RewriteIPNotation,
	RewriteHostPrefix,
	RewritePlatformHost,
	RewriteDefaultPort,
	RewritePortZeros,
	RewriteDotSegments,
	RewriteSlashAdded,
	RewriteSlashDropped,
	RewritePlatformPath,
	RewriteGitDropped,
	RewriteQueryDropped,
	RewriteEmptyQueryDropped,
	RewriteFragmentDropped,
	RewritePercentDecoded,
	RewritePercentEncoded,
	RewriteEscapeCase,
	RewriteAtDropped,
	RewriteNameCase,
	RewriteNameComposed,
	RewriteAddressCase,
	RewriteAddressPrefix,
	RewriteAddressForm,
}

// Rewrites returns every rewrite, in the order of the constants.
func Rewrites() []Rewrite { return slices.Clone(rewrites[:]) }
