package lists_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// synced has the services on one store. Its clock goes on by a minute with each look.
type synced struct {
	*lists.Service
	store  storage.Store
	assets *asset.Service
	now    time.Time
}

func newSynced(t *testing.T, format lists.Format) *synced {
	t.Helper()
	return newSyncedOn(t, memory.New(), lists.List{Name: "phantom", Format: format, Reason: asset.ReasonPhishing})
}

func newSyncedOn(t *testing.T, store storage.Store, list lists.List) *synced {
	t.Helper()
	s := &synced{store: store, now: time.Date(2025, time.January, 5, 12, 0, 0, 0, time.UTC)}
	clock := func() time.Time { s.now = s.now.Add(time.Minute); return s.now }
	s.Service = lists.NewService(store, lists.Options{Clock: clock})
	s.assets = asset.NewService(store, asset.Options{Clock: clock})
	_, err := s.Add(t.Context(), list)
	require.NoError(t, err)
	return s
}

// sync syncs the list phantom with a file.
func (s *synced) sync(t *testing.T, file string) lists.SyncResult {
	t.Helper()
	result, err := s.Sync(t.Context(), lists.SyncRequest{Name: "phantom", File: strings.NewReader(file)})
	require.NoError(t, err)
	return result
}

// holds returns the canonical forms on which the list phantom holds a status, with that, ordered by ID.
func (s *synced) holds(t *testing.T) []string {
	t.Helper()
	list, err := s.Get(t.Context(), "phantom")
	require.NoError(t, err)
	page, err := s.store.ListEntries(t.Context(), list.ID, 0, 1000)
	require.NoError(t, err)
	held := make([]string, 0, len(page.Items))
	for _, entry := range page.Items {
		held = append(held, entry.Canonical+" "+string(entry.Decision.Status))
	}
	return held
}

// status returns the status of a page.
func (s *synced) status(t *testing.T, canonical string) asset.Status {
	t.Helper()
	found, err := s.assets.Get(t.Context(), asset.Identity{Type: asset.TypePage, Canonical: canonical})
	require.NoError(t, err)
	return found.Status
}

func (s *synced) decide(t *testing.T, canonical string, status asset.Status) {
	t.Helper()
	_, err := s.assets.SetStatus(t.Context(), asset.SetStatusRequest{
		Identity: asset.Identity{Type: asset.TypePage, Canonical: canonical}, Status: status,
	})
	require.NoError(t, err)
}

func TestService_Sync(t *testing.T) {
	t.Parallel()
	s := newSynced(t, lists.Domains)
	require.Equal(t, lists.SyncResult{Added: 3}, s.sync(t, "a.com\nb.com\nc.com\n"))
	require.Equal(t, []string{"a.com BLOCKED", "b.com BLOCKED", "c.com BLOCKED"}, s.holds(t))

	before, err := s.assets.ListChanges(t.Context(), asset.ListChangesRequest{})
	require.NoError(t, err)
	require.Len(t, before.Changes, 3)
	require.Equal(t, asset.Origin{Cause: asset.CauseList, Reference: "phantom"}, before.Changes[0].Origin)
	require.Equal(t, lists.SyncResult{Kept: 3}, s.sync(t, "c.com\n# again\na.com\nb.com\na.com\n"), "another order and a duplicate")
	after, err := s.assets.ListChanges(t.Context(), asset.ListChangesRequest{})
	require.NoError(t, err)
	require.Equal(t, before, after)

	require.Equal(t, lists.SyncResult{Added: 1, Withdrawn: 1, Kept: 2}, s.sync(t, "a.com\nb.com\nd.com\n"))
	require.Equal(t, []string{"a.com BLOCKED", "b.com BLOCKED", "d.com BLOCKED"}, s.holds(t))
	require.Equal(t, asset.StatusUnknown, s.status(t, "c.com"), "it is withdrawn")

	list, err := s.Get(t.Context(), "phantom")
	require.NoError(t, err)
	require.Equal(t, lists.List{
		ID: list.ID, Name: "phantom", Format: lists.Domains, Status: asset.StatusBlocked, Reason: asset.ReasonPhishing,
		CreatedAt: list.CreatedAt, Begun: 3, SyncedAt: list.SyncedAt, Entries: 3,
	}, list)
	require.True(t, list.SyncedAt.After(list.CreatedAt))
}

