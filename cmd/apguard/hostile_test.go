package main

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/internal/test/testsize"
)

// hostileSize is the size of attacks.
type hostileSize struct {
	// share divides the number of clients of each attack.
	share int
	// assets is the number of assets, assetLength the minimum of their bytes, and reports
	// the number of reports of the hostile organization.
	assets, assetLength, reports int
	// rounds is how often the bystander makes all of its calls before and during an attack, and lasting
	// how long it does so at least.
	rounds  int
	lasting time.Duration
}

// longAsset is almost the maximum length of an asset.
const longAsset = 8000

// maxHostileResident is the most resident memory in MiB that an attack of a test may take.
const maxHostileResident = 200

// maxFailures is the number of failed calls after which the bystander gives up. Each may have
// taken its whole time.
const maxFailures = 5

// TestHostile attacks a server that has 512 MiB of memory with one hostile key, and without
// any. Another key's calls and the probes must be answered meanwhile.
func TestHostile(t *testing.T) {
	t.Parallel()
	testsize.Measurement(t)
	size := hostileSize{share: 2, assets: 1000, assetLength: longAsset, reports: 1000, rounds: 2}
	for _, database := range hostileDatabases(t, size) {
		for _, attack := range attacks(size) {
			if database.name != sqliteFile && !attack.stores {
				continue // only BenchmarkHostile repeats it, because the database makes no difference
			}
			t.Run(database.name+"/"+attack.name, func(t *testing.T) {
				result := runAttack(t, database.open(t), attack, size)
				t.Log(result)
				result.requireService(t)
				require.Less(t, result.resident, float64(maxHostileResident), "MiB of resident memory")
			})
		}
	}
}

// BenchmarkHostile runs all attacks with their full numbers on a server with all lists, on SQLite and
// PostgreSQL. Each lasts a minute. "MiB-resident" is the peak of the resident memory of the server.
// "MiB-group" is the peak of its control group, which includes the page cache, and 0 if there is none.
// "ms-p50" and "ms-max" are the times of the slowest kind of call of the bystander, and "ms-idle" is its
// p50 before the attack. "calls" is the number of its calls, "late" that of those that took more than a
// second, and "refused" that of those that got 503 with Retry-After.
func BenchmarkHostile(b *testing.B) {
	size := hostileSize{share: 1, assets: benchtest.Sized(2000), assetLength: longAsset, reports: benchtest.Sized(50_000), rounds: 20, lasting: time.Minute}
	for _, database := range hostileDatabases(b, size) {
		for _, attack := range attacks(size) {
			attack.lists = true
			b.Run(database.name+"/"+attack.name, func(b *testing.B) {
				for b.Loop() {
					result := runAttack(b, database.open(b), attack, size)
					b.Log(result)
					benchtest.Figures(b, result.figures())
					result.requireService(b)
				}
			})
		}
	}
}

// sqliteFile is the name of a hostileKind.
const sqliteFile = "SQLite"

// hostileKind is a kind of database. open returns a new one with the hostileSeed.
type hostileKind struct {
	name string
	open func(testing.TB) string
}

// hostileDatabases returns the kinds of databases that are attacked.
func hostileDatabases(tb testing.TB, size hostileSize) []hostileKind {
	tb.Helper()
	file := hostileDatabase(tb, size)
	return []hostileKind{
		{sqliteFile, func(tb testing.TB) string { tb.Helper(); return copyOf(tb, file) }},
		{"PostgreSQL", func(tb testing.TB) string { tb.Helper(); return hostilePostgres(tb, size) }},
	}
}

// attackResult is what an attack has done.
type attackResult struct {
	// exited is why the server stopped during the attack, or nil if it did not.
	exited error
	// resident and group are peaks of the memory in MiB.
	resident, group float64
	// before and after are the resident memory in MiB before the attack, and at its end.
	before, after float64
	// idle and attacked are the bystander's calls before and during the attack.
	idle, attacked *calls
	// statuses has the number of the attack's requests by status. The status is 0 if the
	// connection was closed without a response.
	statuses map[int]int
	// serverErrors has the lines of the metrics and of the log about 5xx responses.
	serverErrors []string
}

