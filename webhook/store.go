package webhook

import (
	"context"
	"errors"
	"time"

	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/internal/outbound"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/step"
)

// Store is the storage of a [Service]. Methods may be called concurrently. Each is one atomic step,
// and returns the error of the context if the context ends first.
type Store interface {
	// AddEndpoint stores a new endpoint and returns it with its ID. The given ID is ignored. It
	// records the entry, with the ID as Subject.
	AddEndpoint(ctx context.Context, endpoint Endpoint, entry audit.Entry) (Endpoint, error)

	// EndpointByID returns the endpoint, or ErrNotFound.
	EndpointByID(ctx context.Context, id int64) (Endpoint, error)

	// Endpoints returns the page of step.ReadPage, with the limit, of the endpoints with an ID
	// above after, ordered by ID. The limit is at least 1.
	Endpoints(ctx context.Context, after int64, limit int) (step.Page[Endpoint], error)

	// DueEndpoints returns the page of step.ReadPage, with the limit, of the ACTIVE endpoints
	// whose DueAt is at most until and that after precedes, ordered by DueAt and then by ID.
	// It does not examine other endpoints. The limit is at least 1.
	DueEndpoints(ctx context.Context, after DueCursor, until time.Time, limit int) (step.Page[Endpoint], error)

	// UpdateEndpoint calls update with the endpoint, writes the result, and returns it. It returns
	// ErrNotFound if there is no such endpoint. If update returns an error, UpdateEndpoint returns
	// it unchanged and writes nothing. No other call changes the endpoint between the read and the
	// write. The store may call update again when it retries, so update must have no side effects.
	// ID and CreatedAt never change. UpdateEndpoint records what [Endpoint.Entry] makes of the
	// entry.
	UpdateEndpoint(ctx context.Context, id int64, update func(old Endpoint) (Endpoint, error), entry audit.Entry) (Endpoint, error)

	// RemoveEndpoint removes the endpoint and records the entry, or returns ErrNotFound.
	RemoveEndpoint(ctx context.Context, id int64, entry audit.Entry) error
}

// EventStore has the events that are not in the feed. [pending.Store] has the contract of the last two methods.
type EventStore interface {
	dispute.EventStore
	Acts(ctx context.Context, req pending.ListRequest, now time.Time) (step.Page[pending.Act], error)
	LastAct(ctx context.Context) (int64, error)
}

// DueCursor is a position in the list of endpoints that are due: right after the endpoint with
// that DueAt and ID.
type DueCursor struct {
	At time.Time
	ID int64
}

// Precedes reports whether the endpoint comes after the cursor.
func (c DueCursor) Precedes(e Endpoint) bool {
	if order := e.DueAt.Compare(c.At); order != 0 {
		return order > 0
	}
	return e.ID > c.ID
}

// Sentinel errors, for errors.Is. Errors about invalid input are of type [*asset.InputError]. Any
// other error comes from the store or the context.
var (
	// ErrNotFound reports that there is no such endpoint.
	ErrNotFound = errors.New("webhook endpoint not found")
	// ErrNotPublic reports that the host of a URL is localhost, a name below it, or an address that is
	// not public, and that AllowPrivate of the [Options] is false. It is the cause of an issue.
	ErrNotPublic = outbound.ErrNotPublic
	// ErrNotDue reports that the endpoint is not to be sent this message now: another sender has
	// it, or an operator has changed it.
	ErrNotDue = errors.New("webhook endpoint is not due")
	// ErrLeaseLost reports that the endpoint does not wait for the outcome of this request any more.
	ErrLeaseLost = errors.New("lease of the webhook endpoint is lost")
)
