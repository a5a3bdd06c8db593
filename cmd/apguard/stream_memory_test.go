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
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
)

// oneEntry is a request for one entry of the changelog, and wholeChangelog for all.
const (
	oneEntry       = `{"toStatus":"BLOCKED"}`
	wholeChangelog = `{}`
)

// TestStream_Heap sends a long changelog. The server must not use more than 8 MiB of heap
// above the idle server.
func TestStream_Heap(t *testing.T) {
	t.Parallel()
	testsize.Measurement(t)
	const size = 200_000
	s := startMeasured(t, "-db", filledFile(t, size))
	require.Equal(t, 1, s.stream(t, oneEntry, unlimited), "the first request initializes caches")
	idle := s.heapInUse(t)
	largest, measurements := s.mostHeapInUse(t, size)
	t.Logf("MiB of heap in use: %.2f idle, %.2f during the changelog", idle, largest)
	require.Greater(t, measurements, 5)
	require.Less(t, largest-idle, 8.0, "MiB above the idle server")
}

// BenchmarkStreamMemory sends a changelog of 1,000,000 entries to a fast client and to a
// slow one. The figures are the peaks during a stream, above the idle process after a small
// request.
//
// "MiB-resident" is the resident memory of the process: Go's memory, the page cache of
// SQLite, and the program itself. "MiB-again" is the same for a second stream, above what
// the process has kept of the first. "MiB-heap" is the Go heap in use after a garbage
// collection. It is measured in a third stream, which pauses for that.
func BenchmarkStreamMemory(b *testing.B) {
	size := benchtest.Sized(1_000_000)
	path := filledFile(b, size)
	for _, client := range []struct {
		name string
		// newPace returns the pace of one stream.
		newPace func() func(taken int)
	}{
		{"fast", func() func(int) { return unlimited }},
		{"slow", throttled},
	} {
		b.Run(client.name, func(b *testing.B) {
			for b.Loop() {
				s := startMeasured(b, "-db", path)
				s.stream(b, oneEntry, unlimited)
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

// filledFile returns a database file with the seed and that many more assets, in whole
// batches. Each has one change.
func filledFile(tb testing.TB, size int) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "filled.db")
	store, err := openFile(tb.Context(), path)
	require.NoError(tb, err)
	first, err := storage.ReadSeed(strings.NewReader(seed))
	require.NoError(tb, err)
	require.NoError(tb, store.Import(tb.Context(), first))
	benchtest.Fill(tb, accounttest.Organizations(tb, store, 1), size/allowlist.MaxItems)
	require.NoError(tb, store.Close())
	return path
}

// stream reads a changelog and returns its number of entries. After each read it calls
// pace with the number of bytes so far, and reads on when pace returns.
func (o measuredServer) stream(tb testing.TB, body string, pace func(taken int)) (entries int) {
	tb.Helper()
	req, err := http.NewRequestWithContext(tb.Context(), http.MethodPost, o.url+"/asset/changelog", strings.NewReader(body))
	require.NoError(tb, err)
	req.Header.Set("X-API-KEY", "apg_globex")
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(tb, err)
	defer resp.Body.Close() //nolint:errcheck // it is only read
	require.Equal(tb, http.StatusOK, resp.StatusCode)
	taken, objects, part := 0, 0, make([]byte, 32<<10)
	for {
		n, err := resp.Body.Read(part)
		taken, objects = taken+n, objects+bytes.Count(part[:n], []byte("{"))
		if errors.Is(err, io.EOF) {
			return objects - 1 // the reply itself is an object
		}
		require.NoError(tb, err)
		pace(taken)
	}
}

// unlimited is the pace of a fast client.
func unlimited(int) {}

// throttled returns the pace of a client that reads 10 MiB per second.
func throttled() func(taken int) {
	const part = 128 << 10
	tick, due := time.Tick(time.Second/80), 0
	return func(taken int) {
		for ; taken > due; due += part {
			<-tick
		}
	}
}

// mostHeapInUse reads the whole changelog and measures the server's heap every 2 MiB. It
// does not read meanwhile, so the server waits with all that it holds. It returns the
// greatest heap in MiB and the number of measurements.
func (o measuredServer) mostHeapInUse(tb testing.TB, size int) (most float64, measurements int) {
	tb.Helper()
	const often = 2 << 20
	entries := o.stream(tb, wholeChangelog, func(taken int) {
		if taken >= measurements*often {
			most = max(most, o.heapInUse(tb))
			measurements++
		}
	})
	require.Equal(tb, size+1, entries)
	return most, measurements
}
