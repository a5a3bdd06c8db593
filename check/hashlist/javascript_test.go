package hashlist

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/hashwire"
	"github.com/apguard/apguard/internal/test/rulestest"
	"github.com/apguard/apguard/internal/test/testsize"
)

// codeOf returns the code of rules/js for an error of Update.
func codeOf(err error) string {
	for code, target := range map[string]error{"DAMAGED": ErrDamaged, "REPLAYED": ErrReplayed, "DOWNGRADED": ErrDowngraded} {
		if errors.Is(err, target) {
			return code
		}
	}
	return ""
}

// bytesOf returns hashes as 8 bytes each.
func bytesOf(hashes []uint64) []byte {
	data := make([]byte, 0, 8*len(hashes))
	for _, hash := range hashes {
		data = binary.BigEndian.AppendUint64(data, hash)
	}
	return data
}

// requireSame requires that a list in JavaScript holds what one in Go holds.
func requireSame(t require.TestingT, l *List, got rulestest.Held) {
	h := l.held.Load()
	if h == nil {
		require.Empty(t, got.Version)
		require.Zero(t, got.AsOf)
		return
	}
	require.Equal(t, h.version.String(), got.Version)
	require.Equal(t, h.asOf.UnixMilli(), got.AsOf)
	require.InDelta(t, float64(h.wait)/1e6, got.MinimumWait, 1e-6*float64(h.wait)/1e6)
	require.True(t, slices.Equal(bytesOf(h.statuses[blocked].hashes), got.Blocked))
	require.True(t, slices.Equal(bytesOf(h.statuses[allowed].hashes), got.Allowed))
}

// JavaScript accepts and refuses the same responses as Go, for the same reason, and then holds the same.
func TestList_Update_javaScript(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	js := rulestest.NewHashLists(t, rulestest.Rules{})
	codes := make(map[string]int)
	rapid.Check(t, func(t *rapid.T) {
		for range 10 {
			js.Clear(t, "list")
			l := New(time.Hour)
			var heldBlocked, heldAllowed []uint64
			if rapid.IntRange(0, 9).Draw(t, "held") > 0 {
				heldBlocked, heldAllowed = sorted(t, 30), sorted(t, 5)
				data := hashwire.Encode(whole(drawVersion(t), heldBlocked, heldAllowed)...)
				asOf := time.Now()
				require.NoError(t, l.Update(Response{Data: data, AsOf: asOf, Rules: classify.Version}))
				requireSame(t, l, js.Update(t, "list", data, asOf))
			}
			for range rapid.IntRange(1, 5).Draw(t, "responses") {
				data := drawResponse(t, heldBlocked, heldAllowed)
				asOf := time.UnixMilli(rapid.Int64Range(0, 4e12).Draw(t, "as of"))
				err := l.Update(Response{Data: data, AsOf: asOf, Rules: classify.Version})
				got := js.Update(t, "list", data, asOf)
				require.Equal(t, codeOf(err), got.Code, "%v: %x", err, data)
				requireSame(t, l, got)
				codes[got.Code]++
				if h := l.held.Load(); h != nil {
					heldBlocked, heldAllowed = h.statuses[blocked].hashes, h.statuses[allowed].hashes
				}
			}
		}
	})
	t.Log(codes)
	for _, code := range []string{"", "DAMAGED", "REPLAYED", "DOWNGRADED"} {
		require.Positive(t, codes[code], code)
	}
}

// drawVersion draws one of a few versions of two stores.
func drawVersion(t *rapid.T) []byte {
	if rapid.IntRange(0, 19).Draw(t, "empty version") == 0 {
		return nil
	}
	// Mostly one store, and positions of one and of two bytes.
	store := rapid.SampledFrom([]byte{1, 1, 1, 1, 1, 1, 1, 2}).Draw(t, "store")
	return versionAt(store, rapid.SampledFrom([]int64{1, 20, 20, 21, 128, 1 << 14, 1<<53 - 1}).Draw(t, "position"))
}

