package asset_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
)

var noon = time.Date(2025, time.January, 5, 12, 0, 0, 0, time.UTC)

func minutes(n int) time.Time { return noon.Add(time.Duration(n) * time.Minute) }

// settled returns the status that is held on the asset.
func settled(h asset.Held) asset.Status {
	h, _, _ = h.Settle(noon, asset.Origin{})
	return h.Status
}

func decision(status asset.Status, since int) *asset.Decision {
	return &asset.Decision{Status: status, Since: minutes(since)}
}

func TestHeld_Settle_status(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		held asset.Held
		want asset.Status
	}{
		"nothing is held":                                  {asset.Held{}, asset.StatusUnknown},
		"an entry alone":                                   {asset.Held{LastEntry: minutes(1)}, asset.StatusAllowed},
		"a decision alone":                                 {asset.Held{Operators: decision(asset.StatusBlocked, 1)}, asset.StatusBlocked},
		"a decision that it is UNKNOWN":                    {asset.Held{Operators: decision(asset.StatusUnknown, 1)}, asset.StatusUnknown},
		"an entry after a decision":                        {asset.Held{Operators: decision(asset.StatusBlocked, 1), LastEntry: minutes(2)}, asset.StatusAllowed},
		"an entry of the time of a decision":               {asset.Held{Operators: decision(asset.StatusBlocked, 1), LastEntry: minutes(1)}, asset.StatusAllowed},
		"a decision after all entries":                     {asset.Held{Operators: decision(asset.StatusBlocked, 2), LastEntry: minutes(1)}, asset.StatusBlocked},
		"a decision after all entries that it is UNKNOWN":  {asset.Held{Operators: decision(asset.StatusUnknown, 2), LastEntry: minutes(1)}, asset.StatusUnknown},
		"a decision that was replaced does not count":      {asset.Held{Operators: &asset.Decision{Status: asset.StatusUnknown, Since: noon, Replaced: decision(asset.StatusBlocked, 1)}}, asset.StatusUnknown},
		"a decision that it is ALLOWED, before an entry":   {asset.Held{Operators: decision(asset.StatusAllowed, 1), LastEntry: minutes(2)}, asset.StatusAllowed},
		"a decision that it is ALLOWED, after all entries": {asset.Held{Operators: decision(asset.StatusAllowed, 2), LastEntry: minutes(1)}, asset.StatusAllowed},
	} {
		for _, stored := range asset.Statuses() {
			c.held.Status = stored
			require.Equal(t, c.want, settled(c.held), "%s, with the status %s", reason, stored)
		}
	}
}

