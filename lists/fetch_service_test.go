package lists_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage/memory"
)

const listURL = "https://lists.example/phantom.txt"

// fetched has a list with a URL, and a clock that a test moves.
type fetched struct {
	*lists.Service
	now time.Time
}

func newFetched(t *testing.T, every time.Duration) *fetched {
	t.Helper()
	f := &fetched{now: time.Date(2025, time.January, 5, 12, 0, 0, 0, time.UTC)}
	f.Service = lists.NewService(memory.New(), lists.Options{Clock: func() time.Time { return f.now }})
	_, err := f.Add(t.Context(), lists.List{Name: "phantom", Format: lists.Domains, URL: listURL, Every: every})
	require.NoError(t, err)
	return f
}

func (f *fetched) get(t *testing.T) lists.List {
	t.Helper()
	list, err := f.Get(t.Context(), "phantom")
	require.NoError(t, err)
	return list
}

// waits returns how long it is until the list is fetched next.
func (f *fetched) waits(t *testing.T) time.Duration {
	t.Helper()
	return f.get(t).NextAt.Sub(f.now)
}

// sync syncs the list with a file that was fetched, or by hand if known is nil.
func (f *fetched) sync(t *testing.T, known *lists.List, etag, modified string) error {
	t.Helper()
	_, err := f.Sync(t.Context(), lists.SyncRequest{
		Name: "phantom", File: strings.NewReader("a.com\n"), Known: known, ETag: etag, LastModified: modified,
	})
	return err
}

func TestList_Validate_fetching(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		url     string
		every   time.Duration
		private bool
		field   string
	}{
		"by hand":                      {"", 0, false, ""},
		"a URL":                        {listURL, 0, false, ""},
		"with a query":                 {listURL + "?token=a", time.Hour, false, ""},
		"the shortest time":            {listURL, time.Minute, false, ""},
		"a shorter one":                {listURL, time.Minute - 1, false, "every"},
		"a negative one":               {listURL, -time.Hour, false, "every"},
		"the longest time":             {listURL, 30 * 24 * time.Hour, false, ""},
		"a longer one":                 {listURL, 30*24*time.Hour + 1, false, "every"},
		"a time without a URL":         {"", time.Hour, false, "every"},
		"http":                         {"http://lists.example/", 0, false, "url"},
		"http in the own network":      {"http://lists.example/", 0, true, ""},
		"a file":                       {"file://lists.example/etc/passwd", 0, true, "url"},
		"no host":                      {"https:///a", 0, true, "url"},
		"a password":                   {"https://u:hunter2@lists.example/", 0, true, "url"},
		"a fragment":                   {listURL + "#a", 0, true, "url"},
		"localhost":                    {"https://localhost/", 0, false, "url"},
		"localhost in the own network": {"https://localhost/", 0, true, ""},
		"an address":                   {"https://192.0.2.1/", 0, false, "url"},
		"an own address":               {"https://10.0.0.1/", 0, true, ""},
		"the longest URL":              {"https://a.example/" + strings.Repeat("a", lists.MaxURL-18), 0, false, ""},
		"a longer URL":                 {"https://a.example/" + strings.Repeat("a", lists.MaxURL-17), 0, false, "url"},
	} {
		list := lists.List{Name: "phantom", Format: lists.Domains, URL: c.url, Every: c.every}
		service := lists.NewService(memory.New(), lists.Options{AllowPrivate: c.private})
		added, err := service.Add(t.Context(), list)
		if c.field == "" {
			require.NoError(t, err, reason)
			require.NoError(t, list.Validate(c.private), reason)
			require.Equal(t, c.url, added.URL, reason)
			continue
		}
		for _, err := range []error{err, list.Validate(c.private)} {
			var input *asset.InputError
			require.ErrorAs(t, err, &input, reason)
			require.Len(t, input.Issues, 1, reason)
			require.Equal(t, c.field, input.Issues[0].Field, reason)
			require.NotContains(t, err.Error(), "hunter2", reason)
		}
		require.Equal(t, strings.HasPrefix(reason, "localhost") || reason == "an address", errors.Is(err, lists.ErrNotPublic), reason)
	}
}

// Wrong values of several fields are all named.
func TestList_Validate_several(t *testing.T) {
	t.Parallel()
	err := lists.List{Name: "-", Format: lists.Domains, URL: "http://lists.example", Every: 1}.Validate(false)
	var input *asset.InputError
	require.ErrorAs(t, err, &input)
	fields := make([]string, len(input.Issues))
	for i, issue := range input.Issues {
		fields[i] = issue.Field
	}
	require.Equal(t, []string{"name", "url", "every"}, fields)
}