// drawResponse draws a response to a client that holds these hashes. Most have one fault or none.
func drawResponse(t *rapid.T, heldBlocked, heldAllowed []uint64) []byte {
	newBlocked, newAllowed := sorted(t, 30), sorted(t, 5)
	if rapid.IntRange(0, 9).Draw(t, "unchanged") == 0 {
		newBlocked, newAllowed = heldBlocked, heldAllowed
	}
	lists := whole(drawVersion(t), newBlocked, newAllowed)
	if rapid.Bool().Draw(t, "partial") {
		lists = difference(lists[0].Version, heldBlocked, newBlocked, heldAllowed, newAllowed)
	}
	lists[0].MinimumWait = time.Duration(rapid.Int64Min(0).Draw(t, "wait"))
	fault := rapid.SampledFrom([]func(*rapid.T, []hashwire.HashList) []byte{
		encoded, encoded, otherLists, otherNumbers, flipped, truncated, spliced, otherFields, otherVersion,
		func(t *rapid.T, lists []hashwire.HashList) []byte { return lenient(t, lists, heldBlocked) },
		func(t *rapid.T, lists []hashwire.HashList) []byte { return lenient(t, lists, heldBlocked) },
	}).Draw(t, "fault")
	return fault(t, lists)
}

func encoded(_ *rapid.T, lists []hashwire.HashList) []byte { return hashwire.Encode(lists...) }

// otherLists returns lists that do not belong together, or too few or too many of them.
func otherLists(t *rapid.T, lists []hashwire.HashList) []byte {
	one := &lists[rapid.IntRange(0, 1).Draw(t, "list")]
	switch rapid.IntRange(0, 6).Draw(t, "change") {
	case 0:
		lists = slices.Repeat(lists, rapid.IntRange(0, 9).Draw(t, "copies"))
	case 1:
		slices.Reverse(lists)
	case 2:
		one.Name = rapid.SampledFrom([]string{"", "Blocked", "\ufeffallowed", "allowed\x00", "\xff"}).Draw(t, "name")
	case 3:
		one.Version = drawVersion(t)
	case 4:
		one.Partial = !one.Partial
	case 5:
		one.Checksum = rapid.SliceOfN(rapid.Byte(), 0, 33).Draw(t, "checksum")
	default:
		version := rapid.SliceOfN(rapid.Byte(), 0, 48).Draw(t, "version")
		lists[0].Version, lists[1].Version = version, version
	}
	return hashwire.Encode(lists...)
}

// otherVersion returns lists with a version that is spelled in another way, or not one.
func otherVersion(t *rapid.T, lists []hashwire.HashList) []byte {
	version := slices.Clone(versionAt(1, 1)[:16])
	for range 2 {
		version = append(version, rapid.SampledFrom([]string{
			"\x00", "\x01", "\x81\x00", "\x05", "\xff\xff\xff\xff\xff\xff\xff\x0f", "\xff\xff\xff\xff\xff\xff\xff\x10",
			"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02", "\x80",
		}).Draw(t, "number")...)
	}
	sum := crc32.ChecksumIEEE(version) ^ rapid.SampledFrom([]uint32{0, 0, 1}).Draw(t, "flipped")
	version = binary.BigEndian.AppendUint32(version, sum)
	lists[0].Version, lists[1].Version = version, version
	return hashwire.Encode(lists...)
}

// otherNumbers returns lists with removals or additions that may be impossible.
func otherNumbers(t *rapid.T, lists []hashwire.HashList) []byte {
	one := &lists[rapid.IntRange(0, 1).Draw(t, "list")]
	if rapid.Bool().Draw(t, "removals") {
		indices := rapid.SliceOfN(rapid.Uint32Max(40), 0, 9).Draw(t, "indices")
		slices.Sort(indices)
		one.Removals = hashwire.NewRemovals(slices.Compact(indices))
	} else {
		one.Additions = hashwire.NewAdditions(sorted(t, 30))
	}
	return hashwire.Encode(lists...)
}

func flipped(t *rapid.T, lists []hashwire.HashList) []byte {
	data := hashwire.Encode(lists...)
	for range rapid.IntRange(1, 2).Draw(t, "bits") {
		bit := rapid.IntRange(0, 8*len(data)-1).Draw(t, "bit")
		data[bit/8] ^= 1 << (bit % 8)
	}
	return data
}

func truncated(t *rapid.T, lists []hashwire.HashList) []byte {
	data := hashwire.Encode(lists...)
	return data[:rapid.IntRange(0, len(data)-1).Draw(t, "length")]
}