func TestHeld_Settle_change(t *testing.T) {
	t.Parallel()
	origin := asset.Origin{Cause: asset.CauseManual, Actor: 7, Reference: "ticket"}
	held := asset.Held{
		Known:     asset.Known{Asset: asset.Asset{ID: 3, Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example"}, Status: asset.StatusAllowed}},
		ChangedAt: minutes(5),
		Operators: decision(asset.StatusBlocked, 1),
	}
	for reason, c := range map[string]struct{ at, want time.Time }{
		"at the time of the step":                {minutes(6).Add(time.Microsecond), minutes(6)},
		"not before the last change":             {minutes(4), minutes(5)},
		"at the same time as the last change":    {minutes(5), minutes(5)},
		"within the millisecond of the last one": {minutes(5).Add(time.Microsecond), minutes(5)},
	} {
		got, change, changed := held.Settle(c.at, origin)
		require.True(t, changed, reason)
		require.Equal(t, asset.Change{
			AssetID: 3, Type: asset.TypeURL, Content: "https://a.example",
			From: asset.StatusAllowed, To: asset.StatusBlocked, At: c.want, Origin: origin,
			Basis: asset.Basis{By: asset.SourceOperator, Since: minutes(1)},
		}, change, reason)
		want := held
		want.Known, want.ChangedAt = change.Known(), c.want
		require.Equal(t, want, got, reason)

		again, change, changed := got.Settle(minutes(9), origin)
		require.False(t, changed, "a status that stays is no change")
		require.Zero(t, change)
		require.Equal(t, got, again)
	}
}

func TestHeld_Decide(t *testing.T) {
	t.Parallel()
	origin := asset.Origin{Cause: asset.CauseManual, Actor: 7}
	before := asset.Decision{Status: asset.StatusBlocked, Since: minutes(5), Origin: asset.Origin{Cause: asset.CauseImport}}
	for reason, c := range map[string]struct {
		held   asset.Held
		status asset.Status
		at     time.Time
		want   *asset.Decision // nil if nothing is written
	}{
		"the first decision": {
			asset.Held{}, asset.StatusUnknown, minutes(1).Add(time.Microsecond),
			&asset.Decision{Status: asset.StatusUnknown, Since: minutes(1), Origin: origin},
		},
		"after an entry": {
			asset.Held{LastEntry: minutes(1)}, asset.StatusBlocked, minutes(2),
			&asset.Decision{Status: asset.StatusBlocked, Since: minutes(2), Origin: origin},
		},
		"at the time of an entry": {
			asset.Held{LastEntry: minutes(2)}, asset.StatusBlocked, minutes(2),
			&asset.Decision{Status: asset.StatusBlocked, Since: minutes(2).Add(time.Millisecond), Origin: origin},
		},
		"before an entry, as the clock was set back": {
			asset.Held{LastEntry: minutes(3)}, asset.StatusBlocked, minutes(2),
			&asset.Decision{Status: asset.StatusBlocked, Since: minutes(3).Add(time.Millisecond), Origin: origin},
		},
		"in the place of another": {
			asset.Held{Operators: &before}, asset.StatusAllowed, minutes(9),
			&asset.Decision{Status: asset.StatusAllowed, Since: minutes(9), Origin: origin, Replaced: &before},
		},
		"in the place of another, at its time": {
			asset.Held{Operators: &before}, asset.StatusAllowed, minutes(5),
			&asset.Decision{Status: asset.StatusAllowed, Since: minutes(5).Add(time.Millisecond), Origin: origin, Replaced: &before},
		},
		"in the place of one that replaced another": {
			asset.Held{Operators: &asset.Decision{Status: before.Status, Since: before.Since, Origin: before.Origin, Replaced: decision(asset.StatusUnknown, 1)}},
			asset.StatusAllowed, minutes(9),
			&asset.Decision{Status: asset.StatusAllowed, Since: minutes(9), Origin: origin, Replaced: &before},
		},
		"the same status again": {asset.Held{Operators: &before}, asset.StatusBlocked, minutes(9), nil},
		"the same status again, after an entry of before": {
			asset.Held{Operators: &before, LastEntry: minutes(4)}, asset.StatusBlocked, minutes(9), nil,
		},
		"the same status again, against a later entry": {
			asset.Held{Operators: &before, LastEntry: minutes(6)}, asset.StatusBlocked, minutes(9),
			&asset.Decision{Status: asset.StatusBlocked, Since: minutes(9), Origin: origin, Replaced: &before},
		},
	} {
		if c.want != nil && c.want.Status == asset.StatusBlocked {
			c.want.Reason = asset.ReasonOther
		}
		got, decided := c.held.Decide(asset.Decision{Status: c.status, Origin: origin}, c.at)
		require.Equal(t, c.want != nil, decided, reason)
		want := c.held
		if decided {
			want.Operators = c.want
		}
		require.Equal(t, want, got, reason)
		require.Equal(t, c.status, settled(got), reason)
	}
}

func TestHeld_Add(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		held      asset.Held
		at        time.Time
		added     time.Time
		lastEntry time.Time
	}{
		"the first entry":  {asset.Held{}, minutes(1).Add(time.Microsecond), minutes(1), minutes(1)},
		"after a decision": {asset.Held{Operators: decision(asset.StatusBlocked, 1)}, minutes(2), minutes(2), minutes(2)},
		"before a decision, as the clock was set back": {asset.Held{Operators: decision(asset.StatusBlocked, 3)}, minutes(2), minutes(3), minutes(3)},
		"before another entry":                         {asset.Held{LastEntry: minutes(3)}, minutes(2), minutes(2), minutes(3)},
	} {
		got, addedAt := c.held.Add(c.at)
		require.Equal(t, c.added, addedAt, reason)
		want := c.held
		want.LastEntry = c.lastEntry
		require.Equal(t, want, got, reason)
		require.Equal(t, asset.StatusAllowed, settled(got), reason)
	}
}

// Whatever the clock says, the last act decides and is the basis, and a decision that is taken back leaves
// what was held before.
func TestHeld_laws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var (
			held  asset.Held
			when  = rapid.Custom(func(t *rapid.T) time.Time { return minutes(rapid.IntRange(0, 3).Draw(t, "minute")) })
			end   = rapid.OneOf(rapid.Just(time.Time{}), when)
			times = []time.Time{}
		)
		held.Status = asset.StatusUnknown
		for range rapid.IntRange(0, 8).Draw(t, "acts") {
			at, want := when.Draw(t, "at"), asset.StatusAllowed
			before, basis := held, held.Basis
			if rapid.Bool().Draw(t, "an organization adds it") {
				held, _ = held.Add(at)
				if basis.By != asset.SourceOrganization {
					basis = asset.Basis{By: asset.SourceOrganization, Since: held.LastEntry}
				}
			} else {
				want = rapid.SampledFrom(asset.Statuses()).Draw(t, "status")
				var decided bool
				said := asset.Decision{
					Status: want, Reason: rapid.SampledFrom([]asset.Reason{"", asset.ReasonOther}).Draw(t, "reason"),
					Note: rapid.SampledFrom([]string{"", "a"}).Draw(t, "note"),

					ExpiresAt: end.Draw(t, "end"), ReviewAt: end.Draw(t, "review"),
				}
				if held, decided = held.Decide(said, at); decided {
					basis = asset.Basis{
						By: asset.SourceOperator, Reason: held.Operators.Reason, Note: held.Operators.Note, Since: held.Operators.Since,
					}
					reverted, _ := held.Revert(held.Operators.Since, at)
					if before.Operators != nil && before.Operators.Ended(at) {
						before.Operators = nil
					}
					require.Equal(t, settled(before), settled(reverted), "reverting is the inverse of deciding")
				} else {
					require.Equal(t, before, held)
				}
				again, decided := held.Decide(said, at)
				require.False(t, decided, "the same again is nothing to store")
				require.Equal(t, held, again)
			}
			require.Equal(t, want, settled(held), "the last act decides")
			var (
				change  asset.Change
				changed bool
			)
			held, change, changed = held.Settle(at, asset.Origin{})
			require.Equal(t, basis, held.Basis, "the last act is the basis")
			require.Equal(t, before.Known != held.Known, changed, "only another status or basis is a change")
			if changed {
				require.Equal(t, [2]asset.Status{before.Status, want}, [2]asset.Status{change.From, change.To})
				require.Equal(t, held.Known, change.Known())
				times = append(times, change.At)
			}
		}
		require.IsNonDecreasing(t, millis(times), "changes are in the order of time")
	})
}

