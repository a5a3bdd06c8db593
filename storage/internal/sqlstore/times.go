package sqlstore

import (
	"math"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
)

// Millis returns how a time stands in a column: whole milliseconds since 1970. Times
// for which there is no such number stand as the last that has one.
func Millis(t time.Time) int64 {
	switch {
	case t.Before(time.UnixMilli(math.MinInt64)):
		return math.MinInt64
	case t.After(time.UnixMilli(math.MaxInt64)):
		return math.MaxInt64
	default:
		return t.UnixMilli()
	}
}

// Time returns the time that stands in a column, in UTC. The zero time comes
// back as the zero time.
func Time(millis int64) time.Time {
	return time.UnixMilli(millis).UTC()
}

// ceilMillis rounds up to the next whole millisecond. A column is below t when it
// is below that, as columns have no part of a millisecond.
func ceilMillis(t time.Time) int64 {
	millis := Millis(t)
	if millis == math.MaxInt64 || asset.TruncateTime(t).Equal(t) {
		return millis
	}
	return millis + 1
}

// within returns the conditions that the column lies in the period.
func within(column string, period asset.Period) squirrel.And {
	var conditions squirrel.And
	if !period.Since.IsZero() {
		conditions = append(conditions, squirrel.GtOrEq{column: ceilMillis(period.Since)})
	}
	if !period.Before.IsZero() {
		conditions = append(conditions, squirrel.Lt{column: ceilMillis(period.Before)})
	}
	return conditions
}