// A person's decision counts more than a list, and stays when the list is synced again.
func TestService_Sync_overruled(t *testing.T) {
	t.Parallel()
	s := newSynced(t, lists.Domains)
	s.decide(t, "good.com", asset.StatusAllowed)
	s.decide(t, "bad.com", asset.StatusBlocked)
	require.Equal(t, lists.SyncResult{Added: 3, Overruled: 1}, s.sync(t, "good.com\nbad.com\nother.com\n"))
	s.decide(t, "other.com", asset.StatusUnknown)
	require.Equal(t, lists.SyncResult{Kept: 3, Overruled: 2}, s.sync(t, "good.com\nbad.com\nother.com\n"))
	require.Equal(t, asset.StatusAllowed, s.status(t, "good.com"))
	require.Equal(t, asset.StatusUnknown, s.status(t, "other.com"))

	require.Equal(t, lists.SyncResult{Kept: 2, Withdrawn: 1, Overruled: 2}, s.sync(t, "other.com\ngood.com\n"))
	require.Equal(t, asset.StatusBlocked, s.status(t, "bad.com"), "the operators hold it as well")
}

func TestService_Sync_file(t *testing.T) {
	t.Parallel()
	const jsonl = `{"content":"https://a.com","status":"ALLOWED"}` + "\n"
	for reason, c := range map[string]struct {
		format lists.Format
		before string
		file   string
		want   lists.SyncResult
		holds  []string
	}{
		"a public suffix is protected":           {lists.Domains, "", "a.com\ngithub.io\n", lists.SyncResult{Added: 1, Protected: 1}, []string{"a.com BLOCKED"}},
		"protected entries are not refused":      {lists.Domains, "", "a.com\ngithub.io\nblogspot.com\n", lists.SyncResult{Added: 1, Protected: 2}, []string{"a.com BLOCKED"}},
		"a refused entry leaves the others":      {lists.Domains, "", "a.com\nno host\nb.com\n", lists.SyncResult{Added: 2, Refused: 1}, []string{"a.com BLOCKED", "b.com BLOCKED"}},
		"half may be refused":                    {lists.Domains, "", "a.com\nno host\n", lists.SyncResult{Added: 1, Refused: 1}, []string{"a.com BLOCKED"}},
		"an entry has its own status":            {lists.JSONLines, "", jsonl, lists.SyncResult{Added: 1}, []string{"https://a.com ALLOWED"}},
		"a status that turns":                    {lists.JSONLines, `{"content":"https://a.com"}`, jsonl, lists.SyncResult{Added: 1, Withdrawn: 1}, []string{"https://a.com ALLOWED"}},
		"no list holds UNKNOWN":                  {lists.JSONLines, "", jsonl + `{"content":"https://b.com","status":"UNKNOWN"}`, lists.SyncResult{Added: 1, Refused: 1}, []string{"https://a.com ALLOWED"}},
		"of two statuses, the first is held":     {lists.JSONLines, "", jsonl + `{"content":"https://a.com","status":"BLOCKED"}`, lists.SyncResult{Added: 1, Refused: 1}, []string{"https://a.com ALLOWED"}},
		"what a format leaves out is no entry":   {lists.PhishingDetect, "", `{"version":2,"blacklist":["a.com"],"whitelist":["b.com"],"fuzzylist":["c.com"],"tolerance":2}`, lists.SyncResult{Added: 1}, []string{"a.com BLOCKED"}},
		"a host of the whitelist is not held":    {lists.PhishingDetect, "", `{"version":2,"blacklist":["a.com","x.b.com"],"whitelist":["b.com"],"fuzzylist":[],"tolerance":2}`, lists.SyncResult{Added: 1}, []string{"a.com BLOCKED"}},
		"another spelling of a host is the same": {lists.Domains, "a.com\n", "A.COM.\n*.a.com\n", lists.SyncResult{Kept: 1}, []string{"a.com BLOCKED"}},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s := newSynced(t, c.format)
			if c.before != "" {
				s.sync(t, c.before)
			}
			require.Equal(t, c.want, s.sync(t, c.file))
			require.Equal(t, c.holds, s.holds(t))
			again := lists.SyncResult{Kept: len(c.holds), Refused: c.want.Refused, Protected: c.want.Protected}
			require.Equal(t, again, s.sync(t, c.file), "again")
		})
	}
}

// hosts returns a list of hosts with the numbers from first to last.
func hosts(first, last int) string {
	var b strings.Builder
	for i := first; i <= last; i++ {
		fmt.Fprintf(&b, "h%d.com\n", i)
	}
	return b.String()
}

