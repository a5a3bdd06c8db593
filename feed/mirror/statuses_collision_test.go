package mirror_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/storage/memory"
)

// Two assets have the same hash, in the list or in the feed. The Replica starts again with another hash function.
func TestMirror_NewCopy_collision(t *testing.T) {
	t.Parallel()
	for reason, later := range map[string]bool{"in the list": false, "in the feed": true} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			guard := apguard.New(memory.New(), apguard.Options{})
			setStatus(t, guard, "one.dev", asset.StatusBlocked)
			m := mirror.New(mirror.Options{})
			mirror.SetHash(m,
				func(asset.Identity) uint64 { return 1 },
				func(identity asset.Identity) uint64 { return uint64(identity.Canonical[0]) },
			)
			failures := make(chan error, 10)
			c := copied{m, feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{
				Views: []feed.View{m}, Interval: time.Millisecond,
				OnEvent: func(event feed.Event) {
					if event.Kind == feed.EventFailed {
						failures <- event.Err
					}
				},
			})}
			if later {
				start(t, c)
				setStatus(t, guard, "two.dev", asset.StatusAllowed)
				c.sync(t)
			} else {
				setStatus(t, guard, "two.dev", asset.StatusAllowed)
				start(t, c)
			}
			require.ErrorContains(t, <-failures, "two assets have the same hash")
			for content, want := range map[string]asset.Status{"one.dev": asset.StatusBlocked, "two.dev": asset.StatusAllowed} {
				got, err := m.Check(t.Context(), content)
				require.NoError(t, err)
				require.Equal(t, want, got.Status, content)
			}
		})
	}
}
