package dispute_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/dispute"
)

func TestAddNoteRequest_Validate(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for reason, c := range map[string]struct {
		req    dispute.AddNoteRequest
		fields []string
	}{
		"no text":            {dispute.AddNoteRequest{}, []string{"text"}},
		"blank text":         {dispute.AddNoteRequest{Text: " \t\n"}, []string{"text"}},
		"text not UTF-8":     {dispute.AddNoteRequest{Text: "\xff"}, []string{"text"}},
		"text too long":      {dispute.AddNoteRequest{Text: strings.Repeat("x", dispute.MaxNoteBytes+1)}, []string{"text"}},
		"negative actor":     {dispute.AddNoteRequest{Actor: -1, Text: "note"}, []string{"actor"}},
		"everything invalid": {dispute.AddNoteRequest{Actor: -1}, []string{"actor", "text"}},
	} {
		require.Equal(t, c.fields, fieldsOf(t, c.req.Validate()), reason)
		_, err := f.queue.AddNote(t.Context(), c.req)
		require.Equal(t, c.fields, fieldsOf(t, err), reason)
	}
}

func TestQueueService_AddNote_Unknown(t *testing.T) {
	t.Parallel()
	_, err := newFixture(t).queue.AddNote(t.Context(), dispute.AddNoteRequest{DisputeID: 9, Text: "note"})
	require.ErrorIs(t, err, dispute.ErrNotFound)
}

func TestQueueService_AddNote_MaxBytes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.dispute(t, "ada@acme.example")
	_, err := f.queue.AddNote(t.Context(), dispute.AddNoteRequest{DisputeID: d.ID, Text: strings.Repeat("x", dispute.MaxNoteBytes)})
	require.NoError(t, err)
	_, err = f.queue.Withdraw(t.Context(), dispute.TransitionRequest{DisputeID: d.ID, Reason: strings.Repeat("x", dispute.MaxNoteBytes+1)})
	require.Equal(t, []string{"reason"}, fieldsOf(t, err))
}

func TestMaxNotes(t *testing.T) {
	t.Parallel()
	for reason, notes := range map[string][]dispute.Note{
		"the number": make([]dispute.Note, dispute.MaxNotes-1),
		"the bytes":  {{Text: strings.Repeat("x", dispute.MaxTotalNoteBytes-len("note"))}},
	} {
		d := dispute.Dispute{State: dispute.StateUnderReview, Notes: notes}
		note := dispute.AddNoteCommand{AddNoteRequest: dispute.AddNoteRequest{Text: "note"}}
		update, err := note.Apply(d)
		require.NoError(t, err, reason)
		_, err = note.Apply(update.Apply(d))
		require.ErrorIs(t, err, dispute.ErrTooManyNotes, reason)
		for _, to := range []dispute.State{dispute.StateOpen, dispute.StateAccepted, dispute.StateRejected, dispute.StateWithdrawn} {
			_, err = dispute.Transition{TransitionRequest: dispute.TransitionRequest{Reason: "r"}, To: to}.Apply(update.Apply(d))
			if to.Closed() {
				require.NoError(t, err, "%s, %s", reason, to)
			} else {
				require.ErrorIs(t, err, dispute.ErrTooManyNotes, "%s, %s", reason, to)
			}
		}
	}
}

// However often a dispute is closed and opened again, the bytes have a limit.
func TestMaxTotalNoteBytes_Cycle(t *testing.T) {
	t.Parallel()
	d := dispute.Dispute{State: dispute.StateOpen, Notes: []dispute.Note{{Text: strings.Repeat("x", dispute.MaxTotalNoteBytes)}}}
	reopen := dispute.Transition{To: dispute.StateOpen}
	for _, c := range []struct {
		reason string
		want   error
	}{{"", nil}, {strings.Repeat("x", dispute.MaxNoteBytes), dispute.ErrTooManyNotes}} {
		closing := dispute.Transition{TransitionRequest: dispute.TransitionRequest{Reason: c.reason}, To: dispute.StateRejected}
		update, err := closing.Apply(d)
		require.NoError(t, err)
		_, err = reopen.Apply(update.Apply(d))
		require.ErrorIs(t, err, c.want)
	}
}
