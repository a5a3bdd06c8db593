package sqlite_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/fixtures"
	"github.com/apguard/apguard/storage/internal/subprocess"
	"github.com/apguard/apguard/storage/sqlite"
)

func TestGroupCommit_SharesCommit(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			for reason, test := range map[string]struct {
				calls, size int
				commits     int64
			}{
				"a few":                       {10, 0, 1},
				"as many as may":              {sqlite.MaxSharedSteps, 0, 1},
				"one more than may":           {sqlite.MaxSharedSteps + 1, 0, 2},
				"some that write many rows":   {10, 10, 1},
				"some that write a great lot": {4, 1000, 2},
			} {
				t.Run(reason, func(t *testing.T) {
					t.Parallel()
					c := newCrowd(t, h)
					var calls []call
					for i := range test.calls {
						if test.size > 0 {
							calls = append(calls, c.add(fmt.Sprintf("many-%d", i), test.size))
						} else {
							calls = append(calls, c.put(int64(i+10)))
						}
					}
					require.Equal(t, make(outcomes, test.calls), c.queue(nil, calls...))
					require.Equal(t, test.commits, c.commits.Load())
					require.Equal(t, test.calls*test.size, c.assets("many"))
					if test.size == 0 {
						require.Len(t, c.users(), 1+test.calls)
					}
				})
			}
		})
	}
}

func TestGroupCommit_ContractErrorAffectsOneStep(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			c := newCrowd(t, h)
			got := c.queue(nil,
				c.dispute("new", "first"),
				c.dispute("new", "the same again"),
				func(ctx context.Context) error {
					_, err := c.AddToAllowlist(ctx, fixtures.BatchCommand("c", 3, 9))
					return err
				},
				c.dispute("other", "another"),
			)
			require.NoError(t, got[0])
			require.Equal(t, dispute.ErrExists, got[1])
			require.Error(t, got[2])
			require.NoError(t, got[3])
			require.Equal(t, int64(1), c.commits.Load())
			require.Equal(t, []string{"note", "first", "another"}, column(t, c.locking, "SELECT text FROM apguard_dispute_notes ORDER BY dispute_id"))
			require.Zero(t, c.assets("c"))
		})
	}
}

// Each way in which SQLite can end a statement, and perhaps the transaction with
// it, before and after the step has written something else.
func TestGroupCommit_FailureAffectsOneStep(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		for _, way := range []string{"ABORT", "FAIL", "ROLLBACK"} {
			for _, table := range []string{"apguard_assets", "apguard_disputes", "apguard_dispute_notes"} {
				for position := range 3 {
					t.Run(fmt.Sprintf("%s, %s in %s, %d before it", h.driver, way, table, position), func(t *testing.T) {
						t.Parallel()
						c := newCrowd(t, h)
						_, err := c.locking.ExecContext(t.Context(), fmt.Sprintf(`CREATE TRIGGER bad BEFORE INSERT ON %s
							WHEN (SELECT 'bad' IN (%s)) BEGIN SELECT RAISE(%s, 'a bad one'); END`, table, badColumn(table), way))
						require.NoError(t, err)

						names := slices.Insert([]string{"one", "other"}, position, "bad")
						got := c.queue(nil, c.dispute(names[0], names[0]), c.dispute(names[1], names[1]), c.dispute(names[2], names[2]))
						for i, err := range got {
							if i == position {
								require.ErrorContains(t, err, "a bad one")
								require.ErrorContains(t, err, "sqlite: create dispute: ")
							} else {
								require.NoError(t, err)
							}
						}
						require.Equal(t, []string{"note", "one", "other"},
							column(t, c.locking, "SELECT text FROM apguard_dispute_notes ORDER BY dispute_id"))
						require.Len(t, rowsOf(t, c.locking, "apguard_disputes"), 3)
						require.Zero(t, c.assets("bad"), "something of the failed step is left")
						require.NoError(t, c.put(12)(t.Context()))
					})
				}
			}
		}
	}
}

// badColumn is what says that a row of the table is the bad one.
func badColumn(table string) string {
	column := map[string]string{
		"apguard_assets":        "NEW.canonical",
		"apguard_disputes":      "NEW.content",
		"apguard_dispute_notes": "NEW.text",
	}[table]
	return "replace(replace(" + column + ", 'https://', ''), '.example', '')"
}

