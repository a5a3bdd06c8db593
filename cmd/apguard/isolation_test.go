package main

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/storage/postgres"
)

// BenchmarkIsolation lets one key send 100 requests at a time, such as searches that find
// nothing, and measures the small calls of another key. It logs a table with the times in milliseconds. The time of
// /livez, which uses no database, shows how long calls wait for a processor.
//
// "ms-excess" is the greatest difference between the p50 of a call during the attack and three
// times its p50 before, and "ms-excess-livez" is that of /livez.
func BenchmarkIsolation(b *testing.B) {
	const rounds = 95 // in all, the bystander makes fewer requests than its burst
	size := hostileSize{assets: benchtest.Sized(200_000), reports: benchtest.Sized(50_000), rounds: rounds}
	attacks := []attack{
		{name: "searches", clients: 100, attempt: searchInVain},
		{name: "check batches", clients: 100, attempt: sendTo(checkBatchPath, checkBatch(300_000, deepPath))},
		{name: "exports", clients: 100, attempt: sendGet("/asset/export/csv")},
	}
	for _, database := range hostileDatabases(b, size) {
		for _, attack := range attacks {
			b.Run(database.name+"/"+attack.name, func(b *testing.B) {
				for b.Loop() {
					result := runAttack(b, database.open(b), attack, size)
					b.Log(isolationTable(result))
					benchtest.Figures(b, map[string]float64{
						"ms-excess":       milliseconds(result.excess(result.attacked.names()...)),
						"ms-excess-livez": milliseconds(result.excess(livePath)),
					})
					result.requireService(b)
				}
			})
		}
	}
}

// hostilePostgres returns the URL of a PostgreSQL database with the hostileSeed.
func hostilePostgres(tb testing.TB, size hostileSize) string {
	tb.Helper()
	dsn := postgresSchema(tb)
	store, err := postgres.Open(tb.Context(), dsn, postgres.Options{})
	require.NoError(tb, err)
	require.NoError(tb, store.Import(tb.Context(), hostileSeed(size)))
	require.NoError(tb, store.Close())
	on, err := pgx.Connect(tb.Context(), dsn)
	require.NoError(tb, err)
	_, err = on.Exec(tb.Context(), "ANALYZE apguard_assets, apguard_changes, apguard_reports, apguard_proposals") // as the server does
	require.NoError(tb, errors.Join(err, on.Close(tb.Context())))
	return dsn
}

// excess returns by how much the p50 of a call during the attack exceeds three times its p50
// before, at most.
func (r attackResult) excess(names ...string) (most time.Duration) {
	for _, name := range names {
		idle, _ := r.idle.times(name)
		attacked, _ := r.attacked.times(name)
		most = max(most, attacked-3*idle)
	}
	return most
}

// isolationTable returns a table with a line for each call.
func isolationTable(r attackResult) string {
	table := "times in ms\ncall       idle p50 |    p50    p99    max  statuses\n"
	for _, name := range r.attacked.names() {
		idle, _ := r.idle.times(name)
		median, slowest := r.attacked.times(name)
		table += fmt.Sprintf("%-10s %8.1f | %6.1f %6.1f %6.1f  %v\n", name, milliseconds(idle), milliseconds(median),
			milliseconds(r.attacked.percentile(name, 99)), milliseconds(slowest), r.attacked.statuses[name])
	}
	return table + fmt.Sprintf("statuses of the attack: %v", r.statuses)
}
