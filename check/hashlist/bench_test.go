package hashlist

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/hashwire"
)

// manyHashes returns sorted random hashes.
func manyHashes(n int) []uint64 {
	random := rand.New(rand.NewChaCha8([32]byte{}))
	hashes := make([]uint64, n)
	for i := range hashes {
		hashes[i] = random.Uint64()
	}
	slices.Sort(hashes)
	return slices.Compact(hashes)
}

// responseOf returns a response with this number of hashes, of which a tenth is in the second list.
func responseOf(n int) []byte {
	hashes := manyHashes(n)
	return hashwire.Encode(whole(versionAt(1, 1), hashes[:n*9/10], hashes[n*9/10:])...)
}

// BenchmarkHashList measures checks with 1,000,000 hashes, and updates of them.
func BenchmarkHashList(b *testing.B) {
	n := 1_000_000
	if testing.Short() {
		n = 10_000
	}
	data := responseOf(n)
	l := New(24 * time.Hour)
	require.NoError(b, l.Update(Response{Data: data, AsOf: time.Now(), Rules: classify.Version}))
	for name, content := range map[string]string{
		"link":      "https://login.bad.example.com/path/of/page?query=1",
		"host":      "example.com",
		"platform":  "https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=abc",
		"worst":     "https://a.b.c.d.e.f.g.h.example.co.uk:8443/a/b/c/d/e/f/g?q=1#/route",
		"email":     "ada@mail.example.com",
		"address":   "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
		"not valid": "https:example.com",
	} {
		b.Run("check "+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := l.Check(b.Context(), content); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("update whole", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			require.NoError(b, New(time.Hour).Update(Response{Data: data, AsOf: time.Now(), Rules: classify.Version}))
		}
		b.ReportMetric(float64(len(data)), "bytes")
	})
}
