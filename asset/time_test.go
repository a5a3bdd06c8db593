package asset_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

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

// rfc3339 is the format of RFC 3339, section 5.6.
var rfc3339 = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// ParseTime accepts exactly the texts of the format that are a time.
func TestParseTime_law(t *testing.T) {
	t.Parallel()
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		for range 100 {
			text := drawTime(t)
			upper := strings.ToUpper(text)
			parsed, err := time.Parse(time.RFC3339, upper)
			want := err == nil && rfc3339.MatchString(upper) && parsed.UTC().Year() >= 1
			got, ok := asset.ParseTime(text)
			require.Equal(t, want, ok, text)
			if ok {
				accepted++
				require.True(t, parsed.Equal(got))
			}
		}
	})
	require.Positive(t, accepted)
}

// drawTime draws a text that is nearly a time.
func drawTime(t *rapid.T) string {
	part := func(parts ...string) string { return rapid.SampledFrom(parts).Draw(t, "part") }
	text := part("2025", "2025", "0000", "0001", "9999", "25") + part("-", "-", "-", "-", "") + part("01", "12", "13", "1") + "-" +
		part("05", "05", "31", "5") + part("T", "T", "t", " ") + part("00", "23", "23", "24", "1", "9") + ":" + part("00", "59", "59", "60", "1") +
		part(":00", ":59", ":59", ":60", ":1", "") + part("", "", ".5", ",5", ".123456789", ".") +
		part("Z", "z", "", "+00:00", "-23:59", "+24:00", "+01:60", "-1:00", "+0100", "+09:5")
	if rapid.IntRange(0, 9).Draw(t, "byte") == 0 {
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		text = text[:at] + part("0", "a", ":", ",", "Z", "") + text[at+1:]
	}
	return text
}
