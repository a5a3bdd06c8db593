package dispute_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

func TestDecided_SetTimes(t *testing.T) {
	t.Parallel()
	nth := func(n int) (time.Duration, error) { return time.Duration(n), nil }
	for count, want := range map[int][2]time.Duration{
		0: {}, 1: {1, 1}, 2: {1, 2}, 3: {2, 3}, 9: {5, 9}, 10: {5, 9}, 11: {6, 10}, 100: {50, 90}, 101: {51, 91},
	} {
		decided := dispute.Decided{Accepted: count / 3, Rejected: count - count/3}
		require.NoError(t, decided.SetTimes(nth))
		require.Equal(t, want, [2]time.Duration{decided.Median, decided.Percentile90}, "of %d decisions", count)
		require.LessOrEqual(t, count, int(decided.Median)*2, "at least half take at most so long")
	}
	failure := errors.New("no store")
	decided := dispute.Decided{Accepted: 1}
	require.ErrorIs(t, decided.SetTimes(func(int) (time.Duration, error) { return 0, failure }), failure)
}

func TestQueueService_Decided_backwards(t *testing.T) {
	t.Parallel()
	queue := dispute.NewQueueService(nil, dispute.QueueOptions{}) // the store is not called
	_, err := queue.Decided(t.Context(), asset.Period{Since: time.Unix(1, 0), Before: time.Unix(1, 0)})
	require.ErrorIs(t, err, asset.ErrInvalid)
}
