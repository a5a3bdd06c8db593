package idempotency

import (
	"fmt"
	"strings"
)

// MaxKeyLength is the maximum length of a [Key], in bytes.
const MaxKeyLength = 255

// Key is the idempotency key of a request. The zero value is no key.
type Key struct {
	// Text is the key that the caller chose, without quotes: 1 to [MaxKeyLength] visible
	// ASCII characters, or empty for no key.
	Text string
	// Fingerprint tells requests with the same Text apart. If it is zero, the service
	// computes it from the fields of the request.
	Fingerprint Fingerprint
}

// ParseKey returns the key of an Idempotency-Key header, without a fingerprint. The key may
// be enclosed in double quotes, as in the IETF draft: k and "k" are the same key. Nothing
// else is removed or decoded. The error is a [*KeyError], also if only one of the
// quotes is there.
func ParseKey(header string) (Key, error) {
	text, opened := strings.CutPrefix(header, `"`)
	text, closed := strings.CutSuffix(text, `"`)
	switch {
	case !validText(text):
		return Key{}, invalidKey()
	case opened != closed:
		return Key{}, keyError("must not have only one of two double quotes")
	}
	return Key{Text: text}, nil
}

// Validate returns a [*KeyError] if k is neither a valid key nor zero.
func (k Key) Validate() error {
	if k.Text == "" || validText(k.Text) {
		return nil
	}
	return invalidKey()
}

func validText(text string) bool {
	hidden := func(r rune) bool { return r < '!' || '~' < r }
	return text != "" && len(text) <= MaxKeyLength && !strings.ContainsFunc(text, hidden)
}

func invalidKey() error {
	return keyError(fmt.Sprintf("must be 1 to %d visible ASCII characters", MaxKeyLength))
}

func keyError(message string) error { return &KeyError{message} }
