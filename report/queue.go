package report

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"time"
)

// Queue is what tells that the list of the reports that wait for reviews has changed.
type Queue struct {
	Backlog Backlog
	// Last is the ID of the newest report, or 0 if there is none.
	Last int64
}

// Version returns a text that is another one after a report was filed, or after a review gave one another status. A
// review after which a report has the same status changes no version. Versions can only be compared for equality.
func (q Queue) Version() string {
	hash := fnv.New64a()
	_, _ = fmt.Fprintln(hash, q.Backlog.Todo, q.Backlog.InProgress, q.Backlog.OldestAt.Format(time.RFC3339Nano), q.Last) // never fails
	return strconv.FormatUint(hash.Sum64(), 36)
}
