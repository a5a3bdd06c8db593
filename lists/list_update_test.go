package lists_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage/memory"
)

// The list holds a file that was fetched, and two fetches have failed since.
func TestService_Update(t *testing.T) {
	t.Parallel()
	const other = "https://lists.example/other.txt"
	for reason, c := range map[string]struct {
		req  lists.UpdateRequest
		want func(l *lists.List)
		// due reports whether the list is fetched at once, whether or not the file has changed.
		due bool
		// changed is what the audit trail says, or empty without an entry.
		changed string
	}{
		"nothing": {lists.UpdateRequest{}, func(*lists.List) {}, false, ""},
		"the same": {
			lists.UpdateRequest{Format: new(lists.Domains), URL: new(listURL), Every: new(time.Hour)},
			func(*lists.List) {}, false, "",
		},
		"the format": {lists.UpdateRequest{Format: new(lists.Hosts)}, func(l *lists.List) { l.Format = lists.Hosts }, true, "format"},
		"the status": {
			lists.UpdateRequest{Status: new(asset.StatusAllowed)},
			func(l *lists.List) { l.Status = asset.StatusAllowed }, true, "status",
		},
		"the reason": {lists.UpdateRequest{Reason: new(asset.ReasonScam)}, func(l *lists.List) { l.Reason = asset.ReasonScam }, true, "reason"},
		"no reason":  {lists.UpdateRequest{Reason: new(asset.Reason(""))}, func(*lists.List) {}, false, ""},
		"the status and a reason that fits it": {
			lists.UpdateRequest{Status: new(asset.StatusAllowed), Reason: new(asset.ReasonLegitimate)},
			func(l *lists.List) { l.Status, l.Reason = asset.StatusAllowed, asset.ReasonLegitimate }, true, "status+reason",
		},
		"the URL": {lists.UpdateRequest{URL: new(other)}, func(l *lists.List) {
			l.URL = other
			l.FailedAt, l.Error, l.Failures = time.Time{}, "", 0
		}, true, "url"},
		"no URL": {lists.UpdateRequest{URL: new("")}, func(l *lists.List) {
			l.URL, l.Every = "", 0
			l.FailedAt, l.Error, l.Failures = time.Time{}, "", 0
		}, true, "url+every"},
		"a longer time": {lists.UpdateRequest{Every: new(3 * time.Hour)}, func(l *lists.List) {
			l.Every, l.NextAt = 3*time.Hour, l.FailedAt.Add(6*time.Hour)
		}, false, "every"},
		"a shorter time, and not in whole seconds": {lists.UpdateRequest{Every: new(time.Minute + time.Millisecond)}, func(l *lists.List) {
			l.Every, l.NextAt = time.Minute, l.FailedAt.Add(2*time.Minute)
		}, false, "every"},
		"no time": {lists.UpdateRequest{Every: new(time.Duration(0))}, func(*lists.List) {}, false, ""},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			store := memory.New()
			f := &fetched{now: time.Date(2025, time.January, 5, 12, 0, 0, 0, time.UTC)}
			f.Service = lists.NewService(store, lists.Options{Clock: func() time.Time { return f.now }})
			_, err := f.Add(t.Context(), lists.List{Name: "phantom", Format: lists.Domains, URL: listURL})
			require.NoError(t, err)
			require.NoError(t, f.sync(t, nil, "a", "b"))
			for range 2 {
				f.now = f.now.Add(time.Hour)
				require.Error(t, f.Fail(t.Context(), f.get(t), errors.New("status 503")))
			}
			f.now = f.now.Add(time.Minute)
			want := f.get(t)
			c.want(&want)
			if c.due {
				want.Begun++
				want.ETag, want.LastModified, want.NextAt = "", "", f.now
			}
			if want.URL == "" {
				want.NextAt = time.Time{}
			}
			c.req.Name = "phantom"
			got, err := f.Update(t.Context(), c.req)
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.Equal(t, want, f.get(t))

			page, err := trail.NewService(store).List(t.Context(), trail.ListRequest{Limit: 1})
			require.NoError(t, err)
			if c.changed == "" {
				require.NotEqual(t, audit.ActionChanged, page.Items[0].Action)
				return
			}
			require.Equal(t, audit.ActionChanged, page.Items[0].Action)
			require.Equal(t, "name=phantom,changed="+c.changed, page.Items[0].Detail)
			require.Equal(t, fmt.Sprint(want.ID), page.Items[0].Subject)
		})
	}
}

