package webhook_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/webhook"
)

// feedOf returns the feed of a store with entries at the positions.
func feedOf(last int64) asset.Feed { return asset.Feed{Store: asset.StoreID{7}, Last: last} }

func entryAt(position int64, kind asset.Type, to asset.Status, content string) webhook.Entry {
	return webhook.Entry{
		Change: asset.Change{
			ID: position, AssetID: position, Type: kind, Content: content, From: asset.StatusUnknown, To: to,
			At: start().Add(time.Duration(position) * time.Millisecond),
		},
		Cursor: feedOf(position).Cursor(position), Position: position,
	}
}

// body is the form of a message.
type body struct {
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"`
	Data      struct {
		Changes []struct {
			AssetID int64 `json:"assetId"`
		} `json:"changes"`
	} `json:"data"`
}

func decode(t require.TestingT, message webhook.Message) (decoded body, positions []int64) {
	require.NoError(t, json.Unmarshal(message.Body, &decoded))
	for _, change := range decoded.Data.Changes {
		positions = append(positions, change.AssetID)
	}
	return decoded, positions
}

// Messages have every change of a status that the filter matches, in order and once, within their bounds. A
// repeated message is the same, whatever was added to the feed.
func TestEndpoint_Choose_Law(t *testing.T) {
	t.Parallel()
	contents := []string{"a", strings.Repeat("b", 2048), strings.Repeat(`"`, 2048), "\u2028<é\U0001F600>\\"}
	rapid.Check(t, func(t *rapid.T) {
		e := webhook.Endpoint{ID: rapid.Int64Range(1, 3).Draw(t, "id"), Events: webhook.EventTypes(), Filter: webhook.Filter{
			Types:    rapid.SliceOfN(rapid.SampledFrom([]asset.Type{asset.TypeURL, asset.TypePage}), 0, 1).Draw(t, "types"),
			Statuses: rapid.SliceOfN(rapid.SampledFrom([]asset.Status{asset.StatusAllowed, asset.StatusBlocked}), 0, 1).Draw(t, "statuses"),
		}}
		var (
			entries   []webhook.Entry
			want, got []int64
			position  int64
		)
		for range rapid.IntRange(0, 300).Draw(t, "changes") {
			position += rapid.Int64Range(1, 3).Draw(t, "gap")
			entry := entryAt(position,
				rapid.SampledFrom([]asset.Type{asset.TypeURL, asset.TypePage}).Draw(t, "type"),
				rapid.SampledFrom(asset.Statuses()).Draw(t, "status"),
				rapid.SampledFrom(contents).Draw(t, "content"))
			entry.Change.From = rapid.SampledFrom(asset.Statuses()).Draw(t, "from")
			entry.Change.Basis = asset.Basis{
				By: asset.SourceList, List: rapid.SampledFrom([]string{"", "phantom"}).Draw(t, "list"), Reason: asset.ReasonOther,
				Note: rapid.SampledFrom([]string{"", strings.Repeat(`"`, asset.MaxNote)}).Draw(t, "note"), Since: entry.Change.At,
			}
			entries = append(entries, entry)
			if entry.Change.From != entry.Change.To && e.Filter.Matches(entry.Change) {
				want = append(want, position)
			}
		}
		seen := make(map[string]bool)
		for len(entries) > 0 {
			page := entries[:rapid.IntRange(1, len(entries)).Draw(t, "page")]
			choice := e.Choose(e.Place, page)
			if choice.Events > 0 {
				decoded, positions := decode(t, choice.Message)
				require.Equal(t, "asset.status_changed", decoded.Type)
				require.Len(t, positions, choice.Events)
				require.LessOrEqual(t, choice.Events, 100)
				require.Less(t, len(choice.Message.Body), 20_000)
				require.Equal(t, webhook.Batch{First: positions[0], Last: positions[len(positions)-1]}, choice.Batch)
				require.False(t, seen[choice.Message.ID], "two messages have the ID %s", choice.Message.ID)
				seen[choice.Message.ID] = true
				got = append(got, positions...)

				retried := e
				retried.Place, retried.Batch = choice.Before, choice.Batch
				again := retried.Choose(retried.Place, after(entries, choice.Before))
				require.Equal(t, choice.Message, again.Message, "a repeated message")
				require.Equal(t, choice.Batch, again.Batch)
			}
			require.Greater(t, choice.After.Position, e.Place.Position, "a choice makes progress")
			e.Place = choice.After
			entries = after(entries, e.Place)
		}
		require.Equal(t, want, got)
	})
}

