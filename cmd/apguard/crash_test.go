package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
)

const (
	repeaters   = 4
	repeatBatch = 5
	// repeatsAtOnce is how often a client sends a request at the same time.
	repeatsAtOnce = 2
	// maxSent is the maximum number of requests before a kill, and maxKillDelay the maximum
	// time between the last one and the kill.
	maxSent      = 60
	maxKillDelay = 10 * time.Millisecond
)

// crashingDatabases returns functions that return the name of a new database.
func crashingDatabases() map[string]func(testing.TB) string {
	return map[string]func(testing.TB) string{
		"SQLite":     func(tb testing.TB) string { tb.Helper(); return filepath.Join(tb.TempDir(), "crash.db") },
		"PostgreSQL": postgresSchema,
	}
}

// TestCrash_Repeats kills the server at random moments, while clients repeat each request
// with its idempotency key until it is answered. Each key must be executed exactly once, and
// all answers to it must have the same bytes.
func TestCrash_Repeats(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	for name, newDB := range crashingDatabases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := newDB(t)
			args := []string{"-db", db, "-rate", "0", "-seed", writeFile(t, strings.Replace(seed, `"allowlist"`, `"allowlist", "dispute"`, 1))}
			var clients [repeaters]repeater
			for i := range clients {
				clients[i] = repeater{name: fmt.Sprintf("client-%d", i), disputes: i%2 == 0}
			}
			interrupted := 0
			for range testsize.Of(1, 5, 10) {
				s, process := startProcess(t, args...)
				repeatUntilKilled(t, s.url, clients[:], process)
				require.Error(t, s.stop(), "the server was killed")
				for _, client := range clients {
					interrupted += client.unanswered()
				}
			}

			s, process := startProcess(t, args...)
			lost, count := 0, 0
			for i := range clients {
				lost += clients[i].finish(t, s.url)
				count += len(clients[i].requests)
			}
			changed := changelog(t, s.url)
			require.NoError(t, process.Kill())
			require.Error(t, s.stop())

			ids := storedIDs(t, db)
			for _, client := range clients {
				for _, r := range client.requests {
					require.Equal(t, r.want(ids), r.answer, "the answer to key %s tells what is stored", r.key)
					for _, part := range r.parts() {
						delete(ids, part)
						delete(changed, part)
					}
				}
			}
			require.Empty(t, ids, "nothing else is stored")
			require.Len(t, changed, 1, "nothing else was changed, except by the seed")
			t.Logf("%d keys; kills interrupted requests of %d, of which %d had been executed", count, interrupted, lost)
		})
	}
}

// repeatUntilKilled lets the clients send requests, and kills the server at a random moment.
func repeatUntilKilled(t *testing.T, url string, clients []repeater, process *os.Process) {
	t.Helper()
	var (
		running sync.WaitGroup
		sent    atomic.Int64
	)
	last := 1 + rand.Int64N(maxSent)
	delay := rand.N(maxKillDelay)
	sending := func() {
		if sent.Add(1) == last {
			time.AfterFunc(delay, func() { _ = process.Kill() })
		}
	}
	for i := range clients {
		running.Go(func() {
			for clients[i].sendPending(t, url, sending) {
			}
		})
	}
	running.Wait()
	_ = process.Kill() // in case that the clients stopped because of a failure
	require.False(t, t.Failed())
	require.GreaterOrEqual(t, sent.Load(), last, "the clients stopped before the kill")
}

// repeater is a client that repeats a request until it is answered, and then sends the next.
type repeater struct {
	name     string
	disputes bool
	// requests are those that were sent. Only the last one can lack an answer.
	requests []*repeatedRequest
}

func (c *repeater) unanswered() int {
	if n := len(c.requests); n > 0 && c.requests[n-1].answer == "" {
		return 1
	}
	return 0
}

// sendPending sends the request without an answer, or else a new one. It calls sending before
// each time. It reports false if the server is gone.
func (c *repeater) sendPending(t *testing.T, url string, sending func()) bool {
	t.Helper()
	if c.unanswered() == 0 {
		c.requests = append(c.requests, &repeatedRequest{key: fmt.Sprintf("%s-%d", c.name, len(c.requests)), dispute: c.disputes})
	}
	r := c.requests[len(c.requests)-1]
	var (
		together sync.WaitGroup
		answered [repeatsAtOnce]bool
	)
	for i := range answered {
		together.Go(func() {
			sending()
			answered[i] = r.send(t, url)
		})
	}
	together.Wait()
	for _, ok := range answered {
		if !ok {
			return false
		}
	}
	return !t.Failed()
}

