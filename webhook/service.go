package webhook

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/internal/outbound"
	"github.com/apguard/apguard/step"
)

// Options are the options of a [Service]. The zero value is valid.
type Options struct {
	// Clock returns the current time. Nil means time.Now.
	Clock func() time.Time
	// AllowPrivate allows URLs with http and addresses that are not public, for receivers in the
	// server's own network. Those who may create endpoints can then reach every address that the
	// server can.
	AllowPrivate bool
}

// Service manages endpoints. It is for operators, because endpoints receive changes of all
// organizations, and the secrets are in the store. It is safe for concurrent use.
type Service struct {
	store   Store
	feed    asset.FeedStore
	events  EventStore
	options Options
}

// NewService returns a Service on the store, and on the feed and the other events of that store.
func NewService(store Store, feed asset.FeedStore, events EventStore, opts Options) *Service {
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	return &Service{store: store, feed: feed, events: events, options: opts}
}

// AllowPrivate reports whether [Options] allows addresses that are not public.
func (s *Service) AllowPrivate() bool { return s.options.AllowPrivate }

// CheckURL returns an [*asset.InputError] unless messages can be sent to the URL, by the rule of
// [Service.Create]. It is for senders: an endpoint may have been created when more was allowed.
func (s *Service) CheckURL(url string) error {
	var issues asset.Issues
	outbound.CheckURL(&issues, "url", url, s.options.AllowPrivate)
	return issues.Err()
}

// Now returns the time of the clock, as it is stored.
func (s *Service) Now() time.Time { return step.TruncateTime(s.options.Clock()) }

// update changes an endpoint at the present time. It is for senders.
func (s *Service) update(ctx context.Context, id int64, update func(e Endpoint, now time.Time) (Endpoint, error)) (Endpoint, error) {
	now := s.Now()
	return s.store.UpdateEndpoint(ctx, id, func(old Endpoint) (Endpoint, error) { return update(old, now) }, audit.Entry{})
}

// administer changes an endpoint for an operator. The error is ErrNotFound or that of the store.
func (s *Service) administer(ctx context.Context, id int64, action audit.Action, change func(e Endpoint, now time.Time) Endpoint) (Endpoint, error) {
	now := s.Now()
	return s.store.UpdateEndpoint(ctx, id, func(old Endpoint) (Endpoint, error) { return change(old, now), nil }, s.entry(ctx, now, action, id))
}

// entry returns the entry of an act on the endpoint.
func (s *Service) entry(ctx context.Context, now time.Time, action audit.Action, id int64) audit.Entry {
	return audit.New(ctx, now, audit.KindWebhook, action).On(id)
}
