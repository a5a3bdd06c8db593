package main

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/observe"
)

// work is an [observe.Observer] that counts verdicts, changes of status and the items of batches.
type work struct {
	mu      sync.Mutex
	checks  map[verdict]int64
	refused map[observe.Reason]int64
	changes map[asset.Status]int64
	items   map[item]int64
}

// verdict is the key by which checks are counted.
type verdict struct {
	status asset.Status
	source check.Source
}

// item is the key by which items of batches are counted.
type item struct {
	action string
	reason observe.Reason
}

// newWork returns a work whose usual counts are there from the start, so that their first increase is
// seen.
func newWork() *work {
	w := &work{
		checks: map[verdict]int64{
			{asset.StatusAllowed, check.SourceAsset}: 0,
			{asset.StatusBlocked, check.SourceAsset}: 0,
			{asset.StatusBlocked, check.SourceList}:  0,
			{asset.StatusUnknown, check.SourceNone}:  0,
		},
		refused: make(map[observe.Reason]int64),
		changes: make(map[asset.Status]int64),
		items:   map[item]int64{{"add", observe.ReasonNone}: 0, {"remove", observe.ReasonNone}: 0},
	}
	for _, status := range asset.Statuses() {
		w.changes[status] = 0
	}
	return w
}

// Start implements [observe.Observer].
func (w *work) Start(ctx context.Context, _ string) context.Context { return ctx }

// End implements [observe.Observer].
func (w *work) End(_ context.Context, outcome observe.Outcome) {
	if len(outcome.Verdicts)+len(outcome.Changes)+len(outcome.Items) == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, v := range outcome.Verdicts {
		w.checks[verdict{v.Status, v.Source}] += int64(v.N)
	}
	for _, c := range outcome.Changes {
		w.changes[c.To] += int64(c.N)
	}
	for _, i := range outcome.Items {
		switch outcome.Operation {
		case "allowlist.add":
			w.items[item{"add", i.Reason}] += int64(i.N)
		case "allowlist.remove":
			w.items[item{"remove", i.Reason}] += int64(i.N)
		default: // a check
			w.refused[i.Reason] += int64(i.N)
		}
	}
}

// text returns the counts.
func (w *work) text() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	var page page
	page.family("apguard_checks_total", "counter", "Checked contents by status, and by what decided: an asset, a list or nothing.")
	for _, v := range slices.SortedFunc(maps.Keys(w.checks), compareVerdicts) {
		page.sample("apguard_checks_total", strconv.FormatInt(w.checks[v], 10), "status", string(v.status), "source", string(v.source))
	}
	page.family("apguard_checks_refused_total", "counter", "Checked contents that name no asset, by reason.")
	for _, reason := range slices.Sorted(maps.Keys(w.refused)) {
		page.sample("apguard_checks_refused_total", strconv.FormatInt(w.refused[reason], 10), "reason", string(reason))
	}
	page.family("apguard_changes_total", "counter", "Changes of status that this server has made, by the new status.")
	for _, status := range slices.Sorted(maps.Keys(w.changes)) {
		page.sample("apguard_changes_total", strconv.FormatInt(w.changes[status], 10), "status", string(status))
	}
	page.family("apguard_allowlist_items_total", "counter", "Assets to add to allowlists and to remove, by the reason for a refusal, or NONE.")
	for _, i := range slices.SortedFunc(maps.Keys(w.items), compareItems) {
		page.sample("apguard_allowlist_items_total", strconv.FormatInt(w.items[i], 10), "action", i.action, "reason", string(i.reason))
	}
	return page.text
}

func compareVerdicts(a, b verdict) int {
	return cmp.Or(cmp.Compare(a.status, b.status), cmp.Compare(a.source, b.source))
}

func compareItems(a, b item) int {
	return cmp.Or(cmp.Compare(a.action, b.action), cmp.Compare(a.reason, b.reason))
}
