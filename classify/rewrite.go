package classify

import "slices"

// Rewrite names one way in which a canonical form is written otherwise than the
// content it comes from. The set is closed: [Rewrites] returns all of it. The zero
// value is no rewrite.
type Rewrite string

// The rewrites, in the order in which a content is read.
const (
	// RewriteWhiteSpace: white space around the content is dropped.
	RewriteWhiteSpace Rewrite = "WHITE_SPACE_DROPPED"
	// RewriteSchemeCase: the scheme is in lower case.
	RewriteSchemeCase Rewrite = "SCHEME_CASE"
	// RewriteSchemeDropped: identifiers on a platform have no scheme.
	RewriteSchemeDropped Rewrite = "SCHEME_DROPPED"
	// RewriteSlashes: after the scheme there are two slashes, not more or fewer.
	RewriteSlashes Rewrite = "SLASHES"
	// RewriteBackslashes: backslashes are slashes.
	RewriteBackslashes Rewrite = "BACKSLASHES"
	// RewriteUserInfo: a user name and password are dropped.
	RewriteUserInfo Rewrite = "USER_INFO_DROPPED"

	// RewriteTrailingDot: the dot after a domain is dropped.
	RewriteTrailingDot Rewrite = "TRAILING_DOT_DROPPED"
	// RewriteHostCase: the host is in lower case.
	RewriteHostCase Rewrite = "HOST_CASE"
	// RewritePunycode: a domain of another script is in ASCII, as xn--....
	RewritePunycode Rewrite = "PUNYCODE"
	// RewriteHostMapped: characters of the host give way to those that they stand
	// for (UTS #46), as a full-width letter does to an ordinary one.
	RewriteHostMapped Rewrite = "HOST_MAPPED"
	// RewriteIPNotation: an IP address is in its ordinary notation.
	RewriteIPNotation Rewrite = "IP_NOTATION"
	// RewriteHostPrefix: www., m. or mobile. is dropped before a platform's host.
	RewriteHostPrefix Rewrite = "HOST_PREFIX_DROPPED"
	// RewritePlatformHost: the platform's own host stands in place of another of
	// its hosts, or before what is a handle alone.
	RewritePlatformHost Rewrite = "PLATFORM_HOST"
	// RewriteDefaultPort: the port that the scheme has anyway, or a colon without a
	// port, is dropped.
	RewriteDefaultPort Rewrite = "DEFAULT_PORT_DROPPED"
	// RewritePortZeros: the zeros before a port are dropped.
	RewritePortZeros Rewrite = "PORT_ZEROS_DROPPED"

	// RewriteDotSegments: the segments . and .. of the path are followed.
	RewriteDotSegments Rewrite = "DOT_SEGMENTS"
	// RewriteSlashAdded: the path is a slash before a query or a route.
	RewriteSlashAdded Rewrite = "SLASH_ADDED"
	// RewriteSlashDropped: a slash at the end that means nothing is dropped.
	RewriteSlashDropped Rewrite = "TRAILING_SLASH_DROPPED"
	// RewritePlatformPath: words that lead to the identifier give way to the
	// platform's shortest form, as joinchat does to a +.
	RewritePlatformPath Rewrite = "PLATFORM_PATH"
	// RewriteGitDropped: the ending .git of a repository is dropped.
	RewriteGitDropped Rewrite = "GIT_ENDING_DROPPED"
	// RewriteQueryDropped: identifiers on a platform have no query.
	RewriteQueryDropped Rewrite = "QUERY_DROPPED"
	// RewriteEmptyQueryDropped: a question mark with nothing after it is dropped.
	RewriteEmptyQueryDropped Rewrite = "EMPTY_QUERY_DROPPED"
	// RewriteFragmentDropped: a fragment that is no route is dropped.
	RewriteFragmentDropped Rewrite = "FRAGMENT_DROPPED"

	// RewritePercentDecoded: characters that need no percent-encoding have none.
	RewritePercentDecoded Rewrite = "PERCENT_DECODED"
	// RewritePercentEncoded: characters that need percent-encoding have it, and so has
	// a % that begins no escape.
	RewritePercentEncoded Rewrite = "PERCENT_ENCODED"
	// RewriteEscapeCase: the digits of percent-encoding are in upper case.
	RewriteEscapeCase Rewrite = "ESCAPE_CASE"

	// RewriteAtDropped: the @ before a handle is dropped.
	RewriteAtDropped Rewrite = "AT_DROPPED"
	// RewriteNameCase: a name or the local part of an e-mail address is in lower
	// case.
	RewriteNameCase Rewrite = "NAME_CASE"
	// RewriteNameComposed: letters and their marks are one character where there is
	// one (NFC).
	RewriteNameComposed Rewrite = "NAME_COMPOSED"

	// RewriteAddressCase: an address whose letter case is free is in lower case.
	RewriteAddressCase Rewrite = "ADDRESS_CASE"
	// RewriteAddressPrefix: the prefix that an address was written without is added.
	RewriteAddressPrefix Rewrite = "ADDRESS_PREFIX_ADDED"
	// RewriteAddressForm: an address is in another of its network's forms.
	RewriteAddressForm Rewrite = "ADDRESS_FORM"
)

// rewrites holds every rewrite, in the order in which a content is read.
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

// Rewrites returns every rewrite, in the order in which a content is read.
func Rewrites() []Rewrite { return slices.Clone(rewrites[:]) }
