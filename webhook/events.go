package webhook

import (
	"context"

	"github.com/apguard/apguard/dispute"
)

// End returns the present end of all events. Like the following methods, it is for senders.
func (s *Service) End(ctx context.Context) (End, error) {
	feed, err := s.feed.Feed(ctx)
	if err != nil {
		return End{}, err
	}
	last, err := s.disputes.LastDisputeEvent(ctx)
	return End{Feed: feed, Dispute: last}, err
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
	page, err := s.disputes.DisputeEvents(ctx, after.Dispute, limit)
	events := page.Items
	for i, event := range events {
		if event.Position > end.Dispute {
			return events[:i], err
		}
	}
	return events, err
}
