package manifest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// refusal is a client that may refuse the whole manifest.
type refusal struct {
	last Manifest
	// now is after the time of the manifest.
	now, maxAge time.Duration
	want        error
}

// refusals returns clients by the reason.
func refusals() map[string]refusal {
	last := Manifest{Version: at(1, 8), Time: someTime, Rules: 1}
	return map[string]refusal{
		"the first":                      {Manifest{}, 0, time.Hour, nil},
		"the last one again":             {last, 0, time.Hour, nil},
		"a later one":                    {Manifest{at(1, 7), someTime.Add(-time.Millisecond), 1, nil}, 0, time.Hour, nil},
		"a later one, nothing changed":   {Manifest{at(1, 8), someTime.Add(-time.Millisecond), 1, nil}, 0, time.Hour, nil},
		"an earlier time":                {Manifest{at(1, 7), someTime.Add(time.Millisecond), 1, nil}, 0, time.Hour, ErrOlder},
		"an earlier version":             {Manifest{at(1, 9), someTime.Add(-time.Millisecond), 1, nil}, 0, time.Hour, ErrOlder},
		"another store":                  {Manifest{at(2, 9), someTime.Add(-time.Millisecond), 1, nil}, 0, time.Hour, ErrOtherStore},
		"another store, later version":   {Manifest{at(2, 7), someTime.Add(-time.Millisecond), 1, nil}, 0, time.Hour, ErrOtherStore},
		"after a store without changes":  {Manifest{asset.FeedCursor{}, someTime.Add(-time.Millisecond), 1, nil}, 0, time.Hour, nil},
		"an earlier one, another store":  {Manifest{at(2, 9), someTime.Add(time.Millisecond), 1, nil}, 0, time.Hour, ErrOlder},
		"almost too old":                 {last, time.Hour - time.Millisecond, time.Hour, nil},
		"too old":                        {last, time.Hour, time.Hour, ErrTooOld},
		"no age is permitted":            {last, 0, 0, ErrTooOld},
		"almost too far in the future":   {last, -MaxAhead, time.Hour, nil},
		"too far in the future":          {last, -MaxAhead - time.Millisecond, time.Hour, ErrFuture},
		"the future where it is too old": {last, -MaxAhead - time.Millisecond, 0, ErrFuture},
	}
}

func TestManifest_Refusal(t *testing.T) {
	t.Parallel()
	last := Manifest{Version: at(1, 8), Time: someTime}
	for reason, c := range refusals() {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			require.ErrorIs(t, whole().Refusal(c.last, someTime.Add(c.now), c.maxAge), c.want)
		})
	}

	m := whole()
	m.Rules++
	var rules *RulesError
	require.ErrorAs(t, m.Refusal(last, someTime, time.Hour), &rules)
	require.Equal(t, RulesError{Have: classify.Version + 1, Want: classify.Version}, *rules)
	require.ErrorContains(t, rules, "rules version")

	m = whole()
	m.Version = asset.FeedCursor{}
	require.ErrorIs(t, m.Refusal(last, someTime, time.Hour), ErrOtherStore, "a store without changes has no ID")
	require.NoError(t, m.Refusal(m, someTime, time.Hour), "a store that still has no changes")
	require.Error(t, Manifest{}.Refusal(Manifest{}, someTime, time.Hour))
}