func TestService_Add_fetching(t *testing.T) {
	t.Parallel()
	f := newFetched(t, 0)
	list := f.get(t)
	require.Equal(t, time.Hour, list.Every)
	require.Equal(t, f.now, list.NextAt)
	byHand, err := f.Add(t.Context(), lists.List{Name: "by-hand", Format: lists.Domains, NextAt: f.now, Failures: 7, ETag: "a", LastModified: "b"})
	require.NoError(t, err)
	require.Zero(t, byHand.NextAt)
	require.Zero(t, byHand.Failures)
	require.Empty(t, byHand.ETag+byHand.LastModified)
	precise, err := f.Add(t.Context(), lists.List{Name: "precise", Format: lists.Domains, URL: listURL, Every: time.Minute + time.Second - 1})
	require.NoError(t, err)
	require.Equal(t, time.Minute, precise.Every, "in whole seconds")
}

func TestService_Due(t *testing.T) {
	t.Parallel()
	f := newFetched(t, 0)
	f.now = f.now.Add(time.Minute)
	for _, list := range []lists.List{
		{Name: "by-hand", Format: lists.Domains},
		{Name: "a-later", Format: lists.Domains, URL: listURL},
	} {
		_, err := f.Add(t.Context(), list)
		require.NoError(t, err)
	}
	names := func() []string {
		due, err := f.Due(t.Context())
		require.NoError(t, err)
		names := make([]string, len(due))
		for i, list := range due {
			names[i] = list.Name
		}
		return names
	}
	require.Equal(t, []string{"phantom", "a-later"}, names(), "the one that waits longest is the first")
	_, err := f.Claim(t.Context(), "phantom")
	require.NoError(t, err)
	require.Equal(t, []string{"a-later"}, names())
	f.now = f.now.Add(15*time.Minute - time.Millisecond)
	require.Equal(t, []string{"a-later"}, names())
	f.now = f.now.Add(time.Millisecond)
	require.Equal(t, []string{"a-later", "phantom"}, names(), "a fetcher that was killed is given up")
}

// A list that is being removed is not fetched.
func TestService_Due_removing(t *testing.T) {
	t.Parallel()
	away := errors.New("the database is away")
	store := &interruptedStore{memory.New(), func() error { return nil }}
	service := lists.NewService(store, lists.Options{})
	_, err := service.Add(t.Context(), lists.List{Name: "phantom", Format: lists.Domains, URL: listURL})
	require.NoError(t, err)
	_, err = service.Sync(t.Context(), lists.SyncRequest{Name: "phantom", File: strings.NewReader("a.com\n")})
	require.NoError(t, err)
	store.before = func() error { return away }
	require.ErrorIs(t, service.Remove(t.Context(), "phantom", 0), away)
	later := lists.NewService(store.Store, lists.Options{Clock: func() time.Time { return time.Now().Add(48 * time.Hour) }})
	due, err := later.Due(t.Context())
	require.NoError(t, err)
	require.Empty(t, due)
	_, err = later.Claim(t.Context(), "phantom")
	require.ErrorIs(t, err, lists.ErrNotFound)
}

func TestService_Claim(t *testing.T) {
	t.Parallel()
	f := newFetched(t, 0)
	claimed, err := f.Claim(t.Context(), "phantom")
	require.NoError(t, err)
	require.Equal(t, f.get(t), claimed)
	require.Equal(t, 15*time.Minute, f.waits(t))
	_, err = f.Claim(t.Context(), "phantom")
	require.ErrorIs(t, err, lists.ErrNotDue, "another fetcher")
	_, err = f.Claim(t.Context(), "nothing")
	require.ErrorIs(t, err, lists.ErrNotFound)
	_, err = f.Add(t.Context(), lists.List{Name: "by-hand", Format: lists.Domains})
	require.NoError(t, err)
	_, err = f.Claim(t.Context(), "by-hand")
	require.ErrorIs(t, err, lists.ErrNotDue)
}

