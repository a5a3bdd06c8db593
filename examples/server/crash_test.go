package main

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/testsize"
)

const (
	crashRounds  = 5
	crashWriters = 4
	crashBatch   = 50
)

// TestCrash_LosesNothing kills the server while several clients add batches. After each
// kill, all of every answered batch must be stored, and all or nothing of every other.
func TestCrash_LosesNothing(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	db := filepath.Join(t.TempDir(), "crash.db")
	seeded := writeFile(t, seed)
	answered := make(map[string]bool)
	var sent []string

	for round := range crashRounds {
		s, process := startProcess(t, "-db", db, "-seed", seeded)
		requireWholeBatches(t, s.url, sent, answered)

		var (
			wg     sync.WaitGroup
			mu     sync.Mutex
			killed atomic.Bool
		)
		for writer := range crashWriters {
			wg.Go(func() {
				for i := 0; ; i++ {
					batch := fmt.Sprintf("r%d-w%d-b%d", round, writer, i)
					mu.Lock()
					sent = append(sent, batch)
					mu.Unlock()
					if !addBatch(t.Context(), s.url, batch) {
						return
					}
					mu.Lock()
					answered[batch] = true
					enough := len(answered) >= (round+1)*3*crashWriters
					mu.Unlock()
					if enough { // the other writers have a request in flight
						killed.Store(true)
						_ = process.Kill()
					}
				}
			})
		}
		wg.Wait()
		_ = process.Kill() // in case no writer got an answer
		require.Error(t, s.stop(), "the server was killed")
		require.True(t, killed.Load(), "too few batches were answered before the kill")
	}
	s, process := startProcess(t, "-db", db, "-seed", seeded)
	requireWholeBatches(t, s.url, sent, answered)
	require.NoError(t, process.Kill())
	require.Error(t, s.stop())
}

func batchContent(batch string, i int) string {
	return fmt.Sprintf("https://%s.example/%d", batch, i)
}

// addBatch reports whether the server answered that the whole batch was added.
func addBatch(ctx context.Context, url, batch string) bool {
	var body strings.Builder
	body.WriteString(`{"assets":[`)
	for i := range crashBatch {
		if i > 0 {
			body.WriteByte(',')
		}
		fmt.Fprintf(&body, `{"content":%q}`, batchContent(batch, i))
	}
	body.WriteString(`]}`)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/organization/assets", strings.NewReader(body.String()))
	if err != nil {
		return false
	}
	req.Header.Set("X-API-KEY", "apg_globex")
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false // the server was killed
	}
	defer resp.Body.Close()
	var reply struct {
		SuccessCount int `json:"successCount"`
	}
	return json.UnmarshalRead(resp.Body, &reply) == nil && reply.SuccessCount == crashBatch
}

func requireWholeBatches(t *testing.T, url string, sent []string, answered map[string]bool) {
	t.Helper()
	found := changelog(t, url)
	for _, batch := range sent {
		stored := 0
		for i := range crashBatch {
			if _, ok := found[batchContent(batch, i)]; ok {
				stored++
			}
		}
		if answered[batch] {
			require.Equal(t, crashBatch, stored, "the answered batch %s", batch)
		} else {
			require.Contains(t, []int{0, crashBatch}, stored, "the unanswered batch %s", batch)
		}
	}
}

// entry is one entry of a changelog reply.
type entry struct {
	Type     string `json:"type"`
	Content  string `json:"content"`
	ToStatus string `json:"toStatus"`
}

// changelog returns the whole changelog by content. It fails if a content occurs twice.
func changelog(t *testing.T, url string) map[string]entry {
	t.Helper()
	status, body := request(t, url, "apg_globex", call{path: "/asset/changelog", body: `{}`})
	require.Equal(t, http.StatusOK, status, body)
	var reply struct {
		Changelog []entry `json:"changelog"`
	}
	require.NoError(t, json.Unmarshal([]byte(body), &reply))
	found := make(map[string]entry, len(reply.Changelog))
	for _, e := range reply.Changelog {
		found[e.Content] = e
	}
	require.Len(t, found, len(reply.Changelog), "every content is unique")
	return found
}
