package sqlite_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/internal/test/subprocess"
	"github.com/apguard/apguard/storage/sqlite"
)

func TestGroupCommit_SharesCommit(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			for reason, test := range map[string]struct {
				calls, size int
				commits     int64
			}{
				"few":                  {10, 0, 1},
				"as many as may share": {sqlite.MaxSharedSteps, 0, 1},
				"one more":             {sqlite.MaxSharedSteps + 1, 0, 2},
				"some rows":            {10, 10, 1},
				"many rows":            {4, 1000, 2},
			} {
				t.Run(reason, func(t *testing.T) {
					t.Parallel()
					s := newQueuedStore(t, d)
					var calls []call
					for i := range test.calls {
						if test.size > 0 {
							calls = append(calls, s.add(fmt.Sprintf("many-%d", i), test.size))
						} else {
							calls = append(calls, s.putUser(int64(i+10)))
						}
					}
					require.Equal(t, make([]error, test.calls), s.queue(nil, calls...))
					require.Equal(t, test.commits, s.commits.Load())
					require.Equal(t, test.calls*test.size, s.assets("many"))
					if test.size == 0 {
						require.Len(t, s.users(), 1+test.calls)
					}
				})
			}
		})
	}
}

// Long texts count as much as many rows.
func TestGroupCommit_LongTexts(t *testing.T) {
	t.Parallel()
	s := newQueuedStore(t, drivers()[0])
	const count = 10
	calls := make([]call, count)
	for i := range calls {
		cmd := fixtures.BatchCommand(fmt.Sprint("long-", i), 20)
		for n := range cmd.Entries {
			cmd.Entries[n].Content = strings.Repeat("c", 8<<10)
			cmd.Entries[n].Description = strings.Repeat("d", 2<<10)
		}
		calls[i] = func(ctx context.Context) error {
			_, err := s.AddToAllowlist(ctx, cmd)
			return err
		}
	}
	require.Equal(t, make([]error, count), s.queue(nil, calls...))
	require.EqualValues(t, 2, s.commits.Load(), "each step writes about 200 KB, and a transaction takes 1 MiB")
}

func TestGroupCommit_ContractErrorAffectsOneStep(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			s := newQueuedStore(t, d)
			got := s.queue(nil,
				s.dispute("new", "first"),
				s.dispute("new", "duplicate"),
				func(ctx context.Context) error {
					_, err := s.AddToAllowlist(ctx, fixtures.BatchCommand("c", 3, 9))
					return err
				},
				s.dispute("other", "another"),
			)
			require.NoError(t, got[0])
			require.Equal(t, dispute.ErrExists, got[1])
			require.Error(t, got[2])
			require.NoError(t, got[3])
			require.Equal(t, int64(1), s.commits.Load())
			require.Equal(t, []string{"note", "first", "another"}, queryColumn(t, s.locking, "SELECT text FROM apguard_dispute_notes ORDER BY dispute_id"))
			require.Zero(t, s.assets("c"))
		})
	}
}

// SQLite can end a failed statement in three ways, with or without the transaction. The step
// may have written before.
func TestGroupCommit_FailureAffectsOneStep(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	for _, d := range drivers() {
		for _, way := range []string{"ABORT", "FAIL", "ROLLBACK"} {
			for _, table := range []string{"apguard_assets", "apguard_disputes", "apguard_dispute_notes"} {
				for position := range 3 {
					t.Run(fmt.Sprintf("%s, %s in %s, %d before it", d.name, way, table, position), func(t *testing.T) {
						t.Parallel()
						s := newQueuedStore(t, d)
						_, err := s.locking.ExecContext(t.Context(), fmt.Sprintf(`CREATE TRIGGER bad BEFORE INSERT ON %s
							WHEN (SELECT 'bad' IN (%s)) BEGIN SELECT RAISE(%s, 'injected failure'); END`, table, badColumn(table), way))
						require.NoError(t, err)

						names := slices.Insert([]string{"one", "other"}, position, "bad")
						got := s.queue(nil, s.dispute(names[0], names[0]), s.dispute(names[1], names[1]), s.dispute(names[2], names[2]))
						for i, err := range got {
							if i == position {
								require.ErrorContains(t, err, "injected failure")
								require.ErrorContains(t, err, "sqlite: create dispute: ")
							} else {
								require.NoError(t, err)
							}
						}
						require.Equal(t, []string{"note", "one", "other"},
							queryColumn(t, s.locking, "SELECT text FROM apguard_dispute_notes ORDER BY dispute_id"))
						require.Len(t, tableRows(t, s.locking, "apguard_disputes"), 3)
						require.Zero(t, s.assets("bad"), "rows of the failed step are left")
						require.NoError(t, s.putUser(12)(t.Context()))
					})
				}
			}
		}
	}
}

// badColumn returns the expression that is 'bad' for the row that fails.
func badColumn(table string) string {
	column := map[string]string{
		"apguard_assets":        "NEW.canonical",
		"apguard_disputes":      "NEW.content",
		"apguard_dispute_notes": "NEW.text",
	}[table]
	return "replace(replace(" + column + ", 'https://', ''), '.example', '')"
}