// What a server has sent of a file is kept until the list holds another one, or may.
func TestService_Sync_validators(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 257)
	for reason, c := range map[string]struct{ etag, modified, keptETag, keptModified string }{
		"both":                         {`"a"`, "Sun, 05 Jan 2025 12:00:00 GMT", `"a"`, "Sun, 05 Jan 2025 12:00:00 GMT"},
		"none":                         {"", "", "", ""},
		"the longest":                  {long[1:], long[1:], long[1:], long[1:]},
		"longer ones":                  {long, long, "", ""},
		"a line break":                 {"a\nb", "a\r", "", ""},
		"what is not ASCII":            {"é", "\xff", "", ""},
		"the other one is not dropped": {long, "b", "", "b"},
	} {
		f := newFetched(t, 0)
		require.NoError(t, f.sync(t, nil, c.etag, c.modified), reason)
		list := f.get(t)
		require.Equal(t, c.keptETag, list.ETag, reason)
		require.Equal(t, c.keptModified, list.LastModified, reason)
		require.NoError(t, f.sync(t, nil, "", ""), reason)
		require.Empty(t, f.get(t).ETag+f.get(t).LastModified, "%s, then by hand", reason)
	}
}

// A sync that has begun may have changed the list, so that no earlier file is unchanged.
func TestService_Unchanged(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		before func(f *fetched) lists.List
		want   error
	}{
		"after a fetch": {func(f *fetched) lists.List {
			require.NoError(t, f.sync(t, nil, "a", ""))
			require.ErrorContains(t, f.Fail(t.Context(), f.get(t), errors.New("status 503")), "status 503")
			return f.get(t)
		}, nil},
		"after a fetch without an ETag": {func(f *fetched) lists.List {
			require.NoError(t, f.sync(t, nil, "", "b"))
			return f.get(t)
		}, nil},
		"never synced": {func(f *fetched) lists.List { return f.get(t) }, lists.ErrNotFetched},
		"after a sync by hand": {func(f *fetched) lists.List {
			require.NoError(t, f.sync(t, nil, "", ""))
			return f.get(t)
		}, lists.ErrNotFetched},
		"after a sync that was stopped": {func(f *fetched) lists.List {
			require.NoError(t, f.sync(t, nil, "a", ""))
			_, err := f.Sync(t.Context(), lists.SyncRequest{Name: "phantom", File: strings.NewReader("")})
			require.ErrorIs(t, err, lists.ErrUnconfirmed)
			return f.get(t)
		}, lists.ErrNotFetched},
		"another sync has begun": {func(f *fetched) lists.List {
			require.NoError(t, f.sync(t, nil, "a", ""))
			known := f.get(t)
			require.NoError(t, f.sync(t, nil, "b", ""))
			return known
		}, lists.ErrSuperseded},
		"removed": {func(f *fetched) lists.List {
			require.NoError(t, f.sync(t, nil, "a", ""))
			known := f.get(t)
			require.NoError(t, f.Remove(t.Context(), "phantom", 0))
			return known
		}, lists.ErrNotFound},
		"removed and added again": {func(f *fetched) lists.List {
			known := f.get(t)
			require.NoError(t, f.Remove(t.Context(), "phantom", 0))
			_, err := f.Add(t.Context(), lists.List{Name: "phantom", Format: lists.Hosts})
			require.NoError(t, err)
			return known
		}, lists.ErrNotFound},
	} {
		f := newFetched(t, 0)
		known := c.before(f)
		f.now = f.now.Add(time.Minute)
		err := f.Unchanged(t.Context(), known)
		require.ErrorIs(t, err, c.want, reason)
		if c.want == nil {
			want := known
			want.SyncedAt, want.NextAt = f.now, f.now.Add(time.Hour)
			want.FailedAt, want.Error, want.Failures = time.Time{}, "", 0
			require.Equal(t, want, f.get(t), reason)
		}
	}
}

// A file that was fetched is not synced if another sync has begun, or the list is another one now.
func TestService_Sync_known(t *testing.T) {
	t.Parallel()
	f := newFetched(t, 0)
	known := f.get(t)
	require.NoError(t, f.sync(t, &known, "a", ""))
	require.ErrorIs(t, f.sync(t, &known, "b", ""), lists.ErrSuperseded)
	require.Equal(t, "a", f.get(t).ETag)
	require.Empty(t, f.get(t).Error)

	known = f.get(t)
	require.NoError(t, f.Remove(t.Context(), "phantom", 0))
	require.ErrorIs(t, f.sync(t, &known, "", ""), lists.ErrNotFound)
	known.Begun = 0
	_, err := f.Add(t.Context(), lists.List{Name: "phantom", Format: lists.Hosts})
	require.NoError(t, err)
	require.ErrorIs(t, f.sync(t, &known, "", ""), lists.ErrNotFound, "another list with the name")
	require.ErrorIs(t, f.Fail(t.Context(), known, context.DeadlineExceeded), context.DeadlineExceeded)
	require.Empty(t, f.get(t).Error, "an error of another list")
}