func TestService_Sync_brakes(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		before, file string
		want         error
		result       lists.SyncResult
	}{
		"the first sync is free":                       {"", hosts(1, 10_001), nil, lists.SyncResult{Added: 10_001}},
		"a hundred may go, even if that is most":       {hosts(1, 110), hosts(1, 10), nil, lists.SyncResult{Withdrawn: 100, Kept: 10}},
		"a tenth may go":                               {hosts(1, 1010), hosts(1, 909), nil, lists.SyncResult{Withdrawn: 101, Kept: 909}},
		"more than both may not":                       {hosts(1, 1009), hosts(1, 908), lists.ErrUnconfirmed, lists.SyncResult{Withdrawn: 101, Kept: 908}},
		"10,000 may come, even to one":                 {hosts(1, 1), hosts(1, 10_001), nil, lists.SyncResult{Added: 10_000, Kept: 1}},
		"more may not":                                 {hosts(1, 1), hosts(1, 10_002), lists.ErrUnconfirmed, lists.SyncResult{Added: 10_001, Kept: 1}},
		"ten times as many may come":                   {hosts(1, 1001), hosts(1, 11_011), nil, lists.SyncResult{Added: 10_010, Kept: 1001}},
		"an empty file, however few entries there are": {hosts(1, 1), "# nothing\n", lists.ErrUnconfirmed, lists.SyncResult{Withdrawn: 1}},
		"an empty file at first":                       {"", "", lists.ErrUnconfirmed, lists.SyncResult{}},
		"more than half are refused":                   {hosts(1, 2), "h1.com\nno host\nno host\n", lists.ErrMostlyRefused, lists.SyncResult{Refused: 2}},
		"more than half are refused at first":          {"", "no host\n", lists.ErrMostlyRefused, lists.SyncResult{Refused: 1}},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s := newSynced(t, lists.Domains)
			if c.before != "" {
				s.sync(t, c.before)
			}
			held := s.holds(t)
			request := lists.SyncRequest{Name: "phantom", File: strings.NewReader(c.file), DryRun: true}
			plan, err := s.Sync(t.Context(), request)
			require.ErrorIs(t, err, c.want)
			require.Equal(t, !errors.Is(c.want, lists.ErrMostlyRefused), plan.Examples != nil)
			plan.Examples = nil
			require.Equal(t, c.result, plan)
			require.Equal(t, held, s.holds(t), "a dry run changes nothing")
			list, err := s.Get(t.Context(), "phantom")
			require.NoError(t, err)
			require.Empty(t, list.Error)

			request.DryRun = false
			result, err := s.Sync(t.Context(), request)
			require.ErrorIs(t, err, c.want)
			require.Equal(t, c.result, result)
			list, listErr := s.Get(t.Context(), "phantom")
			require.NoError(t, listErr)
			if c.want == nil {
				require.Empty(t, list.Error)
				return
			}
			require.Equal(t, err.Error(), list.Error)
			require.Equal(t, s.now, list.FailedAt)
			require.Equal(t, held, s.holds(t), "nothing was changed")

			request.Confirm = true
			result, err = s.Sync(t.Context(), request)
			require.Equal(t, c.result, result)
			if errors.Is(c.want, lists.ErrMostlyRefused) {
				require.ErrorIs(t, err, c.want, "no confirmation helps")
				return
			}
			require.NoError(t, err)
			list, err = s.Get(t.Context(), "phantom")
			require.NoError(t, err)
			require.Empty(t, list.Error)
			require.Zero(t, list.FailedAt)
			require.Equal(t, int64(result.Added+result.Kept), list.Entries)
		})
	}
}

