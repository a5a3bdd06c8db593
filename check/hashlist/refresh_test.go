package hashlist

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/hashwire"
)

// A response that does not fit is replaced by the whole list, and no other is.
func TestList_Refresh(t *testing.T) {
	t.Parallel()
	away := errors.New("away")
	fresh := whole(versionAt(1, 20), []uint64{2}, nil)
	for reason, refresh := range map[string]struct {
		first, second []hashwire.HashList
		err           error
		requests      int
		want          uint64
	}{
		"a difference":                    {difference(versionAt(1, 20), []uint64{1}, []uint64{3}, nil, nil), nil, nil, 1, 3},
		"a whole list":                    {fresh, nil, nil, 1, 2},
		"damaged, then whole":             {nil, fresh, nil, 2, 2},
		"damaged twice":                   {nil, nil, ErrDamaged, 2, 1},
		"a replayed difference":           {difference(versionAt(1, 10), nil, []uint64{1}, nil, nil), fresh, nil, 2, 2},
		"older than what is held":         {whole(versionAt(1, 9), []uint64{2}, nil), fresh, ErrDowngraded, 1, 1},
		"damaged, then older than before": {nil, whole(versionAt(1, 9), []uint64{2}, nil), ErrDowngraded, 2, 1},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			l := New(time.Hour)
			require.NoError(t, update(l, whole(versionAt(1, 10), []uint64{1}, nil)...))
			var versions []string
			err := l.Refresh(t.Context(), func(_ context.Context, version string) (Response, error) {
				versions = append(versions, version)
				lists := refresh.first
				if len(versions) == 2 {
					lists = refresh.second
				}
				return Response{Data: hashwire.Encode(lists...), AsOf: time.Now(), Rules: classify.Version}, nil
			})
			require.ErrorIs(t, err, refresh.err)
			first := New(time.Hour)
			require.NoError(t, update(first, whole(versionAt(1, 10), nil, nil)...))
			require.Equal(t, []string{first.State().Version, ""}[:refresh.requests], versions)
			requireHashes(t, l, []uint64{refresh.want}, nil)
		})
	}
	t.Run("the server is away", func(t *testing.T) {
		t.Parallel()
		require.ErrorIs(t, New(time.Hour).Refresh(t.Context(), func(context.Context, string) (Response, error) { return Response{}, away }), away)
	})
	t.Run("nothing is held, and the response is damaged", func(t *testing.T) {
		t.Parallel()
		requests := 0
		require.ErrorIs(t, New(time.Hour).Refresh(t.Context(), func(context.Context, string) (Response, error) {
			requests++
			return Response{Rules: classify.Version}, nil
		}), ErrDamaged)
		require.Equal(t, 1, requests)
	})
}

// Two refreshes at the same time do not fetch the same difference, of which the second one would not fit.
func TestList_Refresh_concurrent(t *testing.T) {
	t.Parallel()
	l := New(time.Hour)
	ended := make(chan error)
	fetch := func(context.Context, string) (Response, error) {
		return Response{Data: hashwire.Encode(whole(versionAt(1, 20), []uint64{2}, nil)...), AsOf: time.Now(), Rules: classify.Version}, nil
	}
	require.NoError(t, l.Refresh(t.Context(), func(ctx context.Context, version string) (Response, error) {
		go func() { ended <- l.Refresh(ctx, fetch) }()
		require.False(t, l.refreshing.TryLock(), "the other one must wait")
		return fetch(ctx, version)
	}))
	require.NoError(t, <-ended)
}
