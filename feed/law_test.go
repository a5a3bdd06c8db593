package feed_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/classify/classifytest"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/storage"
)

// After any operations, a mirror that has read all of the feed answers as the store does.
func TestReplica_law(t *testing.T) {
	t.Parallel()
	for name, open := range stores() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			two := [2]storage.Store{open(t), open(t)}
			now := time.Date(2025, time.January, 5, 10, 0, 0, 0, time.UTC)
			for _, store := range two {
				require.NoError(t, apguard.New(store, apguard.Options{}).Accounts.PutOrganization(t.Context(), account.Organization{ID: 1, Slug: "acme"}))
			}
			rapid.Check(t, func(rt *rapid.T) {
				l := law{t: t, stores: two, now: &now, source: newSource(two[0])}
				l.restart(rt)
				defer func() { l.stop() }()
				rt.Repeat(map[string]func(*rapid.T){
					"SetStatus":           l.setStatus,
					"SetStatuses":         l.setStatuses,
					"AddToAllowlist":      l.addToAllowlist,
					"RemoveFromAllowlist": l.removeFromAllowlist,
					"Expire":              l.expire,
					"Prune":               l.prune,
					"interrupt":           l.interrupt,
					"replace":             l.replace,
					"restart":             l.restart,
					"run again":           l.runAgain,
					"compare":             l.compare,
				})
				l.compare(rt)
			})
		})
	}
}

// law is a mirror of one of two stores. The stores keep what earlier runs left in them.
type law struct {
	t      *testing.T
	stores [2]storage.Store
	now    *time.Time
	source *source
	mirror copied
	stop   func()
	// replaced reports whether the store was replaced before.
	replaced bool
}

// guard returns a Guard on the present store. Its clock has moved on.
func (l *law) guard() *apguard.Guard {
	*l.now = l.now.Add(time.Second)
	now := *l.now
	return apguard.New(l.source.store(), apguard.Options{
		Clock:         func() time.Time { return now },
		ExternalLists: check.ExternalLists{lengths{}},
	})
}

func (l *law) newReplica() copied {
	return newReplica(l.source, feed.Options{Interval: time.Millisecond}, mirror.Options{ExternalLists: l.guard().ExternalLists})
}

// content returns a content that has covers in common with others.
func content(t *rapid.T) string {
	text := func(label string, of ...string) string { return rapid.SampledFrom(of).Draw(t, label) }
	switch text("kind", "link", "link", "link", "email", "identifier", "any") {
	case "email":
		return text("name", "ada", "bob") + "@" + text("domain", "example.com", "mail.example.com")
	case "identifier":
		return text("identifier", "@ada", "github.com/ada", "github.com/ada/repo", "ada.medium.com", "https://ada.medium.com/post")
	case "any":
		return classifytest.Content().Draw(t, "content").Content
	default:
		return text("scheme", "https://", "http://", "") + text("sub", "", "a.", "b.a.") + text("host", "example.com", "acme.github.io") +
			text("port", "", ":8080") + text("path", "", "/x", "/x/y") + text("query", "", "?q")
	}
}

// identity returns one of the covers of a content.
func identity(t *rapid.T) asset.Identity {
	result, err := classify.Classify(content(t))
	require.NoError(t, err)
	covers := classify.Covering(result.Identity)
	return covers[rapid.IntRange(0, len(covers)-1).Draw(t, "cover")].Identity
}

func status(t *rapid.T) asset.Status {
	return rapid.SampledFrom(asset.Statuses()).Draw(t, "status")
}

// reason returns a reason of the status, or none.
func reason(t *rapid.T, of asset.Status) asset.Reason {
	all := append(asset.Reasons(), "")
	return rapid.SampledFrom(slices.DeleteFunc(all, func(r asset.Reason) bool { return !r.Fits(of) })).Draw(t, "reason")
}

func (l *law) setStatus(t *rapid.T) {
	status := status(t)
	_, err := l.guard().Assets.SetStatus(l.t.Context(), asset.SetStatusRequest{
		Identity: identity(t), Status: status, Reason: reason(t, status), ConfirmProtected: true,
	})
	require.NoError(t, err)
}

