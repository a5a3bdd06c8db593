package manifest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// key is a pair of keys, which is the same for each seed.
type key struct {
	note.Signer
	verifier note.Verifier
	public   string
}

func newKey(tb testing.TB, name string, seed byte) key {
	tb.Helper()
	private, public, err := note.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{seed}, 32)), name)
	require.NoError(tb, err)
	signer, err := note.NewSigner(private)
	require.NoError(tb, err)
	verifier, err := note.NewVerifier(public)
	require.NoError(tb, err)
	return key{signer, verifier, public}
}

// signed returns the note with a text.
func (k key) signed(tb testing.TB, text string) []byte {
	tb.Helper()
	data, err := k.signText(text)
	require.NoError(tb, err)
	return data
}

func (k key) signText(text string) ([]byte, error) { return note.Sign(&note.Note{Text: text}, k) }

func (k key) list() note.Verifiers { return note.VerifierList(k.verifier) }

// at returns a version of a store.
func at(store byte, position int64) asset.FeedCursor {
	if position == 0 {
		return asset.FeedCursor{}
	}
	return asset.Feed{Store: asset.StoreID{store}}.Cursor(position)
}

// someTime is when the manifests of tests are made.
var someTime = time.Date(2026, 11, 29, 21, 0, 0, 123_000_000, time.UTC)

// fileOf returns a file with a size.
func fileOf(kind Kind, format string, since, version int64, size int64) File {
	f := File{Kind: kind, Format: format, Since: at(1, since), Version: at(1, version), Size: size}
	f.Name = fmt.Sprintf("%s-%d-%d.%s", kind, since, version, format+"x")
	f.SHA256 = sha256.Sum256([]byte(f.Name))
	return f
}

// whole returns a manifest with each kind of file.
func whole() Manifest {
	return Manifest{Version: at(1, 8), Time: someTime, Rules: classify.Version, Files: []File{
		fileOf(KindHashes, "", 0, 5, 1000),
		fileOf(KindHashes, "", 5, 6, 100),
		fileOf(KindHashes, "", 6, 8, 100),
		fileOf(KindExport, FormatJSONL, 0, 4, 0),
		fileOf(KindExport, "csv", 0, 4, 700),
		fileOf(KindChanges, "", 4, 6, 50),
		fileOf(KindChanges, "", 6, 8, 50),
		fileOf(KindMetaMask, "stalelist", 0, 8, 99),
	}}
}
