package storagetest

import (
	"cmp"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/step"
)

// newList returns a list without an ID, whose first sync has begun.
func newList(name string) lists.List {
	return lists.List{Name: name, Format: lists.Lines, Status: asset.StatusBlocked, Reason: asset.ReasonPhishing, CreatedAt: at(0), Begun: 1}
}

// fullList returns a list with a value in every field but ID.
func fullList() lists.List {
	return lists.List{
		Name:         "full.list_of-9",
		Format:       lists.PhishingDetect,
		Status:       asset.StatusAllowed,
		Reason:       asset.ReasonFalsePositive,
		URL:          "https://lists.example/\u201cfull\u201d?a=b",
		Every:        30*24*time.Hour - time.Millisecond,
		CreatedAt:    at(1),
		Begun:        asset.MaxID,
		SyncedAt:     at(2),
		Entries:      asset.MaxID - 1,
		FailedAt:     at(3),
		Error:        "line 7: is no \u201chost\u201d",
		Failures:     7,
		NextAt:       at(4),
		ETag:         "W/\"\u201c\"",
		LastModified: "Sun, 05 Jan 2025 10:00:00 GMT",
		Removing:     true,
	}
}

// addList stores a new list.
func (p *probe) addList(list lists.List) lists.List {
	p.Helper()
	return p.putList(list.Name, func(l *lists.List) { *l = list })
}

// addLists stores new lists with these names.
func (p *probe) addLists(names ...string) []lists.List {
	p.Helper()
	added := make([]lists.List, len(names))
	for i, name := range names {
		added[i] = p.addList(newList(name))
	}
	return added
}

// putList changes the list with the name, or a new one. It returns what the store returns.
func (p *probe) putList(name string, change func(list *lists.List)) lists.List {
	p.Helper()
	list, err := p.PutList(p.Context(), name, func(old lists.List, _ int) (lists.List, audit.Entry, error) {
		change(&old)
		return old, audit.Entry{}, nil
	})
	require.NoError(p, err, "PutList")
	return list
}

// beginSync begins another sync of the list.
func (p *probe) beginSync(name string) lists.List {
	p.Helper()
	return p.putList(name, func(l *lists.List) { l.Begun++ })
}

func (p *probe) lists() []lists.List {
	p.Helper()
	all, err := p.Lists(p.Context())
	require.NoError(p, err, "Lists")
	return orNil(all)
}

// listEntries returns all entries of the list.
func (p *probe) listEntries(listID int64) []lists.HeldEntry {
	p.Helper()
	return allPages(p, noLimit, func(last lists.HeldEntry) step.Page[lists.HeldEntry] {
		return p.listEntryPage(listID, last.ID, noLimit)
	})
}

func (p *probe) listEntryPage(listID, after int64, limit int) step.Page[lists.HeldEntry] {
	p.Helper()
	page, err := p.ListEntries(p.Context(), listID, after, limit)
	require.NoError(p, err, "ListEntries of list %d after %d", listID, after)
	return page
}

// listDecision returns what the list holds on an asset since that time.
func listDecision(list lists.List, status asset.Status, since time.Time) asset.ListDecision {
	decision := asset.ListDecision{ListID: list.ID, Status: status, Since: since}
	if status == asset.StatusBlocked {
		decision.Reason = asset.ReasonPhishing
	}
	return decision
}

// decideCommand returns a step of the list's sync that gives several assets one status.
func decideCommand(list lists.List, at time.Time, status asset.Status, numbers ...int) lists.DecideCommand {
	cmd := lists.DecideCommand{ListID: list.ID, Begun: list.Begun, At: at, Origin: asset.Origin{Cause: asset.CauseList, Reference: list.Name}}
	for _, n := range numbers {
		cmd.Entries = append(cmd.Entries, lists.DecidedEntry{Identity: site(n), Decision: listDecision(list, status, time.Time{})})
	}
	return cmd
}

func (p *probe) decideEntries(cmd lists.DecideCommand) []asset.Asset {
	p.Helper()
	assets, err := p.DecideEntries(p.Context(), cmd)
	require.NoError(p, err, "DecideEntries")
	require.Len(p, assets, len(cmd.Entries), "DecideEntries must return one asset for each entry")
	return assets
}

// endCommand returns a step of the list's sync that ends its decisions on the assets with the IDs.
func endCommand(list lists.List, at time.Time, assetIDs ...int64) lists.WithdrawCommand {
	return lists.WithdrawCommand{
		ListID: list.ID, Begun: list.Begun, AssetIDs: assetIDs, At: at, Origin: asset.Origin{Cause: asset.CauseList, Reference: list.Name},
	}
}

func (p *probe) withdrawEntries(cmd lists.WithdrawCommand) {
	p.Helper()
	require.NoError(p, p.WithdrawEntries(p.Context(), cmd), "WithdrawEntries")
}

// statusOf requires that the asset with the number exists, and returns its status.
func (p *probe) statusOf(number int) asset.Status {
	p.Helper()
	return p.asset(site(number)).Status
}

// byList orders the decisions of lists, which a store may return in any order.
func byList(held asset.Held) asset.Held {
	held.Lists = orNil(held.Lists)
	slices.SortFunc(held.Lists, func(a, b asset.ListDecision) int { return cmp.Compare(a.ListID, b.ListID) })
	return held
}
