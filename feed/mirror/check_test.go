package mirror_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/storage/memory"
)

// list blocks one canonical form and fails for another one.
type list struct{ blocked, down string }

var errDown = errors.New("the list is down")

func (list) Name() string { return "Blocks" }

func (l list) Status(_ context.Context, identity asset.Identity) (asset.Status, error) {
	switch identity.Canonical {
	case l.blocked:
		return asset.StatusBlocked, nil
	case l.down:
		return "", errDown
	default:
		return asset.StatusUnknown, nil
	}
}

// mirrored returns the verdict that a mirror has in its place: of the basis of its match, it has the reason alone.
func mirrored(verdict check.Verdict) check.Verdict {
	if verdict.Match != nil {
		match := *verdict.Match
		match.Basis = asset.Basis{Reason: match.Reason}
		verdict.Match = &match
	}
	return verdict
}

func mirroredAll(results []check.Result) []check.Result {
	results = slices.Clone(results)
	for i := range results {
		results[i].Verdict = mirrored(results[i].Verdict)
	}
	return results
}

func TestMirror_Check(t *testing.T) {
	t.Parallel()
	store := memory.New()
	guard := apguard.New(store, apguard.Options{ExternalLists: check.ExternalLists{
		list{blocked: "https://listed.example.org", down: "https://down.example.com"},
	}})
	for content, status := range map[string]asset.Status{
		"example.com": asset.StatusBlocked, "app.example.com": asset.StatusAllowed,
		"https://example.com/open": asset.StatusAllowed, "github.com/ada": asset.StatusBlocked,
		"back.example.net": asset.StatusBlocked, "https://back.example.net": asset.StatusUnknown,
	} {
		setStatus(t, guard, content, status)
	}
	m := newMirror(store, mirror.Options{ExternalLists: guard.ExternalLists})
	start(t, m)

	contents := []string{
		"https://login.example.com/x?y", " HTTPS://App.Example.com:8443/x ", "https://example.com/open/door", "ada@mail.example.com",
		"https://github.com/ada/repo", "@ada", "https://listed.example.org", "https://down.example.com", "https://other.example.org",
		"no asset", "", "https://back.example.net/x",
	}
	for _, content := range contents {
		want, wantErr := guard.Checks.Check(t.Context(), content)
		got, err := m.Check(t.Context(), content)
		require.Equal(t, wantErr, err, "%q", content)
		require.Equal(t, mirrored(want), got, "%q", content)
	}
	want, err := guard.Checks.CheckBatch(t.Context(), contents)
	require.NoError(t, err)
	got, err := m.CheckBatch(t.Context(), contents)
	require.NoError(t, err)
	require.Equal(t, mirroredAll(want), got)

	domain, err := m.Check(t.Context(), "https://login.example.com")
	require.NoError(t, err)
	require.Equal(t, classify.CoverDomain, domain.Match.Kind)
	listed, err := m.Check(t.Context(), "https://listed.example.org")
	require.NoError(t, err)
	require.Equal(t, check.SourceList, listed.Source)

	setStatus(t, guard, "example.com", asset.StatusUnknown)
	m.sync(t)
	domain, err = m.Check(t.Context(), "https://login.example.com")
	require.NoError(t, err)
	require.Equal(t, asset.StatusUnknown, domain.Status)
}

// A copy whose source is away answers up to its age, and again after the next read.
func TestMirror_Check_stale(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		option, age time.Duration
		stale       bool
	}{
		"younger than the default": {0, mirror.DefaultMaxAge - time.Hour, false},
		"the default":              {0, mirror.DefaultMaxAge, true},
		"negative is the default":  {-1, mirror.DefaultMaxAge, true},
		"younger than the option":  {3 * time.Hour, 2 * time.Hour, false},
		"the option":               {3 * time.Hour, 3 * time.Hour, true},
		"the clock was set back":   {time.Hour, -48 * time.Hour, false},
	} {
		store := memory.New()
		setStatus(t, apguard.New(store, apguard.Options{}), "example.com", asset.StatusBlocked)
		var later atomic.Int64
		m := newMirror(store, mirror.Options{MaxAge: c.option, Clock: func() time.Time { return time.Now().Add(time.Duration(later.Load())) }})
		require.False(t, m.State().Stale, "an empty mirror is not filled")
		require.NoError(t, m.replica.Refresh(t.Context()))
		later.Store(int64(c.age))

		verdict, err := m.Check(t.Context(), "https://example.com/x")
		_, batchErr := m.CheckBatch(t.Context(), []string{"no asset", "https://example.com/x"})
		require.Equal(t, c.stale, m.State().Stale, reason)
		require.True(t, m.State().Filled, reason)
		if c.stale {
			require.ErrorIs(t, err, mirror.ErrStale, reason)
			require.ErrorIs(t, batchErr, mirror.ErrStale, reason)
			require.ErrorIs(t, err, asset.ErrUnavailable, reason)
			require.Equal(t, check.Verdict{}, verdict, reason)
		} else {
			require.NoError(t, err, reason)
			require.NoError(t, batchErr, reason)
			require.Equal(t, asset.StatusBlocked, verdict.Status, reason)
		}
		later.Store(0)
		_, err = m.Check(t.Context(), "https://example.com/x")
		require.NoError(t, err, reason)
	}
}

