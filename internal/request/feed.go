package request

import (
	"cmp"
	"fmt"
	"time"

	"github.com/apguard/apguard/asset"
)

// MaxWait is how long a request may wait for changes.
const MaxWait = 30 * time.Second

// feedEnd is the cursor in a request that asks for the end of the feed.
const feedEnd = "end"

// FeedRequest asks for a page of the feed of changes.
type FeedRequest struct {
	// Cursor is the position before the page. It is zero for the start.
	Cursor asset.FeedCursor
	// End asks for the cursor at the end of the feed, and for no changes.
	End bool
	// Limit is the largest number of changes, from 1 to [asset.MaxLimit].
	Limit int
	// Wait is how long to wait for changes if there are none.
	Wait time.Duration
}

// Feed decodes GET /asset/feed.
func (c Call) Feed() (FeedRequest, error) {
	f := c.query("cursor", "limit", "wait")
	var request FeedRequest
	request.Cursor = one(&f, "cursor", func(v value) (asset.FeedCursor, string) {
		if request.End = v.text == feedEnd; request.End {
			return asset.FeedCursor{}, ""
		}
		cursor, err := asset.ParseFeedCursor(v.text)
		if err != nil {
			return asset.FeedCursor{}, asset.ErrMalformedCursor.Error()
		}
		return cursor, ""
	})
	request.Limit = cmp.Or(f.limit(asset.MaxLimit), asset.MaxLimit)
	request.Wait = one(&f, "wait", asWait)
	return request, f.join()
}

func asWait(v value) (time.Duration, string) {
	const most = int64(MaxWait / time.Second)
	seconds, ok := v.wholeNumber()
	if !ok || seconds < 0 || seconds > most {
		return 0, fmt.Sprintf("must be a whole number of seconds from 0 to %d", most)
	}
	return time.Duration(seconds) * time.Second, ""
}

// FeedCursorError returns the error for a cursor that the feed refuses for the reason.
func FeedCursorError(reason error) error { return inputError("cursor", reason.Error()) }
