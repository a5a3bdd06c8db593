package webhook

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
)

// secretPrefix marks a text as the secret of a webhook, as the specification says.
const secretPrefix = "whsec_"

// The lengths of the key of a secret in bytes. The specification allows those from min to max.
const (
	secretBytes    = 32
	minSecretBytes = 24
	maxSecretBytes = 64
)

// Secret signs messages. It prints and logs as a fixed text; only [Secret.Reveal] returns it. The
// zero value is none.
type Secret struct {
	text string
}

// GenerateSecret returns a new secret with 32 random bytes.
func GenerateSecret() Secret {
	var key [secretBytes]byte
	rand.Read(key[:]) // never fails; the process ends before it would
	return Secret{secretPrefix + base64.StdEncoding.EncodeToString(key[:])}
}

// ParseSecret reads the text of a secret: "whsec_" and 24 to 64 bytes in base64. The error is an
// [*asset.InputError], which does not contain the text.
func ParseSecret(text string) (Secret, error) {
	s := Secret{text}
	if n := len(s.key()); n < minSecretBytes || n > maxSecretBytes {
		var issues asset.Issues
		issues.Add("secret", fmt.Sprintf("must be %q and %d to %d bytes in base64", secretPrefix, minSecretBytes, maxSecretBytes))
		return Secret{}, issues.Err()
	}
	return s, nil
}

// StoredSecret returns the secret of a text that [Secret.Reveal] has returned. It is for stores.
func StoredSecret(text string) Secret { return Secret{text} }

// Reveal returns the text of the secret, for its owner and for stores.
func (s Secret) Reveal() string { return s.text }

// IsZero reports whether there is no secret.
func (s Secret) IsZero() bool { return s.text == "" }

// key returns the bytes with which the secret signs, or nil if it is not valid.
func (s Secret) key() []byte {
	encoded, ok := strings.CutPrefix(s.text, secretPrefix)
	if !ok || len(encoded) > base64.StdEncoding.EncodedLen(maxSecretBytes) {
		return nil
	}
	key, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || base64.StdEncoding.EncodeToString(key) != encoded { // another spelling of the same bytes
		return nil
	}
	return key
}

const redacted = "[secret]"

// String returns a fixed text.
func (Secret) String() string { return redacted }

// Format writes a fixed text, whatever the verb is.
func (Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// MarshalText returns a fixed text, which package log/slog writes, too. A secret cannot be read back
// from it.
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// RotationTime is how long the old secret of an endpoint signs messages too.
const RotationTime = 24 * time.Hour

// Rotate gives the endpoint a new secret and returns it. It cannot be read again. For a day,
// messages are signed with both secrets, so that the receiver can change its own in the meantime.
// The secret of an earlier rotation is valid no longer. Rotate returns [ErrNotFound] if there is
// no such endpoint.
func (s *Service) Rotate(ctx context.Context, id int64) (Secret, error) {
	fresh := GenerateSecret()
	_, err := s.administer(ctx, id, audit.ActionRotated, func(e Endpoint, now time.Time) Endpoint { return e.rotated(fresh, now) })
	if err != nil {
		return Secret{}, err
	}
	return fresh, nil
}

// rotated returns the endpoint with a new secret.
func (e Endpoint) rotated(fresh Secret, now time.Time) Endpoint {
	e.OldSecret, e.OldSecretUntil = e.Secret, now.Add(RotationTime)
	e.Secret = fresh
	return e
}

// Secrets returns the secrets that sign a message at that time, the newest first.
func (e Endpoint) Secrets(at time.Time) []Secret {
	if e.OldSecret.IsZero() || !at.Before(e.OldSecretUntil) {
		return []Secret{e.Secret}
	}
	return []Secret{e.Secret, e.OldSecret}
}
