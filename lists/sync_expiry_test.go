package lists_test

import (
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage/memory"
)

// ending is a line of a file whose entry ends some minutes after the start of the clock, or never.
func ending(content string, minutes int) string {
	if minutes == 0 {
		return fmt.Sprintf("{\"content\":%q,\"expiresAt\":null}\n", content)
	}
	end := time.Date(2025, time.January, 5, 12, minutes, 0, 0, time.UTC)
	return fmt.Sprintf("{\"content\":%q,\"expiresAt\":%q}\n", content, end.Format(time.RFC3339))
}

// ends returns the ends of the entries of the list phantom, ordered by ID, in minutes after the start of the clock.
func (s *synced) ends(t *testing.T) (minutes []int) {
	t.Helper()
	list, err := s.Get(t.Context(), "phantom")
	require.NoError(t, err)
	page, err := s.store.ListEntries(t.Context(), list.ID, 0, 1000)
	require.NoError(t, err)
	for _, entry := range page.Items {
		end := 0
		if at := entry.Decision.ExpiresAt; !at.IsZero() {
			end = int(at.Sub(time.Date(2025, time.January, 5, 12, 0, 0, 0, time.UTC)) / time.Minute)
		}
		minutes = append(minutes, end)
	}
	return minutes
}

func TestService_Sync_expiry(t *testing.T) {
	t.Parallel()
	steps := 0
	s := newSyncedOn(t, interruptedStore{memory.New(), func() error { steps++; return nil }}, lists.List{Name: "phantom", Format: lists.JSONLines})
	file := ending("a.com", 30) + ending("b.com", 0) + ending("c.com", 45)
	require.Equal(t, lists.SyncResult{Added: 3}, s.sync(t, file))
	require.Equal(t, []int{30, 0, 45}, s.ends(t))
	require.Equal(t, 1, steps)
	require.Equal(t, lists.SyncResult{Kept: 3}, s.sync(t, file))
	require.Equal(t, 1, steps, "the same ends are not written")

	file = ending("a.com", 50) + ending("b.com", 40) + ending("c.com", 0)
	require.Equal(t, lists.SyncResult{Kept: 3}, s.sync(t, file), "other ends are no other statuses")
	require.Equal(t, []int{50, 40, 0}, s.ends(t))
	require.Equal(t, 2, steps)
	changes, err := s.assets.ListChanges(t.Context(), asset.ListChangesRequest{})
	require.NoError(t, err)
	require.Len(t, changes.Changes, 3)

	s.now = s.now.Add(time.Hour)
	removed, err := s.assets.ExpireDecisions(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, removed)
	require.Equal(t, []string{"c.com BLOCKED"}, s.holds(t))
	require.Equal(t, asset.StatusUnknown, s.status(t, "a.com"))
	require.Equal(t, lists.SyncResult{Kept: 1}, s.sync(t, file), "what has ended is not added again")
	require.Equal(t, 2, steps)
}

func TestService_Sync_ended(t *testing.T) {
	t.Parallel()
	s := newSynced(t, lists.JSONLines)
	s.sync(t, ending("a.com", 30)+ending("b.com", 0))
	s.now = s.now.Add(time.Hour)
	require.Equal(t, lists.SyncResult{Withdrawn: 1, Kept: 1}, s.sync(t, ending("a.com", 30)+ending("b.com", 0)), "it was not expired before")
	require.Equal(t, []string{"b.com BLOCKED"}, s.holds(t))
	require.Equal(t, lists.SyncResult{Kept: 1, Added: 1}, s.sync(t, ending("a.com", 30)+ending("b.com", 0)+ending("a.com", 90)), "an ended entry contradicts no other one")
	require.Equal(t, []int{90, 0}, s.ends(t))
	_, err := s.Sync(t.Context(), lists.SyncRequest{Name: "phantom", File: strings.NewReader(ending("a.com", 30))})
	require.ErrorIs(t, err, lists.ErrUnconfirmed, "a file without other entries is empty")
}

// A sync that ends what it keeps withdraws it later, so that the brake counts it.
func TestService_Sync_endingBrake(t *testing.T) {
	t.Parallel()
	entries := func(minutes int) string {
		var file strings.Builder
		for i := range 101 {
			file.WriteString(ending(fmt.Sprintf("h%d.com", i), minutes))
		}
		return file.String()
	}
	for reason, c := range map[string]struct {
		before, after int
		want          error
	}{
		"an end where there was none": {0, 30, lists.ErrUnconfirmed},
		"an earlier end":              {60, 30, lists.ErrUnconfirmed},
		"a later end":                 {30, 60, nil},
		"no end any more":             {30, 0, nil},
	} {
		s := newSynced(t, lists.JSONLines)
		s.sync(t, entries(c.before))
		_, err := s.Sync(t.Context(), lists.SyncRequest{Name: "phantom", File: strings.NewReader(entries(c.after))})
		require.ErrorIs(t, err, c.want, reason)
	}
}

