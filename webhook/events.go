package webhook

import (
	"context"

	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/pending"
)

// End returns the present end of all events. Like the following methods, it is for senders.
func (s *Service) End(ctx context.Context) (End, error) {
	feed, err := s.feed.Feed(ctx)
	if err != nil {
		return End{}, err
	}
	last, err := s.events.LastDisputeEvent(ctx)
	if err != nil {
		return End{}, err
	}
	act, err := s.events.LastAct(ctx)
	return End{Feed: feed, Dispute: last, Act: act}, err
}

// Changes returns changes after the place up to the end, at most limit of them, and none only if there
// are none. The errors are those of [asset.FeedService.Since]. The limit is positive.
func (s *Service) Changes(ctx context.Context, after Place, end End, limit int) ([]Entry, error) {
	page, err := s.feed.Since(ctx, after.Cursor, limit)
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, 0, len(page.Items))
	for _, item := range page.Items {
		if position, err := end.Feed.Position(item.Cursor); err == nil { // else it is newer
			entries = append(entries, Entry{Change: item.Change, Cursor: item.Cursor, Position: position})
		}
	}
	return entries, nil
}

// Disputes is like [Service.Changes], for the events of disputes.
func (s *Service) Disputes(ctx context.Context, after Place, end End, limit int) ([]dispute.Event, error) {
	page, err := s.events.DisputeEvents(ctx, after.Dispute, limit)
	events := page.Items
	for i, event := range events {
		if event.Position > end.Dispute {
			return events[:i], err
		}
	}
	return events, err
}

// Acts is like [Service.Changes], for acts that wait or waited for a second operator.
func (s *Service) Acts(ctx context.Context, after Place, end End, limit int) ([]pending.Act, error) {
	page, err := s.events.Acts(ctx, pending.ListRequest{After: after.Act, Limit: limit}, s.Now())
	acts := page.Items
	for i, act := range acts {
		if act.ID > end.Act {
			return acts[:i], err
		}
	}
	return acts, err
}
