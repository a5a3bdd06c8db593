package asset

import (
	"context"
	"iter"
	"time"
)

// HistoryService answers questions about past statuses and prunes the changelog. It is
// for operators. It is safe for concurrent use.
type HistoryService struct {
	store HistoryStore
}

// NewHistoryService returns a HistoryService on the store.
func NewHistoryService(store HistoryStore) *HistoryService {
	return &HistoryService{store: store}
}

// StatusAt returns the status that the asset had at the given time, according to the
// changelog; the function [StatusAt] explains the rule.
//
// The error is [ErrNotFound] if there is no such asset, or if the identity is invalid.
func (s *HistoryService) StatusAt(ctx context.Context, identity Identity, at time.Time) (Status, error) {
	known, err := get(ctx, s.store, identity)
	if err != nil {
		return "", err
	}
	statuses, err := s.store.StatusesAt(ctx, []int64{known.ID}, at)
	return statuses[known.ID], err
}

// StatusAt returns the status that an asset had at the given time. It takes the asset's
// present status and its changes, oldest first as [Change.Compare] orders them.
//
// The last change at or before that time decides. Before the first change, the asset had
// the From status of that change, which is UNKNOWN unless older changes were pruned.
// Without changes, the present status is the only one that the asset ever had.
func StatusAt(present Status, oldestFirst iter.Seq[Change], at time.Time) Status {
	status := present
	first := true
	for change := range oldestFirst {
		if change.At.After(at) {
			if first {
				return change.From
			}
			break
		}
		status, first = change.To, false
	}
	return status
}

// Difference is an asset whose status differs between two times.
type Difference struct {
	AssetID int64 `json:"assetId"`
	Type    Type  `json:"type"`
	// Content is the canonical form of the asset.
	Content string `json:"content"`
	From    Status `json:"fromStatus"`
	To      Status `json:"toStatus"`
	// At is the time of the asset's newest change between the two times, the later time
	// included. It is in UTC and has whole milliseconds.
	At time.Time `json:"updatedAt"`
}

// Diff compares the statuses of all assets at two times. It yields one Difference for
// each asset whose status at time "to" is not its status at time "from"; see
// [HistoryService.StatusAt]. The asset with the newest change comes first.
//
// Diff reads the changes between the two times page by page. It keeps one page in memory,
// and the IDs of all assets that changed between the two times. It holds no resource of
// the store while the loop body runs. Changes that are recorded or pruned after Diff
// began may or may not be included.
//
// An error ends the sequence. It is an [*InputError] if from is after to.
func (s *HistoryService) Diff(ctx context.Context, from, to time.Time) iter.Seq2[Difference, error] {
	return func(yield func(Difference, error) bool) {
		var issues Issues
		issues.Check(!from.After(to), "from", "must not be after to")
		if err := issues.Err(); err != nil {
			yield(Difference{}, err)
			return
		}
		filter, ok := changesBetween(from, to)
		if !ok {
			return
		}
		seen := make(map[int64]bool)
		for page, err := range changePages(ctx, s.store, filter) {
			var differences []Difference
			if err == nil {
				differences, err = s.differences(ctx, lastOfEach(page, seen), from)
			}
			if err != nil {
				yield(Difference{}, err)
				return
			}
			for _, difference := range differences {
				if !yield(difference, nil) {
					return
				}
			}
		}
	}
}

// changesBetween returns the filter for the changes after from that are not after to. It
// returns false if there cannot be any.
func changesBetween(from, to time.Time) (ChangeFilter, bool) {
	first, last := TruncateTime(from).Add(time.Millisecond), TruncateTime(to)
	if last.Before(first) || last.Before(time.Time{}) {
		return ChangeFilter{}, false
	}
	return ChangeFilter{Period: Period{Since: first, Before: last.Add(time.Millisecond)}}, true
}

// lastOfEach returns the last change of each asset that is in the page but not in seen,
// and adds these assets to seen. The page is newest first, so the first change of an asset
// in the page is its last.
func lastOfEach(page []Change, seen map[int64]bool) []Change {
	var last []Change
	for _, change := range page {
		if !seen[change.AssetID] {
			seen[change.AssetID] = true
			last = append(last, change)
		}
	}
	return last
}

// differences takes the last change of each asset. It returns the assets that had another
// status at the time from.
func (s *HistoryService) differences(ctx context.Context, last []Change, from time.Time) ([]Difference, error) {
	ids := make([]int64, len(last))
	for i, change := range last {
		ids[i] = change.AssetID
	}
	before, err := s.store.StatusesAt(ctx, ids, from)
	if err != nil {
		return nil, err
	}
	var differences []Difference
	for _, c := range last {
		if status := before[c.AssetID]; status != c.To {
			differences = append(differences, Difference{
				AssetID: c.AssetID, Type: c.Type, Content: c.Content, From: status, To: c.To, At: c.At,
			})
		}
	}
	return differences, nil
}
