package report_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

func TestParseCreated(t *testing.T) {
	t.Parallel()
	at := func(text string) time.Time {
		moment, err := time.Parse(time.RFC3339Nano, text)
		require.NoError(t, err)
		return moment
	}
	cases := map[string]struct {
		start, end string
		first      string // the first millisecond that is included
		last       string // the last one
	}{
		"whole days":                          {"2025-01-05", "2025-01-06", "2025-01-05T00:00:00Z", "2025-01-06T23:59:59.999Z"},
		"one day":                             {"2025-01-05", "2025-01-05", "2025-01-05T00:00:00Z", "2025-01-05T23:59:59.999Z"},
		"moments, both included":              {"2025-01-05T10:00:00Z", "2025-01-05T11:00:00Z", "2025-01-05T10:00:00Z", "2025-01-05T11:00:00Z"},
		"one moment":                          {"2025-01-05T10:00:00.5Z", "2025-01-05T10:00:00.5Z", "2025-01-05T10:00:00.5Z", "2025-01-05T10:00:00.5Z"},
		"small letters, as RFC 3339 has them": {"2025-01-05t10:00:00z", "2025-01-05t10:00:00z", "2025-01-05T10:00:00Z", "2025-01-05T10:00:00Z"},
		"a moment in another zone":            {"2025-01-05T10:00:00+02:00", "2025-01-05", "2025-01-05T08:00:00Z", "2025-01-05T23:59:59.999Z"},
		"finer than a millisecond":            {"2025-01-05T10:00:00.0004Z", "2025-01-05T10:00:00.0018Z", "2025-01-05T10:00:00.001Z", "2025-01-05T10:00:00.001Z"},
		"a day and a moment of it":            {"2025-01-05", "2025-01-05T10:00:00Z", "2025-01-05T00:00:00Z", "2025-01-05T10:00:00Z"},
		"the first year":                      {"0001-01-01T10:00:00Z", "0001-01-01T10:00:00Z", "0001-01-01T10:00:00Z", "0001-01-01T10:00:00Z"},
		"the largest year of a date":          {"9999-12-31", "9999-12-31", "9999-12-31T00:00:00Z", "9999-12-31T23:59:59.999Z"},
	}
	for reason, c := range cases {
		period, err := report.ParseCreated(c.start, c.end)
		require.NoError(t, err, reason)
		require.True(t, period.Contains(at(c.first)), reason)
		require.True(t, period.Contains(at(c.last)), reason)
		require.False(t, period.Contains(at(c.first).Add(-time.Millisecond)), reason)
		require.False(t, period.Contains(at(c.last).Add(time.Millisecond)), reason)
	}
	period, err := report.ParseCreated("", "")
	require.NoError(t, err)
	require.Zero(t, period, "no dates are all time")
}

func TestParseCreated_invalid(t *testing.T) {
	t.Parallel()
	const (
		form     = "must be an existing date, written YYYY-MM-DD or as RFC 3339 has it"
		required = "is required when the other end of the period is given"
	)
	cases := map[string]struct {
		start, end string
		want       string
	}{
		"a start alone":               {"2025-01-05", "", "endDate: " + required},
		"an end alone":                {"", "2025-01-05", "startDate: " + required},
		"a day that does not exist":   {"2025-02-30", "2025-03-01", "startDate: " + form},
		"a moment without a zone":     {"2025-01-05", "2025-01-05T10:00:00", "endDate: " + form},
		"a moment before the year 1":  {"0001-01-01T00:00:00+01:00", "2025-01-05", "startDate: " + form},
		"both are told of":            {"x", "y", "startDate: " + form + "; endDate: " + form},
		"a start after the end":       {"2025-01-06", "2025-01-05", "startDate: must not be after endDate"},
		"a moment after its own day":  {"2025-01-06T00:00:00Z", "2025-01-05", "startDate: must not be after endDate"},
		"a moment after another":      {"2025-01-05T10:00:00.002Z", "2025-01-05T10:00:00.001Z", "startDate: must not be after endDate"},
		"an hour of one digit":        {"2025-01-05T1:00:00Z", "2025-01-06", "startDate: " + form},
		"a comma before the fraction": {"2025-01-05T10:00:00,5Z", "2025-01-06", "startDate: " + form},
		"an offset of a whole day":    {"2025-01-05T10:00:00+24:00", "2025-01-06", "startDate: " + form},
		"an offset that is no offset": {"2025-01-05T10:00:00+99:99", "2025-01-06", "startDate: " + form},
	}
	for reason, c := range cases {
		_, err := report.ParseCreated(c.start, c.end)
		require.EqualError(t, err, "invalid input: "+c.want, reason)
		require.ErrorIs(t, err, asset.ErrInvalid, reason)
	}
}
