package dispute_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

func TestStates(t *testing.T) {
	t.Parallel()
	require.Equal(t, []dispute.State{"OPEN", "UNDER_REVIEW", "ACCEPTED", "REJECTED", "WITHDRAWN"}, dispute.States())
	dispute.States()[0] = "X"
	require.True(t, dispute.StateOpen.Valid(), "the list is the caller's own")
	require.False(t, dispute.State("open").Valid())
	require.False(t, dispute.State("").Valid())
}

func TestMoves(t *testing.T) {
	t.Parallel()
	allowed := map[dispute.State][]dispute.State{
		"OPEN":         {"UNDER_REVIEW", "ACCEPTED", "REJECTED", "WITHDRAWN"},
		"UNDER_REVIEW": {"OPEN", "ACCEPTED", "REJECTED", "WITHDRAWN"},
		"ACCEPTED":     {"OPEN"},
		"REJECTED":     {"OPEN"},
		"WITHDRAWN":    {"OPEN"},
		"":             {},
		"open":         {},
	}
	for from, want := range allowed {
		can := []dispute.State{}
		for _, to := range append(dispute.States(), "", "open") {
			if from.CanBecome(to) {
				can = append(can, to)
			}
		}
		require.ElementsMatch(t, want, can, "from %q", from)
	}
}

func TestADecisionOrAWithdrawalClosesADispute(t *testing.T) {
	t.Parallel()
	for state, closed := range map[dispute.State]bool{
		dispute.StateOpen:        false,
		dispute.StateUnderReview: false,
		dispute.StateAccepted:    true,
		dispute.StateRejected:    true,
		dispute.StateWithdrawn:   true,
	} {
		require.Equal(t, closed, state.Closed(), state)
	}
}

func TestMoveErrorTellsBothStates(t *testing.T) {
	t.Parallel()
	_, err := dispute.Transition{To: dispute.StateRejected}.Apply(dispute.Dispute{State: dispute.StateAccepted})
	require.ErrorIs(t, err, dispute.ErrInvalidTransition)
	require.NotErrorIs(t, err, dispute.ErrNotFound)
	require.EqualError(t, err, "dispute is ACCEPTED and cannot become REJECTED in this way")
}

var anyState = rapid.SampledFrom(dispute.States())

// A dispute that moves at random only ever makes moves of the table, and its notes
// tell all of them in their order, whatever the clock says.
func TestLifeOfADispute(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := dispute.CreateCommand{Notes: []string{"system"}, At: noon}.Apply(7, asset.Asset{ID: 3})
		lived := []dispute.State{dispute.StateOpen}
		for range rapid.IntRange(0, 20).Draw(t, "steps") {
			before := d
			at := noon.Add(time.Duration(rapid.Int64Range(-5e9, 5e9).Draw(t, "at")))
			if rapid.Bool().Draw(t, "note") {
				var err error
				d, err = dispute.AddNoteCommand{Text: "note", Actor: 5, At: at}.Apply(before)
				require.NoError(t, err)
				require.Equal(t, before.State, d.State, "a note moves nothing")
				require.Equal(t, dispute.Note{Text: "note", Author: 5, CreatedAt: asset.TruncateTime(at)}, d.Notes[len(before.Notes)])
			} else {
				move := dispute.Transition{From: rapid.SliceOfN(anyState, 0, 2).Draw(t, "from"), To: anyState.Draw(t, "to"), Actor: 6, Reason: "why", At: at}
				moved, err := move.Apply(before)
				if err != nil {
					require.Equal(t, &dispute.TransitionError{From: before.State, To: move.To}, err)
					require.Zero(t, moved)
					continue
				}
				d = moved
				require.True(t, before.State.CanBecome(d.State))
				if len(move.From) > 0 {
					require.Contains(t, move.From, before.State)
				}
				last, ok := d.LastTransition()
				require.True(t, ok)
				require.Equal(t, dispute.Note{Text: "why", Author: 6, State: d.State, CreatedAt: asset.TruncateTime(at)}, last)
				lived = append(lived, d.State)
			}
			if at.Before(noon) {
				require.Equal(t, noon, d.UpdatedAt, "not before it was created")
			} else {
				require.Equal(t, asset.TruncateTime(at), d.UpdatedAt)
			}
			require.Equal(t, before.Notes, d.Notes[:len(before.Notes)], "old notes stay")
			require.Len(t, d.Notes, len(before.Notes)+1)
		}
		told := []dispute.State{dispute.StateOpen}
		for _, note := range d.Notes {
			if note.State != "" {
				told = append(told, note.State)
			}
		}
		require.Equal(t, lived, told)
		require.Equal(t, noon, d.CreatedAt)
	})
}

func TestAMoveDoesNotWriteToTheNotesThatItWasGiven(t *testing.T) {
	t.Parallel()
	room := make([]dispute.Note, 1, 4)
	d := dispute.Dispute{State: dispute.StateOpen, Notes: room}
	_, err := dispute.Transition{To: dispute.StateWithdrawn, At: noon}.Apply(d)
	require.NoError(t, err)
	_, err = dispute.AddNoteCommand{Text: "note", At: noon}.Apply(d)
	require.NoError(t, err)
	require.Zero(t, room[:2][1])
}

func TestADisputeThatWasNeverMovedHasNoLastMove(t *testing.T) {
	t.Parallel()
	_, ok := dispute.Dispute{State: dispute.StateOpen, Notes: []dispute.Note{{Text: "note"}}}.LastTransition()
	require.False(t, ok)
}