// after returns the entries after a place.
func after(entries []webhook.Entry, place webhook.Place) []webhook.Entry {
	for len(entries) > 0 && entries[0].Position <= place.Position {
		entries = entries[1:]
	}
	return entries
}

func TestEndpoint_Choose_Body(t *testing.T) {
	t.Parallel()
	e := webhook.Endpoint{ID: 5, Events: webhook.EventTypes()}
	blocked := entryAt(1, asset.TypeURL, asset.StatusBlocked, `https://a.example/?a&b="<é>`)
	blocked.Change.Basis = asset.Basis{By: asset.SourceOperator, Reason: asset.ReasonScam, Note: "<b>shoes</b>", Since: start()}
	listed := entryAt(3, asset.TypePage, asset.StatusBlocked, "c.example")
	listed.Change.Basis = asset.Basis{By: asset.SourceList, ListID: 7, List: "phantom", Reason: asset.ReasonPhishing, Since: start()}
	alone := entryAt(4, asset.TypePage, asset.StatusBlocked, "c.example")
	alone.Change.From = asset.StatusBlocked
	entries := []webhook.Entry{blocked, entryAt(2, asset.TypePage, asset.StatusAllowed, "b.example"), listed, alone}
	choice := e.Choose(webhook.Place{}, entries)
	want := `{"type":"asset.status_changed","timestamp":"2025-01-05T10:00:00.003Z","data":{"changes":[` +
		`{"assetId":1,"type":"URL","content":"https://a.example/?a&b=\"<é>","fromStatus":"UNKNOWN","toStatus":"BLOCKED","updatedAt":"2025-01-05T10:00:00.001Z",` +
		`"reason":"SCAM","note":"<b>shoes</b>","since":"2025-01-05T10:00:00.000Z","by":"OPERATOR","list":null},` +
		`{"assetId":2,"type":"PAGE","content":"b.example","fromStatus":"UNKNOWN","toStatus":"ALLOWED","updatedAt":"2025-01-05T10:00:00.002Z",` +
		`"reason":null,"note":null,"since":null,"by":null,"list":null},` +
		`{"assetId":3,"type":"PAGE","content":"c.example","fromStatus":"UNKNOWN","toStatus":"BLOCKED","updatedAt":"2025-01-05T10:00:00.003Z",` +
		`"reason":"PHISHING","note":null,"since":"2025-01-05T10:00:00.000Z","by":"LIST","list":"phantom"}` +
		`]}}`
	require.Equal(t, want, string(choice.Message.Body))
	require.Regexp(t, `^msg_[A-Za-z0-9_-]{24}$`, choice.Message.ID)

	other := e
	other.ID = 6
	replayed := e
	replayed.Replays = 1
	for reason, e := range map[string]webhook.Endpoint{"another endpoint": other, "after a replay": replayed} {
		again := e.Choose(webhook.Place{}, entries)
		require.NotEqual(t, choice.Message.ID, again.Message.ID, reason)
		require.Equal(t, choice.Message.Body, again.Message.Body, reason)
	}
}

func TestEndpoint_Choose_Pruned(t *testing.T) {
	t.Parallel()
	e := webhook.Endpoint{ID: 5, Events: webhook.EventTypes(), Batch: webhook.Batch{First: 2, Last: 4}}
	entry := func(position int64) webhook.Entry {
		return entryAt(position, asset.TypeURL, asset.StatusBlocked, fmt.Sprint(position))
	}
	part := e.Choose(webhook.Place{}, []webhook.Entry{entry(3), entry(5)})
	_, positions := decode(t, part.Message)
	require.Equal(t, []int64{3}, positions, "only changes of the batch")
	require.Equal(t, e.Batch, part.Batch)
	require.Equal(t, webhook.Place{Cursor: entry(3).Cursor, Position: 3}, part.After)

	whole := e.Choose(webhook.Place{}, []webhook.Entry{entry(2), entry(3), entry(5)})
	require.NotEqual(t, whole.Message.ID, part.Message.ID, "an ID is that of a body")

	none := e.Choose(webhook.Place{}, []webhook.Entry{entry(5)})
	require.Zero(t, none.Events, "nothing of the batch is left")
	require.Zero(t, none.After)
}