func millis(times []time.Time) []int64 {
	numbers := make([]int64, 0, len(times))
	for _, t := range times {
		numbers = append(numbers, t.UnixMilli())
	}
	return numbers
}

func TestHeld_Revert(t *testing.T) {
	t.Parallel()
	first, second := decision(asset.StatusBlocked, 1), decision(asset.StatusAllowed, 2)
	both, ending := *second, *first
	both.Replaced = first
	ending.ExpiresAt = minutes(8)
	afterEnding := *second
	afterEnding.Replaced = &ending
	for reason, c := range map[string]struct {
		held  *asset.Decision
		since time.Time
		want  *asset.Decision
		found bool
	}{
		"the only decision":                     {first, minutes(1), nil, true},
		"a decision that replaced another":      {&both, minutes(2), first, true},
		"one that replaced one that has ended":  {&afterEnding, minutes(2), nil, true},
		"a decision that was replaced":          {&both, minutes(1), second, true},
		"a decision that was replaced long ago": {second, minutes(1), second, false},
		"another time":                          {&both, minutes(3), &both, false},
		"no time":                               {&asset.Decision{Status: asset.StatusBlocked}, time.Time{}, &asset.Decision{Status: asset.StatusBlocked}, false},
		"nothing is held":                       {nil, minutes(1), nil, false},
	} {
		held := asset.Held{Operators: c.held, LastEntry: minutes(9)}
		got, found := held.Revert(c.since, minutes(8))
		require.Equal(t, c.found, found, reason)
		require.Equal(t, asset.Held{Operators: c.want, LastEntry: minutes(9)}, got, reason)
	}
	got, _ := asset.Held{Operators: &afterEnding}.Revert(minutes(2), minutes(8).Add(-1))
	require.Equal(t, &ending, got.Operators, "one that has not ended yet stands again")
	require.Equal(t, first, both.Replaced, "the argument stays as it is")
}

