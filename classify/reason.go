package classify

// Reason is a code for why the content is refused. [Reasons] returns the complete
// set.
type Reason string

// The reasons, in the order of the checks.
const (
	// ReasonEmpty means that the content is empty or consists of white space.
	ReasonEmpty Reason = "EMPTY"
	// ReasonTooLong means that the content or its canonical form is longer than
	// [MaxContent].
	ReasonTooLong Reason = "TOO_LONG"
	// ReasonEncoding means that the content is not valid UTF-8.
	ReasonEncoding Reason = "ENCODING"
	// ReasonTelephone means that the content is a telephone number in international
	// form, such as +1 555 0100.
	ReasonTelephone Reason = "TELEPHONE_NUMBER"
	// ReasonForbiddenCharacter means that the content contains a control character,
	// inner white space, U+FEFF or a bidirectional control.
	ReasonForbiddenCharacter Reason = "FORBIDDEN_CHARACTER"
	// ReasonDefanged means that a link or e-mail address is disarmed for display, as
	// in hxxps://example.com, example[.]com, example(.)com or example[dot]com.
	ReasonDefanged Reason = "DEFANGED"
	// ReasonUnknownScheme means that the scheme is neither http, https nor that of a payment
	// link that Classify reads. A word before a colon is a scheme, as in
	// mailto:bob@example.com, unless a port follows the colon.
	ReasonUnknownScheme Reason = "UNKNOWN_SCHEME"
	// ReasonMissingSlashes means that no slash follows http: or https:.
	ReasonMissingSlashes Reason = "MISSING_SLASHES"
	// ReasonInvalidHost means that a host or domain is malformed.
	ReasonInvalidHost Reason = "INVALID_HOST"
	// ReasonInvalidPort means that the port is not a number from 0 to 65535.
	ReasonInvalidPort Reason = "INVALID_PORT"
	// ReasonSecret means that the content looks like a private key or a seed.
	ReasonSecret Reason = "SECRET"
	// ReasonHexLength means that the content is 0x and hexadecimal digits, but no
	// address has that many digits.
	ReasonHexLength Reason = "HEX_LENGTH"
	// ReasonChecksum means that an address has a wrong checksum.
	ReasonChecksum Reason = "CHECKSUM"
	// ReasonInvalidAddress means that an address has a wrong length, version or letter
	// case.
	ReasonInvalidAddress Reason = "INVALID_ADDRESS"
	// ReasonNetworkMismatch means that an address does not belong to the network that the
	// content names with it, or that this network is unknown.
	ReasonNetworkMismatch Reason = "NETWORK_MISMATCH"
	// ReasonSeveralAddresses means that a payment link names a second address, such as the
	// recipient of a token, or another way to pay, such as a Lightning invoice.
	ReasonSeveralAddresses Reason = "SEVERAL_ADDRESSES"
	// ReasonEthereumName means that the content is a name of the Ethereum Name Service, such
	// as vitalik.eth. It is a name and not an address: what it stands for can change.
	ReasonEthereumName Reason = "ETHEREUM_NAME"
	// ReasonUserInfo means that a link without a scheme contains user information, as in
	// user@example.com/a. It is not an e-mail address either.
	ReasonUserInfo Reason = "USER_INFO"
	// ReasonUnknownSuffix means that the domain does not end in a public suffix.
	ReasonUnknownSuffix Reason = "UNKNOWN_SUFFIX"
	// ReasonBareSuffix means that the domain is itself a public suffix.
	ReasonBareSuffix Reason = "BARE_SUFFIX"
	// ReasonInvalidHandle means that the text after the @ is not a valid handle.
	ReasonInvalidHandle Reason = "INVALID_HANDLE"
	// ReasonReservedWord means that the platform reserves the handle for itself.
	ReasonReservedWord Reason = "RESERVED_WORD"
	// ReasonReservedDomain means that a word without an @ is a special-use domain name,
	// such as localhost, or one of the original top-level domains, such as com.
	ReasonReservedDomain Reason = "RESERVED_DOMAIN"
	// ReasonUnrecognized means that the content matches no rule.
	ReasonUnrecognized Reason = "UNRECOGNIZED"
)

const unrecognizedText = "neither a URL, domain, blockchain address, e-mail address nor handle"

// reasons holds every reason and its text, in the order of the checks.
var reasons = [...]struct {
	reason Reason
	text   string
}{
	{ReasonEmpty, "empty content"},
	{ReasonTooLong, "content or canonical form longer than 8192 bytes"},
	{ReasonEncoding, "invalid UTF-8"},
	{ReasonTelephone, "telephone number; for its Telegram account, write t.me/ and the number without spaces"},
	{ReasonForbiddenCharacter, "inner white space, control character or invisible direction mark"},
	{ReasonDefanged, "defanged link or e-mail address; write http and remove the brackets"},
	{ReasonUnknownScheme, "unknown scheme, which is neither http, https nor that of a payment link"},
	{ReasonMissingSlashes, "missing slashes after http: or https:"},
	{ReasonInvalidHost, "invalid host"},
	{ReasonInvalidPort, "invalid port; use a number from 0 to 65535"},
	{ReasonSecret, "possible private key or seed; keep it secret"},
	{ReasonHexLength, "wrong number of hex digits for an address"},
	{ReasonChecksum, "wrong checksum of an address"},
	{ReasonInvalidAddress, "wrong length, version or letter case of an address"},
	{ReasonNetworkMismatch, "address of another network than the one named with it"},
	{ReasonSeveralAddresses, "payment link with several addresses or ways to pay"},
	{ReasonEthereumName, "Ethereum name, which is a name and not an address; write the address"},
	{ReasonUserInfo, "user name in a link without a scheme"},
	{ReasonUnknownSuffix, "domain without a public suffix"},
	{ReasonBareSuffix, "public suffix without a domain"},
	{ReasonInvalidHandle, "invalid handle; use at most 30 letters, digits, underscores and single dots"},
	{ReasonReservedWord, "word reserved by the platform"},
	{ReasonReservedDomain, "reserved domain name; write @ before a handle"},
	{ReasonUnrecognized, unrecognizedText},
}

// Reasons returns every reason, in the order of the checks.
func Reasons() []Reason {
	all := make([]Reason, len(reasons))
	for i, row := range reasons {
		all[i] = row.reason
	}
	return all
}

// Text returns a noun phrase for users, such as "invalid host". An unknown reason has
// the text of [ReasonUnrecognized].
func (r Reason) Text() string {
	for _, row := range reasons {
		if row.reason == r {
			return row.text
		}
	}
	return unrecognizedText
}
