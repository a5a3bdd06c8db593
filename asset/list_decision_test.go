package asset_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
)

func listDecision(id int64, status asset.Status, since int) asset.ListDecision {
	return asset.ListDecision{ListID: id, Status: status, Since: minutes(since)}
}

func TestHeld_Counts(t *testing.T) {
	t.Parallel()
	blocks, allows := listDecision(1, asset.StatusBlocked, 5), listDecision(2, asset.StatusAllowed, 5)
	for reason, c := range map[string]struct {
		held   asset.Held
		source asset.Source
		list   int64
		status asset.Status
	}{
		"nothing": {asset.Held{}, "", 0, asset.StatusUnknown},
		"a list that blocks": {
			asset.Held{Lists: []asset.ListDecision{blocks}}, asset.SourceList, 1, asset.StatusBlocked,
		},
		"a list that allows": {
			asset.Held{Lists: []asset.ListDecision{allows}}, asset.SourceList, 2, asset.StatusAllowed,
		},
		"of two lists, the one that blocks": {
			asset.Held{Lists: []asset.ListDecision{listDecision(2, asset.StatusAllowed, 1), blocks}}, asset.SourceList, 1, asset.StatusBlocked,
		},
		"of two lists that block, the first": {
			asset.Held{Lists: []asset.ListDecision{blocks, listDecision(3, asset.StatusBlocked, 4)}}, asset.SourceList, 3, asset.StatusBlocked,
		},
		"of two lists of one time, the one that was added first": {
			asset.Held{Lists: []asset.ListDecision{listDecision(3, asset.StatusBlocked, 5), blocks}}, asset.SourceList, 1, asset.StatusBlocked,
		},
		"a list that blocks before the last entry": {
			asset.Held{Lists: []asset.ListDecision{blocks}, LastEntry: minutes(6)}, asset.SourceOrganization, 0, asset.StatusAllowed,
		},
		"a list that blocks at the time of the last entry": {
			asset.Held{Lists: []asset.ListDecision{blocks}, LastEntry: minutes(5)}, asset.SourceOrganization, 0, asset.StatusAllowed,
		},
		"a list that blocks after the last entry": {
			asset.Held{Lists: []asset.ListDecision{blocks}, LastEntry: minutes(4)}, asset.SourceList, 1, asset.StatusBlocked,
		},
		"of two lists, the first one after the last entry": {
			asset.Held{
				Lists:     []asset.ListDecision{blocks, listDecision(4, asset.StatusBlocked, 9), listDecision(3, asset.StatusBlocked, 7)},
				LastEntry: minutes(6),
			},
			asset.SourceList, 3, asset.StatusBlocked,
		},
		"a list that allows after an entry": {
			asset.Held{Lists: []asset.ListDecision{allows}, LastEntry: minutes(4)}, asset.SourceOrganization, 0, asset.StatusAllowed,
		},
		"operators and a list": {
			asset.Held{Lists: []asset.ListDecision{blocks}, Operators: decision(asset.StatusAllowed, 1)}, asset.SourceOperator, 0, asset.StatusAllowed,
		},
		"operators who say UNKNOWN, and a list": {
			asset.Held{Lists: []asset.ListDecision{blocks}, Operators: decision(asset.StatusUnknown, 1)}, asset.SourceOperator, 0, asset.StatusUnknown,
		},
		"operators, an entry after them, and a later list": {
			asset.Held{Lists: []asset.ListDecision{blocks}, Operators: decision(asset.StatusBlocked, 1), LastEntry: minutes(2)},
			asset.SourceOrganization, 0, asset.StatusAllowed,
		},
	} {
		source, list := c.held.Counts()
		require.Equal(t, c.source, source, reason)
		require.Equal(t, c.list, list.ListID, reason)
		require.Equal(t, c.status, settled(c.held), reason)
	}
}

