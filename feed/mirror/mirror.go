// Package mirror answers checks from a copy in memory, without a database.
//
// A [Mirror] is a view of a [feed.Replica], which copies all assets that are ALLOWED or BLOCKED and then follows
// the feed of changes. [Mirror.Check] applies the rule of package check to the copy. When the
// Replica has read the feed to its end, it answers as the source does:
//
//	m := mirror.New(mirror.Options{ExternalLists: guard.ExternalLists})
//	r := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{m}})
//	go r.Run(ctx)
//
//	verdict, err := m.Check(ctx, "https://login.bad.example.com/x")
//
// The source can also be a server, anywhere; see package client/source. The answers then do not have
// the external lists of the server, only those of the mirror. Of the basis of a status, a Match has the
// reason alone.
//
// The copy keeps a 64-bit hash of each asset's identity instead of its text, so that 1,000,000
// assets take less than 48 MiB. If the hash of a cover is that of another asset in the copy,
// the verdict is wrong. With 1,000,000 assets, this happens in about one of 10^12 checks. The
// key of the hash is random and secret, so such contents cannot be prepared.
// Two assets in the copy never share a hash: the Replica then starts again with another key.
package mirror

import (
	"cmp"
	"sync/atomic"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/feed"
)

// Options are the optional settings of a [Mirror]. The zero value is valid. ExternalLists and
// FailClosed are as in [check.Options].
type Options struct {
	ExternalLists check.ExternalLists
	FailClosed    bool
	// Bases keeps the whole bases of statuses, so that a Match has them. Without it, a Match has the reason alone,
	// as has one from a server, which tells no more. They take up to 32 MiB more for 1,000,000 assets, and
	// the texts of different notes.
	Bases bool
	// MaxAge is the age from which on the copy no longer answers, because its source has been away for so long. If it
	// is not positive, it is [DefaultMaxAge].
	MaxAge time.Duration
	// Clock returns the current time. Nil means time.Now.
	Clock func() time.Time
}

// DefaultMaxAge is the age from which on the copy of a [Mirror] no longer answers if no other one is given.
const DefaultMaxAge = 24 * time.Hour

// Mirror is a copy of the statuses in a source. It implements [feed.View] and [check.Checker]. [New] returns
// one, and a [feed.Replica] fills it. It is safe for concurrent use. The zero Mirror is never filled.
type Mirror struct {
	options Options
	// newHash, unless nil, returns the hash functions of copies in place of those of random keys.
	newHash func() func(asset.Identity) uint64

	// copied is the copy that answers, or nil.
	copied atomic.Pointer[statuses]
}

// New returns a Mirror. It answers no check until a [feed.Replica] has filled it.
func New(opts Options) *Mirror {
	opts.MaxAge = cmp.Or(max(opts.MaxAge, 0), DefaultMaxAge)
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	return &Mirror{options: opts}
}

// Describe implements [feed.View].
func (m *Mirror) Describe() feed.Description { return feed.Description{Name: "mirror"} }

// NewCopy implements [feed.View].
func (m *Mirror) NewCopy(asset.Feed, asset.FeedCursor) feed.Copy {
	s := &statuses{mirror: m, key: newHashKey()}
	s.hash = s.key.function()
	if m.newHash != nil {
		s.hash = m.newHash()
	}
	if m.options.Bases {
		s.table.bases = newBases()
	}
	return s
}
