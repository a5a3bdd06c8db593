package hotlist

import (
	"crypto/sha256"
	"fmt"
	"sort"
	"sync"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/follow"
	"github.com/apguard/apguard/lists"
)

// published is what responses are made of. It does not change.
type published struct {
	state
	list    lists.WalletList
	history follow.Log[change]
	// entries are those of the history, in the order of compareEntries.
	entries []entry
	// hashes has the SHA-256 of each blocked host. It is made when it is needed first.
	hashes func() [][sha256.Size]byte
}

// state identifies what was published: everything up to a position of the feed of a store.
type state struct {
	store    asset.StoreID
	position int64
}

// stamp returns the time stamp of clients that have the state.
func (s state) stamp() int64 { return newStamp(s.store, s.position) }

// version returns the version of responses.
func (s state) version() string { return fmt.Sprintf("%x.%d", s.store, s.stamp()) }

func newPublished(s state, list lists.WalletList, history follow.Log[change]) *published {
	changes, _ := history.All()
	return &published{
		state:   s,
		list:    list,
		history: history,
		entries: newEntries(list, changes),
		hashes:  sync.OnceValue(func() [][sha256.Size]byte { return hashesOf(list.Blocked) }),
	}
}

func hashesOf(hosts []string) [][sha256.Size]byte {
	hashes := make([][sha256.Size]byte, len(hosts))
	for i, host := range hosts {
		hashes[i] = sha256.Sum256([]byte(host))
	}
	return hashes
}

// entriesUpTo returns the entries up to a position.
func (p *published) entriesUpTo(position int64) []entry {
	return p.entries[:sort.Search(len(p.entries), func(i int) bool { return p.entries[i].position > position })]
}

// hasAfter reports whether the history has all changes after a position.
func (p *published) hasAfter(position int64) bool {
	_, ok := p.history.Since(position)
	return ok
}
