package webhook_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/webhook"
)

func actAt(id int64) pending.Act {
	return pending.Act{
		ID: id, CreatedAt: start(), ExpiresAt: start().Add(pending.Lifetime), State: pending.StatePending,
		Plan: pending.Plan{Kind: pending.KindSync, List: &pending.List{ID: 3, Name: "feed"}, Note: "secret"},
	}
}

func TestEndpoint_ChooseAct(t *testing.T) {
	t.Parallel()
	store := asset.StoreID{7}
	e := webhook.Endpoint{ID: 5, Events: webhook.EventTypes(), Filter: webhook.Filter{Types: []asset.Type{asset.TypePage}}}
	place := webhook.Place{Position: 4, Dispute: 5, Act: 1}
	choice := e.ChooseAct(store, place, []pending.Act{actAt(2), actAt(4)})
	require.Equal(t, 1, choice.Events)
	require.Equal(t, webhook.Batch{First: 2, Last: 2, Act: true}, choice.Batch)
	require.Equal(t, place, choice.Before)
	require.Equal(t, webhook.Place{Position: 4, Dispute: 5, Act: 2}, choice.After)
	require.JSONEq(t, `{"type":"pending.created","timestamp":"2025-01-05T10:00:00.000Z","data":{"id":2,"kind":"SYNC_LIST","assets":0,"list":"feed",`+
		`"expiresAt":"2025-01-06T10:00:00.000Z"}}`, string(choice.Message.Body))
	onAssets := actAt(2)
	onAssets.Kind, onAssets.List, onAssets.Assets = pending.KindBlock, nil, make([]pending.Asset, 2)
	require.Contains(t, string(e.ChooseAct(store, place, []pending.Act{onAssets}).Message.Body), `"kind":"BLOCK_PROTECTED","assets":2,"list":null,`)

	retried, decided := e, actAt(2)
	retried.Place, retried.Batch = choice.Before, choice.Batch
	decided.State, decided.DecidedBy, decided.DecidedAt, decided.Comment = pending.StateApproved, 2, start().Add(time.Hour), "yes"
	require.Equal(t, choice, retried.ChooseAct(store, place, []pending.Act{decided, actAt(4)}), "a repeated message")
	require.Zero(t, retried.ChooseAct(store, place, []pending.Act{actAt(4)}).Events, "the act is gone")

	other := e.ChooseDispute(store, webhook.Place{}, nil)
	require.NotEqual(t, other.Message.ID, choice.Message.ID)
	require.Zero(t, webhook.Endpoint{Events: webhook.EventTypes()[:3]}.ChooseAct(store, place, []pending.Act{actAt(2)}).Events, "no kind of act")
	require.Equal(t, webhook.Choice{Before: place, After: place}, e.ChooseAct(store, place, nil))
}

// An endpoint whose place is behind all acts of the store stands in an older one.
func TestEndpoint_Locate_acts(t *testing.T) {
	t.Parallel()
	feed := feedOf(7)
	place := webhook.Place{Cursor: feed.Cursor(7), Position: 7, Act: 4}
	all := webhook.EventTypes()
	for reason, c := range map[string]struct {
		endpoint webhook.Endpoint
		end      webhook.End
		want     error
	}{
		"all acts":                       {webhook.Endpoint{Events: all, Place: place}, webhook.End{Feed: feed, Act: 4}, nil},
		"an older state":                 {webhook.Endpoint{Events: all, Place: place}, webhook.End{Feed: feed, Act: 3}, asset.ErrFutureCursor},
		"an older state, and no acts":    {webhook.Endpoint{Events: all[:1], Place: place}, webhook.End{Feed: feed, Act: 3}, nil},
		"a batch of the last act":        {webhook.Endpoint{Events: all, Place: place, Batch: webhook.Batch{First: 9, Last: 9, Act: true}}, webhook.End{Feed: feed, Act: 9}, nil},
		"a batch behind the last act":    {webhook.Endpoint{Events: all, Place: place, Batch: webhook.Batch{First: 5, Last: 5, Act: true}}, webhook.End{Feed: feed, Act: 4}, asset.ErrFutureCursor},
		"a batch of a change is another": {webhook.Endpoint{Events: all, Place: place, Batch: webhook.Batch{First: 8, Last: 8}}, webhook.End{Feed: feed, Act: 9}, asset.ErrFutureCursor},
	} {
		at, err := c.endpoint.Locate(c.end)
		require.Equal(t, c.want, err, reason)
		if c.want == nil {
			require.Equal(t, place, at, reason)
		}
	}
	restored := webhook.End{Feed: asset.Feed{Store: asset.StoreID{9}, Last: 7}, Act: 3}
	at, err := webhook.Endpoint{Events: all, Place: place}.Locate(restored)
	require.NoError(t, err)
	require.Zero(t, at.Act, "another store without the act")
}