func TestService_Sync_examples(t *testing.T) {
	t.Parallel()
	first := func(from, to int) []string { return strings.Fields(hosts(from, to)) }
	none := []string{}
	for reason, c := range map[string]struct {
		before, file string
		allowed      []string
		want         lists.SyncExamples
	}{
		"the first ten of each kind": {
			hosts(1, 15), hosts(16, 40), nil,
			lists.SyncExamples{Added: first(16, 25), Withdrawn: first(1, 10), Overruled: none, Protected: none},
		},
		"an entry is named once": {
			"", "a.com\nA.com\nb.com\n", nil,
			lists.SyncExamples{Added: []string{"a.com", "b.com"}, Withdrawn: none, Overruled: none, Protected: none},
		},
		"what is kept is not named": {
			"a.com\n", "a.com\nb.com\n", nil,
			lists.SyncExamples{Added: []string{"b.com"}, Withdrawn: none, Overruled: none, Protected: none},
		},
		"what operators allow is overruled": {
			"a.com\nb.com\n", "a.com\nb.com\n", []string{"b.com"},
			lists.SyncExamples{Added: none, Withdrawn: none, Overruled: []string{"b.com"}, Protected: none},
		},
		"a public suffix is protected, and an invalid host has its line and a reason": {
			"a.com\n", "a.com\ngithub.io\nno host\n", nil,
			lists.SyncExamples{
				Added: none, Withdrawn: none, Overruled: none, Protected: []string{"github.io"},
				Refused: []lists.RefusedExample{{Line: 3, Text: "no host", Error: "is not a host"}},
			},
		},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s := newSynced(t, lists.Domains)
			if c.before != "" {
				require.Nil(t, s.sync(t, c.before).Examples, "only a dry run has examples")
			}
			for _, host := range c.allowed {
				s.decide(t, host, asset.StatusAllowed)
			}
			plan, err := s.Sync(t.Context(), lists.SyncRequest{Name: "phantom", File: strings.NewReader(c.file), DryRun: true})
			require.NoError(t, err)
			if c.want.Refused == nil {
				c.want.Refused = []lists.RefusedExample{}
			}
			require.Equal(t, c.want, *plan.Examples)
		})
	}
}

func TestService_Sync_error(t *testing.T) {
	t.Parallel()
	broken := errors.New("the connection ended")
	for reason, c := range map[string]struct {
		name string
		file io.ReadSeeker
		want func(t *testing.T, err error)
		kept string
	}{
		"no list": {"other", strings.NewReader("a.com"), func(t *testing.T, err error) {
			t.Helper()
			require.ErrorIs(t, err, lists.ErrNotFound)
		}, ""},
		"a page": {"phantom", strings.NewReader("<!DOCTYPE html><p>Not found"), func(t *testing.T, err error) {
			t.Helper()
			require.ErrorIs(t, err, lists.ErrMarkup)
		}, "must be a list, not an HTML or XML page"},
		"a file that breaks off": {"phantom", brokenFile{strings.NewReader("a.com\nb.com\n"), broken}, func(t *testing.T, err error) {
			t.Helper()
			require.ErrorIs(t, err, broken)
		}, "the connection ended"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s := newSynced(t, lists.Domains)
			s.sync(t, "z.com")
			_, err := s.Sync(t.Context(), lists.SyncRequest{Name: c.name, File: c.file})
			c.want(t, err)
			require.Equal(t, []string{"z.com BLOCKED"}, s.holds(t))
			list, err := s.Get(t.Context(), "phantom")
			require.NoError(t, err)
			require.Contains(t, list.Error, c.kept)
		})
	}
}

// brokenFile is a file whose end cannot be read.
type brokenFile struct {
	io.ReadSeeker
	err error
}

func (f brokenFile) Read(p []byte) (int, error) {
	n, err := f.ReadSeeker.Read(p)
	if errors.Is(err, io.EOF) {
		err = f.err
	}
	return n, err
}

// interruptedStore calls before each step that changes what a list holds, which fails with its error.
type interruptedStore struct {
	storage.Store
	before func() error
}

func (s interruptedStore) DecideEntries(ctx context.Context, cmd lists.DecideCommand) ([]asset.Asset, error) {
	if err := s.before(); err != nil {
		return nil, err
	}
	seen := make(map[asset.Identity]bool)
	for _, entry := range cmd.Entries {
		if seen[entry.Identity] {
			return nil, fmt.Errorf("%s is there twice", entry.Identity.Canonical)
		}
		seen[entry.Identity] = true
	}
	return s.Store.DecideEntries(ctx, cmd)
}

func (s interruptedStore) WithdrawEntries(ctx context.Context, cmd lists.WithdrawCommand) error {
	if err := s.before(); err != nil {
		return err
	}
	return s.Store.WithdrawEntries(ctx, cmd)
}

// Each step is a part of the work, so that none has only what others leave of a time.
func TestService_Sync_progress(t *testing.T) {
	t.Parallel()
	steps, progressed := 0, false
	store := interruptedStore{memory.New(), func() error {
		require.True(t, progressed)
		progressed = false
		steps++
		return nil
	}}
	s := newSyncedOn(t, store, lists.List{Name: "phantom", Format: lists.Domains})
	for _, file := range []string{hosts(1, 2500), hosts(2501, 5000)} {
		_, err := s.Sync(t.Context(), lists.SyncRequest{
			Name: "phantom", File: strings.NewReader(file), Confirm: true, Progress: func() { progressed = true },
		})
		require.NoError(t, err)
	}
	require.Equal(t, 9, steps, "three decide for each file, and three withdraw")
}