func (l *law) setStatuses(t *rapid.T) {
	req := asset.SetStatusesRequest{Items: make([]asset.StatusItem, rapid.IntRange(1, 5).Draw(t, "n")), ConfirmProtected: true}
	for i := range req.Items {
		req.Items[i] = asset.StatusItem{Identity: identity(t), Status: status(t)}
	}
	_, err := l.guard().Assets.SetStatuses(l.t.Context(), req)
	require.NoError(t, err)
}

func (l *law) addToAllowlist(t *rapid.T) {
	item := allowlist.Item{Content: content(t)}
	if rapid.Bool().Draw(t, "ends") {
		item.ExpiresAt = l.now.Add(time.Minute)
	}
	_, err := l.guard().Allowlist.Add(l.t.Context(), allowlist.AddRequest{OrganizationID: 1, Items: []allowlist.Item{item}})
	require.NoError(t, err)
}

func (l *law) removeFromAllowlist(t *rapid.T) {
	guard := l.guard()
	page, err := guard.Allowlist.List(l.t.Context(), allowlist.ListRequest{OrganizationID: 1})
	require.NoError(t, err)
	if len(page.Entries) == 0 {
		return
	}
	entry := rapid.IntRange(0, len(page.Entries)-1).Draw(t, "entry")
	_, err = guard.Allowlist.Remove(l.t.Context(), allowlist.RemoveRequest{OrganizationID: 1, AssetIDs: []int64{page.Entries[entry].Asset.ID}})
	require.NoError(t, err)
}

func (l *law) expire(t *rapid.T) {
	*l.now = l.now.Add(time.Minute)
	_, err := l.guard().Allowlist.Expire(l.t.Context())
	require.NoError(t, err)
}

func (l *law) prune(t *rapid.T) {
	_, err := l.guard().History.Prune(l.t.Context(), *l.now)
	require.NoError(t, err)
}

// interrupt lets all reads of the mirror fail from now on, or no longer.
func (l *law) interrupt(t *rapid.T) {
	before := here
	if rapid.Bool().Draw(t, "away") {
		before = away
	}
	l.source.interrupt(before)
}

// replace replaces the store, also while the mirror lists it. The mirror must have noticed the
// last replacement: it cannot notice one that is undone while it lists.
func (l *law) replace(t *rapid.T) {
	if l.replaced {
		l.source.interrupt(here)
		require.NoError(t, l.mirror.Sync(l.t.Context()))
	}
	l.replaced = true
	l.source.replace(rapid.SampledFrom(l.stores[:]).Draw(t, "store"))
}

// restart continues with a new mirror.
func (l *law) restart(*rapid.T) {
	if l.stop != nil {
		l.stop()
	}
	l.mirror = l.newReplica()
	l.stop = start(l.t, l.mirror)
}

// runAgain stops the mirror and starts it again.
func (l *law) runAgain(*rapid.T) {
	l.stop()
	l.stop = start(l.t, l.mirror)
}

// compare waits until the mirror has all changes and compares its answers with those of the store.
func (l *law) compare(t *rapid.T) {
	l.source.interrupt(here)
	require.NoError(t, l.mirror.Sync(l.t.Context()))
	guard := l.guard()
	contents := rapid.SliceOfN(rapid.Custom(content), 1, 20).Draw(t, "contents")
	want, err := guard.Checks.CheckBatch(l.t.Context(), contents)
	require.NoError(t, err)
	got, err := l.mirror.CheckBatch(l.t.Context(), contents)
	require.NoError(t, err)
	require.Equal(t, mirroredAll(want), got)

	decided := 0
	for listed, err := range guard.Assets.All(l.t.Context(), asset.Filter{}, 0) {
		require.NoError(t, err)
		if listed.Status != asset.StatusUnknown {
			decided++
		}
	}
	state := l.mirror.State()
	require.Equal(t, decided, state.Assets, "the mirror is %+v", state)
}