func TestRead_expiry(t *testing.T) {
	t.Parallel()
	now := time.Date(2025, time.January, 5, 12, 0, 0, 0, time.UTC)
	later := now.Add(time.Hour)
	for reason, c := range map[string]struct {
		format lists.Format
		text   string
		end    time.Time
		err    error
	}{
		"a time":                    {lists.JSONLines, `{"content":"a.com","expiresAt":"2025-01-05T13:00:00Z"}`, later, nil},
		"a time of another zone":    {lists.JSONLines, `{"content":"a.com","expiresAt":"2025-01-05T14:00:00+01:00"}`, later, nil},
		"less than a millisecond":   {lists.JSONLines, `{"content":"a.com","expiresAt":"2025-01-05T13:00:00.0009Z"}`, later, nil},
		"null":                      {lists.JSONLines, `{"content":"a.com","expiresAt":null}`, time.Time{}, nil},
		"no member":                 {lists.JSONLines, `{"content":"a.com"}`, time.Time{}, nil},
		"a day":                     {lists.JSONLines, `{"content":"a.com","expiresAt":"2025-01-05"}`, time.Time{}, lists.ErrExpiry},
		"a number":                  {lists.JSONLines, `{"content":"a.com","expiresAt":1736082000}`, time.Time{}, lists.ErrMalformed},
		"the first time":            {lists.JSONLines, `{"content":"a.com","expiresAt":"0001-01-01T00:00:00Z"}`, time.Time{}, lists.ErrExpiry},
		"a column":                  {lists.CSV, "content,expiresAt\na.com,2025-01-05T13:00:00Z\n", later, nil},
		"a column in other letters": {lists.CSV, "EXPIRESAT;content\n2025-01-05T13:00:00Z;a.com\n", later, nil},
		"an empty field":            {lists.CSV, "content,expiresAt\na.com,\n", time.Time{}, nil},
		"a field that is no time":   {lists.CSV, "content,expiresAt\na.com,never\n", time.Time{}, lists.ErrExpiry},
		"now":                       {lists.JSONLines, `{"content":"a.com","expiresAt":"2025-01-05T12:00:00Z"}`, time.Time{}, &lists.NotTakenError{Kind: lists.NotTakenEnded}},
		"the past":                  {lists.CSV, "content,expiresAt\na.com,2024-12-31T00:00:00Z\n", time.Time{}, &lists.NotTakenError{Kind: lists.NotTakenEnded}},
		"the past of another type":  {lists.CSV, "content,type,expiresAt\na.com,URL,2024-12-31T00:00:00Z\n", time.Time{}, lists.ErrType},
	} {
		for entry, err := range lists.Read(strings.NewReader(c.text), c.format, lists.ReadOptions{At: now}) {
			require.NoError(t, err, reason)
			require.Equal(t, c.err, entry.Err, reason)
			require.Equal(t, c.end, entry.ExpiresAt, reason)
			require.Equal(t, c.err != nil, entry.Identity == asset.Identity{}, reason)
		}
	}
}

func TestRead_contradictoryEnds(t *testing.T) {
	t.Parallel()
	var errs []error
	text := ending("a.com", 30) + ending("a.com", 31) + ending("a.com", 0) + ending("a.com", 30)
	for entry, err := range lists.Read(strings.NewReader(text), lists.JSONLines, lists.ReadOptions{}) {
		require.NoError(t, err)
		errs = append(errs, entry.Err)
	}
	require.Equal(t, []error{nil, lists.ErrContradiction, lists.ErrContradiction, nil}, errs)
}

func TestImport_expiry(t *testing.T) {
	t.Parallel()
	s := newSynced(t, lists.JSONLines)
	read := func() iter.Seq2[lists.Entry, error] {
		text := ending("a.com", 30) + ending("b.com", 0) + ending("ended.com", 1)
		return lists.Read(strings.NewReader(text), lists.JSONLines, lists.ReadOptions{At: s.now})
	}
	s.now = s.now.Add(time.Minute)
	counts, err := lists.Import(t.Context(), s.assets, read(), lists.ImportOptions{})
	require.NoError(t, err)
	require.Equal(t, lists.Counts{Lines: 2, Set: 2, NotTaken: map[string]int{lists.NotTakenEnded: 1}}, counts)
	s.now = s.now.Add(time.Hour)
	removed, err := s.assets.ExpireDecisions(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, removed)
	require.Equal(t, asset.StatusUnknown, s.status(t, "a.com"))
	require.Equal(t, asset.StatusBlocked, s.status(t, "b.com"))
}
