package httpapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/request"
	"github.com/apguard/apguard/lists"
)

type listsResponse struct {
	Lists []lists.List `json:"lists"`
}

type removedList struct {
	Name string `json:"name"`
}

// fetchTime is how long a fetch of a list may take until its sync begins. A fetcher gives the file at most five minutes.
const fetchTime = 6 * time.Minute

// listOperations returns the operations on lists. They store no idempotency keys: a sync can be repeated
// anyway, and the others have no effect the second time.
func (o operator) listOperations(fetch fetchList) []operation {
	all := func(ctx context.Context, _ struct{}) ([]lists.List, error) { return o.guard.Lists.List(ctx) }
	add := func(c request.Call) (lists.List, error) { return c.AddList(o.guard.Lists.AllowPrivate()) }
	return []operation{
		operatorRead("/list/list", answerJSON(request.Call.ListLists, all, newListsResponse)),
		operatorWrite("/list/add", answerJSON(add, o.guard.Lists.Add, sameList)),
		operatorWrite("/list/update", answerJSON(request.Call.UpdateList, o.guard.Lists.Update, sameList)),
		o.orPending(syncOperation("/list/sync", o.syncList)),
		o.orPending(costlyWrite("/list/fetch", fetch.sync)),
		o.orPending(costlyWrite("/list/remove", answerJSON(request.Call.RemoveList, o.removeList, newRemovedList))),
	}
}

// syncOperation returns an operation that reads a file. It is costly before it reads, because the
// file takes room on a disk.
func syncOperation(path string, handle func(*responseWriter, call) error) operation {
	op := costlyWrite(path, handle)
	op.maxBody = 0
	return op
}

// syncList makes a list hold what the file in the body has.
func (o operator) syncList(w *responseWriter, c call) error {
	req, err := c.request().SyncList()
	if err != nil {
		return err
	}
	req.Progress = c.work.Resume
	var result lists.SyncResult
	err = c.withFile(w, func(file io.ReadSeeker) (err error) {
		req.File = file
		result, err = o.guard.Lists.Sync(c.Context(), req)
		return err
	})
	return w.writeSync(result, err)
}

// fetchList is Options.FetchList.
type fetchList func(context.Context, lists.SyncRequest) (lists.SyncResult, error)

// sync makes a list hold what the file at its URL has.
func (f fetchList) sync(w *responseWriter, c call) error {
	req, err := c.request().FetchList()
	switch {
	case err != nil:
		return err
	case f == nil:
		return apiError{status: http.StatusNotFound, message: "This server does not fetch lists"}
	}
	c.work.Extend(fetchTime)
	req.Progress = c.work.Resume
	result, err := f(c.Context(), req)
	return w.writeSync(result, fetchError(err))
}

// fetchError returns the error of a fetch for a valid request.
func fetchError(err error) error {
	if invalid := new(asset.InputError); errors.As(err, &invalid) {
		return apiError{status: http.StatusConflict, message: "The file was not taken: " + invalid.Issues[0].Message}
	}
	return err
}

// writeSync writes the result of a sync, unless it has failed.
func (w *responseWriter) writeSync(result lists.SyncResult, err error) error {
	switch {
	case errors.Is(err, lists.ErrUnconfirmed), errors.Is(err, lists.ErrMostlyRefused):
		return &stoppedSyncError{err, result}
	case err != nil:
		return err
	}
	return w.writeJSON(result)
}

func (o operator) removeList(ctx context.Context, removal request.ListRemoval) (name string, err error) {
	return removal.Name, o.guard.Lists.Remove(ctx, removal.Name, removal.Actor)
}

func sameList(list lists.List) lists.List { return list }

func newListsResponse(all []lists.List) listsResponse {
	return listsResponse{all}
}

func newRemovedList(name string) removedList { return removedList{name} }

// stoppedSyncError is the error of a sync that was stopped before any change, with what it would have done.
type stoppedSyncError struct {
	error
	result lists.SyncResult
}

// Unwrap returns the error of the sync.
func (s *stoppedSyncError) Unwrap() error { return s.error }

// advice says what the operator can do.
func (s *stoppedSyncError) advice() string {
	if errors.Is(s, lists.ErrMostlyRefused) {
		return fmt.Sprintf("%d entries were refused, more than were accepted; check that the file has the format of the list", s.result.Refused)
	}
	why := ""
	if s.result.Added+s.result.Kept == 0 {
		why = "The file has no entries. "
	}
	return fmt.Sprintf("%sThe sync would add %d entries, withdraw %d and keep %d; if that is right, repeat it with confirm",
		why, s.result.Added, s.result.Withdrawn, s.result.Kept)
}
