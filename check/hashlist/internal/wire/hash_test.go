package wire

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
)

// The hash is that of docs/hashes.md.
func TestHash(t *testing.T) {
	t.Parallel()
	for _, canonical := range []string{"bad.example.com", strings.Repeat("a", 5000)} {
		identity := asset.Identity{Type: asset.TypePage, Canonical: canonical}
		sum := sha256.Sum256([]byte("PAGE\x00" + canonical))
		require.Equal(t, binary.BigEndian.Uint64(sum[:8]), Hash(identity))
	}
	require.Equal(t, uint64(0xffd0dc6e3b868a3d), Hash(asset.Identity{Type: asset.TypePage, Canonical: "bad.example.com"}))
}

// The type and the canonical form cannot be taken for each other.
func TestHash_parts(t *testing.T) {
	t.Parallel()
	require.NotEqual(t, Hash(asset.Identity{Type: "A", Canonical: "BC"}), Hash(asset.Identity{Type: "AB", Canonical: "C"}))
}

func TestChecksum(t *testing.T) {
	t.Parallel()
	require.Equal(t, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", hex.EncodeToString(Checksum(nil)))
	rapid.Check(t, func(t *rapid.T) {
		hashes := rapid.SliceOfN(rapid.Uint64(), 0, 1200).Draw(t, "hashes")
		var text []byte
		for _, hash := range hashes {
			text = binary.BigEndian.AppendUint64(text, hash)
		}
		want := sha256.Sum256(text)
		require.Equal(t, want[:], Checksum(hashes))
	})
}

func BenchmarkHash(b *testing.B) {
	identity := asset.Identity{Type: asset.TypeURL, Canonical: "https://login.bad.example.com/path/of/page?query=1"}
	b.ReportAllocs()
	for b.Loop() {
		Hash(identity)
	}
}