// spliced returns lists with bytes in between that were not there.
func spliced(t *rapid.T, lists []hashwire.HashList) []byte {
	data := hashwire.Encode(lists...)
	at := rapid.IntRange(0, len(data)).Draw(t, "at")
	return slices.Insert(data, at, rapid.SliceOfN(rapid.Byte(), 1, 12).Draw(t, "bytes")...)
}

// otherFields returns lists with a field that is not in the protocol, has another type, or ends with the list.
func otherFields(t *rapid.T, lists []hashwire.HashList) []byte {
	number := protowire.Number(rapid.SampledFrom([]int{1, 2, 3, 5, 6, 7, 9, 12, 1<<29 - 1, 1<<31 - 1}).Draw(t, "number"))
	body := bodyOf(lists[0])
	switch kind := rapid.IntRange(0, 7).Draw(t, "type"); kind {
	case 0:
		body = protowire.AppendVarint(protowire.AppendTag(body, number, protowire.VarintType), rapid.Uint64().Draw(t, "value"))
	case 1:
		body = protowire.AppendFixed32(protowire.AppendTag(body, number, protowire.Fixed32Type), 1)
	case 2:
		body = protowire.AppendFixed64(protowire.AppendTag(body, number, protowire.Fixed64Type), 1)
	case 3:
		group := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), []byte("x"))
		end := rapid.SampledFrom([]protowire.Number{number, number, 4}).Draw(t, "end")
		body = protowire.AppendGroup(protowire.AppendTag(body, number, protowire.StartGroupType), end, group)
	case 4: // beyond the last number, or more bits than a varint has
		body = append(body, rapid.SampledFrom([]string{
			"\x80\x80\x80\x80\x40\x00", "\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x03",
		}).Draw(t, "varint")...)
	case 5: // more data than there is
		body = append(protowire.AppendTag(body, 4, protowire.BytesType), 1)
	case 6: // a duration, which may be too long
		seconds := rapid.SampledFrom([]uint64{0, 1, 1<<63 - 1, 9_223_372_035, 9_223_372_036}).Draw(t, "seconds")
		nanos := rapid.SampledFrom([]uint64{0, 999_999_999, 1_000_000_000, 1<<64 - 1}).Draw(t, "nanos")
		duration := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), seconds)
		duration = protowire.AppendVarint(protowire.AppendTag(duration, 2, protowire.VarintType), nanos)
		body = protowire.AppendBytes(protowire.AppendTag(body, 6, protowire.BytesType), duration)
	default: // more lists than a client reads, the ones that count last
		return append(bytes.Repeat([]byte{0x0a, 0}, rapid.IntRange(13, 18).Draw(t, "n")), hashwire.Encode(lists...)...)
	}
	return messageOf(body, bodyOf(lists[1]))
}

// bodyOf returns the fields of a list.
func bodyOf(list hashwire.HashList) []byte {
	body, _ := protowire.ConsumeBytes(hashwire.Encode(list)[1:]) // after the tag
	return slices.Clone(body)
}

// messageOf returns the message with the fields of lists.
func messageOf(bodies ...[]byte) (message []byte) {
	for _, body := range bodies {
		message = protowire.AppendBytes(protowire.AppendTag(message, 1, protowire.BytesType), body)
	}
	return message
}

// lenient returns lists that only a client accepts that does not verify everything: their numbers may
// have another parameter, come twice or be present, and the checksum is right nevertheless.
func lenient(t *rapid.T, lists []hashwire.HashList, held []uint64) []byte {
	coarse := rapid.Custom(func(t *rapid.T) uint64 { return rapid.Uint64Max(9).Draw(t, "high") << 35 }) // it ends in zeros
	additions := rapid.SliceOfN(rapid.OneOf(rapid.Uint64(), rapid.Uint64Max(3), coarse, rapid.SampledFrom(append(held, 1))), 1, 9).Draw(t, "additions")
	parameters := []uint{34, 35, 35, 62, 62, 62, 63}
	if ascending := rapid.IntRange(0, 4).Draw(t, "ascending") > 0; ascending {
		slices.Sort(additions)
	} else { // the differences wrap around, and have few bits more than the parameter
		parameters = []uint{62}
	}
	hashes := additions
	list := hashwire.HashList{Name: "blocked", Version: lists[0].Version, Partial: lists[0].Partial}
	var removals []byte
	if list.Partial {
		indices := rapid.SliceOfN(rapid.Uint64Max(uint64(len(held))), 0, 3).Draw(t, "indices")
		slices.Sort(indices)
		var kept []uint64
		for i, hash := range held {
			if !slices.Contains(indices, uint64(i)) {
				kept = append(kept, hash)
			}
		}
		hashes = slices.Concat(kept, additions)
		slices.Sort(hashes)
		removals = riceOf(t, 5, indices, []uint{2, 3, 3, 3, 30, 31}, 32)
	}
	list.Checksum = hashwire.Checksum(hashes)
	body := slices.Concat(bodyOf(list), removals, riceOf(t, 9, additions, parameters, 64))
	return messageOf(body, bodyOf(lists[1]))
}

