package mirror

import (
	"context"
	"fmt"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
)

// ErrNotFilled reports that the mirror has not copied all statuses yet, so it cannot answer. It
// matches [asset.ErrUnavailable].
var ErrNotFilled = fmt.Errorf("mirror is not filled yet: %w", asset.ErrUnavailable)

// ErrStale reports that the copy of the mirror is older than [Options.MaxAge], so what was blocked since then is not
// in it. It matches [asset.ErrUnavailable].
var ErrStale = fmt.Errorf("copy of the mirror is too old: %w", asset.ErrUnavailable)

// Check returns the verdict for a content as [check.Service.Check] does, with the same errors,
// but reads the copy instead of the store. It uses the context only to ask the external lists.
//
// The error is [ErrNotFilled] until the mirror is filled for the first time. Later, Check
// answers even if the source is away, until the copy reaches [Options.MaxAge]: then the error is [ErrStale].
// [Mirror.State] says how old the copy is.
func (m *Mirror) Check(ctx context.Context, content string) (check.Verdict, error) {
	covers, err := check.Covers(content)
	if err != nil {
		return check.Verdict{}, check.ContentError(err)
	}
	return m.verdict(ctx, content, covers)
}

// CheckBatch is [Mirror.Check] for 1 to [check.MaxItems] contents, with the errors of
// [check.Service.CheckBatch]. Changes may be applied between two contents.
func (m *Mirror) CheckBatch(ctx context.Context, contents []string) ([]check.Result, error) {
	return check.Each(contents, func(content string, covers []classify.Cover) (check.Verdict, error) {
		return m.verdict(ctx, content, covers)
	})
}

// verdict returns the verdict for a content with the covers.
func (m *Mirror) verdict(ctx context.Context, content string, covers []classify.Cover) (check.Verdict, error) {
	copied := m.copied.Load()
	if copied == nil {
		return check.Verdict{}, ErrNotFilled
	}
	if m.stale(copied.readAt()) {
		return check.Verdict{}, ErrStale
	}
	options := check.Options{ExternalLists: m.options.ExternalLists, FailClosed: m.options.FailClosed}
	return options.Verdict(ctx, content, covers, func(lists []check.ListVerdict) check.Verdict {
		return copied.decide(covers, lists)
	})
}
