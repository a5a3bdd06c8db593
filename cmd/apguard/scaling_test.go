package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/testsize"
)

// scalingCommands are the commands of the file in their order.
type scalingCommands struct {
	prepare, primary, standby, look, build, write, organization, read, mirror string
	stop, promote, follow                                                     string
	alone, again                                                              string
}

func readScalingCommands(t *testing.T) (c scalingCommands) {
	t.Helper()
	for title, places := range map[string][]*string{
		"## Two servers and a standby": {&c.prepare, &c.primary, &c.standby, &c.look, &c.build, &c.write, &c.organization, &c.read, &c.mirror},
		"## Switch over":               {&c.stop, &c.promote, &c.follow},
		"## When the primary fails":    {&c.alone, &c.again},
	} {
		blocks := codeBlocks(t, scalingFile, title, "sh")
		require.Len(t, blocks, len(places), title)
		for i, place := range places {
			*place = strings.TrimSpace(blocks[i])
		}
	}
	return c
}

// additions add assets through several servers in turn, each with an idempotency key, and repeat an
// addition until it succeeds.
type additions struct {
	group sync.WaitGroup
	stop  chan struct{}
	// done has the number of assets that each client has added.
	done [3]atomic.Int64
}

func startAdditions(t *testing.T, key string, servers ...server) *additions {
	t.Helper()
	a := &additions{stop: make(chan struct{})}
	for client := range a.done {
		a.group.Go(func() {
			for n := int64(0); !t.Failed() && t.Context().Err() == nil; n++ {
				select {
				case <-a.stop:
					return
				default:
					a.add(t, key, servers, addition(client, n))
					a.done[client].Add(1)
				}
			}
		})
	}
	t.Cleanup(a.group.Wait)
	return a
}

func addition(client int, n int64) string { return fmt.Sprintf("https://%d-%d.example", client, n) }

// add repeats an addition until it succeeds.
func (a *additions) add(t *testing.T, key string, servers []server, content string) {
	t.Helper()
	retry := time.Tick(100 * time.Millisecond)
	for try := 0; ; try++ {
		status, body := tryAddition(t.Context(), servers[try%len(servers)].url, key, content)
		switch {
		case status == http.StatusOK && strings.Contains(body, `"successCount":1`), t.Context().Err() != nil:
			return
		case !slices.Contains([]int{0, http.StatusConflict, http.StatusTooManyRequests, http.StatusServiceUnavailable}, status):
			t.Error(status, body) // also if a repetition is executed again
			return
		}
		<-retry
	}
}

// tryAddition sends an addition once. The status is 0 if no answer comes.
func tryAddition(ctx context.Context, url, key, content string) (status int, body string) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/organization/assets", strings.NewReader(fmt.Sprintf(`{"assets":[{"content":%q}]}`, content)))
	if err != nil {
		return http.StatusInternalServerError, err.Error()
	}
	req.Header.Set("X-API-KEY", key)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", content)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close() //nolint:errcheck // it is only read
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err.Error()
	}
	return resp.StatusCode, string(text)
}

// more waits until each client has added more assets.
func (a *additions) more(t *testing.T) {
	t.Helper()
	for client := range a.done {
		enough := a.done[client].Load() + 5
		require.Eventually(t, func() bool { return a.done[client].Load() > enough }, time.Minute, time.Millisecond)
	}
}

// last returns the last asset of a client.
func (a *additions) last(client int) string { return addition(client, a.done[client].Load()-1) }

// requireAll ends the additions, and requires that the changelog of a server has each asset once.
func (a *additions) requireAll(t *testing.T, s server, key string) {
	t.Helper()
	close(a.stop)
	a.group.Wait()
	status, body := request(t, s.url, key, call{path: "/asset/changelog", body: "{}"})
	require.Equal(t, http.StatusOK, status, body)
	total := int64(0)
	for client := range a.done {
		total += a.done[client].Load()
		for n := range a.done[client].Load() {
			require.Equal(t, 1, strings.Count(body, `"`+addition(client, n)+`"`), addition(client, n))
		}
	}
	require.EqualValues(t, total, strings.Count(body, `"assetId"`))
	t.Log(total, "assets")
}

// The commands of docs/scaling.md set up servers that lose nothing when the primary is switched and
// when it fails, while clients add assets.
func TestScaling(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	commands, m := readScalingCommands(t), newMachines(t)
	m.prepare = commands.prepare
	db1, db2 := m.newDatabase(t), m.newDatabase(t)
	db1.run(t, commands.primary)
	db2.run(t, commands.standby)
	standbyIs := func(state string) {
		t.Helper()
		require.Eventually(t, func() bool { return db1.try(t, commands.look+" | grep '"+state+"'") == nil }, time.Minute, 100*time.Millisecond)
	}
	standbyIs("streaming | sync")

	connect, build, _ := strings.Cut(commands.build, "\n")
	m.connect = m.here(connect) + "\n"
	shell(t, "../..", m.here(build))
	first := m.serve(t, commands.write)
	second := m.serve(t, strings.ReplaceAll(commands.write, "192.0.2.3", "192.0.2.4"))
	key := regexp.MustCompile(`(?m)^apg_\w+$`).FindString(m.shell(t, commands.organization))
	writing := startAdditions(t, key, first, second)
	writing.more(t)
	reading, mirror := m.serve(t, commands.read), m.mirror(t, commands.mirror)

	answers := func(content string) {
		t.Helper()
		require.Eventually(t, func() bool {
			_, found := request(t, reading.url, key, call{path: "/asset/check", body: fmt.Sprintf(`{"content":%q}`, content)})
			_, mirrored := request(t, mirror+defaultBase, "", call{path: "/asset/check", body: fmt.Sprintf(`{"content":%q}`, content)})
			return strings.Contains(found, `"status":"ALLOWED"`) && strings.Contains(mirrored, `"status":"ALLOWED"`)
		}, time.Minute, 10*time.Millisecond)
	}
	copied := writing.last(0)
	answers(copied)

	db1.run(t, commands.stop)
	answers(copied)
	db2.run(t, commands.promote)
	db1.run(t, commands.follow)
	writing.more(t)
	answers(writing.last(1))

	db2.run(t, "pg_ctl -D data -m immediate -w stop")
	db1.run(t, commands.promote)
	db1.run(t, commands.alone)
	writing.more(t)
	answers(writing.last(2))

	db2.run(t, "rm -r data")
	db2.run(t, commands.standby)
	standbyIs("streaming")
	db1.run(t, commands.again)
	db2.run(t, commands.again)
	standbyIs("streaming | sync")
	writing.more(t)
	_, metrics := request(t, metricsOn.FindStringSubmatch(reading.printed)[1], "", call{path: metricsPath})
	require.Contains(t, scrape(t, metrics), "apguard_feed_behind_seconds")
	writing.requireAll(t, second, key)
}
