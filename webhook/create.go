package webhook

import (
	"context"
	"slices"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/internal/outbound"
)

// CreateRequest is the input of [Service.Create].
type CreateRequest struct {
	// URL starts with https:// and has a host, but no user name, password or fragment. The host is
	// neither localhost nor an address that is not public. It has at most [MaxURL] bytes.
	URL string
	// Events has at least one kind of event.
	Events []EventType
	Filter Filter
}

// Validate returns an [*asset.InputError] that names every invalid field, or nil. private is
// AllowPrivate of the [Options] of the service.
func (r CreateRequest) Validate(private bool) error {
	var issues asset.Issues
	outbound.CheckURL(&issues, "url", r.URL, private)
	issues.Check(len(r.Events) > 0, "events", "must not be empty")
	checkEach(&issues, "events", r.Events, EventType.Valid)
	r.Filter.check(&issues)
	return issues.Err()
}

// Create stores a new endpoint. It receives the events that are published from now on. Show its
// Secret to the owner of the receiver; the service does not return it again.
//
// The error is an [*asset.InputError] if the request is invalid. It matches [ErrNotPublic] if the
// host is not public. Whether a name leads to a public address is checked with each connection, not
// here.
func (s *Service) Create(ctx context.Context, req CreateRequest) (Endpoint, Secret, error) {
	if err := req.Validate(s.options.AllowPrivate); err != nil {
		return Endpoint{}, Secret{}, err
	}
	end, err := s.End(ctx)
	if err != nil {
		return Endpoint{}, Secret{}, err
	}
	entry := audit.New(ctx, s.Now(), audit.KindWebhook, audit.ActionCreated)
	entry.Detail = eventList(req.Events)
	e, err := s.store.AddEndpoint(ctx, Endpoint{
		URL:       req.URL,
		Events:    slices.Clone(req.Events),
		Filter:    Filter{Types: slices.Clone(req.Filter.Types), Statuses: slices.Clone(req.Filter.Statuses)},
		State:     StateActive,
		CreatedAt: s.Now(),
		Secret:    GenerateSecret(),
		Place:     end.Place(),
	}, entry)
	return e.withoutSecrets(), e.Secret, err
}

// eventList returns the kinds of events as one text.
func eventList(events []EventType) string {
	texts := make([]string, len(events))
	for i, event := range events {
		texts[i] = string(event)
	}
	return strings.Join(texts, ",")
}

// withoutSecrets returns the endpoint as operators see it.
func (e Endpoint) withoutSecrets() Endpoint {
	e.Secret, e.OldSecret, e.Lease = Secret{}, Secret{}, ""
	return e
}