// A function of the caller that does not return rolls back its own step only.
func TestGroupCommit_PanicAffectsOneStep(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		for way, end := range map[string]func(){"panic": func() { panic("broken") }, "Goexit": runtime.Goexit} {
			t.Run(d.name+", "+way, func(t *testing.T) {
				t.Parallel()
				s := newQueuedStore(t, d)
				got := s.queue(nil, s.putUser(10), func(ctx context.Context) error {
					ended := make(chan struct{})
					go func() {
						defer close(ended)
						defer func() { _ = recover() }()
						_, _ = s.UpdateDispute(ctx, dispute.UpdateCommand{DisputeID: 1, Apply: func(dispute.Dispute) (dispute.Update, error) {
							end()
							return dispute.Update{}, nil
						}})
					}()
					<-ended
					return nil
				}, s.putUser(11))
				require.Equal(t, make([]error, 3), got)
				require.Equal(t, []string{"1", "10", "11"}, s.users())
				require.NoError(t, s.putUser(12)(t.Context()))
			})
		}
	}
}

// After a failed commit, each step gets a transaction of its own.
func TestGroupCommit_RetriesFailedCommit(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		fails   int64 // number of commits that fail
		commits int64
		failed  int
	}{
		"the shared commit":         {1, 4, 0},
		"the first step's own, too": {2, 4, 1},
		"all commits":               {4, 4, 3},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s := newQueuedStore(t, pureGo())
			s.hook = func(statement string) error {
				if statement == "COMMIT" && s.commits.Load() <= test.fails {
					return driverError(codeFull)
				}
				return nil
			}
			got := s.queue(nil, s.putUser(10), s.putUser(11), s.putUser(12))
			require.Equal(t, test.commits, s.commits.Load())
			want := []string{"1"}
			for i, err := range got {
				if i < test.failed {
					require.ErrorIs(t, err, sqlite.ErrFull)
					continue
				}
				require.NoError(t, err)
				want = append(want, fmt.Sprint(10+i))
			}
			require.Equal(t, want, s.users())
		})
	}
}

func TestGroupCommit_CloseWaitsForQueue(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			s := newQueuedStore(t, d)
			closed := make(chan error, 2)
			got := s.queue(func() {
				for range 2 {
					go func() { closed <- s.Close() }()
				}
				require.Eventually(t, func() bool {
					_, err := s.Groups(t.Context(), 1)
					return err != nil
				}, time.Minute, time.Millisecond)
				require.ErrorIs(t, s.putUser(12)(t.Context()), storage.ErrClosed)
				require.Empty(t, closed, "Close returned before the queued steps")
			}, s.putUser(10), s.putUser(11))
			require.Equal(t, make([]error, 2), got)
			require.NoError(t, <-closed)
			require.NoError(t, <-closed)
			require.Equal(t, []string{"1", "10", "11"}, s.users())
		})
	}
}

// After a failed rollback, the state of the connection is unknown. It is not used again.
func TestGroupCommit_DropsConnectionAfterFailedRollback(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			path := newFile(t)
			observer := d.open(t, path, testSettings)
			require.NoError(t, sqlite.Migrate(t.Context(), observer))
			var broken atomic.Bool
			db := d.openHooked(t, path, func(statement string) error {
				if broken.Load() && (statement == "ROLLBACK" || strings.HasPrefix(statement, "INSERT INTO apguard_changes")) {
					return driverError(codeIOErr)
				}
				return nil
			})
			db.SetMaxOpenConns(1)
			store := newStore(t, db, sqlite.Options{})
			fixtures.Fill(t, store)
			before := allRows(t, observer)

			broken.Store(true)
			_, err := store.SetAssetStatuses(t.Context(), fixtures.BlockCommand("new"))
			require.ErrorIs(t, err, sqlite.ErrIO)
			broken.Store(false)
			require.Equal(t, before, allRows(t, db))
			_, err = store.SetAssetStatuses(t.Context(), fixtures.BlockCommand("new"))
			require.NoError(t, err)
		})
	}
}

// Contexts of many calls end at any time. Each call that succeeds is stored once, and no
// other one is.
func TestGroupCommit_EachStepOnce(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	const goroutines, rounds = 64, 20
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			db := d.database(t)
			store := newStore(t, db, sqlite.Options{})
			created := make([][]string, goroutines)
			subprocess.CallTogether(t, goroutines, func(i int) error {
				for round := range rounds {
					name := fmt.Sprintf("%d-%d", i, round)
					ctx, cancel := context.WithCancel(t.Context())
					if round > 0 { // so that some calls succeed on any machine
						ctx, cancel = context.WithTimeout(ctx, time.Duration(1<<(round%14))*10*time.Microsecond)
					}
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
			require.ElementsMatch(t, want, queryColumn(t, db, "SELECT text FROM apguard_dispute_notes"))
			require.Len(t, tableRows(t, db, "apguard_disputes"), len(want))
			require.Len(t, tableRows(t, db, "apguard_assets"), len(want))
			require.Empty(t, tableRows(t, db, "apguard_changes"))
		})
	}
}
