package hashlist

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/check/hashlist/internal/wire"
	"github.com/apguard/apguard/classify"
)

// Check returns the verdict for a content as [check.Service.Check] does, with the same errors, but reads
// the list instead of a store. The Match of the verdict has no ID, and Lists is empty. Check does not use
// the context.
//
// The error is also [ErrNoList] or [ErrOutdated].
func (l *List) Check(_ context.Context, content string) (check.Verdict, error) {
	covers, err := check.Covers(content)
	if err != nil {
		return check.Verdict{}, check.ContentError(err)
	}
	return l.verdict(content, covers)
}

// CheckBatch is [List.Check] for 1 to [check.MaxContents] contents, with the errors of
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
	// An age that is negative or more than the limit is not the age of a list that can be used.
	if age := time.Since(h.asOf); age < 0 || age >= l.maxAge {
		return check.Verdict{}, ErrOutdated
	}
	verdict := check.Decide(covers, h.find, nil)
	verdict.Content = content
	return verdict, nil
}

// find returns the asset with an identity, without an ID. If the hash is that of several assets, BLOCKED
// counts.
func (h *held) find(identity asset.Identity) (asset.Asset, bool) {
	hash := wire.Hash(identity)
	switch {
	case h.statuses[blocked].has(hash):
		return asset.Asset{Identity: identity, Status: asset.StatusBlocked}, true
	case h.statuses[allowed].has(hash):
		return asset.Asset{Identity: identity, Status: asset.StatusAllowed}, true
	default:
		return asset.Asset{}, false
	}
}
