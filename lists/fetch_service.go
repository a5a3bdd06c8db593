package lists

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/internal/outbound"
	"github.com/apguard/apguard/step"
)

// ErrNoURL reports that a list is synced by hand only.
var ErrNoURL = errors.New("list has no URL")

// FetchError reports that the file of a list was not received from its URL. Errors of fetchers unwrap to it.
type FetchError struct {
	// Reason is for operators. It has nothing of the URL, which may contain a token.
	Reason string
}

// Error returns the reason.
func (e *FetchError) Error() string { return e.Reason }

// AllowPrivate reports whether [Options] allows addresses that are not public.
func (s *Service) AllowPrivate() bool { return s.allowPrivate }

// CheckURL returns an [*asset.InputError] unless files can be fetched from the URL, by the rule of [Service.Add]. It is for
// fetchers: a list may have been added when more was allowed.
func (s *Service) CheckURL(url string) error {
	var issues asset.Issues
	outbound.CheckURL(&issues, "url", url, s.allowPrivate)
	return issues.Err()
}

// Due returns the lists to fetch now, those first that have waited longest.
func (s *Service) Due(ctx context.Context) ([]List, error) {
	all, err := s.store.Lists(ctx)
	if err != nil {
		return nil, err
	}
	now := s.clock()
	due := slices.DeleteFunc(all, func(l List) bool { return l.URL == "" || l.Removing || l.NextAt.After(now) })
	slices.SortFunc(due, func(a, b List) int { return cmp.Or(a.NextAt.Compare(b.NextAt), cmp.Compare(a.Name, b.Name)) })
	return due, nil
}

// Claim gives a list to the fetcher that calls it, for longer than a fetch takes. Then the fetcher calls [Service.Sync],
// [Service.Unchanged] or [Service.Fail], each of which says when the list is fetched next. If it does none of that,
// another fetcher gets the list.
//
// The error is [ErrNotDue] if the list is not due any more, and [ErrNotFound] if it was removed.
func (s *Service) Claim(ctx context.Context, name string) (List, error) {
	at := step.TruncateTime(s.clock())
	return s.change(ctx, name, func(list List) (List, audit.Entry, error) {
		if list.URL == "" || list.NextAt.After(at) {
			return List{}, audit.Entry{}, ErrNotDue
		}
		return list.claimed(at), audit.Entry{}, nil
	})
}

// Unchanged records that the list, which is as [Service.Claim] has returned it, holds what its server has: its file still
// has the ETag or the Last-Modified of the list.
//
// The error is [ErrNotFetched] if the list has neither, [ErrSuperseded] if a sync has begun in the meantime or the list was
// updated, and [ErrNotFound] if it was removed.
func (s *Service) Unchanged(ctx context.Context, list List) error {
	at := step.TruncateTime(s.clock())
	_, err := s.change(ctx, list.Name, func(now List) (List, audit.Entry, error) {
		if err := now.continues(list); err != nil {
			return List{}, audit.Entry{}, err
		}
		if now.ETag == "" && now.LastModified == "" {
			return List{}, audit.Entry{}, ErrNotFetched
		}
		return now.synced(at), audit.Entry{}, nil
	})
	return err
}

// Fail keeps the error of a fetch with the list, which is as [Service.Claim] has returned it, and returns that error. It
// keeps nothing if ctx has ended, the list was removed or updated, or a sync has begun in the meantime.
func (s *Service) Fail(ctx context.Context, list List, cause error) error {
	return s.fail(ctx, list, cause, true)
}

// fail is Fail for a fetch or a sync, which need not be scheduled.
func (s *Service) fail(ctx context.Context, list List, cause error, scheduled bool) error {
	if ctx.Err() != nil {
		return cause
	}
	at := step.TruncateTime(s.clock())
	_, err := s.change(ctx, list.Name, func(now List) (List, audit.Entry, error) {
		return now.failed(at, cause.Error(), scheduled), audit.Entry{}, now.continues(list)
	})
	if err != nil && !errors.Is(err, ErrSuperseded) && !errors.Is(err, ErrNotFound) {
		return errors.Join(cause, err)
	}
	return cause
}
