package phishlist_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/phishlist"
)

func TestFile_Reload(t *testing.T) {
	t.Parallel()
	for reason, change := range map[string]func(t *testing.T, f listFile){
		"replaced":        func(t *testing.T, f listFile) { t.Helper(); f.replace(t, listB) },
		"rewritten":       func(t *testing.T, f listFile) { t.Helper(); writeFile(t, f.path, listB) },
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
			require.True(t, before.Check("aaa.com").Blocked, "a list is immutable")
		})
	}
}

// TestFile_Reload_ChangeWithTheSameTime has two contents of the same size and modification
// time. That time is when the first one is read, by a fake clock.
func TestFile_Reload_ChangeWithTheSameTime(t *testing.T) {
	t.Parallel()
	f := openFile(t)
	synctest.Test(t, func(t *testing.T) {
		at := time.Now()
		f.setModTime(t, at)
		f.requireReload(t, false)
		writeFile(t, f.path, listB)
		f.setModTime(t, at)
		f.requireReload(t, true)
		f.requireBlocks(t, "bbb.com", "aaa.com")
	})
}

// TestFile_Reload_UnchangedFileIsNotRead changes only the content of a file with an old
// modification time. Reload misses that, which shows that it does not read the file.
func TestFile_Reload_UnchangedFileIsNotRead(t *testing.T) {
	t.Parallel()
	f := openFile(t)
	long := time.Now().Add(-time.Hour)
	f.setModTime(t, long)
	f.requireReload(t, false)
	writeFile(t, f.path, listB)
	f.setModTime(t, long)
	f.requireReload(t, false)
	f.requireBlocks(t, "aaa.com", "bbb.com")

	f.replace(t, listB)
	f.setModTime(t, long)
	f.requireReload(t, true) // another file of the same size and time
	writeFile(t, f.path, listA+" ")
	f.setModTime(t, long)
	f.requireReload(t, true) // another size
}

// TestFile_Reload_SameContentIsNotParsed gives the file a modification time in the future,
// so that each Reload reads it.
func TestFile_Reload_SameContentIsNotParsed(t *testing.T) {
	t.Parallel()
	f := openFile(t)
	opened := 0
	f.SetOpen(func(path string) (fs.File, error) {
		opened++
		return os.Open(path)
	})
	f.replace(t, listB)
	f.setModTime(t, time.Now().Add(time.Hour))
	f.requireReload(t, true)
	before := opened
	for i := range 3 {
		f.requireReload(t, false)
		require.Equal(t, before+1+i, opened, "the file is read once, and not again to be parsed")
	}

	f.replace(t, listB+"]")
	f.setModTime(t, time.Now().Add(time.Hour))
	_, first := f.Reload(t.Context())
	require.ErrorIs(t, first, asset.ErrInvalid)
	before = opened
	_, second := f.Reload(t.Context())
	require.Same(t, first, second)
	require.Equal(t, before+1, opened)
	f.replace(t, listB[:9]+"5"+listB[9:])
	f.setModTime(t, time.Now().Add(time.Hour))
	_, third := f.Reload(t.Context())
	require.ErrorIs(t, third, asset.ErrInvalid)
	require.NotSame(t, first, third, "one byte is different")
}

func TestFile_Reload_InvalidFile(t *testing.T) {
	t.Parallel()
	f := openFile(t)
	for reason, text := range map[string]string{
		"a truncated list": listB[:20],
		"an empty file":    "",
		"not a list":       `{"message": "try again"}`,
	} {
		f.replace(t, text)
		f.setModTime(t, time.Now().Add(-time.Hour))
		for range 2 { // the second call does not read the file
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
	f.requireReload(t, false) // the list in use has this content
	f.replace(t, listB)
	f.requireReload(t, true)
	f.requireBlocks(t, "bbb.com", "aaa.com")
}

// TestFile_Reload_ChangeAfterTheError changes the content after the invalid entry, and then
// the entry. Size and modification time stay the same, and no time passes by a fake clock.
func TestFile_Reload_ChangeAfterTheError(t *testing.T) {
	t.Parallel()
	f := openFile(t)
	synctest.Test(t, func(t *testing.T) {
		at := time.Now()
		for _, text := range []string{`{"blacklist": [5, "a"]}   `, `{"blacklist": [5, "b"]}   `} {
			writeFile(t, f.path, text)
			f.setModTime(t, at)
			_, err := f.Reload(t.Context())
			require.ErrorIs(t, err, asset.ErrInvalid)
		}
		writeFile(t, f.path, listB)
		f.setModTime(t, at)
		f.requireReload(t, true)
	})
}

// TestFile_Reload_ReadErrorIsRetried fails one read: of the checksum or of the parser.
func TestFile_Reload_ReadErrorIsRetried(t *testing.T) {
	t.Parallel()
	broken := errors.New("input/output error")
	for reason, good := range map[string]int{"the first read": 0, "the first read of the parser": 2, "the last read": 3} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := openFile(t)
			f.replace(t, listB)
			f.setModTime(t, time.Now().Add(-time.Hour))
			reads := 0
			f.setRead(func(file *os.File, p []byte) (int, error) {
				if reads++; reads == good+1 {
					return 0, broken
				}
				return file.Read(p)
			})
			for range 2 {
				reads = 0
				changed, err := f.Reload(t.Context())
				require.False(t, changed)
				require.ErrorIs(t, err, broken)
				require.NotErrorIs(t, err, asset.ErrInvalid)
				f.requireBlocks(t, "aaa.com", "bbb.com")
			}
			f.setRead((*os.File).Read)
			f.requireReload(t, true)
			f.requireBlocks(t, "bbb.com", "aaa.com")
		})
	}
}

