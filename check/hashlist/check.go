package hashlist

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
)

// Check returns the verdict for a content as [check.Service.Check] does, with the same errors, but reads
// the list instead of a store. The Match of the verdict has no ID and no basis, and Lists is empty. Check
// does not use the context.
//
// The error is also [ErrNoList] or [ErrOutdated].
func (l *List) Check(_ context.Context, content string) (check.Verdict, error) {
	covers, err := check.Covers(content)
	if err != nil {
		return check.Verdict{}, check.ContentError(err)
	}
	return l.verdict(content, covers)
}

// CheckBatch is [List.Check] for 1 to [check.MaxItems] contents, with the errors of
// [check.Service.CheckBatch]. The list may be updated between two contents.
func (l *List) CheckBatch(_ context.Context, contents []string) ([]check.Result, error) {
	return check.Each(contents, l.verdict)
}

// verdict returns the verdict for a content with the covers.
func (l *List) verdict(content string, covers []classify.Cover) (check.Verdict, error) {
	h := l.held.Load()
	if h == nil {
		return check.Verdict{}, ErrNoList
	}
	now := time.Now()
	if age := age(now.Round(0).Sub(h.asOf), now.Sub(h.asOf)); age < 0 || age >= l.maxAge {
		return check.Verdict{}, ErrOutdated
	}
	verdict := check.DecideHashed(covers, h.statusOf)
	verdict.Content = content
	return verdict, nil
}

// age returns the age of a list by two clocks, of which the larger one counts: the monotonic clock stops
// while the machine sleeps, and the clock of the day can be set back. It is negative if that was set back
// to before the list.
func age(byDay, monotonic time.Duration) time.Duration {
	if byDay < 0 {
		return byDay
	}
	return max(byDay, monotonic)
}

// statusOf returns the status of a hash. If the hash is that of several assets, BLOCKED counts.
func (h *held) statusOf(hash uint64) asset.Status {
	switch {
	case h.statuses[blocked].has(hash):
		return asset.StatusBlocked
	case h.statuses[allowed].has(hash):
		return asset.StatusAllowed
	default:
		return asset.StatusUnknown
	}
}
