package deliver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/postgrestest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/webhook"
)

const (
	// killBatch is the largest number of changes that are made at once, and killAhead how far the
	// receivers may at most be behind when there are more. They often have all, so that there are
	// small messages, too.
	killBatch = 300
	killAhead = 400
	// killDelay bounds the number of requests that arrive or are answered before a kill that is due.
	killDelay = 4
	// slowAnswer is how long the slow receiver takes.
	slowAnswer = 20 * time.Millisecond
)

// TestSender_Run_Kills lets two processes send the changes of one database to three receivers, of
// which one is slow and one fails half of the time. It kills the processes again and again. Each
// receiver must get every change in the order of the feed, and a message again only if it has
// refused it or its sender was killed.
func TestSender_Run_Kills(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	for name, newDB := range map[string]func(testing.TB) string{
		"SQLite":     func(tb testing.TB) string { tb.Helper(); return filepath.Join(tb.TempDir(), "kills.db") },
		"PostgreSQL": postgrestest.NewDatabase,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changes, kills := testsize.Of(0, 2000, 20_000), testsize.Of(0, 2, 20)
			k := newKilling(t, newDB(t), changes)
			ahead := killAhead
			for written, received := 0, 0; received < changes; received = k.received() {
				for written < min(changes, received+ahead) {
					written += k.write(t, written)
					ahead = 1 + rand.IntN(killAhead)
				}
				k.awaitRequest(t)
				k.killIfDue(t, kills)
			}
			require.Len(t, k.killed, kills)
			k.end(t)
			k.requireChanges(t)
			k.requireIDs(t)
			k.requireRepeats(t)
		})
	}
}

// killing is a database with two senders.
type killing struct {
	*fixture
	changes   int
	senders   []*senderProcess
	receivers []*killReceiver
	// requests has an item when a request arrives, and one when it has been answered.
	requests chan struct{}
	killed   []kill
	// delay is the number of items of requests until a kill that is due.
	delay int
}

// kill is when a kill began and when the process had ended.
type kill struct{ began, ended time.Time }

// killReceiver is a receiver that counts.
type killReceiver struct {
	*receiver
	name     string
	endpoint webhook.Endpoint
	// accepted says for each request whether it was accepted, and changes is the number of changes
	// in accepted messages, each counted once.
	accepted []bool
	changes  int
}

