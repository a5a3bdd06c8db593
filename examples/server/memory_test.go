package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/internal/benchtest"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/sqlite"
)

// oneEntry asks for a changelog of one entry, and wholeChangelog for all of it.
const (
	oneEntry       = `{"toStatus":"BLOCKED"}`
	wholeChangelog = `{}`
)

// TestAStreamTakesLittleHeap sends a long changelog. The server must never need
// more than 8 MiB of heap above those that it needs when it is idle.
func TestAStreamTakesLittleHeap(t *testing.T) {
	t.Parallel()
	const size = 200_000
	s := startObserved(t, "-db", filledFile(t, size))
	require.Equal(t, 1, s.stream(t, oneEntry, atOnce), "what the first request makes for all others is there")
	idle := s.heapInUse(t)
	largest, looks := s.mostHeapInUse(t, size)
	t.Logf("MiB of heap in use: %.2f when idle, %.2f while the changelog is sent", idle, largest)
	require.Greater(t, looks, 5)
	require.Less(t, largest-idle, 8.0, "MiB above idle")
}

// BenchmarkStreamMemory sends a changelog of 1,000,000 entries to a client that
// takes them as fast as it can, and to one that is slow. The figures are the largest
// during a stream, above those of the idle process after a small request.
//
// "MiB-resident" is all memory of the process, as the kernel counts it: that of Go,
// the pages that SQLite keeps at hand, and the program itself. "MiB-again" is the
// same for a second stream, above what the process has kept of the first.
// "MiB-heap" is what is in use of Go's heap right after a garbage collection, for
// which a third stream, of its own pace, stops now and then.
func BenchmarkStreamMemory(b *testing.B) {
	size := benchtest.Sized(1_000_000)
	path := filledFile(b, size)
	for _, client := range []struct {
		name string
		// newPace returns the pace of one stream.
		newPace func() func(taken int)
	}{
		{"fast", func() func(int) { return atOnce }},
		{"slow", slowly},
	} {
		b.Run(client.name, func(b *testing.B) {
			for b.Loop() {
				s := startObserved(b, "-db", path)
				s.stream(b, oneEntry, atOnce)
				idleHeap := s.heapInUse(b)
				resident := func() float64 {
					idle := s.resident(b)
					require.Equal(b, size+1, s.stream(b, wholeChangelog, client.newPace()))
					return s.mostResident(b) - idle
				}
				first, again := resident(), resident()
				heap, _ := s.mostHeapInUse(b, size)
				benchtest.Figures(b, map[string]float64{
					"MiB-resident": first,
					"MiB-again":    again,
					"MiB-heap":     heap - idleHeap,
				})
			}
		})
	}
}

// filledFile returns a file with the seed and that many assets more, whole batches
// of them. Each has one change.
func filledFile(tb testing.TB, size int) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "filled.db")
	store, err := sqlite.Open(tb.Context(), path, sqlite.Options{})
	require.NoError(tb, err)
	first, err := storage.ReadSeed(strings.NewReader(seed))
	require.NoError(tb, err)
	require.NoError(tb, store.Import(tb.Context(), first))
	benchtest.Fill(tb, store, size/allowlist.MaxItems)
	require.NoError(tb, store.Close())
	return path
}

// stream reads a changelog and returns how many entries it has. It tells pace how
// many bytes it has taken, and takes no more before pace returns.
func (o observed) stream(tb testing.TB, body string, pace func(taken int)) (entries int) {
	tb.Helper()
	req, err := http.NewRequestWithContext(tb.Context(), http.MethodPost, o.url+"/asset/changelog", strings.NewReader(body))
	require.NoError(tb, err)
	req.Header.Set("X-API-KEY", "apg_globex")
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(tb, err)
	defer resp.Body.Close()
	require.Equal(tb, http.StatusOK, resp.StatusCode)
	taken, objects, part := 0, 0, make([]byte, 32<<10)
	for {
		n, err := resp.Body.Read(part)
		taken, objects = taken+n, objects+bytes.Count(part[:n], []byte("{"))
		if errors.Is(err, io.EOF) {
			return objects - 1 // the reply is one itself
		}
		require.NoError(tb, err)
		pace(taken)
	}
}

// atOnce is the pace of a client that takes what there is.
func atOnce(int) {}

// slowly returns the pace of a client that takes at most 10 MiB in a second.
func slowly() func(taken int) {
	const part = 128 << 10
	tick, due := time.Tick(time.Second/80), 0
	return func(taken int) {
		for ; taken > due; due += part {
			<-tick
		}
	}
}

// mostHeapInUse takes the whole changelog and looks at the server's heap now and
// then. It takes nothing meanwhile, so that the server stands still with all that
// it has. It returns the most MiB in use, and how often it has looked.
func (o observed) mostHeapInUse(tb testing.TB, size int) (most float64, looks int) {
	tb.Helper()
	const often = 2 << 20
	entries := o.stream(tb, wholeChangelog, func(taken int) {
		if taken >= looks*often {
			most = max(most, o.heapInUse(tb))
			looks++
		}
	})
	require.Equal(tb, size+1, entries)
	return most, looks
}
