package asset_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
)

var anyMinute = rapid.Custom(func(t *rapid.T) time.Time { return minutes(rapid.IntRange(0, 5).Draw(t, "minute")) })

// anyHeld is what the acts of operators, organizations and lists can leave on an asset.
var anyHeld = rapid.Custom(func(t *rapid.T) asset.Held {
	held := asset.NewHeld(url("a"))
	held.ID = 1
	for range rapid.IntRange(0, 5).Draw(t, "acts") {
		at := anyMinute.Draw(t, "at")
		switch rapid.IntRange(0, 3).Draw(t, "by") {
		case 0:
			held, _ = held.Add(at)
		case 1:
			held, _ = held.DecideList(asset.ListDecision{
				ListID: rapid.Int64Range(1, 2).Draw(t, "list"), Reason: asset.ReasonOther,
				Status: rapid.SampledFrom([]asset.Status{asset.StatusBlocked, asset.StatusAllowed}).Draw(t, "status"),
			}, at)
		default:
			held, _ = anyAct(t, held, at).Apply(0, held)
		}
		held, _, _ = held.Settle(at, asset.Origin{})
	}
	return held
})

// anyAct is an act of operators that can be undone.
func anyAct(t *rapid.T, held asset.Held, at time.Time) asset.SetStatusesCommand {
	end := rapid.OneOf(rapid.Just(time.Time{}), rapid.Just(at.Add(time.Hour)))
	return asset.SetStatusesCommand{
		Items: []asset.StatusItem{{
			Identity: held.Identity, Status: rapid.SampledFrom(asset.Statuses()).Draw(t, "status"), ExpiresAt: end.Draw(t, "end"),
		}},
		Reason: rapid.SampledFrom([]asset.Reason{"", asset.ReasonOther}).Draw(t, "reason"), Note: rapid.SampledFrom([]string{"", "a"}).Draw(t, "note"),
		ReviewAt: end.Draw(t, "review"), At: at, Origin: asset.Origin{Cause: asset.CauseManual, Actor: rapid.Int64Range(1, 2).Draw(t, "actor")},
		Withdraw: held.Operators != nil && rapid.Bool().Draw(t, "withdraw"),
	}
}

// undoing undoes the act that has led from one decision to another.
func undoing(before, after asset.Held, at time.Time) asset.SetStatusesCommand {
	return asset.SetStatusesCommand{
		Items: []asset.StatusItem{{Identity: before.Identity}}, At: at, Origin: asset.Origin{Cause: asset.CauseWithdrawal, Actor: 9},
		Undo: []asset.UndoItem{{Identity: before.Identity, Decision: after.Operators.Clone(), Previous: before.Operators.Clone()}},
	}
}

// saidOf returns what stands of a decision: not who has decided, and what it replaced.
func saidOf(d *asset.Decision) asset.Decision {
	if d == nil {
		return asset.Decision{}
	}
	said := *d
	said.Replaced, said.Origin = nil, asset.Origin{}
	return said
}

// Acts that are undone one after the other, the last one first, leave what was held before each of them,
// and so does the undoing that is undone.
func TestSetStatusesCommand_Apply_undo_law(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		acts := rapid.IntRange(1, 3).Draw(t, "acts")
		states := make([]asset.Held, 1, acts+1)
		states[0] = anyHeld.Draw(t, "held")
		settle := func(held asset.Held) asset.Held {
			held, _, _ = held.Settle(noon, asset.Origin{})
			return held
		}
		states[0] = settle(states[0])
		for i := range acts {
			after, _ := anyAct(t, states[i], anyMinute.Draw(t, "at")).Apply(0, states[i])
			states = append(states, settle(after))
		}
		now := states[len(states)-1]
		for i := len(states) - 2; i >= 0; i-- {
			cmd := undoing(states[i], states[i+1], minutes(9)) // the clock is not set back
			undone, _ := cmd.Apply(0, now)
			undone = settle(undone)
			require.Equal(t, saidOf(states[i].Operators), saidOf(undone.Operators))
			require.Equal(t, [2]any{states[i].Status, states[i].By}, [2]any{undone.Status, undone.By})
			if i == len(states)-2 && states[i].Operators != nil && states[i+1].Operators != nil {
				require.Equal(t, states[i].Operators.Origin, undone.Operators.Origin, "the store knows it")
			}
			again, stores := cmd.Apply(0, undone)
			require.Equal(t, undone, again, "a second time")
			require.False(t, stores)
			redone, _ := undoing(now, undone, minutes(9)).Apply(0, undone)
			redone = settle(redone)
			require.Equal(t, now.Status, redone.Status)
			now = undone
		}
	})
}

