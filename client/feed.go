package client

import (
	"cmp"
	"context"
	"iter"
	"net/url"
	"time"

	"github.com/apguard/apguard/asset"
)

// FeedEnd is the cursor of a [FeedRequest] that asks for the end of the feed, and for no changes.
const FeedEnd = "end"

// MaxFeedWait is the longest time that a request for the feed waits for changes.
const MaxFeedWait = 30 * time.Second

// earlyEnd is the time between two requests of [Client.Follow] if the server does not wait.
const earlyEnd = time.Second

// FeedRequest asks for a page of the feed, which has every change in the order of the commits.
type FeedRequest struct {
	// Cursor is that of the previous page, [FeedEnd], or empty for the start of the feed.
	Cursor string
	// Limit is the largest number of changes, from 1 to 1,000. Zero means 1,000.
	Limit int
	// Wait is how long to wait for changes if there are none, up to [MaxFeedWait]. It is rounded up to
	// seconds.
	Wait time.Duration
}

// FeedPage is a page of the feed.
type FeedPage struct {
	// Changes may be fewer than the limit. Only if there are none, the page is at the end. The ID, the Origin and the
	// ListID of each are zero. If only the basis of a status has changed, its From equals its To.
	Changes []asset.Change `json:"changes"`
	// Cursor is the position after the changes, or empty at the start of the feed. It belongs to one
	// store, and only that understands it.
	Cursor string `json:"cursor"`
	// Age says how old the feed was: every change that was committed longer before the request was
	// in it. It has whole seconds.
	Age time.Duration `json:"-"`
	// Rules is the version of the rules by which the server made the canonical forms, or 0 if it does not say.
	Rules int `json:"-"`
}

func (p *FeedPage) validate() error {
	if err := validatePage(p.Changes, validateStatusChange, 0); err != nil {
		return err
	}
	if len(p.Changes) > 0 && p.Cursor == "" {
		return responseError("it has no cursor")
	}
	return nil
}

// Feed returns a page of the feed.
//
// If the server cannot continue from the cursor, the error matches [ErrCursor]. To copy statuses, list
// them with [Client.Export] and continue from its cursor.
func (c *Client) Feed(ctx context.Context, req FeedRequest) (FeedPage, error) {
	query := make(url.Values)
	setText(query, "cursor", req.Cursor)
	setNumber(query, "limit", int64(req.Limit))
	setNumber(query, "wait", int64((req.Wait+time.Second-1)/time.Second))
	var page FeedPage
	call := get("/asset/feed", query)
	call.wait = req.Wait
	call.receive = func(r *response) error {
		page = FeedPage{}
		if err := receiveJSON(&page)(r); err != nil {
			return err
		}
		var err error
		if page.Rules, err = rulesOf(r); err != nil {
			return err
		}
		page.Age, err = ageOf(r)
		return err
	}
	if err := c.send(ctx, call); err != nil {
		return FeedPage{}, err
	}
	return page, nil
}

// Follow yields pages of the feed after the cursor, and then waits for changes, until ctx ends. Each
// page has changes. A follower applies them and then stores the cursor of the page, so that it
// can continue from there. If it stops in between, it receives the page again.
//
// An error ends the sequence, after the retries of [Options]. The follower can call Follow again
// with the last cursor, unless the error matches [ErrCursor].
func (c *Client) Follow(ctx context.Context, cursor string) iter.Seq2[FeedPage, error] {
	return func(yield func(FeedPage, error) bool) {
		for {
			began := time.Now()
			page, err := c.Feed(ctx, FeedRequest{Cursor: cursor, Wait: MaxFeedWait})
			if err == nil && len(page.Changes) > 0 && page.Cursor == cursor {
				err = &Error{Operation: "GET /asset/feed", Err: responseError("the cursor does not move on")}
			}
			if err != nil {
				yield(FeedPage{}, err)
				return
			}
			cursor = cmp.Or(page.Cursor, cursor)
			if len(page.Changes) > 0 {
				if !yield(page, nil) {
					return
				}
			} else if rest := earlyEnd - time.Since(began); rest > 0 {
				if err := c.sleep(ctx, rest); err != nil {
					yield(FeedPage{}, err)
					return
				}
			}
		}
	}
}
