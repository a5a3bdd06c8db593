package account

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// The limits of a search.
const (
	// MaxQuery is the maximum length of a query in bytes.
	MaxQuery = 1000
	// MaxScan is the maximum number of records that are examined for a page.
	MaxScan = 5000
	// scanStep is the number of records that a search reads from the store at once.
	scanStep = 1000
)

// SearchRequest is the request of [Service.SearchOrganizations] and [Service.SearchUsers].
type SearchRequest struct {
	// Query is an ID, or a part of a name, a slug or an e-mail address in any letter case. A blank
	// one finds everything.
	Query string
	// After is the Next of the previous page, or 0 for the first page.
	After int64
	// Limit is the maximum number of items in the page, from 1 to [MaxLimit]. 0 means [DefaultLimit].
	Limit int
}

// Validate returns an [*asset.InputError] that names every invalid field, or nil.
func (req SearchRequest) Validate() error {
	var issues asset.Issues
	issues.CheckLimit(req.Limit, MaxLimit)
	issues.CheckTextLength("searchQuery", req.Query, MaxQuery)
	return issues.Err()
}

// Found is a page of what a search has found, ordered by ID.
type Found[T any] struct {
	Items []T
	// Next is the After of the next page, or 0 if this is the last page. A page with few items, or
	// none, may have a next one.
	Next int64
}

// SearchOrganizations returns a page of the organizations that the query matches. It examines at most
// [MaxScan] of them. The error is that of [SearchRequest.Validate].
func (s *Service) SearchOrganizations(ctx context.Context, req SearchRequest) (Found[Organization], error) {
	return search(ctx, req, s.store.Organizations, func(o Organization) (int64, []string) {
		return o.ID, []string{o.Name, o.Slug}
	})
}

// SearchUsers is like [Service.SearchOrganizations], for users.
func (s *Service) SearchUsers(ctx context.Context, req SearchRequest) (Found[User], error) {
	return search(ctx, req, s.store.Users, func(u User) (int64, []string) {
		return u.ID, []string{u.FullName, u.Email}
	})
}

// search examines the records that read returns. The texts of a record are those that can match.
func search[T step.PageItem](
	ctx context.Context, req SearchRequest, read func(ctx context.Context, after int64, limit int) (step.Page[T], error),
	record func(T) (id int64, texts []string),
) (Found[T], error) {
	if err := req.Validate(); err != nil {
		return Found[T]{}, err
	}
	limit, term := cmp.Or(req.Limit, DefaultLimit), asset.FoldCase(strings.TrimSpace(req.Query))
	size := scanStep
	if term == "" {
		size = limit
	}
	found := Found[T]{Next: req.After}
	for scanned := 0; scanned < MaxScan; {
		page, err := read(ctx, found.Next, min(size, MaxScan-scanned))
		if err != nil {
			return Found[T]{}, err
		}
		for i, item := range page.Items {
			id, texts := record(item)
			if matches(term, id, texts) {
				found.Items = append(found.Items, item)
			}
			found.Next = id
			if len(found.Items) == limit && (page.More || i < len(page.Items)-1) {
				return found, nil
			}
		}
		if !page.More {
			found.Next = 0
			break
		}
		scanned += len(page.Items)
	}
	return found, nil
}

func matches(term string, id int64, texts []string) bool {
	return term == strconv.FormatInt(id, 10) ||
		slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(asset.FoldCase(text), term) })
}