func TestService_Update_invalid(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		req   lists.UpdateRequest
		field string
	}{
		"an unknown format":             {lists.UpdateRequest{Format: new(lists.Format("pdf"))}, "format"},
		"a status that no list has":     {lists.UpdateRequest{Status: new(asset.StatusUnknown)}, "status"},
		"an unknown reason":             {lists.UpdateRequest{Reason: new(asset.Reason("FUN"))}, "reason"},
		"a status that does not fit":    {lists.UpdateRequest{Status: new(asset.StatusAllowed)}, "reason"},
		"a URL with http":               {lists.UpdateRequest{URL: new("http://lists.example/")}, "url"},
		"an address that is not public": {lists.UpdateRequest{URL: new("https://192.0.2.1/")}, "url"},
		"too short a time":              {lists.UpdateRequest{URL: new(listURL), Every: new(time.Second)}, "every"},
		"a time without a URL":          {lists.UpdateRequest{Every: new(time.Hour)}, "every"},
		"a time and the end of the URL": {lists.UpdateRequest{URL: new(""), Every: new(time.Hour)}, "every"},
	} {
		s := newSynced(t, lists.Domains)
		before, err := s.Get(t.Context(), "phantom")
		require.NoError(t, err, reason)
		c.req.Name = "phantom"
		_, err = s.Update(t.Context(), c.req)
		var input *asset.InputError
		require.ErrorAs(t, err, &input, reason)
		require.Len(t, input.Issues, 1, reason)
		require.Equal(t, c.field, input.Issues[0].Field, reason)
		require.Equal(t, c.field == "url" && !strings.HasPrefix(*c.req.URL, "http:"), errors.Is(err, lists.ErrNotPublic), reason)
		after, err := s.Get(t.Context(), "phantom")
		require.NoError(t, err, reason)
		require.Equal(t, before, after, reason)
	}
}

// A URL that was allowed once does not keep the rest of a list from being changed. Another one must be allowed now.
func TestService_Update_private(t *testing.T) {
	t.Parallel()
	store := memory.New()
	private := lists.NewService(store, lists.Options{AllowPrivate: true})
	_, err := private.Add(t.Context(), lists.List{Name: "phantom", Format: lists.Domains, URL: "http://10.0.0.1/a"})
	require.NoError(t, err)
	public := lists.NewService(store, lists.Options{})
	_, err = public.Update(t.Context(), lists.UpdateRequest{Name: "phantom", Reason: new(asset.ReasonScam)})
	require.NoError(t, err)
	other := lists.UpdateRequest{Name: "phantom", URL: new("https://10.0.0.1/b")}
	_, err = public.Update(t.Context(), other)
	require.ErrorIs(t, err, lists.ErrNotPublic)
	_, err = private.Update(t.Context(), other)
	require.NoError(t, err)
}

// A list without a URL gets one, and is fetched at once and then every hour.
func TestService_Update_url(t *testing.T) {
	t.Parallel()
	s := newSynced(t, lists.Domains)
	s.sync(t, "a.com\n")
	updated, err := s.Update(t.Context(), lists.UpdateRequest{Name: "phantom", URL: new(listURL)})
	require.NoError(t, err)
	require.Equal(t, time.Hour, updated.Every)
	require.Equal(t, s.now, updated.NextAt)
	due, err := s.Due(t.Context())
	require.NoError(t, err)
	require.Equal(t, []lists.List{updated}, due)
}

func TestService_Update_notFound(t *testing.T) {
	t.Parallel()
	away := errors.New("the database is away")
	store := interruptedStore{memory.New(), func() error { return nil }}
	s := newSyncedOn(t, &store, lists.List{Name: "phantom", Format: lists.Domains})
	s.sync(t, "a.com\n")
	_, err := s.Update(t.Context(), lists.UpdateRequest{Name: "other", Format: new(lists.Format("pdf"))})
	require.ErrorIs(t, err, lists.ErrNotFound)
	store.before = func() error { return away }
	require.ErrorIs(t, s.Remove(t.Context(), "phantom", 0), away)
	_, err = s.Update(t.Context(), lists.UpdateRequest{Name: "phantom", Reason: new(asset.ReasonScam)})
	require.ErrorIs(t, err, lists.ErrNotFound, "it is being removed")
}

