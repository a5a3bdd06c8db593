//go:build cgo

package sqlite_test

import (
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/internal/test/plantest"
	"github.com/apguard/apguard/storage/sqlite"
)

// Without statistics, SQLite has the same plan for a table of any size. That of each statement of
// these calls scans no table, so that none gets slow while the tables grow.
func TestPlans_WithoutStatistics(t *testing.T) {
	t.Parallel()
	template := newFile(t)
	require.NoError(t, open(t, template).Close())
	newCopy := copier(t, template)
	statements := make(map[string]bool)
	calls := fixtures.FrequentReads()
	maps.Copy(calls, fixtures.Writes())
	for name, call := range calls {
		recording := false
		db := pureGo().openHooked(t, newCopy(t), func(statement string) error {
			if recording && strings.Contains(statement, "apguard_") {
				statements[statement] = true
			}
			return nil
		})
		store := newStore(t, db, sqlite.Options{})
		fixtures.Fill(t, store)
		fixtures.FillRemovable(t, store)
		recording = true
		require.NoError(t, call(t.Context(), store), name)
	}
	require.Greater(t, len(statements), 80)
	// Ping and the state of the feed read one row. Removals of users and changes of all their keys are
	// rare. There are few lists. An unfiltered changelog ends at its limit.
	scanning := regexp.MustCompile(`^SELECT EXISTS \(SELECT 1 FROM apguard_organizations\)$|sqlite_sequence|` +
		`FROM apguard_lists$|FROM apguard_keys WHERE user_id|ORDER BY c\.changed_at DESC, id DESC LIMIT 101$`)
	// Tables of the statement itself.
	own := regexp.MustCompile(`SCAN (json_each|part|wanted|piece|bounds|CONSTANT ROW|\d+ CONSTANT ROWS) `)
	scan := regexp.MustCompile(`(?m)SCAN |SEARCH \w+ $`) // a search without an index looks for a maximum in all rows
	writer, _ := sqlite.Pools(open(t, newCopy(t)))
	for statement := range statements {
		if !scanning.MatchString(statement) {
			args := make([]any, strings.Count(statement, "?"))
			plan := explain(t, writer, plantest.Statement{SQL: statement, Args: args})
			require.NotRegexp(t, scan, own.ReplaceAllString(plan, ""), statement)
		}
	}
}