// TestFile_Reload_MaxBytes has a file of 16 GiB.
func TestFile_Reload_MaxBytes(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "list.json")
	writeFile(t, path, listA)
	file, err := phishlist.OpenFile(t.Context(), path, phishlist.Options{MaxBytes: int64(len(listA))})
	require.NoError(t, err)
	require.NoError(t, os.Truncate(path, 1<<34))
	for range 2 {
		_, err = file.Reload(t.Context())
		require.ErrorIs(t, err, phishlist.ErrTooLarge)
	}
	writeFile(t, path, listA)
	_, err = file.Reload(t.Context())
	require.NoError(t, err)
}

func TestFile_Reload_CanceledContextReadsNothing(t *testing.T) {
	t.Parallel()
	f := openFile(t)
	f.SetOpen(func(string) (fs.File, error) { panic("opened after ctx was canceled") })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 { // select chooses at random
		_, err := f.Reload(ctx)
		require.ErrorIs(t, err, context.Canceled)
	}
	require.NoError(t, os.Remove(f.path))
	_, err := f.Reload(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

// TestFile_Reload_CanceledWhileReading cancels the context in each read of a file.
func TestFile_Reload_CanceledWhileReading(t *testing.T) {
	t.Parallel()
	for reason, good := range map[string]int{
		"the first read of the checksum": 0,
		"the last read of the checksum":  1,
		"the first read of the parser":   2,
		"the last read of the parser":    3,
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := openFile(t)
			f.replace(t, listB)
			ctx, cancel := context.WithCancel(t.Context())
			reads := 0
			f.setRead(func(file *os.File, p []byte) (int, error) {
				if reads++; reads > good {
					cancel()
				}
				return file.Read(p)
			})
			changed, err := f.Reload(ctx)
			require.ErrorIs(t, err, context.Canceled)
			require.False(t, changed)
			require.Equal(t, good+1, reads, "no read follows")
			f.requireBlocks(t, "aaa.com", "bbb.com")
			f.setRead((*os.File).Read)
			f.requireReload(t, true)
		})
	}
}

// TestFile_Reload_CanceledWhileWaiting cancels a call that waits for a slow one.
func TestFile_Reload_CanceledWhileWaiting(t *testing.T) {
	t.Parallel()
	f := openFile(t)
	f.replace(t, listB)
	started, proceed := make(chan struct{}), make(chan struct{})
	f.setRead(func(file *os.File, p []byte) (int, error) {
		started <- struct{}{}
		<-proceed
		return file.Read(p)
	})
	finished := make(chan error, 1)
	go func() {
		_, err := f.Reload(t.Context())
		finished <- err
	}()
	<-started
	ctx, cancel := context.WithCancel(t.Context())
	waiting := make(chan error, 1)
	go func() {
		_, err := f.Reload(ctx)
		waiting <- err
	}()
	cancel()
	require.ErrorIs(t, <-waiting, context.Canceled)
	close(proceed)
	for {
		select {
		case <-started:
		case err := <-finished:
			require.NoError(t, err)
			f.requireBlocks(t, "bbb.com", "aaa.com")
			return
		}
	}
}

// TestFile_Reload_ConcurrentChecks is for the race detector. It also requires all verdicts
// to come from one of the two lists.
func TestFile_Reload_ConcurrentChecks(t *testing.T) {
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
					t.Error("verdicts from both lists")
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
