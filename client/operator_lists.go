package client

import (
	"context"
	"io"
	"net/url"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
)

// syncWait is how long a server may sync a list before it answers. It may fetch a file for six minutes before.
const syncWait = 15 * time.Minute

// listAnswer is a [lists.List] in a response.
type listAnswer struct {
	Name      string       `json:"name"`
	Format    lists.Format `json:"format"`
	Status    asset.Status `json:"status"`
	Reason    asset.Reason `json:"reason"`
	Entries   int64        `json:"entries"`
	CreatedAt time.Time    `json:"createdAt"`
	SyncedAt  time.Time    `json:"syncedAt"`
	FailedAt  time.Time    `json:"failedAt"`
	Error     string       `json:"error"`
	Failures  int          `json:"failures"`
	URL       string       `json:"url"`
	Every     every        `json:"every"`
	NextAt    time.Time    `json:"nextAt"`
	Removing  bool         `json:"removing"`
}

// every is a duration in JSON, such as "1h".
type every time.Duration

// UnmarshalText implements [encoding.TextUnmarshaler].
func (e *every) UnmarshalText(text []byte) error {
	duration, err := time.ParseDuration(string(text))
	*e = every(duration)
	return err
}

// MarshalText implements [encoding.TextMarshaler].
func (e every) MarshalText() ([]byte, error) { return []byte(time.Duration(e).String()), nil }

func (a *listAnswer) validate() error {
	if a.Name == "" || a.Format == "" || !a.Status.Valid() {
		return responseError("a list is incomplete")
	}
	return nil
}

func (a listAnswer) value() lists.List {
	return lists.List{
		Name: a.Name, Format: a.Format, Status: a.Status, Reason: a.Reason, Entries: a.Entries, CreatedAt: a.CreatedAt,
		SyncedAt: a.SyncedAt, FailedAt: a.FailedAt, Error: a.Error, Failures: a.Failures, URL: a.URL,
		Every: time.Duration(a.Every), NextAt: a.NextAt, Removing: a.Removing,
	}
}

type listsAnswer struct {
	Lists []listAnswer `json:"lists"`
}

func (a *listsAnswer) validate() error {
	return validatePage(a.Lists, func(list listAnswer) error { return list.validate() }, 0)
}

// Lists returns all lists, ordered by name. As everywhere in an [Operator], their ID, Begun, ETag and LastModified are
// zero.
func (o *Operator) Lists(ctx context.Context) ([]lists.List, error) {
	answer, err := getPage[listsAnswer](ctx, o.sender, "/list/list", nil)
	if err != nil {
		return nil, err
	}
	return mapped(answer.Lists, listAnswer.value), nil
}

// AddList adds a list that holds nothing yet. It sends the Name, Format, Status, Reason, URL and Every of the list. A
// server fetches a list with a URL at once. The error matches [ErrConflict] if there is a list with the name, or if
// there are [lists.MaxLists].
func (o *Operator) AddList(ctx context.Context, list lists.List) (lists.List, error) {
	return o.changeList(ctx, "/list/add", struct {
		Name   string       `json:"name"`
		Format lists.Format `json:"format"`
		Status asset.Status `json:"status,omitzero"`
		Reason asset.Reason `json:"reason,omitzero"`
		URL    string       `json:"url,omitzero"`
		Every  every        `json:"every,omitzero"`
	}{list.Name, list.Format, list.Status, list.Reason, list.URL, every(list.Every)})
}

// UpdateList changes what describes a list, and leaves nil fields as they are. What the list holds changes with its
// next sync. The error matches [ErrNotFound] if there is no list with the name.
func (o *Operator) UpdateList(ctx context.Context, req lists.UpdateRequest) (lists.List, error) {
	return o.changeList(ctx, "/list/update", struct {
		Name   string        `json:"name"`
		Format *lists.Format `json:"format,omitzero"`
		Status *asset.Status `json:"status,omitzero"`
		Reason *asset.Reason `json:"reason,omitzero"`
		URL    *string       `json:"url,omitzero"`
		Every  *every        `json:"every,omitzero"`
	}{req.Name, req.Format, req.Status, req.Reason, req.URL, (*every)(req.Every)})
}

func (o *Operator) changeList(ctx context.Context, path string, body any) (lists.List, error) {
	answer, err := change[listAnswer](ctx, o, path, body)
	return answer.value(), err
}

// SyncRequest asks for a sync of a list.
type SyncRequest struct {
	// Name is the name of the list.
	Name string
	// Confirm lets the sync do what [lists.ErrUnconfirmed] stops.
	Confirm bool
	// DryRun asks for the counts, with examples, without storing anything.
	DryRun bool
}

type syncAnswer struct {
	lists.SyncResult
	// Kept shows whether there are counts.
	Kept *int `json:"kept"`
}

func (a *syncAnswer) validate() error {
	if a.Kept == nil {
		return responseError("it has no counts")
	}
	a.SyncResult.Kept = *a.Kept
	return nil
}

// SyncList makes a list hold what the file has, and nothing else. It sends the file while it reads it, which can take
// as long as the server permits. The file has at most 64 MiB. If it is an [io.Seeker], it can be sent again from where
// it stands.
//
// The error matches [ErrNotFound] if there is no list with the name, and [ErrConflict] if the sync was stopped. It then
// also matches [lists.ErrUnconfirmed] if it goes on with Confirm, or [lists.ErrMostlyRefused].
func (o *Operator) SyncList(ctx context.Context, req SyncRequest, file io.Reader) (lists.SyncResult, error) {
	query := make(url.Values)
	setText(query, "name", req.Name)
	setFlag(query, "confirm", req.Confirm)
	setFlag(query, "dryRun", req.DryRun)
	return o.sync(ctx, upload("/list/sync", query, file))
}

// FetchList makes a server fetch the file of a list and sync the list. The errors are those of SyncList, and one that
// matches [ErrConflict] if the list has no URL or the file was not received. It matches [ErrNotFound] if the server
// fetches no lists.
func (o *Operator) FetchList(ctx context.Context, req SyncRequest) (lists.SyncResult, error) {
	call, err := writeOnce("/list/fetch", struct {
		Name    string `json:"name"`
		Confirm bool   `json:"confirm,omitzero"`
		DryRun  bool   `json:"dryRun,omitzero"`
	}(req))
	if err != nil {
		return lists.SyncResult{}, err
	}
	return o.sync(ctx, call)
}

func (o *Operator) sync(ctx context.Context, call call) (lists.SyncResult, error) {
	call.wait = syncWait
	answer, err := fetch(ctx, o.sender, call, func(*response) (answer syncAnswer) { return answer })
	return answer.SyncResult, err
}

type removedList struct {
	Name string `json:"name"`
	// removed is the name in the request.
	removed string
}

func (r *removedList) validate() error {
	if r.Name != r.removed {
		return responseError("another list was removed")
	}
	return nil
}

// RemoveList withdraws what a list holds and removes it. After an error, call RemoveList again to remove the rest. The
// error matches [ErrNotFound] if there is no list with the name.
func (o *Operator) RemoveList(ctx context.Context, name string) error {
	call, err := writeOnce("/list/remove", struct {
		Name string `json:"name"`
	}{name})
	if err == nil {
		_, err = fetch(ctx, o.sender, call, func(*response) removedList { return removedList{removed: name} })
	}
	return err
}
