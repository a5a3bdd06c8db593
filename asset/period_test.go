package asset_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
)

func day(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

func TestParseDays(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		start, end string
		want       asset.Period
	}{
		"two empty texts leave both ends open": {},
		"a start alone leaves the end open":    {start: "2025-01-05", want: asset.Period{Since: day(2025, 1, 5)}},
		"an end alone includes its whole day":  {end: "2025-01-05", want: asset.Period{Before: day(2025, 1, 6)}},
		"one day is a period":                  {start: "2025-01-05", end: "2025-01-05", want: asset.Period{Since: day(2025, 1, 5), Before: day(2025, 1, 6)}},
		"a leap day exists in a leap year":     {start: "2024-02-29", end: "2024-12-31", want: asset.Period{Since: day(2024, 2, 29), Before: day(2025, 1, 1)}},
	}
	for reason, c := range cases {
		got, err := asset.ParseDays(c.start, c.end)
		require.NoError(t, err, reason)
		require.Equal(t, c.want, got, reason)
	}
}

func TestParseDays_Invalid(t *testing.T) {
	t.Parallel()
	const form = "must be an existing date, written YYYY-MM-DD"
	cases := map[string]struct {
		start, end string
		want       asset.Issues
	}{
		"a day that the month does not have":       {start: "2025-02-30", want: asset.Issues{{Field: "startDate", Message: form}}},
		"a leap day in a common year":              {end: "2025-02-29", want: asset.Issues{{Field: "endDate", Message: form}}},
		"a year 0":                                 {end: "0000-12-31", want: asset.Issues{{Field: "endDate", Message: form}}},
		"a month without its zero":                 {start: "2025-1-05", want: asset.Issues{{Field: "startDate", Message: form}}},
		"a time of day":                            {start: "2025-01-05T00:00:00Z", want: asset.Issues{{Field: "startDate", Message: form}}},
		"white space":                              {start: " 2025-01-05", want: asset.Issues{{Field: "startDate", Message: form}}},
		"digits of another script":                 {start: "２０２５-01-05", want: asset.Issues{{Field: "startDate", Message: form}}},
		"both ends are told of":                    {start: "x", end: "y", want: asset.Issues{{Field: "startDate", Message: form}, {Field: "endDate", Message: form}}},
		"a start after the end":                    {start: "2025-01-06", end: "2025-01-05", want: asset.Issues{{Field: "startDate", Message: "must not be after endDate"}}},
		"a wrong end is not compared with a start": {start: "2025-01-06", end: "x", want: asset.Issues{{Field: "endDate", Message: form}}},
	}
	for reason, c := range cases {
		_, err := asset.ParseDays(c.start, c.end)
		var input *asset.InputError
		require.ErrorAs(t, err, &input, reason)
		require.ErrorIs(t, err, asset.ErrInvalid, reason)
		require.Equal(t, c.want, input.Issues, reason)
	}
}

func TestParseDays_Contains(t *testing.T) {
	t.Parallel()
	first, last := day(1, 1, 1).Unix(), day(9999, 12, 31).Unix()
	moment := rapid.Custom(func(t *rapid.T) time.Time {
		return time.Unix(rapid.Int64Range(first, last).Draw(t, "second"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanosecond")).UTC()
	})
	rapid.Check(t, func(t *rapid.T) {
		start, end, at := moment.Draw(t, "start"), moment.Draw(t, "end"), moment.Draw(t, "at")
		if end.Before(start) {
			start, end = end, start
		}
		period, err := asset.ParseDays(start.Format(time.DateOnly), end.Format(time.DateOnly))
		require.NoError(t, err)
		date := at.Format(time.DateOnly)
		require.Equal(t, start.Format(time.DateOnly) <= date && date <= end.Format(time.DateOnly), period.Contains(at))
		require.True(t, period.Contains(start))
		require.True(t, period.Contains(end))
	})
}

func TestPeriod_Contains(t *testing.T) {
	t.Parallel()
	noon := day(2025, 1, 5).Add(12 * time.Hour)
	cases := map[string]struct {
		period asset.Period
		want   bool
	}{
		"the zero period is all time":     {asset.Period{}, true},
		"the beginning is included":       {asset.Period{Since: noon}, true},
		"the end is not included":         {asset.Period{Before: noon}, false},
		"right after the moment":          {asset.Period{Since: noon.Add(1)}, false},
		"the moment is the last included": {asset.Period{Before: noon.Add(1)}, true},
	}
	for reason, c := range cases {
		require.Equal(t, c.want, c.period.Contains(noon), reason)
	}
	require.True(t, asset.Period{}.Contains(time.Time{}.Add(-time.Hour)), "an open end has no year 1")
}
