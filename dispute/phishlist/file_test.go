package phishlist_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute/phishlist"
)

// Two lists of the same size.
const (
	listA = `{"blacklist": ["aaa.com"]}`
	listB = `{"blacklist": ["bbb.com"]}`
)

// listFile is a file with a list, and the File that was opened on it.
type listFile struct {
	*phishlist.File
	path string
}

func openFile(t *testing.T) listFile {
	t.Helper()
	path := filepath.Join(t.TempDir(), "list.json")
	writeFile(t, path, listA)
	file, err := phishlist.OpenFile(path, phishlist.Options{Name: "Test List"})
	require.NoError(t, err)
	return listFile{file, path}
}

// writeFile writes a file in its place.
func writeFile(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

// replace renames another file over the list.
func (f listFile) replace(t *testing.T, text string) {
	t.Helper()
	writeFile(t, f.path+".new", text)
	require.NoError(t, os.Rename(f.path+".new", f.path))
}

// date sets the time at which the file was modified.
func (f listFile) date(t *testing.T, at time.Time) {
	t.Helper()
	require.NoError(t, os.Chtimes(f.path, at, at))
}

func (f listFile) requireReload(t *testing.T, changed bool) {
	t.Helper()
	got, err := f.Reload(t.Context())
	require.NoError(t, err)
	require.Equal(t, changed, got)
}

func (f listFile) requireBlocks(t *testing.T, blocked, other string) {
	t.Helper()
	require.True(t, f.Check(blocked).Blocked)
	require.False(t, f.Check(other).Blocked)
}

func TestOpenFile(t *testing.T) {
	t.Parallel()
	f := openFile(t)
	f.requireBlocks(t, "aaa.com", "bbb.com")
	require.Equal(t, "Test List", f.Name())
	status, err := f.Status(t.Context(), asset.Identity{Type: asset.TypeURL, Canonical: "https://www.aaa.com"})
	require.NoError(t, err)
	require.Equal(t, asset.StatusBlocked, status)
	require.Equal(t, blocked("aaa.com", ""), f.List().Check("aaa.com"))
}

func TestOpenFileTellsWhatIsWrong(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	broken, large := filepath.Join(dir, "broken.json"), filepath.Join(dir, "large.json")
	writeFile(t, broken, `{"blacklist": [5]}`)
	writeFile(t, large, listA+" ")

	_, err := phishlist.OpenFile(filepath.Join(dir, "none.json"), phishlist.Options{})
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "none.json")

	_, err = phishlist.OpenFile(dir, phishlist.Options{})
	require.ErrorIs(t, err, asset.ErrInvalid)
	require.ErrorContains(t, err, dir+": must be a file")

	_, err = phishlist.OpenFile(broken, phishlist.Options{})
	require.ErrorIs(t, err, asset.ErrInvalid)
	require.ErrorContains(t, err, broken+": invalid input: byte 16 (blacklist[0]): must be a text")

	_, err = phishlist.OpenFile(large, phishlist.Options{MaxBytes: int64(len(listA))})
	require.ErrorIs(t, err, phishlist.ErrTooLarge)
}

func TestReload(t *testing.T) {
	t.Parallel()
	for reason, change := range map[string]func(t *testing.T, f listFile){
		"renamed over":    func(t *testing.T, f listFile) { t.Helper(); f.replace(t, listB) },
		"written anew":    func(t *testing.T, f listFile) { t.Helper(); writeFile(t, f.path, listB) },
		"of another size": func(t *testing.T, f listFile) { t.Helper(); writeFile(t, f.path, listB+" ") },
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := openFile(t)
			f.requireReload(t, false)
			before := f.List()
			change(t, f)
			f.requireBlocks(t, "aaa.com", "bbb.com")
			f.requireReload(t, true)
			f.requireBlocks(t, "bbb.com", "aaa.com")
			f.requireReload(t, false)
			require.True(t, before.Check("aaa.com").Blocked, "a list stays what it is")
		})
	}
}

// TestAChangeAtTheSameMomentIsSeen gives two contents of one size the same time, at
// which the first was read: only the content differs.
func TestAChangeAtTheSameMomentIsSeen(t *testing.T) {
	t.Parallel()
	f := openFile(t)
	at := time.Now()
	f.date(t, at)
	f.requireReload(t, false)
	writeFile(t, f.path, listB)
	f.date(t, at)
	f.requireReload(t, true)
	f.requireBlocks(t, "bbb.com", "aaa.com")
}

