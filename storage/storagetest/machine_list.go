package storagetest

import (
	"cmp"
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/step"
)

// modelListEntry is what a list holds on an asset.
type modelListEntry struct {
	assetID  int64
	decision asset.ListDecision
}

var (
	anyListName   = rapid.SampledFrom([]string{"a", "a-b", "a0"})
	anyListStatus = rapid.SampledFrom([]asset.Status{asset.StatusBlocked, asset.StatusAllowed})
)

// drawListChange draws what is done to a list. A new one only gets the drawn fields.
func drawListChange(t *rapid.T) func(list lists.List) lists.List {
	changed := lists.List{
		Format:       rapid.SampledFrom(lists.Readable()).Draw(t, "format"),
		Status:       anyListStatus.Draw(t, "status"),
		Reason:       sometimes(rapid.Just(asset.ReasonOther)).Draw(t, "reason"),
		CreatedAt:    anyTime.Draw(t, "created"),
		SyncedAt:     sometimes(anyTime).Draw(t, "synced"),
		Entries:      rapid.Int64Range(0, 3).Draw(t, "entries"),
		FailedAt:     sometimes(anyTime).Draw(t, "failed"),
		Error:        anyText.Draw(t, "error"),
		URL:          anyText.Draw(t, "URL"),
		Every:        time.Duration(rapid.Int64Range(0, 3).Draw(t, "every")) * time.Millisecond,
		Failures:     rapid.IntRange(0, 3).Draw(t, "failures"),
		NextAt:       sometimes(anyTime).Draw(t, "next"),
		ETag:         anyText.Draw(t, "etag"),
		LastModified: anyText.Draw(t, "modified"),
	}
	kind := rapid.SampledFrom([]string{"edit", "begin", "begin", "remove"}).Draw(t, "change")
	return func(list lists.List) lists.List {
		changed.ID, changed.Name, changed.Begun, changed.Removing = list.ID, list.Name, list.Begun, list.Removing
		switch {
		case list.ID == 0 || kind == "edit":
			return changed
		case kind == "begin":
			list.Begun++
		default:
			list.Removing = true
		}
		return list
	}
}

func (m *machine) putRandomList(t *rapid.T) {
	name, change, refused := anyListName.Draw(t, "name"), drawListChange(t), rapid.IntRange(0, 7).Draw(t, "refused") == 0
	m.changeList(name, m.anyAct(t), func(list lists.List) (lists.List, error) {
		if refused {
			return lists.List{}, errRefused
		}
		return change(list), nil
	})
}

// changeList puts the list with the name.
func (m *machine) changeList(name string, entry audit.Entry, change func(list lists.List) (lists.List, error)) {
	m.Helper()
	known := find(m.model.lists, func(l lists.List) bool { return l.Name == name })
	want := orZero(known)
	got, err := m.PutList(m.Context(), name, func(old lists.List, count int) (lists.List, audit.Entry, error) {
		require.Equal(m, want, old)
		require.Equal(m, len(m.model.lists), count)
		old.Name = name
		changed, err := change(old)
		return changed, entry, err
	})
	want.Name = name
	want, refusal := change(want)
	if refusal != nil {
		require.Equal(m, refusal, err)
		return
	}
	require.NoError(m, err)
	if known == nil {
		m.assigned("list", got.ID)
		want.ID = got.ID
	}
	require.Equal(m, want, got)
	m.model.tell(entry.On(got.ID))
	m.model.lists = put(m.model.lists, got, func(l lists.List) bool { return l.ID == got.ID })
}

// removeRandomList removes a list that holds nothing, or one that does not exist.
func (m *machine) removeRandomList(t *rapid.T) {
	id, entry := rapid.Int64Range(1, m.last["list"]+1).Draw(t, "id"), m.anyAct(t)
	if len(m.model.listEntries(id)) > 0 {
		return
	}
	err := m.RemoveList(m.Context(), id, entry)
	if m.model.list(id) == nil {
		require.Equal(m, lists.ErrNotFound, err)
		return
	}
	require.NoError(m, err)
	m.model.tell(entry)
	m.model.lists = slices.DeleteFunc(m.model.lists, func(l lists.List) bool { return l.ID == id })
	m.compareLists()
}