func TestHeld_Merge(t *testing.T) {
	t.Parallel()
	// with returns what is held on an asset with the basis that this gives it.
	with := func(status asset.Status, operators *asset.Decision) asset.Held {
		held := asset.Held{Known: asset.Known{Asset: asset.Asset{Status: status}}, Operators: operators}
		switch {
		case operators != nil && operators.Status == status:
			held.Basis = asset.Basis{By: asset.SourceOperator, Since: operators.Since}
		case status == asset.StatusAllowed:
			held.Basis = asset.Basis{By: asset.SourceOrganization, Since: minutes(1)}
		}
		return held
	}
	for reason, c := range map[string]struct {
		survivor, other asset.Held
		lastEntry       time.Time // of both
		want            *asset.Decision
	}{
		"a block stays before a later one that allows": {
			with(asset.StatusAllowed, decision(asset.StatusAllowed, 5)), with(asset.StatusBlocked, decision(asset.StatusBlocked, 1)),
			time.Time{}, decision(asset.StatusBlocked, 1),
		},
		"a block of the survivor stays": {
			with(asset.StatusBlocked, decision(asset.StatusBlocked, 1)), with(asset.StatusAllowed, decision(asset.StatusAllowed, 5)),
			time.Time{}, decision(asset.StatusBlocked, 1),
		},
		"a block stays against an entry of the other": {
			with(asset.StatusBlocked, decision(asset.StatusBlocked, 1)), with(asset.StatusAllowed, nil),
			minutes(5), &asset.Decision{Status: asset.StatusBlocked, Since: minutes(5).Add(time.Millisecond)},
		},
		"a block that an entry had overruled does not come back": {
			with(asset.StatusAllowed, decision(asset.StatusBlocked, 1)), with(asset.StatusUnknown, nil),
			minutes(5), decision(asset.StatusBlocked, 1),
		},
		"the later of two of the same status": {
			with(asset.StatusAllowed, decision(asset.StatusAllowed, 1)), with(asset.StatusAllowed, decision(asset.StatusAllowed, 2)),
			time.Time{}, decision(asset.StatusAllowed, 2),
		},
		"an entry stays against a later UNKNOWN of the other": {
			with(asset.StatusAllowed, nil), with(asset.StatusUnknown, decision(asset.StatusUnknown, 9)), minutes(5), decision(asset.StatusUnknown, 5),
		},
		"an entry that is older than the one that overruled a block": {
			with(asset.StatusAllowed, nil), with(asset.StatusAllowed, decision(asset.StatusBlocked, 3)), minutes(1), decision(asset.StatusBlocked, 1),
		},
		"nothing is held": {with(asset.StatusUnknown, nil), with(asset.StatusUnknown, nil), time.Time{}, nil},
	} {
		c.survivor.LastEntry = c.lastEntry
		c.survivor.ChangedAt, c.other.ChangedAt = minutes(1), minutes(2)
		got := c.survivor.Merge(c.other)
		require.Equal(t, c.want, got.Operators, reason)
		require.Equal(t, minutes(2), got.ChangedAt, reason)
		require.Equal(t, asset.MergedStatus(c.survivor.Status, c.other.Status), settled(got), reason)
		settled, change, changed := got.Settle(minutes(10), asset.Origin{})
		require.Equal(t, c.survivor.Status != c.other.Status, change.OfStatus(), "%s: a change ends both histories", reason)
		require.Equal(t, got.Known != settled.Known, changed, reason)
		if settled.By == asset.SourceOperator {
			require.Equal(t, asset.Basis{By: asset.SourceOperator, Since: c.want.Since}, settled.Basis, reason)
		}
	}
}
