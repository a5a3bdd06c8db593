package hashwire

import (
	"bytes"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"
	"pgregory.net/rapid"
)

func drawList(t *rapid.T) HashList {
	return HashList{
		Name:        rapid.String().Draw(t, "name"),
		Version:     rapid.SliceOf(rapid.Byte()).Draw(t, "version"),
		Partial:     rapid.Bool().Draw(t, "partial"),
		Additions:   NewAdditions(sorted[uint64](t, math.MaxUint64)),
		Removals:    NewRemovals(sorted[uint32](t, math.MaxUint32)),
		MinimumWait: time.Duration(rapid.Int64Range(0, math.MaxInt64-int64(time.Second)).Draw(t, "wait")),
		Checksum:    rapid.SliceOf(rapid.Byte()).Draw(t, "checksum"),
	}
}

func requireSameList(t require.TestingT, want, got HashList) {
	for _, pair := range [][2]*Rice{{want.Additions, got.Additions}, {want.Removals, got.Removals}} {
		first, err := numbers(pair[0])
		require.NoError(t, err)
		second, err := numbers(pair[1])
		require.NoError(t, err)
		require.Equal(t, first, second)
	}
	require.True(t, bytes.Equal(want.Version, got.Version) && bytes.Equal(want.Checksum, got.Checksum))
	want.Additions, want.Removals, want.Version, want.Checksum = nil, nil, nil, nil
	got.Additions, got.Removals, got.Version, got.Checksum = nil, nil, nil, nil
	require.Equal(t, want, got)
}

// Decode returns what was encoded.
func TestDecode_law(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.Custom(drawList), 0, 3).Draw(t, "lists")
		got, err := Decode(Encode(want...))
		require.NoError(t, err)
		require.Len(t, got, len(want))
		for i := range want {
			requireSameList(t, want[i], got[i])
		}
	})
}

// Fields that Decode does not know are skipped, whatever their type.
func TestDecode_unknown(t *testing.T) {
	t.Parallel()
	want := HashList{Name: "n", Additions: NewAdditions([]uint64{1, 2}), MinimumWait: time.Second}
	unknown := protowire.AppendFixed64(protowire.AppendTag(nil, 99, protowire.Fixed64Type), 1)
	unknown = protowire.AppendVarint(protowire.AppendTag(unknown, 100, protowire.VarintType), 1)
	unknown = protowire.AppendGroup(protowire.AppendTag(unknown, 101, protowire.StartGroupType), 101, nil)
	list := append(want.append(nil), unknown...)
	message := appendMessage(unknown, fieldHashLists, func(b []byte) []byte { return append(b, list...) })
	got, err := Decode(message)
	require.NoError(t, err)
	require.Len(t, got, 1)
	requireSameList(t, want, got[0])
}

func TestDecode_malformed(t *testing.T) {
	t.Parallel()
	inList := func(fields func([]byte) []byte) []byte { return appendMessage(nil, fieldHashLists, fields) }
	for reason, data := range map[string][]byte{
		"a field number of 0":                {0, 0},
		"a tag that ends early":              {0x80},
		"a value that ends early":            {0x0a, 5, 1},
		"a list that is a number":            appendVarint(nil, fieldHashLists, 1),
		"a version that is a number":         inList(func(b []byte) []byte { return appendVarint(b, fieldVersion, 1) }),
		"a flag that is a text":              inList(func(b []byte) []byte { return appendBytes(b, fieldPartial, []byte("x")) }),
		"a group that does not end":          {0x0b},
		"a negative number of entries":       riceIn(inList, fieldDeltas, math.MaxUint64),
		"more entries than the data has":     riceIn(inList, fieldDeltas, 1),
		"a negative duration":                durationIn(inList, fieldSeconds, math.MaxUint64),
		"a duration that is too long":        durationIn(inList, fieldSeconds, math.MaxInt64/uint64(time.Second)),
		"nanoseconds that are whole seconds": durationIn(inList, fieldNanos, uint64(time.Second)),
		"many lists":                         bytes.Repeat([]byte{0x0a, 0}, maxLists+1),
	} {
		_, err := Decode(data)
		require.ErrorIs(t, err, ErrMalformed, reason)
	}
}

func riceIn(list func(func([]byte) []byte) []byte, number protowire.Number, value uint64) []byte {
	return list(func(b []byte) []byte {
		return appendMessage(b, fieldAdditions, func(b []byte) []byte { return appendVarint(b, number, value) })
	})
}

func durationIn(list func(func([]byte) []byte) []byte, number protowire.Number, value uint64) []byte {
	return list(func(b []byte) []byte {
		return appendMessage(b, fieldMinimumWait, func(b []byte) []byte { return appendVarint(b, number, value) })
	})
}

// Whatever the data is, it makes no more numbers than it has room for, and lists that were read are the
// same when they are written and read again.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{})
	f.Add(Encode(
		HashList{Name: "blocked", Version: []byte{1}, Additions: NewAdditions([]uint64{1, 1 << 40, math.MaxUint64}), Checksum: Checksum(nil)},
		HashList{Name: "allowed", Partial: true, Removals: NewRemovals([]uint32{0, 9, 1 << 20}), MinimumWait: time.Minute},
	))
	f.Fuzz(func(t *testing.T, data []byte) {
		lists, err := Decode(data)
		if err != nil {
			require.ErrorIs(t, err, ErrMalformed)
			return
		}
		for _, list := range lists {
			require.LessOrEqual(t, list.Additions.Len(), 1+8*len(data)/36)
			require.LessOrEqual(t, list.Removals.Len(), 1+8*len(data)/4)
			additions, err := numbers(list.Additions)
			if err == nil {
				_, err = numbers(list.Removals)
			}
			if err != nil {
				require.ErrorIs(t, err, ErrMalformed)
				continue
			}
			again, err := Decode(Encode(list))
			require.NoError(t, err)
			requireSameList(t, list, again[0])
			fromNumbers, err := numbers(NewAdditions(additions))
			require.NoError(t, err)
			require.Equal(t, additions, fromNumbers)
		}
	})
}
