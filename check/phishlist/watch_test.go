package phishlist_test

import (
	"context"
	"io"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/phishlist"
)

// TestFile_Watch runs on a fake clock.
func TestFile_Watch(t *testing.T) {
	t.Parallel()
	reloaded := []phishlist.Event{{Kind: phishlist.EventReloaded}}
	recovered := []phishlist.Event{{Kind: phishlist.EventRecovered}}
	requireFailed := func(t *testing.T, events []phishlist.Event, want error) {
		t.Helper()
		require.Len(t, events, 1)
		require.Equal(t, phishlist.EventFailed, events[0].Kind)
		require.ErrorIs(t, events[0].Err, want)
	}
	for reason, c := range map[string]struct{ interval, want time.Duration }{
		"an interval":         {time.Minute, time.Minute},
		"no interval":         {0, phishlist.DefaultInterval},
		"a negative interval": {-1, phishlist.DefaultInterval},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := openFile(t)
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				reports := make(chan phishlist.Event, 10)
				returned := false
				go func() {
					f.Watch(ctx, c.interval, func(e phishlist.Event) { reports <- e })
					returned = true
				}()
				next := func() []phishlist.Event {
					time.Sleep(c.want) // by the fake clock
					synctest.Wait()
					var events []phishlist.Event
					for len(reports) > 0 {
						events = append(events, <-reports)
					}
					return events
				}
				synctest.Wait()
				require.Empty(t, next(), "an unchanged file")

				f.replace(t, listB)
				f.requireBlocks(t, "aaa.com", "bbb.com")
				require.Equal(t, reloaded, next())
				f.requireBlocks(t, "bbb.com", "aaa.com")

				f.replace(t, "{")
				requireFailed(t, next(), asset.ErrInvalid)
				require.Empty(t, next(), "the same error again")
				require.NoError(t, os.Remove(f.path))
				requireFailed(t, next(), os.ErrNotExist)

				for range 2 {
					f.replace(t, listB)
					require.Equal(t, recovered, next())
					require.Empty(t, next(), "nothing new after the recovery")
					f.replace(t, "{")
					requireFailed(t, next(), asset.ErrInvalid)
				}
				f.replace(t, listA)
				require.Equal(t, reloaded, next(), "a new list after a failure")
				f.requireBlocks(t, "aaa.com", "bbb.com")
				require.Empty(t, next())

				require.False(t, returned)
				cancel()
				synctest.Wait()
				require.True(t, returned)
			})
		})
	}
}

func TestFile_Watch_NilReport(t *testing.T) {
	t.Parallel()
	f := openFile(t)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go f.Watch(ctx, time.Minute, nil)
		f.replace(t, listB)
		time.Sleep(time.Minute)
		synctest.Wait()
		f.requireBlocks(t, "bbb.com", "aaa.com")
	})
}

func TestFile_Watch_CanceledWhileReading(t *testing.T) {
	t.Parallel()
	f := openFile(t)
	f.replace(t, listB)
	ctx, cancel := context.WithCancel(t.Context())
	f.setRead(func(*os.File, []byte) (int, error) {
		cancel()
		return 0, io.ErrUnexpectedEOF
	})
	f.Watch(ctx, time.Millisecond, func(e phishlist.Event) { t.Error("event after ctx was canceled:", e) })
}