// TestAnUnchangedFileIsNotRead changes nothing but the content of a file that was
// written long before it was read. That this goes unseen shows that it is not read.
func TestAnUnchangedFileIsNotRead(t *testing.T) {
	t.Parallel()
	f := openFile(t)
	long := time.Now().Add(-time.Hour)
	f.date(t, long)
	f.requireReload(t, false)
	writeFile(t, f.path, listB)
	f.date(t, long)
	f.requireReload(t, false)
	f.requireBlocks(t, "aaa.com", "bbb.com")

	f.replace(t, listB)
	f.date(t, long)
	f.requireReload(t, true) // another file of the same size and time
}

func TestABrokenFileKeepsTheOldList(t *testing.T) {
	t.Parallel()
	f := openFile(t)
	for reason, text := range map[string]string{
		"half of a list": listB[:20],
		"nothing":        "",
		"no list":        `{"message": "try again"}`,
	} {
		f.replace(t, text)
		f.date(t, time.Now().Add(-time.Hour))
		for range 2 { // the second time it is not read
			changed, err := f.Reload(t.Context())
			require.False(t, changed, reason)
			require.ErrorIs(t, err, asset.ErrInvalid, reason)
			require.ErrorContains(t, err, f.path, reason)
			f.requireBlocks(t, "aaa.com", "bbb.com")
		}
	}
	require.NoError(t, os.Remove(f.path))
	_, err := f.Reload(t.Context())
	require.ErrorIs(t, err, os.ErrNotExist)
	f.requireBlocks(t, "aaa.com", "bbb.com")

	writeFile(t, f.path, listA)
	f.requireReload(t, false) // it is the list in use again
	f.replace(t, listB)
	f.requireReload(t, true)
	f.requireBlocks(t, "bbb.com", "aaa.com")
}

func TestReloadEndsWithTheContext(t *testing.T) {
	t.Parallel()
	f := openFile(t)
	f.replace(t, listB)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	changed, err := f.Reload(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, changed)
	f.requireReload(t, true)
}

// TestChecksDuringReloads is for the race detector, and holds every verdict to one of
// the two lists as a whole.
func TestChecksDuringReloads(t *testing.T) {
	t.Parallel()
	f := openFile(t)
	done := make(chan struct{})
	var readers, writers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				list := f.List()
				if list.Check("aaa.com").Blocked == list.Check("bbb.com").Blocked {
					t.Error("half a list")
					return
				}
				_ = f.Check("www.aaa.com")
			}
		})
	}
	for range 2 {
		writers.Go(func() {
			for range 50 {
				if _, err := f.Reload(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range 50 {
		f.replace(t, []string{listA, listB}[i%2])
	}
	writers.Wait()
	close(done)
	readers.Wait()
	_, err := f.Reload(t.Context())
	require.NoError(t, err)
	f.requireBlocks(t, "bbb.com", "aaa.com")
}

// TestWatch runs on a clock of its own.
func TestWatch(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct{ every, turn time.Duration }{
		"an interval":  {time.Minute, time.Minute},
		"the default":  {0, phishlist.DefaultInterval},
		"less than it": {-1, phishlist.DefaultInterval},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := openFile(t)
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				reports := make(chan error, 10)
				ended := false
				go func() {
					f.Watch(ctx, c.every, func(err error) { reports <- err })
					ended = true
				}()
				turn := func() []error {
					time.Sleep(c.turn) // of the clock in the bubble
					synctest.Wait()
					var told []error
					for len(reports) > 0 {
						told = append(told, <-reports)
					}
					return told
				}
				synctest.Wait() // until it watches
				require.Empty(t, turn(), "nothing has changed")

				f.replace(t, listB)
				f.requireBlocks(t, "aaa.com", "bbb.com")
				require.Equal(t, []error{nil}, turn())
				f.requireBlocks(t, "bbb.com", "aaa.com")

				f.replace(t, "{")
				told := turn()
				require.Len(t, told, 1)
				require.ErrorIs(t, told[0], asset.ErrInvalid)
				require.Empty(t, turn(), "the same error is told once")
				require.NoError(t, os.Remove(f.path))
				told = turn()
				require.Len(t, told, 1)
				require.ErrorIs(t, told[0], os.ErrNotExist)

				for range 2 {
					f.replace(t, listB)
					require.Equal(t, []error{nil}, turn(), "the error is gone, and it is the list in use")
					require.Empty(t, turn(), "that is told once")
					f.replace(t, "{")
					require.Len(t, turn(), 1, "the error had gone")
				}
				f.replace(t, listA)
				require.Equal(t, []error{nil}, turn())
				f.requireBlocks(t, "aaa.com", "bbb.com")

				require.False(t, ended)
				cancel()
				synctest.Wait()
				require.True(t, ended)
			})
		})
	}
}

func TestWatchNeedsNobodyToTell(t *testing.T) {
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