func newKilling(t *testing.T, database string, changes int) *killing {
	t.Helper()
	task := task{Database: database, Began: time.Now()}
	store, err := task.open(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	k := &killing{fixture: newFixtureOn(t, store, true), changes: changes, requests: make(chan struct{}, 1_000_000)}
	k.webhooks = task.service(store)
	k.receiver(t, "fast", func(http.ResponseWriter) bool { return true })
	k.receiver(t, "slow", func(http.ResponseWriter) bool {
		<-time.After(slowAnswer)
		return true
	})
	k.receiver(t, "failing", func(w http.ResponseWriter) bool {
		if rand.IntN(2) == 0 {
			return true
		}
		w.Header().Set("Retry-After", "1") // so that the delay stays the shortest one
		w.WriteHeader(http.StatusServiceUnavailable)
		return false
	})
	for range 2 {
		k.senders = append(k.senders, startSender(t, task))
	}
	return k
}

// receiver starts a receiver with an endpoint. accept answers a request and reports whether it
// accepts it.
func (k *killing) receiver(t *testing.T, name string, accept func(http.ResponseWriter) bool) {
	t.Helper()
	r := &killReceiver{receiver: new(receiver), name: name}
	r.answer = func(w http.ResponseWriter, _ *http.Request) {
		k.requests <- struct{}{}
		r.count(accept(w))
		k.requests <- struct{}{}
	}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	r.endpoint = k.create(r.URL, webhook.Filter{})
	k.receivers = append(k.receivers, r)
}

// ServeHTTP implements [http.Handler]. It refuses a request that breaks off, because its sender was
// killed.
func (r *killReceiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	r.receiver.ServeHTTP(w, req)
}

// count counts the last request.
func (r *killReceiver) count(accepted bool) {
	r.mu.Lock()
	defer r.mu.Unlock()

	r.accepted = append(r.accepted, accepted)
	last := len(r.all) - 1
	if accepted && (!r.repeats(last) || !r.accepted[last-1]) {
		r.changes += len(r.all[last].assets)
	}
}

// repeats reports whether a request has the same message as the one before.
func (r *killReceiver) repeats(i int) bool { return i > 0 && r.all[i].id == r.all[i-1].id }

// received returns the number of changes that all receivers have accepted.
func (k *killing) received() int {
	least := k.changes
	for _, r := range k.receivers {
		r.mu.Lock()
		least = min(least, r.changes)
		r.mu.Unlock()
	}
	return least
}

// write makes more changes and returns how many. Every asset is allowed at first and blocked later.
func (k *killing) write(t *testing.T, written int) int {
	t.Helper()
	n, assets := min(1+rand.IntN(killBatch), k.changes-written), k.changes/2
	cmd := asset.SetStatusesCommand{Origin: asset.Origin{Cause: asset.CauseManual}, At: time.Now()}
	for i := written; i < written+n; i++ {
		item := asset.StatusItem{
			Identity: asset.Identity{Type: asset.TypeURL, Canonical: fmt.Sprintf("https://kill-%d.example/", i%assets)}, Status: asset.StatusAllowed,
		}
		if i >= assets {
			item.Status = asset.StatusBlocked
		}
		cmd.Items = append(cmd.Items, item)
	}
	_, err := k.store.SetAssetStatuses(t.Context(), cmd)
	require.NoError(t, err)
	require.NoError(t, k.feed.Publish(t.Context()))
	return n
}

// awaitRequest waits until a request arrives or has been answered.
func (k *killing) awaitRequest(t *testing.T) {
	t.Helper()
	select {
	case <-k.requests:
	case <-time.After(time.Minute):
		require.FailNow(t, "no request arrives")
	}
}

// killIfDue kills a sender and starts it again if it is time for that: the kills are spread over the
// changes, each at a random moment.
func (k *killing) killIfDue(t *testing.T, kills int) {
	t.Helper()
	done := len(k.killed)
	switch {
	case done == kills || k.received() < (2*done+1)*k.changes/(2*kills):
		k.delay = rand.IntN(killDelay)
	case k.delay > 0:
		k.delay--
	default:
		sender, began := k.senders[done%len(k.senders)], time.Now()
		sender.kill(t)
		k.killed = append(k.killed, kill{began, time.Now()})
		sender.start(t)
	}
}

// end waits until the senders have recorded the last outcomes, and stops them and the receivers.
func (k *killing) end(t *testing.T) {
	t.Helper()
	for _, r := range k.receivers {
		eventually(t, func() bool {
			e, err := k.store.EndpointByID(t.Context(), r.endpoint.ID)
			require.NoError(t, err)
			return e.Place.Position == int64(k.changes) && e.Lease == ""
		})
	}
	for _, sender := range k.senders {
		sender.kill(t)
	}
	for _, r := range k.receivers {
		r.Close()
	}
}

// requireChanges requires that each receiver got all changes in the order of the feed, in messages
// with valid signatures.
func (k *killing) requireChanges(t *testing.T) {
	t.Helper()
	type change struct {
		AssetID    int64        `json:"assetId"`
		Type       asset.Type   `json:"type"`
		Content    string       `json:"content"`
		FromStatus asset.Status `json:"fromStatus"`
		ToStatus   asset.Status `json:"toStatus"`
		UpdatedAt  time.Time    `json:"updatedAt"`
	}
	var want []change
	for entry, err := range k.feed.Follow(t.Context(), asset.FeedCursor{}) {
		require.NoError(t, err)
		c := entry.Change
		want = append(want, change{c.AssetID, c.Type, c.Content, c.From, c.To, c.At})
	}
	require.Len(t, want, k.changes)
	for _, r := range k.receivers {
		var got []change
		for i, request := range r.all {
			require.Equal(t, signature(t, r.endpoint.Secret, request.header, request.body), request.header.Get("webhook-signature"), r.name)
			if r.repeats(i) {
				continue
			}
			var message struct{ Data struct{ Changes []change } }
			require.NoError(t, json.Unmarshal([]byte(request.body), &message))
			got = append(got, message.Data.Changes...)
		}
		require.True(t, slices.Equal(want, got), "the %s receiver must get the changes in the order of the feed", r.name)
		require.NoError(t, r.failed, r.name)
	}
}

// requireIDs requires that equal messages, and no others, have the same ID.
func (k *killing) requireIDs(t *testing.T) {
	t.Helper()
	type message struct{ endpoint, body string }
	messages, ids := make(map[string]message), make(map[message]string)
	for _, r := range k.receivers {
		r.requireOrder(t)
		for _, request := range r.all {
			id, m := request.id, message{r.name, request.body}
			if _, repeated := messages[id]; !repeated {
				require.Empty(t, ids[m], "a message has one ID")
				messages[id], ids[m] = m, id
			}
			require.Equal(t, m, messages[id], "an ID has one message")
		}
	}
}

// requireRepeats requires that an accepted message is repeated only because of a kill. A process
// has one request of each receiver. It may also lose a lease if the machine is too busy.
func (k *killing) requireRepeats(t *testing.T) {
	t.Helper()
	lost := 0
	for _, sender := range k.senders {
		lost += int(sender.leasesLost.Load())
	}
	for _, r := range k.receivers {
		refused, repeated, unexplained := 0, 0, 0
		for i, accepted := range r.accepted {
			switch {
			case !accepted:
				refused++
			case i+1 == len(r.all) || !r.repeats(i+1):
			default:
				repeated++
				if !k.killedBetween(r.all[i].at, r.all[i+1].at) {
					unexplained++
				}
			}
		}
		t.Logf("%s: %d requests, %d refused, %d repeated although accepted; %d leases lost", r.name, len(r.all), refused, repeated, lost)
		require.LessOrEqual(t, unexplained, lost, r.name)
		require.LessOrEqual(t, repeated, len(k.killed)+lost, r.name)
	}
}

// killedBetween reports whether a process was killed between two requests. The first one may arrive
// when its sender has ended.
func (k *killing) killedBetween(first, second time.Time) bool {
	return slices.ContainsFunc(k.killed, func(kill kill) bool {
		return kill.began.Before(second) && kill.ended.Add(time.Second).After(first)
	})
}
