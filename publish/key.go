package publish

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

var (
	// ErrKey reports that a text is not a private key.
	ErrKey = errors.New("malformed signing key")
	// ErrKeyName reports that a key cannot have a name.
	ErrKeyName = errors.New("name of a key must not be empty, and must not contain spaces or +")
)

// Key signs manifests. [ParseKey] returns one. The zero Key is invalid.
type Key struct {
	signer   note.Signer
	verifier note.Verifier
	// public is the text of the verifier.
	public string
}

// GenerateKey returns the text of a new private key, which must be kept secret. The name tells clients whose key it
// is, such as a domain. The error is [ErrKeyName].
func GenerateKey(name string) (string, error) {
	private, _, err := note.GenerateKey(rand.Reader, name)
	if err != nil {
		return "", err
	}
	if _, err := note.NewSigner(private); err != nil {
		return "", ErrKeyName
	}
	return private, nil
}

// ParseKey returns the key of a text that [GenerateKey] has returned. The error is [ErrKey]. It does not contain the
// text.
func ParseKey(text string) (Key, error) {
	signer, err := note.NewSigner(text)
	if err != nil {
		return Key{}, ErrKey
	}
	// PRIVATE+KEY+<name>+<hash>+<the algorithm, which is Ed25519, and the seed>
	parts := strings.SplitN(text, "+", 5) //nolint:mnd // as above
	seed, err := base64.StdEncoding.DecodeString(parts[len(parts)-1])
	if err != nil || len(seed) != 1+ed25519.SeedSize {
		return Key{}, ErrKey
	}
	public := ed25519.NewKeyFromSeed(seed[1:]).Public().(ed25519.PublicKey)
	verifier, err := note.NewEd25519VerifierKey(signer.Name(), public)
	if err != nil {
		return Key{}, ErrKey
	}
	key := Key{signer: signer, public: verifier}
	key.verifier, err = note.NewVerifier(verifier)
	return key, err
}

// Verifier returns the text of the public key, which clients need.
func (k Key) Verifier() string { return k.public }

// String returns the text of the public key, so that the private one is never printed.
func (k Key) String() string { return k.public }
