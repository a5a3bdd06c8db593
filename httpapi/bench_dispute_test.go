//go:build cgo

package httpapi_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// BenchmarkCreateDispute creates disputes from 64 concurrent clients. "x/nothing" is the
// rate relative to a store that discards disputes, and "x/nothing-memory" relative to one
// that also looks up keys in memory.
func BenchmarkCreateDispute(b *testing.B) {
	const clients, each = 64, 128
	store := openFilled(b, disputedAssets)
	inMemory := memory.New()
	require.NoError(b, inMemory.Import(b.Context(), seed()))
	next := new(atomic.Int64)
	from := func(store storage.Store) func(int) {
		address := listen(b, store)
		connections := make([]*client, 0, clients)
		for range clients {
			connections = append(connections, dial(b, address))
		}
		return func(int) {
			var group sync.WaitGroup
			for _, client := range connections {
				group.Go(func() {
					for range each {
						if err := client.send(newDispute(next.Add(1)), http.StatusOK, io.Discard); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			group.Wait()
		}
	}
	real, nothing, nothingInMemory := from(store), from(&discardingStore{Store: store}), from(&discardingStore{Store: inMemory})
	for b.Loop() {
		times := benchtest.Medians(benchtest.Rounds, real, nothing, nothingInMemory)
		benchtest.Figures(b, map[string]float64{
			"disputes/s":       clients * each / times[0] * 1000,
			"x/nothing":        times[1] / times[0],
			"x/nothing-memory": times[2] / times[0],
		})
	}
}

// disputedAssets is the number of assets that are disputed.
const disputedAssets = 10 * allowlist.MaxItems

// newDispute returns a request to create a dispute that is unique by its number.
func newDispute(number int64) []byte {
	asset := int(number % disputedAssets)
	return jsonOf(disputePath, fmt.Sprintf(`{"content":%q,"email":"ada+%d@acme.test","description":"This site is ours."}`,
		benchtest.URL(asset/allowlist.MaxItems, asset%allowlist.MaxItems), number))
}

// discardingStore discards disputes.
type discardingStore struct {
	storage.Store
	last atomic.Int64
}

func (s *discardingStore) CreateDispute(_ context.Context, cmd dispute.CreateCommand) (dispute.Dispute, error) {
	return dispute.Dispute{
		ID:          s.last.Add(1),
		Content:     cmd.Content,
		Email:       cmd.Email,
		Description: cmd.Description,
		CreatedAt:   cmd.At,
	}, nil
}
