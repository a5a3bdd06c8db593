package sqlstore

import (
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
)

// Millis returns how a time stands in a column: whole milliseconds since 1970.
func Millis(t time.Time) int64 {
	return t.UnixMilli()
}

// Time returns the time that stands in a column, in UTC. The zero time comes
// back as the zero time.
func Time(millis int64) time.Time {
	return time.UnixMilli(millis).UTC()
}

// ceilMillis rounds up to the next whole millisecond. A column is below t when it
// is below that, as columns have no part of a millisecond.
func ceilMillis(t time.Time) int64 {
	if asset.Moment(t).Equal(t) {
		return Millis(t)
	}
	return Millis(t) + 1
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
