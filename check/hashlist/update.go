package hashlist

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/hashwire"
)

// Response is a response of a server to a request for its hash list, or what files have in its place.
type Response struct {
	// Data is the body.
	Data []byte
	// More has further bodies: each is the difference to the lists after the one before.
	More [][]byte
	// Version is the version of the lists after all bodies, if it is known. Without a body, it says that the lists
	// that are held have it, and only AsOf is new.
	Version string
	// AsOf is a time at which the list was what the server had: the time before the request, less the
	// Age of the response.
	AsOf time.Time
	// Rules is the version of the rules by which the server made the hashes: the header Rules-Version.
	Rules int
}

// Update replaces or changes the list as a response says: a whole list, or the difference to the one
// with the version of the request. It verifies all of it before. Of several bodies it applies all or none, and no
// check is answered in between.
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

	next, err := l.held.Load().after(response)
	if err != nil {
		return err
	}
	next.asOf = response.AsOf
	l.held.Store(next)
	return nil
}

// after returns what is held after all bodies of a response. h is nil if nothing is held.
func (h *held) after(response Response) (*held, error) {
	if len(response.Data) == 0 && len(response.More) == 0 && response.Version != "" {
		return h.unchanged(response.Version)
	}
	next, bodies := h, append([][]byte{response.Data}, response.More...)
	for i, data := range bodies {
		latest := asset.FeedCursor{} // the lists in between may be older than those that are held
		if h != nil && i == len(bodies)-1 {
			latest = h.version
		}
		var err error
		if next, err = next.updated(data, latest); err != nil {
			return nil, err
		}
	}
	if response.Version != "" && next.version.String() != response.Version {
		return nil, fmt.Errorf("%w: another version than that of the response", ErrDamaged)
	}
	return next, nil
}

// unchanged returns a copy of what is held, which must have the version.
func (h *held) unchanged(version string) (*held, error) {
	if h == nil || h.version.String() != version {
		return nil, ErrReplayed
	}
	same := *h
	return &same, nil
}

// updated returns what is held after a body, which must not be older than the latest version. h is nil if nothing is
// held.
func (h *held) updated(data []byte, latest asset.FeedCursor) (*held, error) {
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
	case version.Before(latest):
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
func decode(data []byte) (lists [len(names)]hashwire.HashList, version asset.FeedCursor, err error) {
	decoded, err := hashwire.Decode(data)
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
	return [len(names)]hashwire.HashList(decoded), version, nil
}

// changes reports whether any of the lists has removals or additions.
func changes(lists [len(names)]hashwire.HashList) bool {
	for _, list := range lists {
		if list.Removals != nil || list.Additions != nil {
			return true
		}
	}
	return false
}