// A sync that is interrupted after any of its steps is completed by the next one.
func TestService_Sync_interrupted(t *testing.T) {
	t.Parallel()
	away := errors.New("the database is away")
	for steps := range 4 {
		for _, cause := range []error{away, context.Canceled} {
			left := -1
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			store := interruptedStore{memory.New(), func() error {
				left--
				if left == -1 && errors.Is(cause, context.Canceled) {
					cancel()
				}
				if left == -1 {
					return cause
				}
				return nil
			}}
			s := newSyncedOn(t, store, lists.List{Name: "phantom", Format: lists.Domains})
			s.sync(t, hosts(1, 2500))
			left = steps
			request := lists.SyncRequest{Name: "phantom", File: strings.NewReader(hosts(2001, 4000)), Confirm: true}
			_, err := s.Sync(ctx, request)
			require.EqualError(t, err, cause.Error(), "after %d steps", steps)
			list, err := s.Get(t.Context(), "phantom")
			require.NoError(t, err)
			require.Equal(t, errors.Is(cause, away), list.Error != "", "an interruption is no failure of the list")

			left = -1
			_, err = s.Sync(t.Context(), request)
			require.NoError(t, err)
			list, err = s.Get(t.Context(), "phantom")
			require.NoError(t, err)
			require.Equal(t, int64(2000), list.Entries)
			require.Equal(t, asset.StatusUnknown, s.status(t, "h2000.com"))
			require.Equal(t, asset.StatusBlocked, s.status(t, "h4000.com"))
		}
	}
}

// A first sync that was interrupted is no measure for the next one.
func TestService_Sync_interruptedFirst(t *testing.T) {
	t.Parallel()
	left, away := 2, errors.New("the database is away")
	store := interruptedStore{memory.New(), func() error {
		if left--; left == -1 {
			return away
		}
		return nil
	}}
	s := newSyncedOn(t, store, lists.List{Name: "phantom", Format: lists.Domains})
	_, err := s.Sync(t.Context(), lists.SyncRequest{Name: "phantom", File: strings.NewReader(hosts(1, 3000))})
	require.ErrorIs(t, err, away)
	require.Equal(t, lists.SyncResult{Kept: 10, Withdrawn: 1990}, s.sync(t, hosts(1, 10)))
}

