package asset_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

func TestValidTime(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		time time.Time
		want bool
	}{
		"the zero time":            {time.Time{}, true},
		"before the year 1":        {time.Time{}.Add(-1), false},
		"the last nanosecond":      {time.Date(9999, time.December, 31, 23, 59, 59, 999_999_999, time.UTC), true},
		"the year 10000":           {time.Date(10_000, time.January, 1, 0, 0, 0, 0, time.UTC), false},
		"the year 10000 in UTC":    {time.Date(9999, time.December, 31, 23, 30, 0, 0, time.FixedZone("", -3600)), false},
		"the year 9999 in UTC":     {time.Date(10_000, time.January, 1, 0, 30, 0, 0, time.FixedZone("", 3600)), true},
		"long before the calendar": {time.Unix(-1<<60, 0), false},
		"long after the calendar":  {time.Unix(1<<60, 0), false},
	} {
		require.Equal(t, c.want, asset.ValidTime(c.time), reason)
	}
}