// riceOf returns a field with numbers in Rice-delta coding. One of them may be larger than it can be.
func riceOf(t *rapid.T, number protowire.Number, numbers []uint64, parameters []uint, size uint) []byte {
	if len(numbers) == 0 {
		return nil
	}
	parameter := rapid.SampledFrom(parameters).Draw(t, "parameter")
	var bits []bool
	for i := range len(numbers) - 1 {
		delta := numbers[i+1] - numbers[i]
		for range min(delta>>parameter, 1<<12) { // more for small parameters would be too long
			bits = append(bits, true)
		}
		bits = append(bits, false)
		for at := range parameter {
			bits = append(bits, delta>>at&1 == 1)
		}
	}
	if rapid.IntRange(0, 4).Draw(t, "wraps") == 0 { // a difference that leads beyond the largest number
		numbers = append(numbers, 0)
		bits = append(slices.Concat(bits, slices.Repeat([]bool{true}, 1<<(min(size-parameter, 10)))), make([]bool, 1+parameter)...)
	}
	data := make([]byte, (len(bits)+7)/8)
	for i, bit := range bits {
		if bit {
			data[i/8] |= 1 << (i % 8)
		}
	}
	if rapid.IntRange(0, 4).Draw(t, "short") == 0 {
		data = data[:max(len(data)-1, 0)]
	}
	var rice []byte
	fields := []uint64{numbers[0], uint64(parameter), uint64(len(numbers) - 1)}
	switch rapid.IntRange(0, 9).Draw(t, "field") {
	case 0:
		fields[0] += 1 << 32 // too large for an index
	case 1:
		fields[2] = 1<<32 - fields[2] // negative
	}
	for i, value := range fields {
		rice = protowire.AppendVarint(protowire.AppendTag(rice, protowire.Number(i+1), protowire.VarintType), value)
	}
	rice = protowire.AppendBytes(protowire.AppendTag(rice, 4, protowire.BytesType), data)
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), rice)
}

// JavaScript holds the same as Go for lists of each size, after a whole response and after a difference.
func TestList_Update_javaScript_sizes(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	js := rulestest.NewHashLists(t, rulestest.Rules{})
	for _, n := range []int{0, 1, testsize.Of(0, 50_000, 1_000_000)} {
		js.Clear(t, "list")
		l := New(time.Hour)
		hashes := manyHashes(n)
		step := func(lists []hashwire.HashList) {
			data, asOf := hashwire.Encode(lists...), time.Now()
			require.NoError(t, l.Update(Response{Data: data, AsOf: asOf, Rules: classify.Version}))
			got := js.Update(t, "list", data, asOf)
			require.Empty(t, got.Code)
			requireSame(t, l, got)
		}
		step(whole(versionAt(1, 1), hashes, nil))
		step(whole(versionAt(1, 2), hashes[:n/2], hashes[n/2:]))
		lists := whole(versionAt(1, 3), hashes, hashes[n/2:])
		lists[0].Partial, lists[1].Partial = true, true
		lists[0].Additions, lists[1].Additions = hashwire.NewAdditions(hashes[n/2:]), nil
		step(lists)
		lists = whole(versionAt(1, 4), nil, hashes[n/2:])
		lists[0].Partial, lists[1].Partial, lists[1].Additions = true, true, nil
		all := make([]uint32, n)
		for i := range all {
			all[i] = uint32(i)
		}
		lists[0].Removals = hashwire.NewRemovals(all)
		step(lists)
	}
}

