package origin

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
// The error is [ErrNotFilled] until the Origin is filled for the first time.
func (o *Origin) Since(version string) (Response, error) {
	p := o.published.Load()
	if p == nil {
		return Response{}, ErrNotFilled
	}
	response := Response{Version: p.version.String(), Age: max(time.Since(p.readAt), 0)}
	if position, changes, ok := p.changesSince(version); ok {
		response.Data, _ = p.differences.Get(position, len(changes), func() []byte { return p.difference(changes) })
	}
	if response.Data == nil {
		response.Data = p.whole()
	} else {
		response.Since = version
	}
	return response, nil
}

// changesSince returns the position of the lists with a version and the changes since. It reports false if
// the whole lists must be sent instead.
func (p *published) changesSince(version string) (position int64, changes []change, ok bool) {
	cursor, err := asset.ParseFeedCursor(version)
	if err != nil || cursor == (asset.FeedCursor{}) {
		return 0, nil, false
	}
	if position, err = p.feed.Position(cursor); err != nil {
		return 0, nil, false
	}
	changes, ok = p.history.Since(position)
	return position, changes, ok
}
