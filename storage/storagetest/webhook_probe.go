package storagetest

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/webhook"
)

// newEndpoint returns an ACTIVE endpoint that waits for changes, without an ID.
func newEndpoint(url string) webhook.Endpoint {
	return webhook.Endpoint{
		URL:       url,
		Events:    []webhook.EventType{webhook.EventStatusChanged},
		State:     webhook.StateActive,
		CreatedAt: at(0),
		Secret:    webhook.StoredSecret("whsec_" + url),
	}
}

// dueEndpoint returns an endpoint that is due at that time.
func dueEndpoint(due time.Time) webhook.Endpoint {
	e := newEndpoint("https://due.example")
	e.DueAt = due
	return e
}

// fullEndpoint returns an endpoint with a value in every field but ID.
func fullEndpoint() webhook.Endpoint {
	feed := asset.Feed{Store: asset.StoreID{1, 2, 3}, Last: asset.MaxID}
	return webhook.Endpoint{
		URL:            "https://full.example/path?query",
		Events:         []webhook.EventType{webhook.EventStatusChanged, "another"},
		Filter:         webhook.Filter{Types: []asset.Type{asset.TypeURL, asset.TypePage}, Statuses: []asset.Status{asset.StatusBlocked, asset.StatusAllowed}},
		State:          webhook.StateDisabled,
		DisabledBy:     webhook.ReasonGone,
		CreatedAt:      at(1),
		Secret:         webhook.StoredSecret("whsec_new"),
		OldSecret:      webhook.StoredSecret("whsec_old"),
		OldSecretUntil: at(2),
		Place:          webhook.Place{Cursor: feed.Cursor(asset.MaxID - 2), Position: asset.MaxID - 2, Dispute: asset.MaxID - 3, Act: asset.MaxID - 4},
		Batch:          webhook.Batch{First: asset.MaxID - 1, Last: asset.MaxID, Dispute: true, Act: true},
		Replays:        3,
		Failures:       4,
		FailingSince:   at(5),
		Last:           webhook.Outcome{Status: 503, Failure: webhook.FailureStatus},
		LastAt:         at(6),
		LastSuccessAt:  at(7),
		DueAt:          at(8),
		Lease:          "lease",
	}
}

func (p *probe) addEndpoint(e webhook.Endpoint) webhook.Endpoint {
	p.Helper()
	added, err := p.AddEndpoint(p.Context(), e, audit.Entry{})
	require.NoError(p, err, "AddEndpoint")
	return added
}

func (p *probe) endpoint(id int64) webhook.Endpoint {
	p.Helper()
	e, err := p.EndpointByID(p.Context(), id)
	require.NoError(p, err, "EndpointByID")
	return e
}

// noEndpoint requires that there is no endpoint with the ID.
func (p *probe) noEndpoint(id int64) {
	p.Helper()
	_, err := p.EndpointByID(p.Context(), id)
	require.ErrorIs(p, err, webhook.ErrNotFound, "EndpointByID of %d", id)
}

// endpoints returns all endpoints.
func (p *probe) endpoints() []webhook.Endpoint {
	p.Helper()
	return allPages(p, noLimit, func(last webhook.Endpoint) step.Page[webhook.Endpoint] { return p.endpointPage(last.ID, noLimit) })
}

func (p *probe) endpointPage(after int64, limit int) step.Page[webhook.Endpoint] {
	p.Helper()
	page, err := p.Endpoints(p.Context(), after, limit)
	require.NoError(p, err, "Endpoints")
	return page
}

// updateEndpoint changes an endpoint and returns what the store returns.
func (p *probe) updateEndpoint(id int64, change func(e *webhook.Endpoint)) webhook.Endpoint {
	p.Helper()
	e, err := p.UpdateEndpoint(p.Context(), id, func(old webhook.Endpoint) (webhook.Endpoint, error) {
		change(&old)
		return old, nil
	}, audit.Entry{})
	require.NoError(p, err, "UpdateEndpoint")
	return e
}

// due returns the IDs of the endpoints that are due after the cursor.
func (p *probe) due(after webhook.DueCursor, until time.Time) []int64 {
	p.Helper()
	page, err := p.DueEndpoints(p.Context(), after, until, noLimit)
	require.NoError(p, err, "DueEndpoints")
	return endpointIDs(page.Items)
}

func endpointIDs(list []webhook.Endpoint) []int64 {
	found := make([]int64, len(list))
	for i, e := range list {
		found[i] = e.ID
	}
	return found
}