// JavaScript checks by the same rule as Go, and refuses to check for the same reasons.
func TestList_Check_javaScript(t *testing.T) {
	t.Parallel()
	js := rulestest.NewHashLists(t, rulestest.Build(t))
	collision := hashOf(t, "both.example.com")
	hashes := []uint64{hashOf(t, "bad.example.com"), collision}
	slices.Sort(hashes)
	good := []uint64{hashOf(t, "https://bad.example.com/good"), collision}
	slices.Sort(good)
	data := hashwire.Encode(whole(versionAt(1, 1), hashes, good)...)
	ages := map[string]time.Duration{"young": time.Minute, "too old": time.Hour, "set back": -time.Minute}
	for list, age := range ages {
		require.Empty(t, js.Update(t, list, data, time.Now().Add(-age)).Code)
	}
	for reason, want := range map[string]struct{ list, content, key, value string }{
		"BLOCKED by a domain":                      {"young", "https://login.bad.example.com/x", "status", "BLOCKED"},
		"BLOCKED by the host that a browser opens": {"young", "https:bad.example.com", "status", "BLOCKED"},
		"ALLOWED by a link":                        {"young", "https://bad.example.com/good/one", "status", "ALLOWED"},
		"UNKNOWN":                                  {"young", "https://good.example.com", "status", "UNKNOWN"},
		"a hash in both lists is BLOCKED":          {"young", "both.example.com", "status", "BLOCKED"},
		"a refused content":                        {"young", "no asset", "code", "REFUSED"},
		"no content":                               {"young", "", "code", "REFUSED"},
		"too old":                                  {"too old", "bad.example.com", "code", "OUTDATED"},
		"refused, although the list is too old":    {"too old", "no asset", "code", "REFUSED"},
		"the clock was set back":                   {"set back", "bad.example.com", "code", "OUTDATED"},
		"no list":                                  {"none", "bad.example.com", "code", "NO_LIST"},
		"refused, although there is no list":       {"none", "no asset", "code", "REFUSED"},
	} {
		got := js.Check(t, want.list, []string{want.content})[0]
		require.Equal(t, want.value, got[want.key], "%s: %v", reason, got)
		require.Equal(t, want.key == "code", got["status"] == nil, "an error is not a verdict")
	}
}

