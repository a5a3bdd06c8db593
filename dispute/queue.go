package dispute

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"time"
)

// Queue is what tells that the list of the undecided disputes, or one of those that an operator works on, has changed.
type Queue struct {
	Backlog Backlog
	// LastEvent is the position of the last [Event], or 0 if the store has no events.
	LastEvent int64
	// UnderReview are the newest disputes that are UNDER_REVIEW, at most [MaxLimit] of them.
	UnderReview []Dispute
}

// Version returns a text that is another one after a dispute was created, taken up, released, decided, withdrawn or
// reopened, or after a note was added to one of UnderReview. A note on another dispute changes no version. Versions can
// only be compared for equality.
func (q Queue) Version() string {
	hash := fnv.New64a()
	add := func(values ...any) { _, _ = fmt.Fprintln(hash, values...) } // never fails
	add(q.Backlog.Open, q.Backlog.UnderReview, q.Backlog.OldestAt.Format(time.RFC3339Nano), q.LastEvent)
	for _, d := range q.UnderReview {
		add(d.ID, d.Assignee, d.UpdatedAt.Format(time.RFC3339Nano))
	}
	return strconv.FormatUint(hash.Sum64(), 36)
}