func TestEndpoint_Locate(t *testing.T) {
	t.Parallel()
	feed := feedOf(10)
	end := webhook.End{Feed: feed, Dispute: 5}
	pruned := feed
	pruned.Pruned, pruned.Prunings = 9, 1
	restored := asset.Feed{Store: asset.StoreID{8}, Last: 10}
	place := webhook.Place{Cursor: feed.Cursor(7), Position: 7, Dispute: 4}
	all, disputes := webhook.EventTypes(), []webhook.EventType{webhook.EventDisputeResolved}
	for reason, test := range map[string]struct {
		endpoint webhook.Endpoint
		end      webhook.End
		want     webhook.Place
		err      error
	}{
		"a valid place":                        {webhook.Endpoint{Events: all, Place: place}, end, place, nil},
		"the end":                              {webhook.Endpoint{Events: all, Place: end.Place()}, end, end.Place(), nil},
		"the beginning":                        {webhook.Endpoint{Events: all}, end, webhook.Place{}, nil},
		"a restored store":                     {webhook.Endpoint{Events: all, Place: place}, webhook.End{Feed: restored, Dispute: 5}, webhook.Place{Cursor: restored.Cursor(7), Position: 7, Dispute: 4}, nil},
		"another store":                        {webhook.Endpoint{Events: all, Place: place}, webhook.End{Feed: asset.Feed{Store: asset.StoreID{8}, Last: 6}, Dispute: 5}, webhook.Place{Dispute: 4}, nil},
		"another store, and disputes only":     {webhook.Endpoint{Events: disputes, Place: place}, webhook.End{Feed: restored, Dispute: 3}, webhook.Place{Cursor: restored.Cursor(7), Position: 7}, nil},
		"changes after it were pruned":         {webhook.Endpoint{Events: all, Place: place}, webhook.End{Feed: pruned, Dispute: 5}, webhook.Place{Cursor: pruned.Cursor(7), Position: 7, Dispute: 4}, nil},
		"changes were pruned, disputes only":   {webhook.Endpoint{Events: disputes, Place: place}, webhook.End{Feed: pruned, Dispute: 5}, place, nil},
		"changes before it were pruned":        {webhook.Endpoint{Events: all, Place: end.Place()}, webhook.End{Feed: pruned, Dispute: 5}, end.Place(), nil},
		"an older state of the feed":           {webhook.Endpoint{Events: all, Place: place}, webhook.End{Feed: feedOf(6), Dispute: 5}, webhook.Place{}, asset.ErrFutureCursor},
		"an older feed, and disputes only":     {webhook.Endpoint{Events: disputes, Place: place}, webhook.End{Feed: feedOf(6), Dispute: 5}, place, nil},
		"an older state of the disputes":       {webhook.Endpoint{Events: all, Place: place}, webhook.End{Feed: feed, Dispute: 3}, webhook.Place{}, asset.ErrFutureCursor},
		"older disputes, and changes only":     {webhook.Endpoint{Events: all[:1], Place: place}, webhook.End{Feed: feed, Dispute: 3}, place, nil},
		"a batch of changes that is not there": {webhook.Endpoint{Events: all, Place: place, Batch: webhook.Batch{First: 8, Last: 11}}, end, webhook.Place{}, asset.ErrFutureCursor},
		"a dispute that is not there":          {webhook.Endpoint{Events: all, Place: place, Batch: webhook.Batch{First: 6, Last: 6, Dispute: true}}, end, webhook.Place{}, asset.ErrFutureCursor},
		"a dispute that is there":              {webhook.Endpoint{Events: all, Place: place, Batch: webhook.Batch{First: 5, Last: 5, Dispute: true}}, end, place, nil},
	} {
		at, err := test.endpoint.Locate(test.end)
		require.ErrorIs(t, err, test.err, reason)
		require.Equal(t, test.want, at, reason)
	}
}

func eventAt(position int64, kind asset.Type, state dispute.State) dispute.Event {
	return dispute.Event{
		Position: position, DisputeID: 10 + position, AssetID: 20 + position, Type: kind, Canonical: `https://a.example/?b="<é>`, State: state,
		At: start().Add(time.Duration(position) * time.Millisecond),
	}
}

