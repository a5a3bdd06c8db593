package conformance_test

import (
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/hashwire"
)

// hashes are the hashes of both lists.
type hashes struct{ blocked, allowed []uint64 }

// of returns the hashes of the assets that contents name, in their order.
func of(t require.TestingT, contents ...string) []uint64 {
	found := make([]uint64, 0, len(contents))
	for _, content := range contents {
		result, err := classify.Classify(content)
		require.NoError(t, err)
		found = append(found, check.Hash(result.Identity))
	}
	slices.Sort(found)
	return found
}

// at returns the version of a store at a position.
func at(store byte, position int64) []byte {
	cursor := asset.Feed{Store: asset.StoreID{store}}.Cursor(position)
	version, _ := base64.RawURLEncoding.DecodeString(cursor.String()) // the text of a cursor is valid
	return version
}

// whole returns whole lists.
func whole(version []byte, h hashes) []hashwire.HashList {
	return []hashwire.HashList{
		{Name: "blocked", Version: version, Additions: hashwire.NewAdditions(h.blocked), Checksum: hashwire.Checksum(h.blocked)},
		{Name: "allowed", Version: version, Additions: hashwire.NewAdditions(h.allowed), Checksum: hashwire.Checksum(h.allowed)},
	}
}

// difference returns what makes other lists of those that are held.
func difference(version []byte, from, to hashes) []hashwire.HashList {
	lists := whole(version, to)
	for i, change := range [][2][]uint64{{from.blocked, to.blocked}, {from.allowed, to.allowed}} {
		var removals []uint32
		for index, hash := range change[0] {
			if !slices.Contains(change[1], hash) {
				removals = append(removals, uint32(index))
			}
		}
		added := slices.DeleteFunc(slices.Clone(change[1]), func(hash uint64) bool { return slices.Contains(change[0], hash) })
		lists[i].Partial = true
		lists[i].Removals, lists[i].Additions = hashwire.NewRemovals(removals), hashwire.NewAdditions(added)
	}
	return lists
}

// changed returns lists after a change.
func changed(lists []hashwire.HashList, change func(blocked, allowed *hashwire.HashList)) []hashwire.HashList {
	change(&lists[0], &lists[1])
	return lists
}

// respond returns a response with the lists, by the present rules.
func respond(name string, lists ...hashwire.HashList) response {
	return response{Name: name, RulesVersion: classify.Version, Data: hashwire.Encode(lists...)}
}

// hashListVectors are the vectors of hash lists without their answers.
func hashListVectors(t require.TestingT) []vector {
	var vectors []vector
	add := func(name string, contents []string, responses ...response) {
		given := hashLists{append([]response{}, responses...), append([]string{}, contents...)}
		vectors = append(vectors, vector{Name: name, Given: encode(t, given)})
	}
	addAccepted(t, add)
	addRefused(t, add)
	return vectors
}

// addVector adds a vector.
type addVector func(name string, contents []string, responses ...response)

// addAccepted adds vectors of lists that are applied.
func addAccepted(t require.TestingT, add addVector) {
	first := hashes{of(t, "bad.example.com", "https://evil.com/login"), of(t, "example.org")}
	second := hashes{of(t, "bad.example.com", "evil.com", "@jack"), of(t, "example.org", "good.example.com")}
	third := hashes{of(t, "evil.com"), of(t, "good.example.com")}
	contents := []string{
		"bad.example.com", "https://login.bad.example.com/x", "https://evil.com/login", "https://evil.com/", "example.org",
		"bob@evil.com", "@jack", "good.example.com", "https://example.net", "a b",
	}
	start := respond("whole lists", whole(at(1, 10), first)...)
	forward := respond("the difference to them", difference(at(1, 20), first, second)...)

	add("nothing is held", contents)
	add("whole lists", contents, start)
	add("a difference that adds and removes", contents, start, forward)
	add("differences one after another", contents, start, forward,
		respond("the next difference", difference(at(1, 30), second, third)...),
		respond("a difference that removes everything", difference(at(1, 31), third, hashes{})...),
		respond("a difference to empty lists", difference(at(1, 128), hashes{}, first)...))
	add("whole lists in place of others", contents, start, respond("whole lists", whole(at(1, 20), third)...))
	add("the same whole lists again", contents, start, start)
	add("a difference without a change", nil, start,
		respond("of the same version", difference(at(1, 10), first, first)...), respond("of a later version", difference(at(1, 11), first, first)...))
	add("whole lists of another store, as after it was replaced", contents, start, respond("whole lists", whole(at(2, 5), third)...))
	add("a store without a change, and then with some", contents, respond("empty lists, and an empty version", whole(nil, hashes{})...), start)
	add("a hash in both lists is BLOCKED", []string{"example.com"}, respond("whole lists", whole(at(1, 1), hashes{of(t, "example.com"), of(t, "example.com")})...))
	add("a cover that withholds", []string{"https://a.evil.com", "https://evil.com/a"},
		respond("whole lists", whole(at(1, 1), hashes{of(t, "https://evil.com"), of(t, "evil.com")})...))
	add("a time to wait", nil, respond("whole lists", changed(whole(at(1, 10), first), func(blocked, allowed *hashwire.HashList) {
		blocked.MinimumWait, allowed.MinimumWait = time.Minute, time.Minute
	})...))
	later := start
	later.Name, later.Data = "whole lists, and field 15", append(slices.Clone(start.Data), 0x78, 1)
	add("a field that is not in the protocol is skipped", nil, later)
	add("the largest position", nil, respond("whole lists", whole(at(1, 1<<53-1), first)...))
	for _, c := range []struct {
		name   string
		hashes []uint64
	}{
		{"the smallest and the largest hash", []uint64{0, math.MaxUint64}},
		{"hashes close to each other, by the smallest parameter", []uint64{1 << 60, 1<<60 + 5, 1<<60 + 5 + 3<<35}},
		{"hashes far from each other, by the largest parameter", []uint64{1, 1 << 63}},
	} {
		add("Rice: "+c.name, nil, respond("whole lists", whole(at(1, 10), hashes{blocked: c.hashes})...))
	}
	all, most := manyHashes(t)
	add("Rice: many hashes, and removals of the first, the last and some in between", nil,
		respond("whole lists", whole(at(1, 10), hashes{blocked: all})...),
		respond("a difference", difference(at(1, 20), hashes{blocked: all}, hashes{blocked: most})...))
}