func TestHeld_DecideList(t *testing.T) {
	t.Parallel()
	other, before := listDecision(1, asset.StatusAllowed, 1), listDecision(2, asset.StatusBlocked, 5)
	before.Reason = asset.ReasonScam
	said := asset.ListDecision{ListID: 2, Status: asset.StatusBlocked, Reason: asset.ReasonScam}
	until, ending := said, before
	until.ExpiresAt, ending.ExpiresAt = minutes(9), minutes(9)
	for reason, c := range map[string]struct {
		held   asset.Held
		said   asset.ListDecision
		at     time.Time
		since  time.Time
		stores bool
	}{
		"the first time":                     {asset.Held{}, said, minutes(6).Add(time.Microsecond), minutes(6), true},
		"beside another list":                {asset.Held{Lists: []asset.ListDecision{other}}, said, minutes(6), minutes(6), true},
		"after an entry":                     {asset.Held{LastEntry: minutes(3)}, said, minutes(6), minutes(6), true},
		"at the time of an entry":            {asset.Held{LastEntry: minutes(6)}, said, minutes(6), minutes(6).Add(time.Millisecond), true},
		"before an entry, with a late clock": {asset.Held{LastEntry: minutes(9)}, said, minutes(6), minutes(9).Add(time.Millisecond), true},
		"the same again":                     {asset.Held{Lists: []asset.ListDecision{other, before}}, said, minutes(6), minutes(5), false},
		"another reason": {
			asset.Held{Lists: []asset.ListDecision{other, before}},
			asset.ListDecision{ListID: 2, Status: asset.StatusBlocked, Reason: asset.ReasonDrainer}, minutes(6), minutes(5), true,
		},
		"another end": {asset.Held{Lists: []asset.ListDecision{other, before}}, until, minutes(6), minutes(5), true},
		"no end":      {asset.Held{Lists: []asset.ListDecision{other, ending}}, said, minutes(6), minutes(5), true},
		"the same end": {
			asset.Held{Lists: []asset.ListDecision{other, ending}}, until, minutes(6), minutes(5), false,
		},
		"another status": {
			asset.Held{Lists: []asset.ListDecision{other, before}}, asset.ListDecision{ListID: 2, Status: asset.StatusAllowed}, minutes(6), minutes(6), true,
		},
	} {
		held := slices.Clone(c.held.Lists)
		got, stores := c.held.DecideList(c.said, c.at)
		require.Equal(t, c.stores, stores, reason)
		c.said.Since = c.since
		require.Contains(t, got.Lists, c.said, reason)
		rest, withdrawn := got.WithdrawList(2)
		require.True(t, withdrawn, reason)
		require.Equal(t, slices.Contains(held, other), slices.Contains(rest.Lists, other), reason)
		require.NotContains(t, rest.Lists, c.said, reason)
		require.Equal(t, held, c.held.Lists, "%s: the argument stays as it is", reason)
		again, withdrawn := rest.WithdrawList(2)
		require.False(t, withdrawn, reason)
		require.Equal(t, rest, again, reason)
	}
}

// act is one of a source on an asset. Its number is the order of arrival.
type act struct {
	number int
	status asset.Status
	end    time.Time
	reason asset.Reason
	since  time.Time
}

// ended reports whether the act has an end that is not after the time.
func (a act) ended(at time.Time) bool { return !a.end.IsZero() && !a.end.After(at) }

// heldModel is what is held on an asset in the order of arrival, without times.
type heldModel struct {
	operators act
	entries   map[int64]act // by organization
	lists     map[int64]act
}

// lastEntry returns the number of the last entry, or 0.
func (m heldModel) lastEntry() (entry int) {
	for _, e := range m.entries {
		entry = max(entry, e.number)
	}
	return entry
}

