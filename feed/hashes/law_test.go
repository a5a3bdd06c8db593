package hashes_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/hashlist"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/internal/test/contentstest"
	"github.com/apguard/apguard/storage"
)

// After any changes, restarts and prunings, a client that updates holds exactly what a new client holds,
// and answers as the store does.
func TestOrigin_law(t *testing.T) {
	t.Parallel()
	for name, open := range stores() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			two := [2]storage.Store{open(t), open(t)}
			now := time.Date(2025, time.January, 5, 10, 0, 0, 0, time.UTC)
			for _, store := range two { // a list without any version would be older than each other one
				_, err := apguard.New(store, apguard.Options{}).SetStatus(t.Context(), "example.org", asset.StatusBlocked, asset.Origin{})
				require.NoError(t, err)
			}
			rapid.Check(t, func(rt *rapid.T) {
				l := law{t: t, stores: two, now: &now, drawn: contentstest.New(3)}
				l.restart(rt)
				for range 3 {
					l.clients = append(l.clients, hashlist.New(time.Hour))
				}
				rt.Repeat(map[string]func(*rapid.T){
					"SetStatuses": l.setStatuses,
					"set back":    l.setBack,
					"Prune":       l.prune,
					"restart":     l.restart,
					"replace":     l.replace,
					"Refresh":     func(rt *rapid.T) { refresh(rt, l.origin) },
					"update":      l.update,
					"load":        l.load,
				})
				l.update(rt)
			})
		})
	}
}

// law is an Origin of one of two stores, and its clients. The stores keep what earlier runs left in them.
type law struct {
	t       *testing.T
	stores  [2]storage.Store
	present int
	now     *time.Time
	drawn   contentstest.Contents
	origin  filled
	clients []*hashlist.List
	saved   []byte
}

// guard returns a Guard on the present store. Its clock has moved on.
func (l *law) guard() *apguard.Guard {
	*l.now = l.now.Add(time.Second)
	now := *l.now
	return apguard.New(l.stores[l.present], apguard.Options{Clock: func() time.Time { return now }})
}

// identity draws one of the covers of a content.
func (l *law) identity(rt *rapid.T) asset.Identity {
	for {
		if result, err := classify.Classify(l.drawn.Content()); err == nil {
			covers := classify.Covering(result.Identity)
			return covers[rapid.IntRange(0, len(covers)-1).Draw(rt, "cover")].Identity
		}
	}
}

func (l *law) setStatuses(rt *rapid.T) {
	req := asset.SetStatusesRequest{
		Items:            make([]asset.StatusItem, rapid.IntRange(1, 20).Draw(rt, "n")),
		Note:             rapid.SampledFrom([]string{"", "a", "b"}).Draw(rt, "note"), // of the same status, it is a change that no list has
		ConfirmProtected: true,
	}
	for i := range req.Items {
		req.Items[i] = asset.StatusItem{Identity: l.identity(rt), Status: rapid.SampledFrom(asset.Statuses()).Draw(rt, "status")}
	}
	_, err := l.guard().Assets.SetStatuses(l.t.Context(), req)
	require.NoError(rt, err)
}

// setBack changes a status and sets it back, so that the lists are as before.
func (l *law) setBack(rt *rapid.T) {
	identity := l.identity(rt)
	for _, status := range []asset.Status{asset.StatusBlocked, asset.StatusAllowed, asset.StatusUnknown} {
		_, err := l.guard().Assets.SetStatus(l.t.Context(), asset.SetStatusRequest{Identity: identity, Status: status, ConfirmProtected: true})
		require.NoError(rt, err)
	}
}

// prune prunes what is in the feed. A server does not prune changes that are so new that they are not.
func (l *law) prune(rt *rapid.T) {
	require.NoError(rt, l.guard().Feed.Publish(l.t.Context()))
	_, err := l.guard().History.Prune(l.t.Context(), *l.now)
	require.NoError(rt, err)
}

// restart continues with a new Origin.
func (l *law) restart(rt *rapid.T) {
	l.origin = newOrigin(l.stores[l.present], hashes.Options{History: rapid.SampledFrom([]int{-1, 5, 0}).Draw(rt, "history")})
}

// replace continues with the other store.
func (l *law) replace(rt *rapid.T) {
	l.present = 1 - l.present
	l.restart(rt)
}

// load gives a client what another one held before.
func (l *law) load(rt *rapid.T) {
	if l.saved == nil {
		return
	}
	fresh := hashlist.New(time.Hour)
	require.NoError(rt, fresh.Load(bytes.NewReader(l.saved)))
	l.clients[rapid.IntRange(0, len(l.clients)-1).Draw(rt, "client")] = fresh
}

// update updates a client and compares it with a new one and with the store.
func (l *law) update(rt *rapid.T) {
	refresh(rt, l.origin)
	client := l.clients[rapid.IntRange(0, len(l.clients)-1).Draw(rt, "client")]
	before := client.State().Version
	response, err := fetchFrom(l.origin)(l.t.Context(), before)
	require.NoError(rt, err)
	require.NoError(rt, client.Update(response), "since %q", before)
	whole, err := l.origin.Since("")
	require.NoError(rt, err)
	require.Equal(rt, whole.Data, contentsOf(rt, client), "since %q", before)
	require.Equal(rt, whole.Version, client.State().Version)

	contents := make([]string, 20)
	for i := range contents {
		contents[i] = l.drawn.Content()
	}
	requireAnswers(rt, l.guard(), client, contents)
	var file bytes.Buffer
	require.NoError(rt, client.Save(&file))
	l.saved = file.Bytes()
}

// requireAnswers requires that a client answers as the service does.
func requireAnswers(t require.TestingT, guard *apguard.Guard, client *hashlist.List, contents []string) {
	ctx := context.Background()
	want, err := guard.Checks.CheckBatch(ctx, contents)
	require.NoError(t, err)
	got, err := client.CheckBatch(ctx, contents)
	require.NoError(t, err)
	for i := range want {
		if want[i].Match != nil {
			want[i].Match.ID, want[i].Match.Basis = 0, asset.Basis{} // a list does not have them
		}
		require.Equal(t, want[i], got[i])
	}
}
