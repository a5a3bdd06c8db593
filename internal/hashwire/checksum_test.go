package hashwire

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

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
