package lists_test

import (
	"bufio"
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/lists"
)

// generated is a reader of a list with n entries, each of them another host of a usual length.
func generated(t *testing.T, before string, n int, entry, after string) io.Reader {
	t.Helper()
	r, w := io.Pipe()
	go func() {
		out := bufio.NewWriter(w)
		_, _ = out.WriteString(before)
		for i := range n {
			_, _ = fmt.Fprintf(out, entry, i)
		}
		_, _ = out.WriteString(after)
		_ = out.Flush()
		_ = w.Close()
	}()
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// A list whose entries must be remembered takes at most 64 bytes for each.
func TestRead_MemoryOfEntries(t *testing.T) { //nolint:paralleltest // it measures the memory of the process
	testsize.Measurement(t)
	const (
		entries = 1_000_000
		most    = 64 // bytes
	)
	for _, c := range []struct {
		reason               string
		format               lists.Format
		before, entry, after string
	}{
		{"hosts", lists.Hosts, "", "0.0.0.0 login-%d.evil.com\n", ""},
		{"a CSV file", lists.CSV, "content\n", "login-%d.evil.com\n", ""},
		{"JSON Lines", lists.JSONLines, "", "{\"content\":\"login-%d.evil.com\"}\n", ""},
		{"a blacklist", lists.PhishingDetect, "{\"blacklist\":[\n", "\"login-%d.evil.com\",\n", "\"last.com\"]}"},
		{"a whitelist", lists.PhishingDetect, "{\"whitelist\":[\n", "\"login-%d.evil.com\",\n", "\"last.com\"]}"},
		{"hosts that are refused", lists.PhishingDetect, "{\"blacklist\":[", "\"login-%d\",", "\"last.com\"]}"},
	} {
		runtime.GC()
		var before, now runtime.MemStats
		runtime.ReadMemStats(&before)
		read, peak := 0, uint64(0)
		for _, err := range lists.Read(generated(t, c.before, entries, c.entry, c.after), c.format, lists.ReadOptions{}) {
			require.NoError(t, err, c.reason)
			if read++; read%(entries/4) == 1 || read == entries {
				runtime.GC()
				runtime.ReadMemStats(&now)
				peak = max(peak, now.HeapAlloc)
			}
		}
		bytes := float64(peak-before.HeapAlloc) / entries
		t.Logf("%s: %.1f bytes for each entry", c.reason, bytes)
		require.GreaterOrEqual(t, read, entries, c.reason)
		require.LessOrEqual(t, bytes, float64(most), c.reason)
	}
}
