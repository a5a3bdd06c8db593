package manifest

import (
	"fmt"

	"golang.org/x/mod/sumdb/note"
)

// Open returns the manifest of a signed note. Its signature must be that of one of the verifiers. Open ignores files
// of unknown kinds and unknown fields, which later versions may have.
//
// The error matches [ErrSignature] or [ErrMalformed]. Then [Manifest.Refusal] says whether the manifest can be used.
func Open(data []byte, verifiers note.Verifiers) (Manifest, error) {
	if len(data) > MaxSize {
		return Manifest{}, fmt.Errorf("%w: more than %d bytes", ErrMalformed, MaxSize)
	}
	signed, err := note.Open(data, verifiers)
	if err != nil {
		return Manifest{}, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	return decode(signed.Text)
}

// Sign returns the manifest as a note that the signers have signed, in whole milliseconds. A client needs the
// verifier of only one of them.
//
// The error matches [ErrMalformed] if [Open] would refuse the manifest, or is that of a signer.
func (m Manifest) Sign(signers ...note.Signer) ([]byte, error) {
	text := m.encode()
	if _, err := decode(text); err != nil {
		return nil, err
	}
	data, err := note.Sign(&note.Note{Text: text}, signers...)
	if err != nil {
		return nil, fmt.Errorf("sign a manifest: %w", err)
	}
	if len(data) > MaxSize {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrMalformed, MaxSize)
	}
	return data, nil
}
