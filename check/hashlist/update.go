package hashlist

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/hashlist/internal/wire"
	"github.com/apguard/apguard/classify"
)

// Response is a response of a server to a request for its hash list.
type Response struct {
	// Data is the body.
	Data []byte
	// AsOf is a time at which the list was what the server had: the time before the request, less the
	// Age of the response.
	AsOf time.Time
	// Rules is the version of the rules by which the server made the hashes: the header Rules-Version.
	Rules int
}

// Update replaces or changes the list as a response says: a whole list, or the difference to the one
// with the version of the request. It verifies all of it before.
//
// The error is a [*RulesError], or matches [ErrDamaged], [ErrReplayed] or [ErrDowngraded]. After
// ErrDamaged and ErrReplayed, request the
// whole list, which is the one without a version.
func (l *List) Update(response Response) error {
	if response.Rules != classify.Version {
		return &RulesError{Have: response.Rules, Want: classify.Version}
	}
	l.updating.Lock()
	defer l.updating.Unlock()

	next, err := l.held.Load().updated(response.Data)
	if err != nil {
		return err
	}
	next.asOf = response.AsOf
	l.held.Store(next)
	return nil
}

// updated returns what is held after a response. h is nil if nothing is held.
func (h *held) updated(data []byte) (*held, error) {
	lists, version, err := decode(data)
	if err != nil {
		return nil, err
	}
	partial := lists[blocked].Partial
	if h == nil {
		if partial {
			return nil, ErrReplayed
		}
		h = new(held)
	}
	switch {
	case version.Before(h.version):
		return nil, ErrDowngraded
	case partial && version.Store() != h.version.Store():
		return nil, ErrReplayed
	case partial && !h.version.Before(version) && changes(lists):
		return nil, ErrReplayed
	}
	next := &held{version: version, wait: lists[blocked].MinimumWait}
	for i, list := range lists {
		var old []uint64
		if partial {
			old = h.statuses[i].hashes
		}
		hashes, err := apply(old, list)
		if err != nil {
			return nil, fmt.Errorf("%w: list %s: %w", ErrDamaged, list.Name, err)
		}
		next.statuses[i] = newSet(hashes)
	}
	return next, nil
}

// decode returns the lists of a response in the order of the names, and their version.
func decode(data []byte) (lists [len(names)]wire.HashList, version asset.FeedCursor, err error) {
	decoded, err := wire.Decode(data)
	if err != nil {
		return lists, version, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if len(decoded) != len(names) {
		return lists, version, fmt.Errorf("%w: %d lists", ErrDamaged, len(decoded))
	}
	for i, list := range decoded {
		if list.Name != names[i] || list.Partial != decoded[0].Partial || !bytes.Equal(list.Version, decoded[0].Version) {
			return lists, version, fmt.Errorf("%w: lists do not belong together", ErrDamaged)
		}
	}
	version, err = asset.ParseFeedCursor(base64.RawURLEncoding.EncodeToString(decoded[0].Version))
	if err != nil {
		return lists, version, fmt.Errorf("%w: invalid version", ErrDamaged)
	}
	return [len(names)]wire.HashList(decoded), version, nil
}

// changes reports whether any of the lists has removals or additions.
func changes(lists [len(names)]wire.HashList) bool {
	for _, list := range lists {
		if list.Removals != nil || list.Additions != nil {
			return true
		}
	}
	return false
}