// The reason of a list becomes that of its entries with the next sync.
func TestService_Sync_reason(t *testing.T) {
	t.Parallel()
	s := newSynced(t, lists.JSONLines)
	const file = `{"content":"https://a.com"}` + "\n" + `{"content":"https://b.com","status":"ALLOWED"}` + "\n" + `{"content":"https://a.com"}`
	decisions := func() (held [2]asset.ListDecision) {
		list, err := s.Get(t.Context(), "phantom")
		require.NoError(t, err)
		page, err := s.store.ListEntries(t.Context(), list.ID, 0, 2)
		require.NoError(t, err)
		return [2]asset.ListDecision{page.Items[0].Decision, page.Items[1].Decision}
	}
	s.sync(t, file)
	first := decisions()
	require.Equal(t, asset.ReasonPhishing, first[0].Reason)
	require.Empty(t, first[1].Reason, "it does not fit ALLOWED")

	for reason, want := range map[asset.Reason][2]asset.Reason{
		asset.ReasonDrainer: {asset.ReasonDrainer, ""}, asset.ReasonLegitimate: {asset.ReasonOther, asset.ReasonLegitimate},
	} {
		_, err := s.store.PutList(t.Context(), "phantom", func(old lists.List, _ int) (lists.List, audit.Entry, error) {
			old.Reason = reason
			return old, audit.Entry{}, nil
		})
		require.NoError(t, err)
		s.decide(t, "x.com", asset.StatusBlocked)
		require.Equal(t, lists.SyncResult{Kept: 2}, s.sync(t, file))
		now := decisions()
		require.Equal(t, want, [2]asset.Reason{now[0].Reason, now[1].Reason})
		require.Equal(t, first[0].Since, now[0].Since)
	}
	_, err := s.assets.SetStatus(t.Context(), asset.SetStatusRequest{Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://a.com"}, Status: asset.StatusAllowed})
	require.NoError(t, err)
	_, err = s.store.PutList(t.Context(), "phantom", func(old lists.List, _ int) (lists.List, audit.Entry, error) {
		old.Reason = asset.ReasonScam
		return old, audit.Entry{}, nil
	})
	require.NoError(t, err)
	require.Equal(t, lists.SyncResult{Kept: 2, Overruled: 1}, s.sync(t, file), "an entry whose reason changes is overruled once")
}

// Of two syncs at once, the one that began first cannot go on.
func TestService_Sync_superseded(t *testing.T) {
	t.Parallel()
	var meanwhile func()
	canceled := false
	store := interruptedStore{memory.New(), func() error {
		if run := meanwhile; run != nil {
			meanwhile = nil
			run()
		}
		if canceled {
			return context.Canceled
		}
		return nil
	}}
	s := newSyncedOn(t, store, lists.List{Name: "phantom", Format: lists.Domains})
	meanwhile = func() {
		require.Equal(t, lists.SyncResult{Added: 2}, s.sync(t, "a.com\nb.com\n"))
	}
	_, err := s.Sync(t.Context(), lists.SyncRequest{Name: "phantom", File: strings.NewReader("b.com\nc.com\n")})
	require.ErrorIs(t, err, lists.ErrSuperseded)
	require.Equal(t, []string{"a.com BLOCKED", "b.com BLOCKED"}, s.holds(t))
	list, err := s.Get(t.Context(), "phantom")
	require.NoError(t, err)
	require.Empty(t, list.Error, "the other sync was completed")

	meanwhile = func() {
		canceled = true
		require.ErrorIs(t, s.Remove(t.Context(), "phantom", 0), context.Canceled)
		canceled = false
	}
	request := lists.SyncRequest{Name: "phantom", File: strings.NewReader("c.com\na.com\n")}
	_, err = s.Sync(t.Context(), request)
	require.ErrorIs(t, err, lists.ErrNotFound, "the removal has begun")
	require.NoError(t, s.Remove(t.Context(), "phantom", 0))
	require.Equal(t, asset.StatusUnknown, s.status(t, "a.com"))

	_, err = s.Add(t.Context(), lists.List{Name: "phantom", Format: lists.Domains})
	require.NoError(t, err)
	meanwhile = func() { require.NoError(t, s.Remove(t.Context(), "phantom", 0)) }
	_, err = s.Sync(t.Context(), request)
	require.ErrorIs(t, err, lists.ErrNotFound, "the removal is done")
}

// The audit trail has what was added, removed, and synced with an effect.
func TestService_audit(t *testing.T) {
	t.Parallel()
	s := newSynced(t, lists.Domains)
	s.sync(t, "a.com\nb.com\n")
	s.sync(t, "a.com\nb.com\n")
	s.sync(t, "b.com\nc.com\n")
	require.NoError(t, s.Remove(t.Context(), "phantom", 0))
	require.ErrorIs(t, s.Remove(t.Context(), "phantom", 0), lists.ErrNotFound)
	page, err := trail.NewService(s.store).List(t.Context(), trail.ListRequest{})
	require.NoError(t, err)
	got := make([]string, 0, len(page.Items))
	for _, entry := range page.Items {
		require.Equal(t, audit.KindList, entry.Kind)
		require.Equal(t, page.Items[0].Subject, entry.Subject)
		got = append(got, fmt.Sprint(entry.Action, " ", entry.Detail))
	}
	require.Equal(t, []string{
		"REMOVED name=phantom",
		"SYNCED name=phantom,added=1,withdrawn=1",
		"SYNCED name=phantom,added=2,withdrawn=0",
		"CREATED name=phantom",
	}, got)
}

// countingReader counts how often a file is read from its start.
type countingReader struct {
	*strings.Reader
	starts int
}

func (r *countingReader) Seek(offset int64, whence int) (int64, error) {
	r.starts++
	return r.Reader.Seek(offset, whence)
}

// What an unchanged file writes is only that the sync was completed. It is read once.
func TestService_Sync_unchanged(t *testing.T) {
	t.Parallel()
	steps := 0
	store := interruptedStore{memory.New(), func() error { steps++; return nil }}
	s := newSyncedOn(t, store, lists.List{Name: "phantom", Format: lists.Domains})
	s.sync(t, hosts(1, 2500))
	require.Equal(t, 3, steps)
	file := &countingReader{Reader: strings.NewReader(hosts(1, 2500))}
	_, err := s.Sync(t.Context(), lists.SyncRequest{Name: "phantom", File: file})
	require.NoError(t, err)
	require.Equal(t, 3, steps)
	require.Equal(t, 1, file.starts)
	s.sync(t, hosts(2, 2501))
	require.Equal(t, 5, steps)
}