// status returns the status by the rules of [asset.Held].
func (m heldModel) status() asset.Status {
	entry := m.lastEntry()
	blocks, allows := 0, false
	for _, l := range m.lists {
		if l.status == asset.StatusBlocked {
			blocks = max(blocks, l.number)
		}
		allows = allows || l.status == asset.StatusAllowed
	}
	switch {
	case m.operators.number > entry:
		return m.operators.status
	case m.operators.number > 0:
		return asset.StatusAllowed
	case blocks > entry:
		return asset.StatusBlocked
	case entry > 0 || allows:
		return asset.StatusAllowed
	default:
		return asset.StatusUnknown
	}
}

// basis returns the basis by the rules of [asset.Basis]. The argument has the present one, and says which
// of several lists counts.
func (m heldModel) basis(held asset.Held) asset.Basis {
	entry := m.lastEntry()
	switch {
	case m.operators.number > entry:
		return asset.Basis{By: asset.SourceOperator, Reason: m.operators.reason, Since: m.operators.since}
	case entry > 0 && m.status() == asset.StatusAllowed:
		if held.By == asset.SourceOrganization {
			return held.Basis
		}
		return asset.Basis{By: asset.SourceOrganization, Since: held.LastEntry}
	case len(m.lists) == 0:
		return asset.Basis{}
	default:
		_, list := held.Counts()
		counts := m.lists[list.ListID]
		return asset.Basis{By: asset.SourceList, ListID: list.ListID, Reason: counts.reason, Since: counts.since}
	}
}

// Whatever the clock says, the order of arrival of the acts of all sources decides, and what a source has taken back, or what
// has ended, is as if it had never been. A change is made of another status and of another basis, and of nothing else.
func TestHeld_lists_laws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var (
			held  asset.Held
			model = heldModel{entries: make(map[int64]act), lists: make(map[int64]act)}
			added = make(map[int64]time.Time)
			id    = rapid.Int64Range(1, 2)
			when  = rapid.Custom(func(t *rapid.T) time.Time { return minutes(rapid.IntRange(0, 3).Draw(t, "minute")) })
			end   = rapid.OneOf(rapid.Just(time.Time{}), when)
		)
		held.Status = asset.StatusUnknown
		leave := func(organization int64) {
			delete(added, organization)
			delete(model.entries, organization)
			held.LastEntry = time.Time{}
			for _, at := range added {
				if at.After(held.LastEntry) {
					held.LastEntry = at
				}
			}
		}
		for number := range rapid.IntRange(0, 10).Draw(t, "acts") {
			at, number := when.Draw(t, "at"), number+1
			switch rapid.SampledFrom([]string{"decide", "take back", "add", "leave", "list", "list withdraws", "expire"}).Draw(t, "act") {
			case "decide":
				status := rapid.SampledFrom(asset.Statuses()).Draw(t, "status")
				said := asset.Decision{
					Status: status, Reason: rapid.SampledFrom([]asset.Reason{"", asset.ReasonOther}).Draw(t, "reason"), ExpiresAt: end.Draw(t, "end"),
				}
				if now, decided := held.Decide(said, at); decided {
					held, model.operators = now, act{number, status, said.ExpiresAt, now.Operators.Reason, now.Operators.Since}
				}
			case "take back":
				held, model.operators = held.Withdraw(), act{}
			case "add":
				organization := id.Draw(t, "organization")
				if _, known := added[organization]; !known {
					held, added[organization] = held.Add(at)
					model.entries[organization] = act{number: number}
				}
			case "leave":
				leave(id.Draw(t, "organization"))
			case "list":
				list := id.Draw(t, "list")
				status := rapid.SampledFrom([]asset.Status{asset.StatusBlocked, asset.StatusAllowed}).Draw(t, "status")
				said := asset.ListDecision{
					ListID: list, Status: status, Reason: rapid.SampledFrom([]asset.Reason{"", asset.ReasonOther}).Draw(t, "reason"), ExpiresAt: end.Draw(t, "end"),
				}
				now, stores := held.DecideList(said, at)
				before := model.lists[list]
				require.Equal(t, before.status != status || before.reason != said.Reason || before.end != said.ExpiresAt, stores)
				if before.status != status {
					i := slices.IndexFunc(now.Lists, func(d asset.ListDecision) bool { return d.ListID == list })
					before = act{number: number, status: status, since: now.Lists[i].Since}
				}
				before.reason, before.end = said.Reason, said.ExpiresAt
				held, model.lists[list] = now, before
			case "expire":
				before := len(model.lists)
				maps.DeleteFunc(model.lists, func(_ int64, a act) bool { return a.ended(at) })
				ended := before - len(model.lists)
				if model.operators.ended(at) {
					model.operators = act{}
					ended++
				}
				now, expired := held.Expire(at)
				require.Equal(t, ended, expired)
				held = now
				again, expired := held.Expire(at)
				require.Zero(t, expired)
				require.Equal(t, held, again)
			default:
				list := id.Draw(t, "list")
				now, withdrawn := held.WithdrawList(list)
				require.Equal(t, model.lists[list] != act{}, withdrawn)
				held = now
				delete(model.lists, list)
			}
			settled, change, changed := held.Settle(at, asset.Origin{})
			require.Equal(t, model.status(), settled.Status)
			require.Equal(t, model.basis(held), settled.Basis)
			require.Equal(t, held.Known != settled.Known, changed)
			require.Equal(t, held.Status != settled.Status, change.OfStatus())
			held = settled
		}
	})
}

