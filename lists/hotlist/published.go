package hotlist

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/follow"
	"github.com/apguard/apguard/lists"
)

// published is what responses are made of. It does not change.
type published struct {
	store   asset.StoreID
	stamp   int64
	version string
	list    lists.WalletList
	history follow.Log[change]
	// These are made when they are needed first: the stalelist, all blocked hosts, and these with those
	// that were removed.
	stalelist, blocklist, everything func() []byte
	// diffs has the responses since time stamps, and requests those for numbers of changes.
	diffs, requests follow.Responses
}

func newPublished(store asset.StoreID, stamp int64, list lists.WalletList, h follow.Log[change]) *published {
	p := &published{store: store, stamp: stamp, version: fmt.Sprintf("%x.%d", store, stamp), list: list, history: h}
	p.stalelist = sync.OnceValue(p.makeStalelist)
	p.blocklist = sync.OnceValue(func() []byte { return encode(requestBlocklist{hashes(list.Blocked), []string{}}) })
	p.everything = sync.OnceValue(func() []byte {
		changes, _ := h.All()
		return encode(requestBlocklist{hashes(list.Blocked), p.removed(changes)})
	})
	return p
}

// has reports whether sorted texts have one.
func has(texts []string, text string) bool {
	_, found := slices.BinarySearch(texts, text)
	return found
}

// encode returns a value as JSON. The values of this package can be encoded.
func encode(value any) []byte {
	text, _ := json.Marshal(value)
	return text
}

// Response is the body of a response, in JSON.
type Response struct {
	Data []byte
	// Version identifies the lists: their store and their time stamp. With the same request and Version,
	// the data is the same.
	Version string
}

type stalelist struct {
	Tolerance      int      `json:"tolerance"`
	Version        int      `json:"version"`
	LastUpdated    int64    `json:"lastUpdated"`
	Allowlist      []string `json:"allowlist"`
	Blocklist      []string `json:"blocklist"`
	BlocklistPaths []string `json:"blocklistPaths"`
	Fuzzylist      []string `json:"fuzzylist"`
}

// data is what the first two responses have around them.
type data[T any] struct {
	Data T `json:"data"`
}

// Stalelist returns all lists. Its fuzzy matching is off. The error is [ErrNotFilled].
func (h *Hotlist) Stalelist() (Response, error) {
	p := h.published.Load()
	if p == nil {
		return Response{}, ErrNotFilled
	}
	return Response{p.stalelist(), p.version}, nil
}

func (p *published) makeStalelist() []byte {
	return encode(data[stalelist]{stalelist{
		Version:        2,
		LastUpdated:    p.stamp,
		Allowlist:      orEmpty(p.list.Allowed),
		Blocklist:      orEmpty(p.list.Blocked),
		BlocklistPaths: orEmpty(p.list.BlockedPaths),
		Fuzzylist:      []string{},
	}})
}

// orEmpty returns a list that is not null in JSON.
func orEmpty(texts []string) []string {
	if texts == nil {
		return []string{}
	}
	return texts
}

// The lists that a difference changes.
const (
	allowlist      = "eth_phishing_detect_config.allowlist"
	blocklist      = "eth_phishing_detect_config.blocklist"
	blocklistPaths = "eth_phishing_detect_config.blocklistPaths"
)

type diff struct {
	URL        string `json:"url"`
	Timestamp  int64  `json:"timestamp"`
	TargetList string `json:"targetList"`
	IsRemoval  bool   `json:"isRemoval,omitempty"`
}

// DiffsSince returns what a client with the newest time stamp must change. It has every element that can
// have changed, whether it has or not, so that it does not matter which server the client has asked
// before. A time stamp beyond the present one is answered with no changes. 0 is that of a client without
// lists, and means the same as 1, the time stamp of a new store.
//
// The error is [ErrNotFilled], or [ErrTooOld] if the history does not go back so far. It matches
// [asset.ErrUnavailable] if too many requests wait for long responses.
func (h *Hotlist) DiffsSince(stamp int64) (Response, error) {
	p := h.published.Load()
	if p == nil {
		return Response{}, ErrNotFilled
	}
	changes, ok := p.history.Since(max(stamp-1, 0))
	if !ok {
		return Response{}, ErrTooOld
	}
	return p.response(p.diffs.Get(stamp, len(changes), func() []byte { return p.makeDiffs(changes) }))
}