// finish gets the last answer, and repeats every request once more. It returns how many
// requests were executed without an answer.
func (c *repeater) finish(t *testing.T, url string) (lost int) {
	t.Helper()
	if c.unanswered() == 1 {
		require.True(t, c.sendPending(t, url, func() {}))
	}
	for _, r := range c.requests {
		if !r.executed {
			lost++
			r.executed = true // no repeat may execute it
		}
		require.True(t, r.send(t, url))
	}
	return lost
}

// repeatedRequest is a request with an idempotency key.
type repeatedRequest struct {
	key     string
	dispute bool

	mu sync.Mutex
	// answer is the body of every answer, or empty if there was none.
	answer string
	// executed reports whether an answer came that is not that of an earlier request.
	executed bool
}

// send sends the request, and reports whether the server answered.
func (r *repeatedRequest) send(t *testing.T, url string) bool {
	t.Helper()
	path, body := r.pathAndBody()
	req, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodPost, url+path, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return false
	}
	req.Header.Set("X-API-KEY", "apg_globex")
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", r.key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false // the server was killed
	}
	defer resp.Body.Close() //nolint:errcheck // it is only read
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return false
	}
	r.take(t, resp, string(text))
	return true
}

// take checks an answer.
func (r *repeatedRequest) take(t *testing.T, resp *http.Response, body string) {
	t.Helper()
	if resp.StatusCode == http.StatusConflict || resp.StatusCode == http.StatusServiceUnavailable {
		return // to be repeated
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	executed := resp.Header.Get("Idempotency-Replayed") == ""
	switch {
	case resp.StatusCode != http.StatusOK:
		t.Errorf("key %s: %d %s", r.key, resp.StatusCode, body)
	case r.answer != "" && r.answer != body:
		t.Errorf("key %s was answered with %s and %s", r.key, r.answer, body)
	case executed && r.executed:
		t.Errorf("key %s was executed twice", r.key)
	}
	r.answer = body
	r.executed = r.executed || executed
}

// parts returns the contents of a batch, or the e-mail address of a dispute. No other request
// has them.
func (r *repeatedRequest) parts() []string {
	if r.dispute {
		return []string{r.key + "@globex.example"}
	}
	contents := make([]string, repeatBatch)
	for i := range contents {
		contents[i] = batchContent(r.key, i)
	}
	return contents
}

func (r *repeatedRequest) pathAndBody() (path, body string) {
	if r.dispute {
		return "/dispute/create", fmt.Sprintf(`{"content":"https://bad.example","email":%q}`, r.parts()[0])
	}
	items := make([]string, repeatBatch)
	for i, content := range r.parts() {
		items[i] = fmt.Sprintf(`{"content":%q}`, content)
	}
	return "/organization/assets", `{"assets":[` + strings.Join(items, ",") + `]}`
}

// want returns the answer to the request, given the IDs of what is stored.
func (r *repeatedRequest) want(ids map[string]int64) string {
	if r.dispute {
		return fmt.Sprintf(`{"id":"%d","content":"https://bad.example"}`, ids[r.parts()[0]])
	}
	results := make([]string, repeatBatch)
	for i, content := range r.parts() {
		results[i] = fmt.Sprintf(`{"content":%q,"success":true,"id":%d}`, content, ids[content])
	}
	return fmt.Sprintf(`{"results":[%s],"successCount":%d,"errorCount":0}`, strings.Join(results, ","), repeatBatch)
}

// storedIDs returns the asset IDs of the allowlist by content, and the IDs of all disputes by
// e-mail address. Each must occur once.
func storedIDs(t *testing.T, db string) map[string]int64 {
	t.Helper()
	ids := make(map[string]int64)
	put := func(part string, id int64) {
		require.NotContains(t, ids, part)
		ids[part] = id
	}
	withStore(t, db, func(store storage.Store) {
		guard := apguard.New(store, apguard.Options{})
		for request := (allowlist.ListRequest{OrganizationID: 7}); ; {
			page, err := guard.Allowlist.List(t.Context(), request)
			require.NoError(t, err)
			for _, e := range page.Entries {
				put(e.Content, e.Asset.ID)
			}
			if request.Cursor = page.NextCursor; request.Cursor == 0 {
				break
			}
		}
		for request := (dispute.ListRequest{}); ; {
			page, err := guard.DisputeQueue.List(t.Context(), request)
			require.NoError(t, err)
			for _, d := range page.Disputes {
				put(d.Email, d.ID)
			}
			if request.Cursor = page.NextCursor; request.Cursor == (dispute.Cursor{}) {
				break
			}
		}
	})
	return ids
}

func batchContent(batch string, i int) string {
	return fmt.Sprintf("https://%s.example/%d", batch, i)
}