func TestHeld_Merge_lists(t *testing.T) {
	t.Parallel()
	with := func(status asset.Status, lists ...asset.ListDecision) asset.Held {
		return asset.Held{Known: asset.Known{Asset: asset.Asset{Status: status}}, Lists: lists}
	}
	blocks := listDecision(1, asset.StatusBlocked, 5)
	after := blocks
	after.Since = minutes(7).Add(time.Millisecond)
	for reason, c := range map[string]struct {
		survivor, other asset.Held
		lastEntry       time.Time // of both
		want            []asset.ListDecision
		status          asset.Status
	}{
		"the lists of both": {
			with(asset.StatusAllowed, listDecision(2, asset.StatusAllowed, 1)), with(asset.StatusBlocked, blocks), time.Time{},
			[]asset.ListDecision{blocks, listDecision(2, asset.StatusAllowed, 1)}, asset.StatusBlocked,
		},
		"of one list, what blocks": {
			with(asset.StatusAllowed, listDecision(1, asset.StatusAllowed, 1)), with(asset.StatusBlocked, blocks), time.Time{},
			[]asset.ListDecision{blocks}, asset.StatusBlocked,
		},
		"of one list, the earlier of two that block": {
			with(asset.StatusBlocked, listDecision(1, asset.StatusBlocked, 6)), with(asset.StatusBlocked, blocks), time.Time{},
			[]asset.ListDecision{blocks}, asset.StatusBlocked,
		},
		"a block stays against a later entry of the other": {
			with(asset.StatusBlocked, blocks), with(asset.StatusAllowed), minutes(7), []asset.ListDecision{after}, asset.StatusBlocked,
		},
		"a block that an entry had overruled does not come back with an earlier entry": {
			with(asset.StatusAllowed, blocks), with(asset.StatusAllowed), minutes(2),
			[]asset.ListDecision{listDecision(1, asset.StatusBlocked, 2)}, asset.StatusAllowed,
		},
	} {
		c.survivor.LastEntry = c.lastEntry
		lists := slices.Clone(c.survivor.Lists)
		got := c.survivor.Merge(c.other)
		require.Equal(t, c.want, got.Lists, reason)
		require.Equal(t, c.status, settled(got), reason)
		require.Equal(t, lists, c.survivor.Lists, "%s: the argument stays as it is", reason)
	}

	operators := with(asset.StatusUnknown)
	operators.Operators = decision(asset.StatusUnknown, 9)
	require.Equal(t, asset.StatusUnknown, settled(operators.Merge(with(asset.StatusBlocked, blocks))), "lists do not count beside operators")
}