// response returns data that was made, if it was.
func (p *published) response(data []byte, made bool) (Response, error) {
	if !made {
		return Response{}, errBusy
	}
	return Response{data, p.version}, nil
}

// makeDiffs returns the data of DiffsSince.
func (p *published) makeDiffs(changes []change) []byte {
	diffs := make([]diff, 0, 2*len(changes))
	add := func(target string, url string, present bool) {
		diffs = append(diffs, diff{url, p.stamp, target, !present})
	}
	t := touchedBy(changes)
	for _, host := range t.hosts {
		add(blocklist, host, has(p.list.Blocked, host))
	}
	for _, host := range t.above {
		add(allowlist, host, has(p.list.Allowed, host))
	}
	for _, path := range t.paths {
		present := has(p.list.BlockedPaths, path)
		add(blocklistPaths, path, present)
		if !present {
			for _, below := range p.pathsBelow(path) { // the client has removed them with it
				add(blocklistPaths, below, true)
			}
		}
	}
	return encode(data[[]diff]{diffs})
}

// pathsBelow returns the blocked paths below one.
func (p *published) pathsBelow(path string) []string {
	paths := p.list.BlockedPaths
	first, _ := slices.BinarySearch(paths, path+"/")
	last := first
	for last < len(paths) && strings.HasPrefix(paths[last], path+"/") {
		last++
	}
	return paths[first:last]
}

// margin is how far the clock of a client, and the publication of a change, may be behind.
const margin = 10 * time.Minute

type requestBlocklist struct {
	RecentlyAdded   []string `json:"recentlyAdded"`
	RecentlyRemoved []string `json:"recentlyRemoved"`
}

// RequestBlocklist returns the SHA-256 of blocked hosts in hexadecimal: of all, or of those that were
// blocked or removed since a time in seconds, by the clock of the client. It has those of ten minutes
// before, too. If the history does not go back so far, it has all blocked hosts. The error is
// [ErrNotFilled]. It matches [asset.ErrUnavailable] if too many requests wait for long responses.
func (h *Hotlist) RequestBlocklist(since int64) (Response, error) {
	p := h.published.Load()
	if p == nil {
		return Response{}, ErrNotFilled
	}
	since -= int64(margin / time.Second)
	if since <= 0 {
		return Response{p.blocklist(), p.version}, nil
	}
	if !p.hasFrom(since) {
		return Response{p.everything(), p.version}, nil
	}
	n := 0
	for range p.changesFrom(since) {
		n++
	}
	// Of two times, one has all changes of the other one, so their number tells which they are.
	return p.response(p.requests.Get(int64(n), n, func() []byte { return p.makeRequests(slices.Collect(p.changesFrom(since))) }))
}

// hasFrom reports whether the history has all changes that were recorded since a time in seconds.
func (p *published) hasFrom(since int64) bool {
	changes, complete := p.history.All()
	return complete || len(changes) > 0 && changes[0].at < since
}

// changesFrom yields the changes of the history that were recorded since a time in seconds.
func (p *published) changesFrom(since int64) iter.Seq[change] {
	return func(yield func(change) bool) {
		changes, _ := p.history.All()
		for _, c := range changes {
			if c.at >= since && !yield(c) {
				return
			}
		}
	}
}

// makeRequests returns the data of RequestBlocklist for changes.
func (p *published) makeRequests(changes []change) []byte {
	response := requestBlocklist{[]string{}, p.removed(changes)}
	for _, host := range touchedBy(changes).hosts {
		if has(p.list.Blocked, host) {
			response.RecentlyAdded = append(response.RecentlyAdded, hash(host))
		}
	}
	return encode(response)
}

// removed returns the hashes of hosts that are touched by changes and not blocked.
func (p *published) removed(changes []change) []string {
	removed := []string{}
	for _, host := range touchedBy(changes).hosts {
		if !has(p.list.Blocked, host) {
			removed = append(removed, hash(host))
		}
	}
	return removed
}

func hash(host string) string {
	sum := sha256.Sum256([]byte(host))
	return hex.EncodeToString(sum[:])
}

func hashes(hosts []string) []string {
	list := make([]string, len(hosts))
	for i, host := range hosts {
		list[i] = hash(host)
	}
	return list
}