// A change of Every neither fetches a list at once nor again while it is fetched.
func TestService_Update_every(t *testing.T) {
	t.Parallel()
	every := func(f *fetched, d time.Duration) {
		_, err := f.Update(t.Context(), lists.UpdateRequest{Name: "phantom", Every: &d})
		require.NoError(t, err)
	}
	f := newFetched(t, time.Hour)
	every(f, 2*time.Hour)
	require.Zero(t, f.waits(t), "it was never fetched")
	known, err := f.Claim(t.Context(), "phantom")
	require.NoError(t, err)
	every(f, time.Minute)
	require.Equal(t, 15*time.Minute, f.waits(t), "it is being fetched")
	require.NoError(t, f.sync(t, &known, "a", ""))
	require.Equal(t, "a", f.get(t).ETag)
	require.Equal(t, time.Minute, f.waits(t), "the sync counts")
	every(f, 24*time.Hour)
	require.Equal(t, 24*time.Hour, f.waits(t))
	f.now = f.now.Add(3 * time.Hour)
	every(f, time.Hour)
	require.Equal(t, -2*time.Hour, f.waits(t), "it is due")
}

// The next sync gives the entries the new reason, and changes neither their status nor since when they have it.
func TestService_Update_reason(t *testing.T) {
	t.Parallel()
	s := newSynced(t, lists.Domains)
	s.sync(t, "a.com\nb.com\n")
	basis := func() asset.Known {
		page, err := s.assets.List(t.Context(), asset.ListRequest{Limit: 1})
		require.NoError(t, err)
		return page.Assets[0].Known
	}
	want := basis()
	require.Equal(t, asset.ReasonPhishing, want.Reason)
	_, err := s.Update(t.Context(), lists.UpdateRequest{Name: "phantom", Reason: new(asset.ReasonScam)})
	require.NoError(t, err)
	require.Equal(t, want, basis(), "what the list holds changes with the next sync")
	require.Equal(t, lists.SyncResult{Kept: 2}, s.sync(t, "a.com\nb.com\n"))
	want.Reason = asset.ReasonScam
	require.Equal(t, want, basis())
	changes, err := s.assets.ListChanges(t.Context(), asset.ListChangesRequest{})
	require.NoError(t, err)
	require.Len(t, changes.Changes, 2, "the statuses are the same")
}

// A list keeps its brakes: another status withdraws and adds all entries.
func TestService_Update_brakes(t *testing.T) {
	t.Parallel()
	s := newSynced(t, lists.Domains)
	s.sync(t, hosts(1, 1000))
	_, err := s.Update(t.Context(), lists.UpdateRequest{
		Name: "phantom", Status: new(asset.StatusAllowed), Reason: new(asset.ReasonLegitimate),
	})
	require.NoError(t, err)
	request := lists.SyncRequest{Name: "phantom", File: strings.NewReader(hosts(1, 1000))}
	_, err = s.Sync(t.Context(), request)
	require.ErrorIs(t, err, lists.ErrUnconfirmed)
	require.Equal(t, asset.StatusBlocked, s.status(t, "h1.com"))
	request.Confirm = true
	_, err = s.Sync(t.Context(), request)
	require.NoError(t, err)
	require.Equal(t, asset.StatusAllowed, s.status(t, "h1.com"))
}

// A sync that is running when the list is updated does not go on, nor does a fetch of the file.
func TestService_Update_superseded(t *testing.T) {
	t.Parallel()
	update := func(s *lists.Service, req lists.UpdateRequest) {
		req.Name = "phantom"
		_, err := s.Update(t.Context(), req)
		require.NoError(t, err)
	}
	var meanwhile func()
	store := interruptedStore{memory.New(), func() error { meanwhile(); return nil }}
	s := newSyncedOn(t, store, lists.List{Name: "phantom", Format: lists.Domains})
	meanwhile = func() { update(s.Service, lists.UpdateRequest{Reason: new(asset.ReasonScam)}) }
	_, err := s.Sync(t.Context(), lists.SyncRequest{Name: "phantom", File: strings.NewReader("a.com\n")})
	require.ErrorIs(t, err, lists.ErrSuperseded)
	require.Empty(t, s.holds(t))
	meanwhile = func() {}
	s.sync(t, "a.com\n")
	require.Equal(t, []string{"a.com BLOCKED"}, s.holds(t))

	f := newFetched(t, time.Hour)
	require.NoError(t, f.sync(t, nil, "a", ""))
	known := f.get(t)
	update(f.Service, lists.UpdateRequest{URL: new("https://lists.example/other.txt")})
	require.ErrorIs(t, f.Unchanged(t.Context(), known), lists.ErrSuperseded)
	require.ErrorIs(t, f.sync(t, &known, "b", ""), lists.ErrSuperseded)
	require.ErrorIs(t, f.Fail(t.Context(), known, http.ErrHandlerTimeout), http.ErrHandlerTimeout)
	list := f.get(t)
	require.Empty(t, list.Error)
	require.Empty(t, list.ETag)
	require.Equal(t, f.now, list.NextAt)
}
