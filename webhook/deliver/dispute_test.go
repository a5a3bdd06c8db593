package deliver_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/webhook"
	"github.com/apguard/apguard/webhook/deliver"
)

// dispute creates a dispute of the n-th asset, which no change mentions.
func (f *fixture) dispute(n int) dispute.Dispute {
	f.t.Helper()
	content := fmt.Sprintf("https://disputed-%d.example/", n)
	email := "ada@acme.example"
	created, err := f.store.CreateDispute(f.t.Context(), dispute.CreateCommand{
		Identity: asset.Identity{Type: asset.TypeURL, Canonical: content}, Register: true, Content: content + "?ada",
		Email: email, EmailKey: account.EmailKey(email), Description: "I am Ada", At: f.clock(),
	})
	require.NoError(f.t, err)
	return created
}

// closeDispute brings a dispute into a closed state.
func (f *fixture) closeDispute(id int64, state dispute.State) {
	f.t.Helper()
	request := dispute.TransitionRequest{DisputeID: id, Reason: "Ada is right"}
	_, err := f.store.UpdateDispute(f.t.Context(), dispute.UpdateCommand{
		DisputeID: id, Apply: dispute.Transition{TransitionRequest: request, To: state, At: f.clock()}.Apply,
	})
	require.NoError(f.t, err)
}

// kinds returns the kind of each message that a receiver got, with the ID of the dispute if it is of
// one.
func (r *receiver) kinds(t *testing.T) []string {
	t.Helper()
	all := r.requests()
	kinds := make([]string, 0, len(all))
	for _, got := range all {
		var message struct {
			Type string `json:"type"`
			Data struct {
				DisputeID int64         `json:"disputeId"`
				State     dispute.State `json:"state"`
			} `json:"data"`
		}
		require.NoError(t, json.Unmarshal([]byte(got.body), &message))
		kind := message.Type
		if message.Data.DisputeID > 0 {
			kind += fmt.Sprintf(" %d %s", message.Data.DisputeID, message.Data.State)
		}
		kinds = append(kinds, kind)
	}
	return kinds
}

// createFor creates an endpoint that receives the kinds of events.
func (f *fixture) createFor(url string, events ...webhook.EventType) webhook.Endpoint {
	f.t.Helper()
	e, _, err := f.webhooks.Create(f.t.Context(), webhook.CreateRequest{URL: url, Events: events})
	require.NoError(f.t, err)
	return e
}

func TestSender_Run_Disputes(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	disputes, created, changes := newReceiver(t, nil), newReceiver(t, nil), newReceiver(t, nil)
	f.dispute(1) // before the endpoints
	first := f.createFor(disputes.URL, webhook.EventDisputeResolved, webhook.EventDisputeCreated)
	f.createFor(created.URL, webhook.EventDisputeCreated)
	f.createFor(changes.URL, webhook.EventStatusChanged)
	f.run(f.sender(deliver.Options{}))
	d := f.dispute(2)
	f.closeDispute(d.ID, dispute.StateWithdrawn)
	f.closeDispute(1, dispute.StateRejected)
	eventually(t, func() bool {
		return len(disputes.requests()) == 3 && len(created.requests()) == 1
	})
	require.Equal(t, []string{"dispute.created 2 OPEN", "dispute.resolved 2 WITHDRAWN", "dispute.resolved 1 REJECTED"}, disputes.kinds(t))
	require.Equal(t, []string{"dispute.created 2 OPEN"}, created.kinds(t))
	require.Empty(t, changes.requests())
	for _, got := range slices.Concat(disputes.requests(), created.requests()) {
		require.NotContains(t, strings.ToLower(got.body), "ada", "neither the address nor a text of a person")
	}

	replayed, err := f.webhooks.Replay(t.Context(), first.ID, time.Time{})
	require.NoError(t, err)
	require.Zero(t, replayed.Place)
	eventually(t, func() bool { return len(disputes.requests()) == 7 })
	again := disputes.kinds(t)[3:]
	require.Equal(t, []string{
		"dispute.created 1 OPEN", "dispute.created 2 OPEN", "dispute.resolved 2 WITHDRAWN", "dispute.resolved 1 REJECTED",
	}, again)
	ids := make(map[string]bool)
	for _, got := range disputes.requests() {
		ids[got.id] = true
	}
	require.Len(t, ids, 7, "the messages of a replay have other IDs")
}

// Neither kind of message waits until there are none of the other.
func TestSender_Run_TakesTurns(t *testing.T) {
	t.Parallel()
	for reason, one := range map[string]struct {
		turnTime time.Duration
		refuses  bool // each second request
	}{
		"turns of many messages":                       {turnTime: time.Hour},
		"a receiver so slow that turns end at once":    {},
		"a receiver that refuses every second request": {turnTime: time.Hour, refuses: true},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, true)
			var count atomic.Int64
			r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
				if count.Add(1)%2 == 0 && one.refuses {
					w.WriteHeader(http.StatusServiceUnavailable)
				}
			})
			f.createFor(r.URL, webhook.EventTypes()...)
			for n := range 12 {
				f.dispute(n)
				f.block(100)
			}
			sender := f.sender(deliver.Options{})
			sender.SetTurnTime(one.turnTime)
			f.run(sender)
			const first = 16
			eventually(t, func() bool {
				f.pass(time.Hour) // the time of a repetition
				return len(r.messages()) >= first
			})
			disputes := 0
			for _, got := range r.messages()[:first] {
				if len(got.assets) == 0 {
					disputes++
				}
			}
			require.Equal(t, first/2, disputes)
		})
	}
}
