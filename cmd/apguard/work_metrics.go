package main

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/observe"
)

// work is an [observe.Observer] that counts verdicts, changes of status and the items of batches.
type work struct {
	mu      sync.Mutex
	checks  verdicts
	refused map[observe.Reason]int64
	changes map[asset.Status]int64
	items   map[item]int64
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
		checks:  newVerdicts(),
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
	w.writeChecks(&page)
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

// checksText returns the counts of checks.
func (w *work) checksText() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	var page page
	w.writeChecks(&page)
	return page.text
}

func (w *work) writeChecks(to *page) {
	w.checks.write(to)
	to.family("apguard_checks_refused_total", "counter", "Checked contents that name no asset, by reason.")
	for _, reason := range slices.Sorted(maps.Keys(w.refused)) {
		to.sample("apguard_checks_refused_total", strconv.FormatInt(w.refused[reason], 10), "reason", string(reason))
	}
}

func compareItems(a, b item) int {
	return cmp.Or(cmp.Compare(a.action, b.action), cmp.Compare(a.reason, b.reason))
}
