package hotlist

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/follow"
	"github.com/apguard/apguard/lists"
)

// Clients that missed much wait for each other, but not in a long line.
func TestHotlist_busy(t *testing.T) {
	t.Parallel()
	const changes, clients = 2000, 16
	now := time.Now().Unix()
	history := follow.NewLog[change](0)
	for position := range int64(changes) {
		history = history.Append(position+1, change{at: now}, changes)
	}
	h := &Hotlist{}
	p := newPublished(asset.StoreID{}, changes+1, lists.WalletList{}, history)
	h.published.Store(p)
	for _, c := range []struct {
		name      string
		responses *follow.Responses
		request   func() (Response, error)
	}{
		{"differences", &p.diffs, func() (Response, error) { return h.DiffsSince(1) }},
		{"hashes of hosts", &p.requests, func() (Response, error) { return h.RequestBlocklist(now) }},
	} {
		errs := make(chan error)
		c.responses.Get(-1, changes, func() []byte {
			for range clients {
				go func() {
					_, err := c.request()
					errs <- err
				}()
			}
			require.ErrorIs(t, <-errs, asset.ErrUnavailable, c.name)
			return nil
		})
		for range clients - 1 {
			require.NoError(t, <-errs, c.name)
		}
	}
}
