package deliver_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/webhook"
	"github.com/apguard/apguard/webhook/deliver"
)

// ask stores an act.
func (f *fixture) ask(n int) {
	f.t.Helper()
	_, err := f.store.AddAct(f.t.Context(), pending.AddCommand{Act: pending.Act{
		Plan:  pending.Plan{Kind: pending.KindBlock, Note: strconv.Itoa(n), Assets: []pending.Asset{{Identity: asset.Identity{Type: asset.TypePage, Canonical: "github.io"}}}},
		Actor: 7, CreatedAt: f.clock(), ExpiresAt: f.clock().Add(pending.Lifetime), State: pending.StatePending,
	}})
	require.NoError(f.t, err)
}

// Each act is sent once, without the texts of operators, and again by a replay.
func TestSender_Run_Acts(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	acts, changes := newReceiver(t, nil), newReceiver(t, nil)
	f.ask(1) // before the endpoints
	first := f.createFor(acts.URL, webhook.EventPendingCreated, webhook.EventStatusChanged)
	f.createFor(changes.URL, webhook.EventStatusChanged)
	f.run(f.sender(deliver.Options{}))
	f.ask(2)
	f.ask(3)
	eventually(t, func() bool { return len(acts.requests()) == 2 })
	for i, got := range acts.requests() {
		require.Contains(t, got.body, `{"type":"pending.created",`)
		require.Contains(t, got.body, `"data":{"id":`+strconv.Itoa(i+2)+`,"kind":"BLOCK_PROTECTED","assets":1,"list":null,`)
	}
	require.Empty(t, changes.requests())

	_, err := f.webhooks.Replay(t.Context(), first.ID, time.Time{})
	require.NoError(t, err)
	eventually(t, func() bool { return len(acts.requests()) == 5 })
	ids := make(map[string]bool)
	for _, got := range acts.requests() {
		ids[got.id] = true
	}
	require.Len(t, ids, 5)
}