// What a colleague has decided since stays.
func TestSetStatusesCommand_Apply_undo_colleague(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before := anyHeld.Draw(t, "held")
		after, _ := anyAct(t, before, anyMinute.Draw(t, "at")).Apply(0, before)
		later, decided := anyAct(t, after, anyMinute.Draw(t, "later")).Apply(0, after)
		if !decided {
			t.Skip("the colleague has decided nothing else")
		}
		undone, stores := undoing(before, after, anyMinute.Draw(t, "undone at")).Apply(0, later)
		require.Equal(t, later, undone)
		require.False(t, stores)
	})
}

func TestService_Undo(t *testing.T) {
	t.Parallel()
	f := newFixture()
	f.set(t, "old", asset.StatusBlocked)
	set := func(names ...string) (items []asset.UndoItem) {
		var req asset.SetStatusesRequest
		for _, name := range names {
			req.Items = append(req.Items, item(name, asset.StatusAllowed))
		}
		results, err := f.SetStatuses(t.Context(), req)
		require.NoError(t, err)
		for _, result := range results {
			items = append(items, undoOf(result))
		}
		return items
	}
	items := set("old", "new", "seized")
	f.set(t, "seized", asset.StatusBlocked)
	otherwise := items[0]
	otherwise.Previous = nil
	req := asset.UndoRequest{Origin: asset.Origin{Actor: 7, Reference: "ticket"}, Items: append(items,
		asset.UndoItem{Identity: url("none"), Decision: items[0].Decision}, items[0], otherwise,
		asset.UndoItem{Identity: url("old")}, asset.UndoItem{Refused: errRefused},
	)}
	want := []string{
		"ALLOWED BLOCKED", "ALLOWED UNKNOWN", asset.ErrChanged.Error(), asset.ErrChanged.Error(), "BLOCKED BLOCKED",
		asset.ErrContradiction.Error(), "invalid input: decision: is required without previous", errRefused.Error(),
	}
	req.DryRun = true
	dry, err := f.Undo(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, want, outcomes(dry))
	require.Len(t, f.changes(t, asset.ChangeFilter{}), 5, "a dry run stores nothing")

	req.DryRun = false
	done, err := f.Undo(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, dry, done)
	require.Equal(t, items[0].Decision.Replaced, done[0].Decision)
	require.Equal(t, items[0].Decision, done[0].Previous)
	change := f.changes(t, asset.ChangeFilter{})[0]
	require.Equal(t, asset.Origin{Cause: asset.CauseWithdrawal, Actor: 7, Reference: "ticket"}, change.Origin)
	_, err = f.Get(t.Context(), url("none"))
	require.ErrorIs(t, err, asset.ErrNotFound, "nothing is registered")

	again, err := f.Undo(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, []string{"BLOCKED BLOCKED", "UNKNOWN UNKNOWN", asset.ErrChanged.Error()}, outcomes(again)[:3], "a repeated request changes nothing")

	redone, err := f.Undo(t.Context(), asset.UndoRequest{Items: []asset.UndoItem{undoOf(done[0]), undoOf(done[1])}, Origin: asset.Origin{Actor: 8}})
	require.NoError(t, err)
	require.Equal(t, []string{"BLOCKED ALLOWED", "UNKNOWN ALLOWED"}, outcomes(redone), "what was undone can be done again")
	require.Equal(t, asset.Origin{Cause: asset.CauseManual, Actor: 8}, redone[0].Decision.Origin, "of another origin")
	require.Equal(t, items[0].Decision.Since, redone[0].Decision.Since)
}

// undoOf returns the item that undoes the act of a result.
func undoOf(result asset.StatusResult) asset.UndoItem {
	return asset.UndoItem{Identity: result.Asset.Identity, Decision: result.Decision, Previous: result.Previous}
}

