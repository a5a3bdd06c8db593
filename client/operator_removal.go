package client

import (
	"context"
	"time"
)

// PersonRequest names a person by one of the fields or both.
type PersonRequest struct {
	UserID int64  `json:"userId,omitzero"`
	Email  string `json:"email,omitzero"`
}

// Erased is what was erased of a person.
type Erased struct {
	Users    int64 `json:"users"`
	Disputes int64 `json:"disputes"`
}

type erasedAnswer struct {
	Users    *int64 `json:"users"`
	Disputes *int64 `json:"disputes"`
}

func (a *erasedAnswer) validate() error {
	if a.Users == nil || a.Disputes == nil {
		return responseError("it does not say what was erased")
	}
	return nil
}

// ErasePerson erases a person: the users, their API keys, and the e-mail addresses and texts of their disputes. After
// an error, another call erases the rest, and after that nothing.
func (o *Operator) ErasePerson(ctx context.Context, req PersonRequest) (Erased, error) {
	answer, err := change[erasedAnswer](ctx, o, "/person/erase", req)
	if err != nil {
		return Erased{}, err
	}
	return Erased{*answer.Users, *answer.Disputes}, nil
}

// Prunable is a kind of records that [Operator.Prune] removes.
type Prunable string

// The kinds of records.
const (
	// PruneChanges are the changes of statuses, except for the latest one of each asset.
	PruneChanges Prunable = "CHANGES"
	// PruneDisputes are the closed disputes, and PruneReports the closed reports.
	PruneDisputes Prunable = "DISPUTES"
	PruneReports  Prunable = "REPORTS"
)

// PruneRequest selects records to remove.
type PruneRequest struct {
	Records Prunable
	// Before is the time before which they are removed. It must not be in the future.
	Before time.Time
}

type prunedAnswer struct {
	Removed    *int   `json:"removed"`
	NextCursor string `json:"nextCursor"`
}

func (a *prunedAnswer) validate() error {
	if a.Removed == nil {
		return responseError("it does not say how much was removed")
	}
	return nil
}

// Prune removes old records of all organizations, which cannot be undone, in as many requests as that takes. It returns
// how many it has removed, even if it fails; then another call removes the rest.
func (o *Operator) Prune(ctx context.Context, req PruneRequest) (removed int, err error) {
	for cursor := ""; ; {
		answer, err := change[prunedAnswer](ctx, o, "/prune", struct {
			Records Prunable  `json:"records"`
			Before  time.Time `json:"before"`
			Cursor  string    `json:"cursor,omitzero"`
		}{req.Records, req.Before, cursor})
		if err != nil {
			return removed, err
		}
		removed += *answer.Removed
		switch answer.NextCursor {
		case "":
			return removed, nil
		case cursor:
			return removed, &Error{Operation: "POST /prune", Err: responseError("the cursor does not move on")}
		}
		cursor = answer.NextCursor
	}
}
