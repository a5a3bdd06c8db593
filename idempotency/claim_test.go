package idempotency_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/idempotency"
)

var noon = time.Date(2025, 1, 5, 12, 0, 0, 0, time.UTC)

func claim() idempotency.Claim {
	return idempotency.Claim{
		OrganizationID: 1, UserID: 2, Operation: "test",
		Key: idempotency.Key{Text: "k", Fingerprint: idempotency.FingerprintOf("request")},
		At:  noon,
	}
}

func TestClaim_IsZero(t *testing.T) {
	t.Parallel()
	require.True(t, idempotency.Claim{}.IsZero())
	require.False(t, claim().IsZero())
	withoutKey := claim()
	withoutKey.Key.Text = ""
	require.True(t, withoutKey.IsZero())
}

func TestClaim_ID(t *testing.T) {
	t.Parallel()
	for field, change := range map[string]func(*idempotency.Claim){
		"organization": func(c *idempotency.Claim) { c.OrganizationID++ },
		"user":         func(c *idempotency.Claim) { c.UserID++ },
		"operation":    func(c *idempotency.Claim) { c.Operation += "s" },
		"text":         func(c *idempotency.Claim) { c.Key.Text += "s" },
	} {
		changed := claim()
		change(&changed)
		require.NotEqual(t, claim().ID(), changed.ID(), field)
	}
}

// Two claims share a record exactly if owner, operation and text are equal.
func TestClaim_ID_Law(t *testing.T) {
	t.Parallel()
	claims := rapid.Custom(func(t *rapid.T) idempotency.Claim {
		return idempotency.Claim{
			OrganizationID: rapid.SampledFrom([]int64{0, 1, 11}).Draw(t, "organization"),
			UserID:         rapid.SampledFrom([]int64{0, 1, 11}).Draw(t, "user"),
			Operation:      rapid.SampledFrom([]string{"a", "1a"}).Draw(t, "operation"),
			Key:            idempotency.Key{Text: rapid.SampledFrom([]string{"a", "aa", "1"}).Draw(t, "text")},
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := claims.Draw(t, "a"), claims.Draw(t, "b")
		equal := a == b
		a.Key.Fingerprint, b.Key.Fingerprint = idempotency.FingerprintOf("a"), idempotency.FingerprintOf("b")
		a.At, b.At = noon, noon.Add(time.Hour)
		require.Equal(t, equal, a.ID() == b.ID())
	})
}

func TestClaim_Record(t *testing.T) {
	t.Parallel()
	c := claim()
	c.At = noon.Add(1_999_999 * time.Nanosecond).In(time.FixedZone("", 3600))
	require.Equal(t, idempotency.Record{
		ID: c.ID(), Fingerprint: c.Key.Fingerprint, Answer: []byte("answer"), At: noon.Add(time.Millisecond),
	}, c.Record([]byte("answer")))
}

func TestClaim_Check(t *testing.T) {
	t.Parallel()
	stored := claim().Record([]byte("answer"))
	for reason, c := range map[string]struct {
		after     time.Duration
		wantsLive bool
	}{
		"at once":                            {0, true},
		"just before it expires":             {idempotency.Lifetime - time.Millisecond, true},
		"less than a millisecond before":     {idempotency.Lifetime - time.Nanosecond, true},
		"when it expires":                    {idempotency.Lifetime, false},
		"long after":                         {1000 * time.Hour, false},
		"after the clock was set back":       {-time.Hour, true},
		"after it was set back by a year":    {-365 * 24 * time.Hour, true},
		"after it was set back by centuries": {-1 << 63, true},
	} {
		repeat, other := claim(), claim()
		repeat.At, other.At = noon.Add(c.after), noon.Add(c.after)
		other.Key.Fingerprint = idempotency.FingerprintOf("another request")
		if !c.wantsLive {
			require.NoError(t, repeat.Check(stored), reason)
			require.NoError(t, other.Check(stored), reason)
			continue
		}
		require.Equal(t, &idempotency.ReplayError{Answer: []byte("answer")}, repeat.Check(stored), reason)
		require.Equal(t, idempotency.ErrReused, other.Check(stored), reason)
	}
}

// A record that may be removed has expired for every clock that is behind by no more than its
// lifetime.
func TestPruneBefore_Law(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		stored := claim()
		stored.At = noon.Add(time.Duration(rapid.Int64Range(-100, 100).Draw(t, "hours")) * time.Hour)
		record := stored.Record(nil)
		behind := claim()
		behind.At = noon.Add(-time.Duration(rapid.Int64Range(0, int64(idempotency.Lifetime)).Draw(t, "behind")))
		if record.At.Before(idempotency.PruneBefore(noon)) {
			require.NoError(t, behind.Check(record))
		}
	})
}

func TestPruneBefore(t *testing.T) {
	t.Parallel()
	require.Equal(t, noon.Add(-48*time.Hour), idempotency.PruneBefore(noon))
}
