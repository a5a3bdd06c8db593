package sqlstore_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

func TestTime_RoundTrip(t *testing.T) {
	t.Parallel()
	require.Equal(t, time.Time{}, sqlstore.Time(sqlstore.Millis(time.Time{})), "zero time")
	rapid.Check(t, func(t *rapid.T) {
		zone := time.FixedZone("", rapid.IntRange(-14*3600, 14*3600).Draw(t, "offset"))
		at := time.Unix(rapid.Int64Range(-62135596800, 253402300799).Draw(t, "seconds"),
			rapid.Int64Range(0, 999999999).Draw(t, "nanoseconds")).In(zone)
		require.Equal(t, step.TruncateTime(at), sqlstore.Time(sqlstore.Millis(at)))
	})
}