// manyHashes returns many hashes, and most of them.
func manyHashes(t require.TestingT) (all, most []uint64) {
	contents := make([]string, 40)
	for i := range contents {
		contents[i] = fmt.Sprintf("host-%d.example.com", i)
	}
	all = of(t, contents...)
	for i, hash := range all {
		if i%9 != 0 && i != len(all)-1 {
			most = append(most, hash)
		}
	}
	return all, most
}

// addRefused adds vectors of a response that is refused after another one, which stays.
func addRefused(t require.TestingT, add addVector) {
	from := hashes{of(t, "bad.example.com", "evil.com", "@jack"), of(t, "example.org")}
	to := hashes{of(t, "bad.example.com", "@jack", "a.example.com"), of(t, "example.org", "b.example.com")}
	start := respond("whole lists", whole(at(1, 10), from)...)
	refuse := func(name string, refused response) {
		add("refused: "+name, []string{"https://evil.com/login", "a.example.com"}, start, refused)
	}
	good := func() []hashwire.HashList { return difference(at(1, 20), from, to) }
	fault := func(name string, change func(blocked, allowed *hashwire.HashList)) {
		refuse(name, respond("a difference", changed(good(), change)...))
	}
	data := func(name string, change func(data []byte) []byte) {
		refuse(name, response{Name: "data", RulesVersion: classify.Version, Data: change(hashwire.Encode(good()...))})
	}

	refuse("a difference that was applied before", respond("a difference", difference(at(1, 10), hashes{}, from)...))
	refuse("a difference of another store", respond("a difference", difference(at(2, 20), from, to)...))
	refuse("a difference of another store without a change", respond("a difference", difference(at(2, 20), from, from)...))
	refuse("a difference to other lists", respond("a difference", difference(at(1, 30), to, from)...))
	refuse("an older difference", respond("a difference", difference(at(1, 9), hashes{}, to)...))
	refuse("older whole lists", respond("whole lists", whole(at(1, 9), to)...))
	refuse("lists from before the first change", respond("whole lists", whole(nil, hashes{})...))
	add("refused: a difference to nothing", []string{"evil.com"}, respond("a difference", good()...))

	add("refused: a difference to the lists of a store without a change", []string{"evil.com"},
		respond("empty lists, and an empty version", whole(nil, hashes{})...), respond("a difference to them", difference(at(1, 1), hashes{}, from)...))

	refuse("one list", respond("a list", good()[:1]...))
	refuse("three lists", respond("lists", append(good(), good()[1])...))
	refuse("the lists in another order", respond("lists", good()[1], good()[0]))
	fault("an unknown name", func(_, allowed *hashwire.HashList) { allowed.Name = "other" })
	fault("lists of two versions", func(_, allowed *hashwire.HashList) { allowed.Version = at(1, 21) })
	fault("a difference beside a whole list", func(_, allowed *hashwire.HashList) { allowed.Partial = false })
	fault("a version with a wrong checksum", func(blocked, allowed *hashwire.HashList) {
		version := at(1, 20)
		version[len(version)-1] ^= 1
		blocked.Version, allowed.Version = version, version
	})
	fault("a wrong checksum", func(_, allowed *hashwire.HashList) { allowed.Checksum = hashwire.Checksum(nil) })
	fault("no checksum", func(blocked, _ *hashwire.HashList) { blocked.Checksum = nil })
	fault("a removal beyond the list", func(blocked, _ *hashwire.HashList) { blocked.Removals = hashwire.NewRemovals([]uint32{3}) })
	fault("an addition that is present", func(blocked, _ *hashwire.HashList) {
		blocked.Additions = hashwire.NewAdditions(of(t, "bad.example.com"))
	})
	fault("removals from whole lists", func(blocked, allowed *hashwire.HashList) { blocked.Partial, allowed.Partial = false, false })
	data("nothing", func([]byte) []byte { return []byte{} })
	data("a text", func([]byte) []byte { return []byte("Too many requests") })
	data("a byte less", func(data []byte) []byte { return data[:len(data)-1] })
	data("a byte more", func(data []byte) []byte { return append(data, 1) })
	data("a bit that was changed", func(data []byte) []byte {
		data[len(data)/2] ^= 8
		return data
	})

	refuse("later rules", response{"whole lists", classify.Version + 1, hashwire.Encode(whole(at(1, 20), to)...)})
	refuse("a server that does not say its rules", response{"whole lists", 0, hashwire.Encode(whole(at(1, 20), to)...)})
	add("refused: other rules, while nothing is held", []string{"evil.com"},
		response{"whole lists", classify.Version + 1, hashwire.Encode(whole(at(1, 20), to)...)})
	add("after a refusal, the next difference still fits", []string{"a.example.com"}, start,
		response{"a damaged difference", classify.Version, hashwire.Encode(good()...)[1:]}, respond("the difference", good()...))
}
