package storagetest

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// newestFirst returns the changes in the order of the changelog.
func newestFirst(changes []asset.Change) []asset.Change {
	sorted := slices.Clone(changes)
	slices.SortFunc(sorted, func(a, b asset.Change) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.ID, a.ID))
	})
	return sorted
}

// block blocks assets 0, 1, 2, ..., each at one of these times.
func (p *probe) block(times ...time.Time) {
	p.Helper()
	for n, when := range times {
		p.set(site(n), asset.StatusBlocked, when)
	}
}

// contents returns the canonical forms of the changes.
func contents(changes []asset.Change) []string {
	list := make([]string, len(changes))
	for i, change := range changes {
		list[i] = change.Content
	}
	return list
}

// sites returns the canonical forms of the assets with these numbers.
func sites(numbers ...int) []string {
	list := make([]string, len(numbers))
	for i, n := range numbers {
		list[i] = site(n).Canonical
	}
	return list
}

func (p *probe) since(after asset.FeedCursor, limit int) []asset.FeedEntry {
	p.Helper()
	return p.feedPage(after, limit).Items
}

// feedPage publishes all changes and returns a page.
func (p *probe) feedPage(after asset.FeedCursor, limit int) step.Page[asset.FeedEntry] {
	p.Helper()
	p.publish()
	page, err := p.Since(p.Context(), after, limit)
	require.NoError(p, err, "Since %v", after)
	return page
}

// feed returns all changes after the cursor, in the order of the feed. It reads pages of
// the given size.
func (p *probe) feed(after asset.FeedCursor, size int) []asset.FeedEntry {
	p.Helper()
	return allPages(p, size, func(last asset.FeedEntry) step.Page[asset.FeedEntry] {
		if last.Change.ID == 0 {
			return p.feedPage(after, size)
		}
		return p.feedPage(last.Cursor, size)
	})
}

func (p *probe) publish() {
	p.Helper()
	require.NoError(p, asset.NewFeedService(p).Publish(p.Context()), "PublishChanges")
}

// feedEnd publishes all changes and returns the cursor for a follower that starts now.
func (p *probe) feedEnd() asset.FeedCursor {
	p.Helper()
	p.publish()
	feed, err := p.Feed(p.Context())
	require.NoError(p, err, "Feed")
	return feed.End()
}

// changelogOf returns the changes of statuses as the changelog has them: newest first, without their basis.
func changelogOf(changes []asset.Change) []asset.Change {
	log := newestFirst(slices.DeleteFunc(slices.Clone(changes), func(c asset.Change) bool { return !c.OfStatus() }))
	for i := range log {
		log[i].Basis = asset.Basis{}
	}
	return log
}

// changesOf returns the changes of the entries.
func changesOf(feed []asset.FeedEntry) []asset.Change {
	changes := make([]asset.Change, len(feed))
	for i, entry := range feed {
		changes[i] = entry.Change
	}
	return changes
}

// toggle alternates the status of asset n between BLOCKED and ALLOWED at these times.
func (p *probe) toggle(n int, times ...time.Time) {
	p.Helper()
	status := asset.StatusUnknown
	if known, err := asset.NewService(p, asset.Options{}).Get(p.Context(), site(n)); p.found(err, asset.ErrNotFound) {
		status = known.Status
	}
	for _, when := range times {
		status = opposite(status)
		p.set(site(n), status, when)
	}
}

func opposite(status asset.Status) asset.Status {
	if status == asset.StatusBlocked {
		return asset.StatusAllowed
	}
	return asset.StatusBlocked
}

// validChanges requires that the changes of an asset, by ID, lead from UNKNOWN to its
// current status, and that each begins with the status that the previous one set.
func (p *probe) validChanges(identity asset.Identity) {
	p.Helper()
	changes := p.changes(asset.ChangeFilter{Identity: identity})
	slices.SortFunc(changes, func(a, b asset.Change) int { return cmp.Compare(a.ID, b.ID) })
	status := asset.StatusUnknown
	for _, change := range changes {
		require.Equal(p, status, change.From, "From of change %d of %v must be To of the change before it", change.ID, identity)
		require.NotEqual(p, change.From, change.To, "change %d of %v must change the status", change.ID, identity)
		status = change.To
	}
	require.Equal(p, status, p.asset(identity).Status, "To of the last change of %v must be its status", identity)
	require.True(p, slices.IsSortedFunc(changes, asset.Change.Compare), "no change of %v may be before an earlier one", identity)
}