func TestEndpoint_ChooseDispute(t *testing.T) {
	t.Parallel()
	events := []dispute.Event{
		eventAt(2, asset.TypeURL, dispute.StateOpen),
		eventAt(3, asset.TypeURL, dispute.StateRejected),
		eventAt(5, asset.TypePage, dispute.StateWithdrawn),
		eventAt(6, asset.TypeURL, dispute.StateOpen),
		eventAt(7, asset.TypeURL, dispute.StateAccepted),
	}
	created, resolved := webhook.EventDisputeCreated, webhook.EventDisputeResolved
	for reason, test := range map[string]struct {
		events []webhook.EventType
		types  []asset.Type
		want   []int64
	}{
		"both kinds":       {[]webhook.EventType{resolved, created}, nil, []int64{2, 3, 5, 6, 7}},
		"created":          {[]webhook.EventType{created}, nil, []int64{2, 6}},
		"resolved":         {[]webhook.EventType{resolved}, nil, []int64{3, 5, 7}},
		"of a type":        {[]webhook.EventType{resolved, created}, []asset.Type{asset.TypePage}, []int64{5}},
		"changes only":     {[]webhook.EventType{webhook.EventStatusChanged}, nil, nil},
		"no kind of event": {nil, nil, nil},
	} {
		e := webhook.Endpoint{ID: 5, Events: test.events, Filter: webhook.Filter{Types: test.types, Statuses: []asset.Status{asset.StatusUnknown}}}
		e.Place = webhook.Place{Cursor: feedOf(3).Cursor(3), Position: 3, Dispute: 1}
		var got []int64
		seen := make(map[string]bool)
		for left := events; len(left) > 0; {
			choice := e.ChooseDispute(asset.StoreID{7}, e.Place, left)
			require.EqualValues(t, 3, choice.After.Position, "the place in the feed stays")
			if choice.Events > 0 {
				require.Equal(t, choice.Batch.First, choice.After.Dispute)
				got = append(got, choice.Batch.First)
				require.False(t, seen[choice.Message.ID])
				seen[choice.Message.ID] = true

				retried := e
				retried.Place, retried.Batch = choice.Before, choice.Batch
				again := retried.ChooseDispute(asset.StoreID{7}, retried.Place, eventsAfter(events, choice.Before))
				require.Equal(t, choice, again, "a repeated message")
				removed := retried.ChooseDispute(asset.StoreID{7}, retried.Place, eventsAfter(events, choice.After))
				require.Zero(t, removed.Events, "the dispute was removed")
				require.Equal(t, retried.Place, removed.After)
			}
			e.Place = choice.After
			left = eventsAfter(left, e.Place)
		}
		require.Equal(t, test.want, got, reason)
	}
}

// eventsAfter returns the events after a place.
func eventsAfter(events []dispute.Event, place webhook.Place) []dispute.Event {
	for len(events) > 0 && events[0].Position <= place.Dispute {
		events = events[1:]
	}
	return events
}

func TestEndpoint_ChooseDispute_Body(t *testing.T) {
	t.Parallel()
	e := webhook.Endpoint{ID: 5, Events: webhook.EventTypes()}
	choice := e.ChooseDispute(asset.StoreID{7}, webhook.Place{}, []dispute.Event{eventAt(1, asset.TypeURL, dispute.StateOpen)})
	want := `{"type":"dispute.created","timestamp":"2025-01-05T10:00:00.001Z","data":{"disputeId":11,"state":"OPEN",` +
		`"assetId":21,"type":"URL","content":"https://a.example/?b=\"<é>"}}`
	require.Equal(t, want, string(choice.Message.Body))
	require.Regexp(t, `^msg_[A-Za-z0-9_-]{24}$`, choice.Message.ID)
	changes := e.Choose(webhook.Place{}, []webhook.Entry{entryAt(1, asset.TypeURL, asset.StatusBlocked, "https://a.example/")})
	require.NotEqual(t, changes.Message.ID, choice.Message.ID, "a change at the same position")
	other := e.ChooseDispute(asset.StoreID{8}, webhook.Place{}, []dispute.Event{eventAt(1, asset.TypeURL, dispute.StateOpen)})
	require.NotEqual(t, other.Message.ID, choice.Message.ID, "another store")

	choice = e.ChooseDispute(asset.StoreID{7}, webhook.Place{}, []dispute.Event{eventAt(1, asset.TypeURL, dispute.StateAccepted)})
	require.Contains(t, string(choice.Message.Body), `{"type":"dispute.resolved",`)
	require.Contains(t, string(choice.Message.Body), `"state":"ACCEPTED"`)
}

func TestTestMessage(t *testing.T) {
	t.Parallel()
	message := webhook.TestMessage(start())
	require.JSONEq(t, `{"type":"webhook.test","timestamp":"2025-01-05T10:00:00.000Z","data":{}}`, string(message.Body))
	require.NotEqual(t, message.ID, webhook.TestMessage(start()).ID)
}
