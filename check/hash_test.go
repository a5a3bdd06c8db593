package check_test

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
)

// The hash is that of docs/hashes.md.
func TestHash(t *testing.T) {
	t.Parallel()
	for _, canonical := range []string{"bad.example.com", strings.Repeat("a", 5000)} {
		identity := asset.Identity{Type: asset.TypePage, Canonical: canonical}
		sum := sha256.Sum256([]byte("PAGE\x00" + canonical))
		require.Equal(t, binary.BigEndian.Uint64(sum[:8]), check.Hash(identity))
	}
	require.Equal(t, uint64(0xffd0dc6e3b868a3d), check.Hash(asset.Identity{Type: asset.TypePage, Canonical: "bad.example.com"}))
}

// The type and the canonical form cannot be taken for each other.
func TestHash_parts(t *testing.T) {
	t.Parallel()
	require.NotEqual(t, check.Hash(asset.Identity{Type: "A", Canonical: "BC"}), check.Hash(asset.Identity{Type: "AB", Canonical: "C"}))
}

func BenchmarkHash(b *testing.B) {
	identity := asset.Identity{Type: asset.TypeURL, Canonical: "https://login.bad.example.com/path/of/page?query=1"}
	b.ReportAllocs()
	for b.Loop() {
		check.Hash(identity)
	}
}
