package limit_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi/limit"
)

func TestPace_TimeFor(t *testing.T) {
	t.Parallel()
	pace := limit.Pace{Timeout: 30 * time.Second, MinRate: 1000}
	for reason, c := range map[string]struct {
		pace  limit.Pace
		total int64
		spent time.Duration
		want  time.Duration
	}{
		"the first part":                  {pace, 1, 0, 30 * time.Second},
		"what remains of the first":       {pace, 2, 20 * time.Second, 10 * time.Second},
		"an average above the rate":       {pace, 100_000, 60 * time.Second, 30 * time.Second},
		"an average near the rate":        {pace, 100_000, 90 * time.Second, 10 * time.Second},
		"an average below the rate":       {pace, 100_000, 110 * time.Second, -10 * time.Second},
		"more time than a Duration holds": {limit.Pace{Timeout: time.Second, MinRate: 1}, math.MaxInt64, 0, time.Second},
	} {
		require.Equal(t, c.want, c.pace.TimeFor(c.total, c.spent), reason)
	}
}
