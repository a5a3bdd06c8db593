package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/request"
	"github.com/apguard/apguard/internal/wire"
)

// feedCursorHeader is the header with the cursor of the feed at which a list was read.
const feedCursorHeader = "Feed-Cursor"

// readFeed answers GET /asset/feed.
func (p public) readFeed(w *responseWriter, c call) error {
	req, err := c.request().Feed()
	if err != nil {
		return err
	}
	feed, err := p.guard.Feed.State(c.Context())
	if err != nil {
		return err
	}
	page := feedPage{feed: feed, cursor: feed.End()}
	if !req.End {
		if page, err = p.feedPage(w, c, feed, req); err != nil {
			return feedError(err)
		}
	}
	setRulesVersion(w.Header())
	w.Header().Set("Age", strconv.FormatInt(wholeSeconds(page.feed.Behind), 10))
	w.write(http.StatusOK, wire.AppendFeedPage(nil, page.entries, page.cursor))
	return nil
}

// feedPage is a page of the feed, and its state before the page was read.
type feedPage struct {
	feed    asset.Feed
	entries []asset.FeedEntry
	// cursor is the position after the page.
	cursor asset.FeedCursor
}

// feedPage waits for changes if the client wants it and there are none, and reads a page. A request that need
// not wait is costly. One that waits is not: all of those can hear of a change at the same time, and none must
// then be refused.
func (p public) feedPage(w *responseWriter, c call, feed asset.Feed, req request.FeedRequest) (feedPage, error) {
	position, err := feed.Position(req.Cursor)
	if err == nil && position == feed.Last && req.Wait > 0 {
		err = c.wait(w, req.Wait, func(ctx context.Context) error { return p.guard.Feed.Wait(ctx, req.Cursor) })
		if err == nil {
			feed, err = p.guard.Feed.State(c.Context())
		}
	} else {
		err = w.place.Costly()
	}
	if err != nil {
		return feedPage{}, err
	}
	page := feedPage{feed: feed, cursor: req.Cursor}
	page.entries, err = p.guard.Feed.Since(c.Context(), req.Cursor, req.Limit)
	if len(page.entries) > 0 {
		page.cursor = page.entries[len(page.entries)-1].Cursor
	}
	return page, err
}

// feedError returns the response to a cursor that the feed refuses, or the error itself.
func feedError(err error) error {
	switch {
	case errors.Is(err, asset.ErrPrunedCursor):
		return apiError{status: http.StatusGone, message: "Changes after this cursor were removed"}
	case errors.Is(err, asset.ErrForeignCursor): // a client cannot know the difference
		return request.FeedCursorError(asset.ErrMalformedCursor)
	case errors.Is(err, asset.ErrFutureCursor):
		return request.FeedCursorError(asset.ErrFutureCursor)
	default:
		return err
	}
}