// site returns the identity of the suite's n-th asset.
func site(n int) asset.Identity {
	return asset.Identity{Type: asset.TypeURL, Canonical: fmt.Sprintf("https://site-%d.example", n)}
}

// statusCommand returns a command that sets the status of an asset.
func statusCommand(identity asset.Identity, status asset.Status, at time.Time) asset.SetStatusesCommand {
	return asset.SetStatusesCommand{
		Items:  []asset.StatusItem{{Identity: identity, Status: status}},
		Origin: asset.Origin{Cause: asset.CauseManual},
		At:     at,
	}
}

// set sets the status of an asset.
func (p *probe) set(identity asset.Identity, status asset.Status, at time.Time) asset.Asset {
	p.Helper()
	got := only(p, p.setStatuses(statusCommand(identity, status, at))).Asset
	got.Status = status
	return got
}

func (p *probe) asset(identity asset.Identity) asset.Asset {
	p.Helper()
	got, err := asset.NewService(p, asset.Options{}).Get(p.Context(), identity)
	require.NoError(p, err, "AssetsByIdentity of %v", identity)
	return got
}

// noAsset requires that no asset has the identity.
func (p *probe) noAsset(identity asset.Identity) {
	p.Helper()
	_, err := asset.NewService(p, asset.Options{}).Get(p.Context(), identity)
	require.ErrorIs(p, err, asset.ErrNotFound, "AssetsByIdentity of the unregistered asset %v", identity)
}

// newestChange returns the first change of the changelog.
func (p *probe) newestChange() asset.Change {
	p.Helper()
	return only(p, p.changesAfter(asset.ChangeFilter{}, asset.ChangeCursor{}, 1))
}

// changes returns all changes that the filter matches.
func (p *probe) changes(filter asset.ChangeFilter) []asset.Change {
	p.Helper()
	return p.changesByPages(filter, noLimit)
}

// changesByPages reads the whole list in pages of the given size.
func (p *probe) changesByPages(filter asset.ChangeFilter, size int) []asset.Change {
	p.Helper()
	return allPages(p, size, func(last asset.Change) step.Page[asset.Change] {
		return p.changePage(filter, cursorAfter(last), size)
	})
}

// cursorAfter returns the cursor after a change, or zero for the zero Change.
func cursorAfter(last asset.Change) asset.ChangeCursor {
	if last.ID == 0 {
		return asset.ChangeCursor{}
	}
	return last.Cursor()
}

func (p *probe) changesAfter(filter asset.ChangeFilter, after asset.ChangeCursor, limit int) []asset.Change {
	p.Helper()
	return p.changePage(filter, after, limit).Items
}

func (p *probe) changePage(filter asset.ChangeFilter, after asset.ChangeCursor, limit int) step.Page[asset.Change] {
	p.Helper()
	changes, err := p.Changes(p.Context(), asset.ListChangesRequest{Filter: filter, Cursor: after, Limit: limit})
	require.NoError(p, err, "Changes for filter %+v after %+v", filter, after)
	return changes
}

// prune executes one step.
func (p *probe) prune(cmd asset.PruneCommand) step.Pruned[asset.ChangeCursor] {
	p.Helper()
	pruned, err := p.PruneChanges(p.Context(), cmd)
	require.NoError(p, err, "PruneChanges with %+v", cmd)
	return pruned
}

// pruneAll executes steps with that limit until one is the last. It returns the number of
// removed changes.
func (p *probe) pruneAll(before time.Time, limit int) int {
	p.Helper()
	step := asset.PruneCommand{Before: before, Limit: limit}
	removed := 0
	for range 10_000 {
		pruned := p.prune(step)
		removed += pruned.Removed
		if pruned.Done {
			return removed
		}
		require.NotEqual(p, step.After, pruned.Next, "PruneChanges: Next of a step that is not the last must be after the cursor of the step")
		step.After = pruned.Next
	}
	require.FailNow(p, "PruneChanges must return Done in the end", "steps of %d", limit)
	return removed
}