// A list in JavaScript that refreshes from a server requests what it must, and has a code for what goes wrong.
func TestList_Refresh_javaScript(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	js := rulestest.NewHashLists(t, rulestest.Rules{})
	at := func(position int64, hashes ...uint64) []hashwire.HashList {
		return whole(versionAt(1, position), hashes, nil)
	}
	text := base64.RawURLEncoding.EncodeToString(versionAt(1, 10))
	ok := func(lists []hashwire.HashList) response {
		return response{http.StatusOK, hashwire.Encode(lists...), "3"}
	}
	waits := at(20, 2)
	waits[0].MinimumWait = time.Hour
	for reason, c := range map[string]struct {
		responses []response
		want      rulestest.Held
		requests  []string
		// empty lists request whole ones.
		empty bool
	}{
		"whole lists, without a list": {[]response{ok(at(20, 2))}, rulestest.Held{Answer: true}, []string{""}, true},
		"damaged, without a list":     {[]response{{http.StatusOK, []byte{1}, "0"}}, rulestest.Held{Code: "DAMAGED"}, []string{""}, true},
		"a difference": {
			[]response{ok(difference(versionAt(1, 20), []uint64{1}, []uint64{1, 2}, nil, nil))},
			rulestest.Held{Answer: true}, []string{text}, false,
		},
		"whole lists":                    {[]response{ok(at(20, 2))}, rulestest.Held{Answer: true}, []string{text}, false},
		"damaged, then whole lists":      {[]response{{http.StatusOK, []byte{1}, "0"}, ok(at(20, 2))}, rulestest.Held{Answer: true}, []string{text, ""}, false},
		"damaged twice":                  {[]response{{http.StatusOK, []byte{1}, "0"}, {http.StatusOK, []byte{1}, "0"}}, rulestest.Held{Code: "DAMAGED"}, []string{text, ""}, false},
		"replayed, then whole lists":     {[]response{ok(difference(versionAt(1, 10), nil, []uint64{1}, nil, nil)), ok(at(20, 2))}, rulestest.Held{Answer: true}, []string{text, ""}, false},
		"downgraded":                     {[]response{ok(at(9, 2))}, rulestest.Held{Code: "DOWNGRADED"}, []string{text}, false},
		"an invalid key":                 {[]response{{http.StatusUnauthorized, nil, "0"}}, rulestest.Held{Code: "UNAUTHENTICATED", Status: 401}, []string{text}, false},
		"a key without the scope":        {[]response{{http.StatusForbidden, nil, "0"}}, rulestest.Held{Code: "FORBIDDEN", Status: 403}, []string{text}, false},
		"no hash lists":                  {[]response{{http.StatusNotFound, nil, "0"}}, rulestest.Held{Code: "NO_HASHES", Status: 404}, []string{text}, false},
		"too many requests":              {[]response{{http.StatusTooManyRequests, nil, "0"}}, rulestest.Held{Code: "BUSY", Status: 429, RetryAfter: 7}, []string{text}, false},
		"the server is starting":         {[]response{{http.StatusServiceUnavailable, nil, "0"}}, rulestest.Held{Code: "BUSY", Status: 503, RetryAfter: 7}, []string{text}, false},
		"another status":                 {[]response{{http.StatusTeapot, nil, "0"}}, rulestest.Held{Code: "SERVER", Status: 418, RetryAfter: 7}, []string{text}, false},
		"a response that has no age":     {[]response{{http.StatusOK, hashwire.Encode(at(20, 2)...), ""}}, rulestest.Held{Code: "SERVER", Status: 200}, []string{text}, false},
		"a server of other rules":        {[]response{{http.StatusOK, hashwire.Encode(at(20, 2)...), "rules"}}, rulestest.Held{Code: "OTHER_RULES"}, []string{text}, false},
		"a response that ends early":     {[]response{{http.StatusOK, nil, "cut"}}, rulestest.Held{Code: "NETWORK"}, []string{text}, false},
		"the minimum wait is not over":   {[]response{ok(waits), ok(at(30, 3))}, rulestest.Held{}, []string{text}, false},
		"an age that is more than it is": {[]response{{http.StatusOK, hashwire.Encode(at(20, 2)...), "12345678901"}}, rulestest.Held{Code: "SERVER", Status: 200}, []string{text}, false},
	} {
		var requests []string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/base/asset/hashes" || r.Header.Get("X-Api-Key") != "k" {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			requests = append(requests, r.URL.Query().Get("version"))
			c.responses[len(requests)-1].write(w)
		}))
		before := time.Now().Add(-time.Hour)
		if !c.empty {
			js.Update(t, reason, hashwire.Encode(at(10, 1)...), before)
		}
		held := js.Refresh(t, reason, server.URL+"/base", "k")
		if reason == "the minimum wait is not over" {
			require.True(t, held.Answer)
			held = js.Refresh(t, reason, server.URL+"/base", "k")
		}
		server.Close()
		require.Equal(t, c.want, rulestest.Held{Code: held.Code, Status: held.Status, RetryAfter: held.RetryAfter, Answer: held.Answer}, reason)
		require.Equal(t, c.requests, requests, reason)
		switch {
		case c.empty && held.Code != "":
			require.Empty(t, held.Version)
			continue
		case held.Code != "":
			require.Equal(t, text, held.Version, "%s: the list is unchanged", reason)
			require.Equal(t, before.UnixMilli(), held.AsOf)
			continue
		}
		require.NotEqual(t, text, held.Version, reason)
		require.WithinRange(t, time.UnixMilli(held.AsOf), before.Add(time.Hour-4*time.Second), time.Now().Add(-3*time.Second), reason)
	}
	require.Equal(t, "NETWORK", js.Refresh(t, "nobody answers", "http://127.0.0.1:1", "").Code)
}

// response is a response of a server. The age "cut" stands for one that ends early, and "rules" for one of
// other rules.
type response struct {
	status int
	body   []byte
	age    string
}

func (r response) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/x-protobuf")
	w.Header().Set("Rules-Version", strconv.Itoa(classify.Version))
	if r.age == "rules" {
		w.Header().Set("Rules-Version", strconv.Itoa(classify.Version+1))
		r.age = "0"
	}
	w.Header().Set("Connection", "close") // another server may get this port
	if r.status > http.StatusNotFound {
		w.Header().Set("Retry-After", "7")
	}
	if r.age == "cut" {
		w.Header().Set("Age", "0")
		w.Header().Set("Content-Length", "9")
		_, _ = w.Write([]byte{1})
		panic(http.ErrAbortHandler)
	}
	if r.age != "" {
		w.Header().Set("Age", r.age)
	}
	w.WriteHeader(r.status)
	_, _ = w.Write(r.body)
}
