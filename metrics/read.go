package metrics

import (
	"context"
	"errors"
	"time"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/webhook"
)

// readTimeout bounds each read of the store, and readAllTimeout all of them, so that the metrics of a store that hangs
// arrive before those who ask for them give up.
const (
	readTimeout    = 2 * time.Second
	readAllTimeout = 5 * time.Second
)

// Sources are what gauges are read from. Metrics of a source that is missing have no values.
type Sources struct {
	// Guard says what waits, how the feed, lists and webhooks are, and how old the copies of its Replica are.
	Guard *apguard.Guard
	// Store says how busy its database is, if it has a method Stats, as those on SQLite and PostgreSQL do.
	Store storage.Store
	// Mirror answers checks without a Guard. Then Counts have only checks.
	Mirror *mirror.Mirror
	// Publishes says that the process publishes files for clients; see [Counts.Published].
	Publishes bool
	// Version is the version of the program if the process is that program's alone, as that of apguard serve is. Then
	// there are metrics of the build and, on Linux, of the process, which a host application has from elsewhere.
	Version string
}

// Read returns the families of [All], in that order, of which there are values. What the store does not implement has
// none. If the store fails, or does not answer within seconds, what it would have said is missing: Read returns all
// others together with the error. The reads end early with ctx.
func (c *Counts) Read(ctx context.Context, from Sources) ([]Family, error) {
	s := state{Counts: c, from: from}
	err := s.readGuard(ctx)
	if busy, ok := from.Store.(interface{ Stats() storage.Stats }); ok {
		stats := busy.Stats()
		s.stats = &stats
	}
	if from.Version != "" {
		s.process = readProcess()
	}
	s.now = c.clock()

	c.mu.Lock()
	defer c.mu.Unlock()
	var families []Family
	for _, group := range table() {
		if !group.has(&s) {
			continue
		}
		for _, row := range group.rows {
			families = append(families, Family{row.Metric, row.read(&s)})
		}
	}
	return families, err
}

// state is what all metrics are read from. What could not be read is nil.
type state struct {
	*Counts
	from Sources
	now  time.Time

	process   *process
	stats     *storage.Stats
	feed      *asset.Feed
	endpoints *endpoints
	disputes  *dispute.Backlog
	reports   *report.Backlog
	due       *asset.DueCount
	lists     *[]lists.List
}

// endpoints says how the endpoints of all servers are.
type endpoints struct {
	disabled map[webhook.Reason]int64
	pending  int64
	failing  time.Duration
}

func (s *state) readGuard(ctx context.Context) error {
	guard := s.from.Guard
	if guard == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, readAllTimeout)
	defer cancel()
	return errors.Join(
		readPart(ctx, &s.feed, guard.Feed.State),
		readPart(ctx, &s.endpoints, func(ctx context.Context) (endpoints, error) { return readEndpoints(ctx, guard.Webhooks) }),
		readPart(ctx, &s.disputes, guard.DisputeQueue.Backlog),
		readPart(ctx, &s.reports, func(ctx context.Context) (report.Backlog, error) {
			return guard.Reviews.Backlog(ctx, report.AnyOrganization())
		}),
		readPart(ctx, &s.due, guard.Assets.CountDue),
		readPart(ctx, &s.lists, guard.Lists.List),
	)
}

// readPart reads a part of the state.
func readPart[T any](ctx context.Context, to **T, read func(context.Context) (T, error)) error {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	part, err := read(ctx)
	switch {
	case errors.Is(err, storage.ErrUnimplemented):
		return nil
	case err != nil:
		return err
	}
	*to = &part
	return nil
}

func readEndpoints(ctx context.Context, webhooks *webhook.Service) (endpoints, error) {
	found := endpoints{disabled: map[webhook.Reason]int64{webhook.ReasonGone: 0, webhook.ReasonFailing: 0}}
	for e, err := range webhooks.All(ctx) {
		switch {
		case err != nil:
			return endpoints{}, err
		case e.State == webhook.StateDisabled:
			found.disabled[e.DisabledBy]++
		case e.State == webhook.StateActive:
			if e.Batch != (webhook.Batch{}) {
				found.pending++
			}
			if !e.FailingSince.IsZero() {
				found.failing = max(found.failing, webhooks.Now().Sub(e.FailingSince))
			}
		}
	}
	return found, nil
}