// A commit that fails is everybody's. Alone, each has another chance.
func TestGroupCommit_RetriesFailedCommit(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		fails   int64 // this many commits
		commits int64
		failed  int
	}{
		"the shared one":              {1, 4, 0},
		"that of the first one alone": {2, 4, 1},
		"all":                         {4, 4, 3},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			c := newCrowd(t, purely())
			c.see = func(statement string) error {
				if statement == "COMMIT" && c.commits.Load() <= test.fails {
					return failed(codeFull)
				}
				return nil
			}
			got := c.queue(nil, c.put(10), c.put(11), c.put(12))
			require.Equal(t, test.commits, c.commits.Load())
			want := []string{"1"}
			for i, err := range got {
				if i < test.failed {
					require.ErrorIs(t, err, sqlite.ErrFull)
					continue
				}
				require.NoError(t, err)
				want = append(want, fmt.Sprint(10+i))
			}
			require.Equal(t, want, c.users())
		})
	}
}

func TestGroupCommit_CloseWaitsForQueue(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			c := newCrowd(t, h)
			closed := make(chan error, 2)
			got := c.queue(func() {
				for range 2 {
					go func() { closed <- c.Close() }()
				}
				require.Eventually(t, func() bool {
					_, err := c.Groups(t.Context(), 1)
					return err != nil
				}, time.Minute, time.Millisecond)
				require.ErrorIs(t, c.put(12)(t.Context()), storage.ErrClosed)
				require.Empty(t, closed, "Close did not wait")
			}, c.put(10), c.put(11))
			require.Equal(t, make(outcomes, 2), got)
			require.NoError(t, <-closed)
			require.NoError(t, <-closed)
			require.Equal(t, []string{"1", "10", "11"}, c.users())
		})
	}
}

// A rollback that fails leaves a connection in a state that nobody knows, so it
// is not used again.
func TestGroupCommit_DropsConnectionAfterFailedRollback(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			path := newFile(t)
			setUp := h.open(t, path, usual)
			require.NoError(t, sqlite.Migrate(t.Context(), setUp))
			var broken atomic.Bool
			db := h.openWatched(t, path, func(statement string) error {
				if broken.Load() && (statement == "ROLLBACK" || strings.HasPrefix(statement, "INSERT INTO apguard_changes")) {
					return failed(codeIOErr)
				}
				return nil
			})
			db.SetMaxOpenConns(1)
			store := newStore(t, db, sqlite.Options{})
			fixtures.Fill(t, store)
			before := everything(t, setUp)

			broken.Store(true)
			_, err := store.SetAssetStatus(t.Context(), fixtures.BlockCommand("new"))
			require.ErrorIs(t, err, sqlite.ErrIO)
			broken.Store(false)
			require.Equal(t, before, everything(t, db))
			_, err = store.SetAssetStatus(t.Context(), fixtures.BlockCommand("new"))
			require.NoError(t, err)
		})
	}
}

// Among many calls whose contexts end at any moment, those that succeed are there
// once, and those that fail are not.
func TestGroupCommit_EachStepOnce(t *testing.T) {
	t.Parallel()
	const goroutines, rounds = 64, 20
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			db := h.database(t)
			store := newStore(t, db, sqlite.Options{})
			created := make([][]string, goroutines)
			subprocess.CallTogether(t, goroutines, func(i int) error {
				for round := range rounds {
					name := fmt.Sprintf("%d-%d", i, round)
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1<<(round%14))*10*time.Microsecond)
					_, err := store.CreateDispute(ctx, fixtures.DisputeCommand(name, name))
					ended := ctx.Err()
					cancel()
					switch {
					case err == nil:
						created[i] = append(created[i], name)
					case ended == nil:
						return err
					}
				}
				return nil
			})
			var want []string
			for _, names := range created {
				want = append(want, names...)
			}
			require.NotEmpty(t, want)
			require.ElementsMatch(t, want, column(t, db, "SELECT text FROM apguard_dispute_notes"))
			require.Len(t, rowsOf(t, db, "apguard_disputes"), len(want))
			require.Len(t, rowsOf(t, db, "apguard_assets"), len(want))
			require.Empty(t, rowsOf(t, db, "apguard_changes"))
		})
	}
}
