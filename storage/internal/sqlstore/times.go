package sqlstore

import (
	"fmt"
	"math"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
)

// Millis returns the value of a time in a column: whole milliseconds since 1970, or the
// nearest representable value.
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

// Time returns the time of a value in a column, in UTC. It round-trips the zero time.
func Time(millis int64) time.Time {
	return time.UnixMilli(millis).UTC()
}

// timeColumn scans the value of a column into a time, as [Time] returns it.
type timeColumn time.Time

// Scan implements sql.Scanner.
func (t *timeColumn) Scan(value any) error {
	millis, ok := value.(int64)
	if !ok {
		return fmt.Errorf("no time: %T", value)
	}
	*t = timeColumn(Time(millis))
	return nil
}

// ceilMillis is Millis rounded up. A column is before t if it is below ceilMillis(t), as
// columns have whole milliseconds.
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