// anyList draws a list. If there is none, one is added first. It is seldom one that does not exist.
func (m *machine) anyList(t *rapid.T) lists.List {
	if len(m.model.lists) == 0 {
		name, change := anyListName.Draw(t, "new list"), drawListChange(t)
		m.changeList(name, audit.Entry{}, func(list lists.List) (lists.List, error) { return change(list), nil })
	}
	if rapid.IntRange(0, 9).Draw(t, "unknown") == 0 {
		return lists.List{ID: rapid.Int64Range(1, m.last["list"]+1).Draw(t, "list")}
	}
	return rapid.SampledFrom(m.model.lists).Draw(t, "list")
}

// anyBegun draws the number of a sync, usually that of the last one of the list.
func anyBegun(list lists.List) *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Just(list.Begun), rapid.Just(list.Begun), rapid.Int64Range(0, 3))
}

func (m *machine) decideRandomly(t *rapid.T) {
	list := m.anyList(t)
	cmd := lists.DecideCommand{
		ListID: list.ID,
		Begun:  anyBegun(list).Draw(t, "begun"),
		At:     anyTime.Draw(t, "at"),
		Origin: asset.Origin{Cause: asset.CauseList, Reference: anyText.Draw(t, "reference")},
	}
	for _, identity := range rapid.SliceOfNDistinct(anyIdentity, 1, 4, rapid.ID).Draw(t, "identities") {
		decision := asset.ListDecision{
			ListID: list.ID,
			Status: anyListStatus.Draw(t, "status"),
			Reason: rapid.SampledFrom([]asset.Reason{"", "", asset.ReasonOther}).Draw(t, "reason"),

			ExpiresAt: sometimes(anyTime).Draw(t, "end"),
		}
		cmd.Entries = append(cmd.Entries, lists.DecidedEntry{Identity: identity, Decision: decision})
	}
	got, err := m.DecideEntries(m.Context(), cmd)
	if refusal := m.model.syncRefusal(cmd.ListID, cmd.Begun); refusal != nil {
		require.Equal(m, refusal, err)
		require.Empty(m, got)
		return
	}
	require.NoError(m, err)
	require.Len(m, got, len(cmd.Entries))
	var registered []int64
	for i, entry := range cmd.Entries {
		known := m.model.asset(entry.Identity)
		if known == nil {
			registered = append(registered, got[i].ID)
			known = m.model.register(got[i].ID, entry.Identity)
		}
		m.model.decideList(known, entry.Decision, cmd.At, cmd.Origin)
		require.Equal(m, *known, got[i], "the asset of entry %d", i)
	}
	m.assigned("asset", registered...)
	m.compareChanges()
}

// endRandomly ends decisions of a list, in a sync or in its removal.
func (m *machine) endRandomly(t *rapid.T) {
	list := m.anyList(t)
	cmd := lists.WithdrawCommand{
		ListID:   list.ID,
		Begun:    anyBegun(list).Draw(t, "begun"),
		AssetIDs: rapid.SliceOfNDistinct(rapid.Int64Range(1, m.last["asset"]+1), 1, 4, rapid.ID).Draw(t, "assets"),
		At:       anyTime.Draw(t, "at"),
		Origin:   asset.Origin{Cause: asset.CauseList, Reference: anyText.Draw(t, "reference")},
	}
	if list.Removing && rapid.Bool().Draw(t, "removal") {
		cmd.Begun = 0
	}
	given := slices.Clone(cmd.AssetIDs)
	err := m.WithdrawEntries(m.Context(), cmd)
	require.Equal(m, given, cmd.AssetIDs, "the argument is not changed")
	known := m.model.list(cmd.ListID)
	if refusal := m.model.syncRefusal(cmd.ListID, cmd.Begun); refusal != nil && (known == nil || !known.Removing || cmd.Begun != 0) {
		require.Equal(m, refusal, err)
		return
	}
	require.NoError(m, err)
	for _, id := range sorted(cmd.AssetIDs) {
		if ended := m.model.assetByID(id); ended != nil {
			m.model.onLists = slices.DeleteFunc(m.model.onLists, onList(id, cmd.ListID))
			m.model.settle(ended, cmd.At, cmd.Origin)
		}
	}
	m.compareChanges()
}

func (m *machine) readLists(*rapid.T) { m.compareLists() }