// A mirror has each reason, and learns of one that changes while the status stays.
func TestMirror_Check_reason(t *testing.T) {
	t.Parallel()
	store := memory.New()
	guard := apguard.New(store, apguard.Options{})
	m := newMirror(store, mirror.Options{})
	start(t, m)
	for _, reason := range asset.Reasons() {
		status := asset.StatusBlocked
		if !reason.Fits(status) {
			status = asset.StatusAllowed
		}
		result, err := classify.Classify("example.com")
		require.NoError(t, err)
		_, err = guard.Assets.SetStatus(t.Context(), asset.SetStatusRequest{
			Identity: result.Identity, Status: status, Reason: reason, Note: "for everybody",
		})
		require.NoError(t, err)
		filled := newMirror(store, mirror.Options{})
		start(t, filled)
		for name, m := range map[string]copied{"that follows": m, "that lists": filled} {
			m.sync(t)
			got, err := m.Check(t.Context(), "example.com")
			require.NoError(t, err)
			require.Equal(t, status, got.Status, "a mirror %s", name)
			require.Equal(t, asset.Basis{Reason: reason}, got.Match.Basis, "a mirror %s", name)
		}
	}
}

func TestMirror_Check_refused(t *testing.T) {
	t.Parallel()
	guard := apguard.New(memory.New(), apguard.Options{})
	m := newMirror(memory.New(), mirror.Options{})
	for _, filled := range []bool{false, true} {
		if filled {
			start(t, m)
		}
		for _, content := range []string{
			"", " \t\n", "no asset", "5KJvsngHeMpm884wtkJNzQGaCErckhHJBGFsvd3VyK5qMZXj3hS", "exam\xffple.com",
			"https://exam\x00ple.com", strings.Repeat("a", classify.MaxContent+1),
		} {
			_, want := guard.Checks.Check(t.Context(), content)
			require.ErrorIs(t, want, asset.ErrInvalid)
			got, err := m.Check(t.Context(), content)
			require.Equal(t, want, err, "%q", content)
			require.Zero(t, got)
		}
	}
	for _, contents := range [][]string{nil, make([]string, check.MaxItems+1)} {
		_, want := guard.Checks.CheckBatch(t.Context(), contents)
		require.ErrorIs(t, want, asset.ErrInvalid)
		_, err := m.CheckBatch(t.Context(), contents)
		require.Equal(t, want, err)
	}
}

func TestMirror_Check_endedContext(t *testing.T) {
	t.Parallel()
	m := newMirror(memory.New(), mirror.Options{})
	start(t, m)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := m.Check(ctx, "example.com")
	require.ErrorIs(t, err, context.Canceled)
	_, err = m.CheckBatch(ctx, []string{"example.com"})
	require.ErrorIs(t, err, context.Canceled)
}

func TestMirror_notFilled(t *testing.T) {
	t.Parallel()
	for reason, m := range map[string]*mirror.Mirror{
		"zero": {}, "new": mirror.New(mirror.Options{}),
	} {
		got, err := m.Check(t.Context(), "example.com")
		require.ErrorIs(t, err, mirror.ErrNotFilled, reason)
		require.Zero(t, got, reason)
		results, err := m.CheckBatch(t.Context(), []string{"example.com"})
		require.ErrorIs(t, err, mirror.ErrNotFilled, reason)
		require.Nil(t, results, reason)
		require.Equal(t, mirror.State{}, m.State(), reason)
	}
}

// Only the classifier and the match allocate.
func TestMirror_Check_allocations(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts those of all goroutines
	store := memory.New()
	guard := apguard.New(store, apguard.Options{})
	setStatus(t, guard, "example.com", asset.StatusBlocked)
	m := newMirror(store, mirror.Options{})
	stop := start(t, m)
	stop()
	for content, matches := range map[string]float64{"https://login.example.com/x?y": 1, "https://login.example.org/x?y": 0} {
		classifier := testing.AllocsPerRun(100, func() {
			result, err := classify.Classify(content)
			require.NoError(t, err)
			classify.Covering(result.Identity)
		})
		mirrored := testing.AllocsPerRun(100, func() {
			_, err := m.Check(t.Context(), content)
			require.NoError(t, err)
		})
		require.InDelta(t, classifier+matches, mirrored, 0, content)
	}
}