// runAttack starts a server with a database, and attacks it while a bystander makes calls.
func runAttack(tb testing.TB, database string, attack attack, size hostileSize) attackResult {
	tb.Helper()
	target := startHostile(tb, database, attack.lists)
	bystander := newBystander(target)
	for range size.rounds {
		bystander.round(tb.Context())
	}
	result := attackResult{idle: bystander.calls}
	bystander.calls = new(calls)

	ctx, cancel := context.WithCancel(tb.Context())
	defer cancel()
	var clients, begun sync.WaitGroup
	var statuses statusCounter
	cursor := bystander.feedEnd(tb)
	before := residentMiB(tb, target)
	for i := range attack.clients {
		begun.Add(1)
		client := &attacker{addr: target.addr, phishing: target.phishing, cursor: cursor, number: i, statuses: &statuses, begun: sync.OnceFunc(begun.Done)}
		clients.Go(func() {
			defer client.begun()
			for ctx.Err() == nil && target.running() {
				attack.attempt(ctx, client)
				if attack.once {
					return
				}
			}
		})
	}
	all := make(chan struct{})
	go func() {
		begun.Wait()
		close(all)
	}()
	end := time.Now().Add(size.lasting)
	for rounds := 0; (rounds < size.rounds || time.Now().Before(end)) && len(bystander.calls.failures) < maxFailures && target.running(); {
		bystander.round(ctx)
		select {
		case <-all:
			rounds++
		default: // the attack has not yet begun with all its clients
		}
	}
	if attack.once {
		clients.Wait()
	}
	result.resident, result.group = target.peaks(tb)
	cancel()
	clients.Wait()
	if target.running() {
		result.before, result.after = before, residentMiB(tb, target)
	}
	result.attacked, result.statuses = bystander.calls, statuses.byStatus
	result.serverErrors, result.exited = target.end(tb)
	if !attack.once {
		result.serverErrors = nil // budgets and limits may refuse requests with 503
	}
	return result
}

// requireService checks that the server and the service of the bystander survived.
func (r attackResult) requireService(tb testing.TB) {
	tb.Helper()
	require.NoError(tb, r.exited, "the server stays")
	require.Empty(tb, r.idle.failures)
	require.Empty(tb, r.attacked.failures, "the bystander is served")
	require.Empty(tb, some("", r.serverErrors), "no request fails")
	require.LessOrEqual(tb, r.attacked.refused*10, r.attacked.number(), "at most a tenth of the bystander's calls is refused")
}

func (r attackResult) figures() map[string]float64 {
	name := r.attacked.slowest()
	median, slowest := r.attacked.times(name)
	idle, _ := r.idle.times(name)
	return map[string]float64{
		"MiB-resident": r.resident,
		"MiB-group":    r.group,
		"ms-p50":       milliseconds(median),
		"ms-max":       milliseconds(slowest),
		"ms-idle":      milliseconds(idle),
		"MiB-before":   r.before,
		"MiB-after":    r.after,
		"calls":        float64(r.attacked.number()),
		"late":         float64(r.attacked.late()),
		"refused":      float64(r.attacked.refused),
		"failed":       float64(len(r.attacked.failures)),
	}
}

// String returns the result as a table of the bystander's calls.
func (r attackResult) String() string {
	survived := "yes"
	if r.exited != nil {
		survived = "no: " + r.exited.Error()
	}
	text := fmt.Sprintf("survived: %s; peak MiB: %.0f resident (%.0f before, %.0f after), %.0f of the group\nstatuses of the attack: %v\n",
		survived, r.resident, r.before, r.after, r.group, r.statuses)
	for _, name := range r.attacked.names() {
		idle, idleMax := r.idle.times(name)
		median, slowest := r.attacked.times(name)
		text += fmt.Sprintf("%-10s ms p50/max: idle %.1f/%.1f, attacked %.1f/%.1f; statuses %v\n", name,
			milliseconds(idle), milliseconds(idleMax), milliseconds(median), milliseconds(slowest), r.attacked.statuses[name])
	}
	text += some("failed: ", r.attacked.failures)
	return text + some("server: ", r.serverErrors)
}

// some returns the first lines, and the number of all.
func some(prefix string, lines []string) (text string) {
	const most = 5
	for i, line := range lines {
		if i == most {
			return text + "... " + strconv.Itoa(len(lines)) + " in all\n"
		}
		text += prefix + line + "\n"
	}
	return text
}

func residentMiB(tb testing.TB, target *hostileServer) float64 {
	tb.Helper()
	return float64(residentMemory(tb, target.process.Pid)) / (1 << 20)
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