func (m *machine) compareLists() {
	m.Helper()
	want := slices.SortedFunc(slices.Values(m.model.lists), func(a, b lists.List) int { return cmp.Compare(a.Name, b.Name) })
	require.Equal(m, want, m.lists(), "the lists")
}

func (m *machine) readListEntries(t *rapid.T) {
	id := rapid.Int64Range(1, m.last["list"]+1).Draw(t, "list")
	after, limit := rapid.Int64Range(0, m.last["asset"]+1).Draw(t, "after"), anyLimit.Draw(t, "limit")
	want := above(m.model.listEntries(id), after, func(e lists.HeldEntry) int64 { return e.ID })
	samePage(m, want, limit, m.listEntryPage(id, after, limit), "ListEntries of list %d after %d", id, after)
}

func (m *machine) compareListEntries() {
	m.Helper()
	for id := range m.last["list"] + 2 {
		sameList(m, m.model.listEntries(id), func(last lists.HeldEntry) step.Page[lists.HeldEntry] {
			return m.listEntryPage(id, last.ID, m.pageSize)
		})
	}
}

func (m *model) list(id int64) *lists.List {
	return find(m.lists, func(l lists.List) bool { return l.ID == id })
}

// listEntries returns the entries of the list, ordered by asset.
func (m *model) listEntries(id int64) []lists.HeldEntry {
	var entries []lists.HeldEntry
	for _, e := range m.onLists {
		if e.decision.ListID == id {
			entries = append(entries, lists.HeldEntry{Asset: *m.assetByID(e.assetID), Decision: e.decision})
		}
	}
	return above(entries, 0, func(e lists.HeldEntry) int64 { return e.ID })
}

// syncRefusal returns why a step of a sync cannot be done, or nil.
func (m *model) syncRefusal(listID, begun int64) error {
	switch known := m.list(listID); {
	case known == nil || known.Removing:
		return lists.ErrNotFound
	case known.Begun != begun:
		return lists.ErrSuperseded
	default:
		return nil
	}
}

// decideList makes the list hold the decision, whose time stays unless its status is another one.
func (m *model) decideList(a *asset.Asset, said asset.ListDecision, at time.Time, origin asset.Origin) {
	before := find(m.onLists, onList(a.ID, said.ListID))
	if before != nil && before.decision.Status == said.Status {
		before.decision.Reason, before.decision.ExpiresAt = said.Reason, said.ExpiresAt
	} else {
		said.Since = m.afterEntries(a.ID, at)
		m.onLists = put(m.onLists, modelListEntry{a.ID, said}, onList(a.ID, said.ListID))
	}
	m.settle(a, at, origin)
}

// onList matches what the list holds on the asset.
func onList(assetID, listID int64) func(modelListEntry) bool {
	return func(e modelListEntry) bool { return e.assetID == assetID && e.decision.ListID == listID }
}

// heldByLists returns the decisions of lists on the asset, ordered by list.
func (m *model) heldByLists(assetID int64) []asset.ListDecision {
	var decisions []asset.ListDecision
	for _, e := range m.onLists {
		if e.assetID == assetID {
			decisions = append(decisions, e.decision)
		}
	}
	slices.SortFunc(decisions, func(a, b asset.ListDecision) int { return cmp.Compare(a.ListID, b.ListID) })
	return decisions
}

// listVoice returns the voice of an asset with what lists hold on it, given that of the last entry or none.
// Lists that allow it count only if nothing else does, and those that block it only if they began after the
// entry. Of several, the first counts.
func (m *model) listVoice(assetID int64, entry voice) voice {
	last := entry
	for _, one := range m.heldByLists(assetID) {
		blocks, counts := one.Status == asset.StatusBlocked, last.basis.By == asset.SourceList
		switch {
		case blocks && !one.Since.After(entry.since), !blocks && entry.basis.By != "":
			continue
		case counts && last.status == one.Status && !one.Since.Before(last.since):
			continue
		case counts && last.status == asset.StatusBlocked && !blocks:
			continue
		}
		last = voice{one.Status, one.Since, nil, asset.Basis{By: asset.SourceList, ListID: one.ListID, Reason: one.Reason, Since: one.Since}}
	}
	return last
}

// named returns the basis with the name of its list.
func (m *model) named(basis asset.Basis) asset.Basis {
	if list := m.list(basis.ListID); list != nil {
		basis.List = list.Name
	}
	return basis
}
