package hashes

import (
	"time"

	"github.com/apguard/apguard/asset"
)

// Response is the response to a request for hash lists.
type Response struct {
	// Data is the body: a BatchGetHashListsResponse of Safe Browsing v5. Other responses may share it.
	Data []byte
	// Since is the version to which the data is the difference. It is empty for whole lists.
	Since string
	// Version is the version of the lists.
	Version string
	// Age says how old the lists are: every change that was committed longer ago is in them.
	Age time.Duration
}

// Since returns the difference between the lists with a version and the present ones. It returns whole
// lists if the version is empty or unknown, belongs to another store, or is too old, and if too many
// requests wait for long differences.
//
// While clients read many responses, it returns whole lists instead of a difference of more than 1,000 changes.
// These can be up to 1,000 changes older than the present ones, but never than the version. The next response
// has what is missing.
//
// The error is [ErrNotFilled] until the Origin is filled for the first time.
func (o *Origin) Since(version string) (Response, error) {
	p := o.published.Load()
	if p == nil {
		return Response{}, ErrNotFilled
	}
	position, changes, ok := p.changesSince(version)
	if ok && (len(changes) <= fewChanges || !o.reading.full()) {
		data, _ := p.differences.get(position, len(changes), func() []byte { return o.reading.count(p.difference(changes)) })
		if data != nil {
			return Response{Data: data, Since: version, Version: p.version.String(), Age: age(p.readAt)}, nil
		}
	}
	return o.whole(p, position), nil
}

// whole returns whole lists of a position or a later one.
func (o *Origin) whole(p *published, position int64) Response {
	made := o.made.Load()
	if !o.reading.full() || !p.follows(made, position) {
		made = &wholeLists{data: p.whole(), version: p.version, readAt: p.readAt}
		o.made.Store(made)
	}
	return Response{Data: made.data, Version: made.version.String(), Age: age(made.readAt)}
}

// age returns how long ago a time was.
func age(at time.Time) time.Duration { return max(time.Since(at), 0) }

// changesSince returns the position of the lists with a version and the changes since. It reports false if
// the whole lists must be sent instead.
func (p *published) changesSince(version string) (position int64, changes []change, ok bool) {
	cursor, err := asset.ParseFeedCursor(version)
	if err != nil {
		return 0, nil, false
	}
	return p.positionOf(cursor)
}

// wholeLists is the data of whole lists that were made.
type wholeLists struct {
	data    []byte
	version asset.FeedCursor
	readAt  time.Time
}

// follows reports whether whole lists are of a position or a later one, and few changes are missing. They
// can be nil.
func (p *published) follows(made *wholeLists, position int64) bool {
	if made == nil {
		return false
	}
	at, changes, ok := p.positionOf(made.version)
	return ok && at >= position && len(changes) <= fewChanges
}
