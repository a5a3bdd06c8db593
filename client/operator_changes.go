package client

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/apguard/apguard/asset"
)

// AssetChange is a change of the status of an asset with its origin, which only operators see.
type AssetChange struct {
	ID   int64        `json:"id"`
	From asset.Status `json:"fromStatus"`
	To   asset.Status `json:"toStatus"`
	At   time.Time    `json:"updatedAt"`
	// Cause is the kind of operation that changed the status.
	Cause asset.Cause `json:"cause"`
	// Actor is zero if it is unknown.
	Actor NamedUser `json:"actor"`
	// Reference names the record behind the change. It may be empty.
	Reference string `json:"reference"`
}

func validateChange(change AssetChange) error {
	if !asset.ValidID(change.ID) || !change.From.Valid() || !change.To.Valid() || change.At.IsZero() || change.Cause == "" {
		return responseError("a change is incomplete")
	}
	return nil
}

// NamedChange is a change with its asset.
type NamedChange struct {
	AssetChange
	AssetID int64      `json:"assetId"`
	Type    asset.Type `json:"type"`
	// Content is the canonical form of the asset.
	Content string `json:"content"`
}

// Identity returns the identity of the changed asset.
func (c NamedChange) Identity() asset.Identity {
	return asset.Identity{Type: c.Type, Canonical: c.Content}
}

func validateNamedChange(change NamedChange) error {
	if !asset.ValidID(change.AssetID) || change.Type == "" || change.Content == "" {
		return responseError("a change is incomplete")
	}
	return validateChange(change.AssetChange)
}

// ErrPartial reports that changes may be missing in a list, because there are too many assets.
var ErrPartial = errors.New("changes may be missing")

// ChangesRequest selects the changes of an asset and of all that it covers.
type ChangesRequest struct {
	// Under is the asset, in any spelling, such as a domain. It need not exist.
	Under string
	// Limit is the largest number of changes in a page, from 1 to [asset.MaxLimit]. Zero means [asset.DefaultLimit].
	Limit int
}

type changesPage struct {
	namedChangesPage
	Partial bool `json:"partial"`
}

// Changes yields the changes of an asset and of all that it covers, such as the URLs and the subdomains of a domain,
// newest first, page by page. If the server did not look at all of these assets, an error that matches [ErrPartial]
// comes after the last change.
func (o *Operator) Changes(ctx context.Context, req ChangesRequest) iter.Seq2[NamedChange, error] {
	const path = "/asset/changes"
	return func(yield func(NamedChange, error) bool) {
		partial := false
		for change, err := range pages("GET "+path, "", func(cursor string) ([]NamedChange, string, error) {
			query := pageQuery(cursor, req.Limit)
			setText(query, "under", req.Under)
			page, err := getPage[changesPage](ctx, o.sender, path, query)
			partial = partial || page.Partial
			return page.Changes, page.NextCursor, err
		}) {
			if !yield(change, err) || err != nil {
				return
			}
		}
		if partial {
			yield(NamedChange{}, &Error{Operation: "GET " + path, Err: ErrPartial})
		}
	}
}

// HistoryRequest selects the changes of one asset.
type HistoryRequest struct {
	// Content is the asset, in any spelling.
	Content string
	// Limit is as in [ChangesRequest].
	Limit int
}

type historyPage struct {
	Changes    []AssetChange `json:"changes"`
	NextCursor string        `json:"nextCursor"`
}

func (p *historyPage) validate() error { return validatePage(p.Changes, validateChange, 0) }

// History yields the changes of one asset, newest first, page by page.
func (o *Operator) History(ctx context.Context, req HistoryRequest) iter.Seq2[AssetChange, error] {
	const path = "/asset/history"
	return pages("GET "+path, "", func(cursor string) ([]AssetChange, string, error) {
		query := pageQuery(cursor, req.Limit)
		setText(query, "content", req.Content)
		page, err := getPage[historyPage](ctx, o.sender, path, query)
		return page.Changes, page.NextCursor, err
	})
}

// DecisionsRequest selects the changes that a user has decided.
type DecisionsRequest struct {
	UserID int64
	// Limit is as in [ChangesRequest].
	Limit int
}

type namedChangesPage struct {
	Changes    []NamedChange `json:"changes"`
	NextCursor string        `json:"nextCursor"`
}

func (p *namedChangesPage) validate() error { return validatePage(p.Changes, validateNamedChange, 0) }

// Decisions yields the changes that a user has decided, newest first, page by page: statuses set or taken back,
// disputes accepted, and reviews. Decisions that left a status as it was are not among them.
func (o *Operator) Decisions(ctx context.Context, req DecisionsRequest) iter.Seq2[NamedChange, error] {
	const path = "/decision/list"
	return pages("GET "+path, "", func(cursor string) ([]NamedChange, string, error) {
		query := pageQuery(cursor, req.Limit)
		setNumber(query, "userId", req.UserID)
		page, err := getPage[namedChangesPage](ctx, o.sender, path, query)
		return page.Changes, page.NextCursor, err
	})
}
