package hashlist

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/hashwire"
)

var _ check.Checker = (*List)(nil)

// hashOf returns the hash of a content.
func hashOf(t *testing.T, content string) uint64 {
	t.Helper()
	result, err := classify.Classify(content)
	require.NoError(t, err)
	return check.Hash(result.Identity)
}

func TestList_Check(t *testing.T) {
	t.Parallel()
	l := New(time.Hour)
	require.NoError(t, update(l, whole(versionAt(1, 1), []uint64{hashOf(t, "bad.example.com")}, []uint64{hashOf(t, "https://bad.example.com/good")})...))
	for content, want := range map[string]struct {
		status asset.Status
		kind   classify.CoverKind
	}{
		"https://login.bad.example.com/x":  {asset.StatusBlocked, classify.CoverDomain},
		"https:bad.example.com":            {asset.StatusBlocked, classify.CoverPage},
		"https://bad.example.com/good/one": {asset.StatusAllowed, classify.CoverURL},
		"https://good.example.com":         {status: asset.StatusUnknown},
	} {
		verdict, err := l.Check(t.Context(), content)
		require.NoError(t, err)
		require.Equal(t, content, verdict.Content)
		require.Equal(t, want.status, verdict.Status, content)
		if want.kind == "" {
			require.Nil(t, verdict.Match)
			require.Equal(t, check.SourceNone, verdict.Source)
			continue
		}
		require.Equal(t, want.kind, verdict.Match.Kind, content)
		require.Equal(t, want.status, verdict.Match.Status)
		require.Zero(t, verdict.Match.ID)
		require.Equal(t, check.SourceAsset, verdict.Source)
	}
}

// A hash that is in both lists is BLOCKED.
func TestList_Check_collision(t *testing.T) {
	t.Parallel()
	l := New(time.Hour)
	hashes := []uint64{hashOf(t, "bad.example.com")}
	require.NoError(t, update(l, whole(versionAt(1, 1), hashes, hashes)...))
	verdict, err := l.Check(t.Context(), "bad.example.com")
	require.NoError(t, err)
	require.Equal(t, asset.StatusBlocked, verdict.Status)
}

func TestList_Check_age(t *testing.T) {
	t.Parallel()
	data := hashwire.Encode(whole(versionAt(1, 1), []uint64{1}, nil)...)
	for reason, age := range map[string]struct {
		limit, age time.Duration
		err        error
	}{
		"young":                  {time.Hour, time.Minute, nil},
		"too old":                {time.Hour, 61 * time.Minute, ErrOutdated},
		"the clock was set back": {time.Hour, -time.Minute, ErrOutdated},
		"no age is young enough": {0, 0, ErrOutdated},
		"a negative limit":       {-time.Hour, time.Minute, ErrOutdated},
	} {
		l := New(age.limit)
		require.NoError(t, l.Update(Response{Data: data, AsOf: time.Now().Add(-age.age), Rules: classify.Version}))
		_, err := l.Check(t.Context(), "example.com")
		require.ErrorIs(t, err, age.err, reason)
		if age.err != nil {
			require.ErrorIs(t, err, asset.ErrUnavailable, reason)
		}
		results, err := l.CheckBatch(t.Context(), []string{"example.com", ""})
		require.ErrorIs(t, err, age.err, reason)
		require.Equal(t, age.err == nil, len(results) == 2, reason)
	}
}

func TestAge(t *testing.T) {
	t.Parallel()
	for reason, ages := range map[string]struct{ byDay, monotonic, want time.Duration }{
		"both clocks agree":                         {time.Minute, time.Minute, time.Minute},
		"the machine has slept":                     {8 * time.Hour, time.Minute, 8 * time.Hour},
		"the clock was set back":                    {time.Minute, time.Hour, time.Hour},
		"the clock was set back to before the list": {-time.Minute, time.Hour, -time.Minute},
	} {
		require.Equal(t, ages.want, age(ages.byDay, ages.monotonic), reason)
	}
}

func TestList_Check_error(t *testing.T) {
	t.Parallel()
	var zero List
	for _, l := range []*List{&zero, New(time.Hour)} {
		_, err := l.Check(t.Context(), "example.com")
		require.ErrorIs(t, err, ErrNoList)
		require.ErrorIs(t, err, asset.ErrUnavailable)
		_, err = l.CheckBatch(t.Context(), []string{"example.com"})
		require.ErrorIs(t, err, ErrNoList)
		_, err = l.Check(t.Context(), " ")
		require.ErrorIs(t, err, classify.ErrContentRequired)
		_, err = l.CheckBatch(t.Context(), nil)
		require.ErrorIs(t, err, asset.ErrInvalid)
		require.Zero(t, l.State())
	}
	l := New(time.Hour)
	require.NoError(t, update(l, whole(versionAt(1, 1), []uint64{1}, nil)...))
	results, err := l.CheckBatch(t.Context(), []string{"", strings.Repeat(" ", 9), "example.com", "\x00"})
	require.NoError(t, err)
	require.ErrorIs(t, results[0].Err, classify.ErrContentRequired)
	require.ErrorIs(t, results[1].Err, classify.ErrContentRequired)
	require.NoError(t, results[2].Err)
	require.ErrorIs(t, results[3].Err, classify.ErrInvalidFormat)
}
