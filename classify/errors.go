package classify

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// ErrRefused matches every [*Error], for errors.Is.
var ErrRefused = errors.New("no asset")

// Error says why a content is no asset. It never repeats the content, which may
// be long, hostile or a secret.
type Error struct {
	Reason Reason `json:"reason"`
	// Character is the first forbidden character, written as U+202E, and Offset the
	// byte of the content that it begins at. Without ReasonForbiddenCharacter they
	// are "" and 0.
	Character string `json:"character,omitempty"`
	Offset    int    `json:"offset,omitzero"`
}

// refusal returns the error for a content that is refused.
func refusal(content string, reason Reason) *Error {
	if reason != ReasonForbiddenCharacter {
		return &Error{Reason: reason}
	}
	start := len(content) - len(strings.TrimLeftFunc(content, unicode.IsSpace))
	for i, r := range content[start:] {
		if isForbidden(r) {
			return &Error{Reason: reason, Character: fmt.Sprintf("%U", r), Offset: start + i}
		}
	}
	return &Error{Reason: reason}
}

// Error says in plain words what is wrong with the content.
func (e *Error) Error() string {
	return ErrRefused.Error() + ": " + e.Reason.Text()
}

// Is makes the error match [ErrRefused].
func (e *Error) Is(target error) bool { return target == ErrRefused }

// Reason is why a content is refused, for programs. The set is closed: [Reasons]
// returns all of it.
type Reason string

// The reasons, in the order in which contents are looked at.
const (
	// ReasonEmpty: nothing is left without the outer white space.
	ReasonEmpty Reason = "EMPTY"
	// ReasonTooLong: the content or its canonical form is longer than MaxContent.
	ReasonTooLong Reason = "TOO_LONG"
	// ReasonEncoding: the content is not valid UTF-8.
	ReasonEncoding Reason = "ENCODING"
	// ReasonForbiddenCharacter: there is a control character, white space
	// inside, U+FEFF or a bidirectional control.
	ReasonForbiddenCharacter Reason = "FORBIDDEN_CHARACTER"
	// ReasonUnknownScheme: the content is a link whose scheme is neither http nor
	// https, or begins with a word and a colon, as mailto:bob@example.com does,
	// and no port follows.
	ReasonUnknownScheme Reason = "UNKNOWN_SCHEME"
	// ReasonMissingSlashes: http: or https: is not followed by a slash.
	ReasonMissingSlashes Reason = "MISSING_SLASHES"
	// ReasonInvalidHost: a host or domain is written in a way that no host is.
	ReasonInvalidHost Reason = "INVALID_HOST"
	// ReasonInvalidPort: the port is not a number from 0 to 65535.
	ReasonInvalidPort Reason = "INVALID_PORT"
	// ReasonSecret: the content looks like a private key or a seed.
	ReasonSecret Reason = "SECRET"
	// ReasonHexLength: 0x and hexadecimal digits, but not as many as an address has.
	ReasonHexLength Reason = "HEX_LENGTH"
	// ReasonChecksum: the content has the form of an address, but its checksum
	// is wrong.
	ReasonChecksum Reason = "CHECKSUM"
	// ReasonInvalidAddress: the content has the form of an address, but not its
	// length, version or letter case.
	ReasonInvalidAddress Reason = "INVALID_ADDRESS"
	// ReasonUserInfo: before the first slash stands an @, as in user@example.com/a,
	// but a link without a scheme has no user information, and the content is no
	// e-mail address either.
	ReasonUserInfo Reason = "USER_INFO"
	// ReasonUnknownSuffix: the domain does not end in a public suffix.
	ReasonUnknownSuffix Reason = "UNKNOWN_SUFFIX"
	// ReasonBareSuffix: the domain is a public suffix and nothing more.
	ReasonBareSuffix Reason = "BARE_SUFFIX"
	// ReasonInvalidHandle: after the @ comes what no handle has, or too much of it.
	ReasonInvalidHandle Reason = "INVALID_HANDLE"
	// ReasonReservedWord: the handle is a word that the platform keeps for itself.
	ReasonReservedWord Reason = "RESERVED_WORD"
	// ReasonUnrecognised: the content is in no form that any rule knows.
	ReasonUnrecognised Reason = "UNRECOGNISED"
)

// unrecognised is the text of ReasonUnrecognised, and of what is no reason.
const unrecognised = "it is neither a URL, domain, address, e-mail address nor handle"

// reasons holds every reason and its text, in the order in which contents are
// looked at.
var reasons = [...]struct {
	reason Reason
	text   string
}{
	{ReasonEmpty, "it is empty"},
	{ReasonTooLong, "it is longer than 8192 bytes"},
	{ReasonEncoding, "it is not valid UTF-8"},
	{ReasonForbiddenCharacter, "it has white space, a control character or an invisible direction mark inside"},
	{ReasonUnknownScheme, "the only schemes of a link are http:// and https://"},
	{ReasonMissingSlashes, "after http: or https: there must be slashes"},
	{ReasonInvalidHost, "its host is not valid"},
	{ReasonInvalidPort, "its port is not a number from 0 to 65535"},
	{ReasonSecret, "it looks like a private key or a seed, which must be kept secret"},
	{ReasonHexLength, "it has not as many hexadecimal digits as an address"},
	{ReasonChecksum, "the checksum of the address is wrong"},
	{ReasonInvalidAddress, "no address has this length, version or mixed letter case"},
	{ReasonUserInfo, "a link without a scheme has no user name, and this is no e-mail address"},
	{ReasonUnknownSuffix, "its domain does not end in a public suffix"},
	{ReasonBareSuffix, "its domain is a public suffix, under which domains are registered"},
	{ReasonInvalidHandle, "a handle has at most 30 letters, digits, underscores and single dots"},
	{ReasonReservedWord, "the platform uses this word itself, it is nobody's handle"},
	{ReasonUnrecognised, unrecognised},
}

// Reasons returns every reason, in the order in which contents are looked at.
func Reasons() []Reason {
	all := make([]Reason, len(reasons))
	for i, row := range reasons {
		all[i] = row.reason
	}
	return all
}

// Text says in plain words what is wrong with a content that is refused for this
// reason.
func (r Reason) Text() string {
	for _, row := range reasons {
		if row.reason == r {
			return row.text
		}
	}
	return unrecognised
}