func TestService_Fail(t *testing.T) {
	t.Parallel()
	for every, waits := range map[time.Duration][]time.Duration{
		time.Minute: {
			time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 16 * time.Minute, 32 * time.Minute, 64 * time.Minute,
			128 * time.Minute, 256 * time.Minute, 512 * time.Minute, 1024 * time.Minute, 24 * time.Hour, 24 * time.Hour,
		},
		time.Hour:           {time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 16 * time.Hour, 24 * time.Hour, 24 * time.Hour},
		24 * time.Hour:      {24 * time.Hour, 24 * time.Hour},
		30 * 24 * time.Hour: {30 * 24 * time.Hour, 30 * 24 * time.Hour},
	} {
		f := newFetched(t, every)
		for i, wait := range waits {
			f.now = f.get(t).NextAt
			cause := errors.New("status 503" + strings.Repeat(" é", 1000))
			if i%2 == 0 {
				require.ErrorIs(t, f.Fail(t.Context(), f.get(t), cause), cause)
			} else {
				_, err := f.Sync(t.Context(), lists.SyncRequest{Name: "phantom", File: strings.NewReader(""), Scheduled: true})
				require.ErrorIs(t, err, lists.ErrUnconfirmed)
			}
			list := f.get(t)
			require.Equal(t, wait, f.waits(t), "failure %d of %v", i+1, every)
			require.Equal(t, i+1, list.Failures)
			require.Equal(t, f.now, list.FailedAt)
			require.LessOrEqual(t, len(list.Error), 1000)
			_, err := f.Sync(t.Context(), lists.SyncRequest{Name: "phantom", File: strings.NewReader("")})
			require.ErrorIs(t, err, lists.ErrUnconfirmed)
			require.Equal(t, wait, f.waits(t), "an attempt by hand")
			require.Equal(t, i+1, f.get(t).Failures)
		}
		require.NoError(t, f.sync(t, nil, "", ""))
		list := f.get(t)
		require.Equal(t, every, f.waits(t))
		require.Zero(t, list.Failures)
		require.Zero(t, list.FailedAt)
		require.Empty(t, list.Error)
	}
}

// A list without a URL is never fetched, whatever happens to it.
func TestService_Fail_byHand(t *testing.T) {
	t.Parallel()
	s := newSynced(t, lists.Domains)
	for failures := range 3 {
		_, err := s.Sync(t.Context(), lists.SyncRequest{Name: "phantom", File: strings.NewReader("")})
		require.ErrorIs(t, err, lists.ErrUnconfirmed)
		list, err := s.Get(t.Context(), "phantom")
		require.NoError(t, err)
		require.Zero(t, list.NextAt)
		require.Equal(t, failures+1, list.Failures)
	}
	s.sync(t, "a.com\n")
	list, err := s.Get(t.Context(), "phantom")
	require.NoError(t, err)
	require.Zero(t, list.NextAt)
	require.Zero(t, list.Failures)
}

// A sync or a fetch that was interrupted is no failure. The next one waits until the list is given up.
func TestService_Fail_interrupted(t *testing.T) {
	t.Parallel()
	f := newFetched(t, time.Hour)
	claimed, err := f.Claim(t.Context(), "phantom")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.EqualError(t, f.Fail(ctx, claimed, context.Canceled), "context canceled")
	require.Equal(t, claimed, f.get(t))

	interrupt := func() {
		ctx, cancel := context.WithCancel(t.Context())
		file := readerFunc(func([]byte) (int, error) { cancel(); return 0, ctx.Err() })
		_, err := f.Sync(ctx, lists.SyncRequest{Name: "phantom", File: file})
		require.ErrorIs(t, err, context.Canceled)
		require.Zero(t, f.get(t).Failures)
	}
	f.now = f.now.Add(14 * time.Minute)
	interrupt()
	require.Equal(t, 15*time.Minute, f.waits(t))
	f.now = f.get(t).NextAt
	require.NoError(t, f.sync(t, nil, "", ""))
	interrupt()
	require.Equal(t, time.Hour, f.waits(t), "a sync by hand makes no fetch earlier")
}

// readerFunc is a file that is read by a function.
type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func (f readerFunc) Seek(int64, int) (int64, error) { return 0, nil }
