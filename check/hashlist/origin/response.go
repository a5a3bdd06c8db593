package origin

import (
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/hashlist/internal/wire"
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
// lists if the version is empty or unknown, belongs to another store, or is too old.
//
// The error is [ErrNotFilled] until the Origin is filled for the first time.
func (o *Origin) Since(version string) (Response, error) {
	p := o.published.Load()
	if p == nil {
		return Response{}, ErrNotFilled
	}
	response := Response{Version: p.version.String(), Age: max(time.Since(p.readAt), 0)}
	if differences, ok := p.differences(version); ok {
		response.Since, response.Data = version, p.encode(func(i int, list *wire.HashList) {
			list.Partial = true
			list.Removals, list.Additions = wire.NewRemovals(differences[i].removals), wire.NewAdditions(differences[i].additions)
		})
		return response, nil
	}
	response.Data = p.whole()
	return response, nil
}

// differences returns the differences to the lists with a version. It reports false if the whole lists
// must be sent instead.
func (p *published) differences(version string) (differences [len(kinds)]difference, ok bool) {
	cursor, err := asset.ParseFeedCursor(version)
	if err != nil || cursor == (asset.FeedCursor{}) {
		return differences, false
	}
	position, err := p.feed.Position(cursor)
	if err != nil {
		return differences, false
	}
	return p.since(position)
}
