package hashwire

import (
	"encoding/hex"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// numbers returns the numbers of a Rice up to the first error.
func numbers(r *Rice) ([]uint64, error) {
	var read []uint64
	reader := r.Reader()
	for {
		number, ok, err := reader.Next()
		if err != nil || !ok {
			return read, err
		}
		read = append(read, number)
	}
}

// sorted draws sorted, different numbers, of which many are close to each other or to a limit.
func sorted[Number uint32 | uint64](t *rapid.T, largest Number) []Number {
	number := rapid.OneOf(
		rapid.Custom(func(t *rapid.T) Number { return Number(rapid.Uint64Max(uint64(largest)).Draw(t, "any")) }),
		rapid.Custom(func(t *rapid.T) Number { return Number(rapid.Uint64Max(50).Draw(t, "small")) }),
		rapid.Custom(func(t *rapid.T) Number { return largest - Number(rapid.Uint64Max(50).Draw(t, "large")) }),
	)
	drawn := rapid.SliceOfN(number, 0, 300).Draw(t, "numbers")
	slices.Sort(drawn)
	return slices.Compact(drawn)
}

// The numbers that are read are those that were written, and the parameter has the limits of the
// protocol.
func TestRice_law(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		hashes := sorted[uint64](t, math.MaxUint64)
		indices := sorted[uint32](t, math.MaxUint32)
		wide := make([]uint64, len(indices))
		for i, index := range indices {
			wide[i] = uint64(index)
		}
		requireRice(t, NewAdditions(hashes), hashes, additionsCoding)
		requireRice(t, NewRemovals(indices), wide, removalsCoding)
	})
}

func requireRice(t *rapid.T, r *Rice, want []uint64, of coding) {
	require.Equal(t, len(want), r.Len())
	read, err := numbers(r)
	require.NoError(t, err)
	require.True(t, slices.Equal(want, read), "%d, not %d", read, want)
	if r == nil {
		return
	}
	require.NoError(t, r.validate(of))
	if r.deltas > 0 {
		require.True(t, r.parameter >= of.least && r.parameter <= of.most, "%d", r.parameter)
	}
	require.LessOrEqual(t, cap(r.data), len(r.data)+8+len(want), "the room is sufficient and not much more")
}

// The data of this coding is published with decoders of other programs.
func TestReader_published(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]struct {
		parameter uint
		deltas    []uint64
	}{
		"f702":                       {2, []uint64{15, 9}},
		"bfa83ffbfcfb5e27e6c31dc638": {28, []uint64{1777762129, 2093280223, 924369848}},
		"54607be70a5fc1dcee69defe583ca3d6a5f2108c4a595600": {
			28, []uint64{62763050, 1046523781, 192522171, 1800511020, 4442775, 582142548},
		},
	} {
		text, err := hex.DecodeString(data)
		require.NoError(t, err)
		reader := bitReader{data: text}
		for _, delta := range want.deltas {
			rest, ok := reader.ones()
			require.True(t, ok)
			low, ok := reader.read(want.parameter)
			require.True(t, ok)
			require.Equal(t, delta, rest<<want.parameter|low, data)
		}
	}
}

// The encoded form is that of docs/hashes.md.
func TestNewAdditions_form(t *testing.T) {
	t.Parallel()
	r := NewAdditions([]uint64{1 << 60, 1<<60 + 5, 1<<60 + 5 + 3<<35})
	require.Equal(t, uint64(1<<60), r.first)
	require.Equal(t, uint(35), r.parameter)
	require.Equal(t, 2, r.deltas)
	// A zero, and the 35 bits of 5 from the lowest one. Three ones, a zero, and 35 zeros.
	require.Equal(t, "0a00000070"+"0000000000", hex.EncodeToString(r.data))
}

func TestReader_malformed(t *testing.T) {
	t.Parallel()
	good := NewAdditions([]uint64{1, 2, 3, 1 << 50})
	for reason, change := range map[string]func(*Rice){
		"more ones than the number has room for": func(r *Rice) { r.data = slices.Repeat([]byte{0xff}, 1<<10) },
		"no zero after the ones":                 func(r *Rice) { r.data = []byte{0xff, 0xff, 0xff} },
		"the data ends in the low bits":          func(r *Rice) { r.data = r.data[:len(r.data)-1] },
		"no data":                                func(r *Rice) { r.data = nil },
		"the difference is 0":                    func(r *Rice) { r.data = make([]byte, 20) },
		"the sum is out of range":                func(r *Rice) { r.first = math.MaxUint64 },
	} {
		bad := *good
		change(&bad)
		_, err := numbers(&bad)
		require.ErrorIs(t, err, ErrMalformed, reason)
	}
}

func TestRice_validate(t *testing.T) {
	t.Parallel()
	for reason, bad := range map[string]struct {
		rice Rice
		of   coding
	}{
		"the first number is too large":      {Rice{first: 1 << 32}, removalsCoding},
		"the number of entries is negative":  {Rice{deltas: -1}, additionsCoding},
		"the parameter is too small":         {Rice{deltas: 1, parameter: 34, data: make([]byte, 100)}, additionsCoding},
		"the parameter is too large":         {Rice{deltas: 1, parameter: 63, data: make([]byte, 100)}, additionsCoding},
		"the data cannot have so many":       {Rice{deltas: 3, parameter: 35, data: make([]byte, 13)}, additionsCoding},
		"there are many and no data":         {Rice{deltas: math.MaxInt32, parameter: 3}, removalsCoding},
		"the parameter is that of additions": {Rice{deltas: 1, parameter: 35, data: make([]byte, 100)}, removalsCoding},
	} {
		require.ErrorIs(t, bad.rice.validate(bad.of), ErrMalformed, reason)
	}
}

// 1,000,000 random hashes are nearly as short as a set of them can be: 45.5 bits for each.
func TestNewAdditions_size(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewChaCha8([32]byte{}))
	hashes := make([]uint64, 1_000_000)
	for i := range hashes {
		hashes[i] = random.Uint64()
	}
	slices.Sort(hashes)
	require.Less(t, len(NewAdditions(hashes).data), 5_710_000)
}
