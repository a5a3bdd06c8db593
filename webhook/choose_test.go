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
		Place: webhook.Place{Cursor: feedOf(position).Cursor(position), Position: position},
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

// Messages have every change that the filter matches, in order and once, within their bounds. A
// repeated message is the same, whatever was added to the feed.
func TestEndpoint_Choose_Law(t *testing.T) {
	t.Parallel()
	contents := []string{"a", strings.Repeat("b", 2048), strings.Repeat(`"`, 2048), "\u2028<é\U0001F600>\\"}
	rapid.Check(t, func(t *rapid.T) {
		e := webhook.Endpoint{ID: rapid.Int64Range(1, 3).Draw(t, "id"), Filter: webhook.Filter{
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
			entries = append(entries, entry)
			if e.Filter.Matches(entry.Change) {
				want = append(want, position)
			}
		}
		seen := make(map[string]bool)
		for len(entries) > 0 {
			page := entries[:rapid.IntRange(1, len(entries)).Draw(t, "page")]
			choice := e.Choose(e.Place, page)
			if choice.Changes > 0 {
				decoded, positions := decode(t, choice.Message)
				require.Equal(t, "asset.status_changed", decoded.Type)
				require.Len(t, positions, choice.Changes)
				require.LessOrEqual(t, choice.Changes, 100)
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
	for len(entries) > 0 && entries[0].Place.Position <= place.Position {
		entries = entries[1:]
	}
	return entries
}

func TestEndpoint_Choose_Body(t *testing.T) {
	t.Parallel()
	e := webhook.Endpoint{ID: 5}
	choice := e.Choose(webhook.Place{}, []webhook.Entry{
		entryAt(1, asset.TypeURL, asset.StatusBlocked, `https://a.example/?a&b="<é>`),
		entryAt(2, asset.TypePage, asset.StatusAllowed, "b.example"),
	})
	want := `{"type":"asset.status_changed","timestamp":"2025-01-05T10:00:00.002Z","data":{"changes":[` +
		`{"assetId":1,"type":"URL","content":"https://a.example/?a&b=\"<é>","fromStatus":"UNKNOWN","toStatus":"BLOCKED","updatedAt":"2025-01-05T10:00:00.001Z"},` +
		`{"assetId":2,"type":"PAGE","content":"b.example","fromStatus":"UNKNOWN","toStatus":"ALLOWED","updatedAt":"2025-01-05T10:00:00.002Z"}` +
		`]}}`
	require.Equal(t, want, string(choice.Message.Body))
	require.Regexp(t, `^msg_[A-Za-z0-9_-]{24}$`, choice.Message.ID)

	other := e
	other.ID = 6
	replayed := e
	replayed.Replays = 1
	for reason, e := range map[string]webhook.Endpoint{"another endpoint": other, "after a replay": replayed} {
		again := e.Choose(webhook.Place{}, []webhook.Entry{
			entryAt(1, asset.TypeURL, asset.StatusBlocked, `https://a.example/?a&b="<é>`),
			entryAt(2, asset.TypePage, asset.StatusAllowed, "b.example"),
		})
		require.NotEqual(t, choice.Message.ID, again.Message.ID, reason)
		require.Equal(t, choice.Message.Body, again.Message.Body, reason)
	}
}

func TestEndpoint_Choose_Pruned(t *testing.T) {
	t.Parallel()
	e := webhook.Endpoint{ID: 5, Batch: webhook.Batch{First: 2, Last: 4}}
	entry := func(position int64) webhook.Entry {
		return entryAt(position, asset.TypeURL, asset.StatusBlocked, fmt.Sprint(position))
	}
	part := e.Choose(webhook.Place{}, []webhook.Entry{entry(3), entry(5)})
	_, positions := decode(t, part.Message)
	require.Equal(t, []int64{3}, positions, "only changes of the batch")
	require.Equal(t, e.Batch, part.Batch)
	require.Equal(t, entry(3).Place, part.After)

	none := e.Choose(webhook.Place{}, []webhook.Entry{entry(5)})
	require.Zero(t, none.Changes, "nothing of the batch is left")
	require.Zero(t, none.After)
}

func TestEndpoint_Locate(t *testing.T) {
	t.Parallel()
	feed := feedOf(10)
	place := webhook.Place{Cursor: feed.Cursor(7), Position: 7}
	at, err := webhook.Endpoint{Place: place}.Locate(feed)
	require.NoError(t, err)
	require.Equal(t, place, at)
	at, err = webhook.Endpoint{}.Locate(feed)
	require.NoError(t, err)
	require.Zero(t, at, "the beginning")

	at, err = webhook.Endpoint{Place: place}.Locate(asset.Feed{Store: asset.StoreID{8}, Last: 10})
	require.NoError(t, err)
	require.Zero(t, at, "another store")

	_, err = webhook.Endpoint{Place: place}.Locate(feedOf(6))
	require.ErrorIs(t, err, asset.ErrFutureCursor, "an older state of the store")
	_, err = webhook.Endpoint{Place: place, Batch: webhook.Batch{First: 8, Last: 11}}.Locate(feed)
	require.ErrorIs(t, err, asset.ErrFutureCursor, "the batch is not there yet")
}

func TestTestMessage(t *testing.T) {
	t.Parallel()
	message := webhook.TestMessage(start())
	require.JSONEq(t, `{"type":"webhook.test","timestamp":"2025-01-05T10:00:00.000Z","data":{}}`, string(message.Body))
	require.NotEqual(t, message.ID, webhook.TestMessage(start()).ID)
}