// A decision that has ended does not stand again, and one of the future is taken now.
func TestService_Undo_times(t *testing.T) {
	t.Parallel()
	f := newFixture()
	ending := asset.SetStatusRequest{Identity: url("a"), Status: asset.StatusBlocked, ExpiresAt: second(3)}
	first, err := f.SetStatus(t.Context(), ending)
	require.NoError(t, err)
	second2, err := f.SetStatus(t.Context(), asset.SetStatusRequest{Identity: url("a"), Status: asset.StatusAllowed})
	require.NoError(t, err)
	undo := asset.UndoItem{Identity: url("a"), Decision: second2.Decision, Previous: first.Decision}
	results, err := f.Undo(t.Context(), asset.UndoRequest{Items: []asset.UndoItem{undo}})
	require.NoError(t, err)
	require.Equal(t, asset.StatusUnknown, results[0].Asset.Status)
	require.Nil(t, results[0].Decision)

	later := asset.UndoItem{Identity: url("a"), Previous: &asset.Decision{Status: asset.StatusBlocked, Since: second(1000)}}
	results, err = f.Undo(t.Context(), asset.UndoRequest{Items: []asset.UndoItem{later}})
	require.NoError(t, err)
	require.Equal(t, second(4), results[0].Decision.Since)
	require.Equal(t, asset.ReasonOther, results[0].Decision.Reason)
}

// Blocking a protected asset again needs a confirmation.
func TestService_Undo_protected(t *testing.T) {
	t.Parallel()
	f := newFixture()
	suffix := asset.Identity{Type: asset.TypePage, Canonical: "github.io"}
	set := func(status asset.Status) asset.Updated {
		updated, err := f.SetStatus(t.Context(), asset.SetStatusRequest{Identity: suffix, Status: status, ConfirmProtected: true})
		require.NoError(t, err)
		return updated
	}
	set(asset.StatusBlocked)
	freed := set(asset.StatusUnknown)
	req := asset.UndoRequest{Items: []asset.UndoItem{{Identity: suffix, Decision: freed.Decision, Previous: freed.Previous}}}
	results, err := f.Undo(t.Context(), req)
	require.NoError(t, err)
	require.ErrorIs(t, results[0].Err, asset.ErrProtected)
	req.ConfirmProtected = true
	results, err = f.Undo(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, []string{"UNKNOWN BLOCKED"}, outcomes(results))
}

func TestService_Undo_invalid(t *testing.T) {
	t.Parallel()
	service := asset.NewService(nil, asset.Options{}) // the store is not called
	valid := asset.Decision{Status: asset.StatusBlocked, Since: noon}
	with := func(change func(*asset.Decision)) *asset.Decision {
		changed := valid
		change(&changed)
		return &changed
	}
	for reason, c := range map[string]struct {
		item asset.UndoItem
		want string
	}{
		"no asset":                     {asset.UndoItem{Decision: &valid}, "content: is required"},
		"no status":                    {asset.UndoItem{Identity: url("a"), Decision: with(func(d *asset.Decision) { d.Status = "" })}, "decision.status: must be UNKNOWN, ALLOWED or BLOCKED"},
		"no time":                      {asset.UndoItem{Identity: url("a"), Decision: with(func(d *asset.Decision) { d.Since = time.Time{} })}, "decision.since: must be the time of the decision"},
		"an unfitting reason":          {asset.UndoItem{Identity: url("a"), Previous: with(func(d *asset.Decision) { d.Reason = "x" })}, "previous.reason: "},
		"a note of lines":              {asset.UndoItem{Identity: url("a"), Previous: with(func(d *asset.Decision) { d.Note = "a\nb" })}, "previous.note: must have no line breaks or other control characters"},
		"a text that cannot be stored": {asset.UndoItem{Identity: url("a"), Previous: with(func(d *asset.Decision) { d.Origin.Reference = "\x00" })}, "previous.reference: "},
		"an end beyond all times":      {asset.UndoItem{Identity: url("a"), Previous: with(func(d *asset.Decision) { d.ExpiresAt = time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC) })}, "previous.expiresAt: must be a time up to year 9999"},
		"a review beyond all times":    {asset.UndoItem{Identity: url("a"), Previous: with(func(d *asset.Decision) { d.ReviewAt = time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC) })}, "previous.reviewAt: must be a time up to year 9999"},
	} {
		results, err := service.Undo(t.Context(), asset.UndoRequest{Items: []asset.UndoItem{c.item}})
		require.NoError(t, err, reason)
		require.ErrorContains(t, results[0].Err, "invalid input: "+c.want, reason)
	}
	for reason, req := range map[string]asset.UndoRequest{
		"no items":         {},
		"too many items":   {Items: make([]asset.UndoItem, asset.MaxItems+1)},
		"an invalid actor": {Items: make([]asset.UndoItem, 1), Origin: asset.Origin{Actor: -1}},
	} {
		_, err := service.Undo(t.Context(), req)
		require.ErrorIs(t, err, asset.ErrInvalid, reason)
	}
}
