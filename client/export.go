package client

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"net/url"
)

// ExportStatus selects the assets of an export.
type ExportStatus string

// The statuses of an export.
const (
	ExportBlocked ExportStatus = "BLOCKED"
	ExportAllowed ExportStatus = "ALLOWED"
	// ExportAny is BLOCKED and ALLOWED.
	ExportAny ExportStatus = "any"
)

// ErrNotModified reports that the list has not changed since the response with the ETag.
var ErrNotModified = errors.New("not modified")

// ExportRequest selects the assets of an export.
type ExportRequest struct {
	// Status is [ExportBlocked] if it is empty.
	Status ExportStatus
	// ETag is that of an earlier export. If the list is the same, the error matches [ErrNotModified].
	ETag string
}

// Export is an open list of all assets with a status. It must be closed.
type Export struct {
	// Cursor is the end of the feed before the list began. With it, [Client.Follow] continues where
	// the list may be too old.
	Cursor string
	// ETag identifies the state of the list.
	ETag string
	// Rules is the version of the rules by which the server made the canonical forms, or 0 if it does not say.
	Rules int

	response *response
}

// Assets yields the assets while they arrive. It can be called once. An error ends the sequence, also
// if the list is incomplete.
func (e *Export) Assets() iter.Seq2[Asset, error] {
	return streamed(e.response, lineItems[Asset](e.response.body), validateListed)
}

// Close releases the connection. It may be called more than once.
func (e *Export) Close() error { return e.response.body.Close() }

// Export opens a list of assets by status.
func (c *Client) Export(ctx context.Context, req ExportRequest) (*Export, error) {
	query := make(url.Values)
	setText(query, "status", req.Status)
	call := get("/asset/export/jsonl", query)
	if req.ETag != "" {
		call.header = http.Header{"If-None-Match": {req.ETag}}
	}
	var export Export
	call.receive = func(r *response) error {
		rules, err := rulesOf(r)
		switch {
		case err != nil:
		case r.endless:
			err = responseError("it does not say where it ends")
		case r.header.Values(cursorHeader) == nil:
			err = responseError("it has no cursor")
		default:
			export = Export{Cursor: r.header.Get(cursorHeader), ETag: r.header.Get("ETag"), Rules: rules}
			return receiveStream(&export.response, "application/x-ndjson")(r)
		}
		_ = r.body.Close() // it is only read
		return err
	}
	if err := c.send(ctx, call); err != nil {
		return nil, err
	}
	return &export, nil
}

// cursorHeader is the header with the end of the feed before a list.
const cursorHeader = "Feed-Cursor"
