package deliver_test

import (
	"net/http"
	"strconv"
	"sync/atomic"
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

// A message that was refused is sent again unchanged, also after the act was decided, and before a later one.
func TestSender_Run_ActAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	var accepts atomic.Bool
	acts := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
		if !accepts.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	e := f.createFor(acts.URL, webhook.EventPendingCreated)
	f.run(f.sender(deliver.Options{}))
	f.ask(1)
	eventually(t, func() bool { return f.get(e.ID).Failures == 1 })
	_, err := f.store.DecideAct(t.Context(), pending.DecideCommand{ID: 1, To: pending.StateRejected, Actor: 8, At: f.clock()})
	require.NoError(t, err)
	f.ask(2)
	accepts.Store(true)
	f.pass(time.Hour)
	eventually(t, func() bool { return len(acts.requests()) == 3 })
	got := acts.requests()
	require.Equal(t, got[0].id, got[1].id)
	require.Equal(t, got[0].body, got[1].body)
	require.Contains(t, got[2].body, `"data":{"id":2,`)

	f.ask(3)
	eventually(t, func() bool { return len(acts.requests()) == 4 })
}
