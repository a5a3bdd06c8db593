package phishlist_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute/phishlist"
)

// readingFile is a file that is read by a function.
type readingFile struct {
	*os.File
	read func(file *os.File, p []byte) (int, error)
}

func (f readingFile) Read(p []byte) (int, error) { return f.read(f.File, p) }

// setRead lets a function read the file from now on.
func (f listFile) setRead(read func(file *os.File, p []byte) (int, error)) {
	f.SetOpen(func(path string) (fs.File, error) {
		file, err := os.Open(path)
		return readingFile{file, read}, err
	})
}

// TestAFailureToReadIsNotKept fails once, in the first look at the content or further on.
func TestAFailureToReadIsNotKept(t *testing.T) {
	t.Parallel()
	broken := errors.New("input/output error")
	for reason, sound := range map[string]int{"at once": 0, "after the first reading": 2, "at the end": 3} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := openFile(t)
			f.replace(t, listB)
			f.date(t, time.Now().Add(-time.Hour))
			reads := 0
			f.setRead(func(file *os.File, p []byte) (int, error) {
				if reads++; reads == sound+1 {
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

// TestTheSameContentIsParsedOnce gives the file a time of modification in the future, at
// which it has to be read each time.
func TestTheSameContentIsParsedOnce(t *testing.T) {
	t.Parallel()
	f := openFile(t)
	opened := 0
	f.SetOpen(func(path string) (fs.File, error) {
		opened++
		return os.Open(path)
	})
	f.replace(t, listB)
	f.date(t, time.Now().Add(time.Hour))
	f.requireReload(t, true)
	before := opened
	for i := range 3 {
		f.requireReload(t, false)
		require.Equal(t, before+1+i, opened, "it is read, and not a second time to be parsed")
	}

	f.replace(t, listB+"]")
	f.date(t, time.Now().Add(time.Hour))
	_, first := f.Reload(t.Context())
	require.ErrorIs(t, first, asset.ErrInvalid)
	before = opened
	_, second := f.Reload(t.Context())
	require.Same(t, first, second)
	require.Equal(t, before+1, opened)
	f.replace(t, listB[:9]+"5"+listB[9:])
	f.date(t, time.Now().Add(time.Hour))
	_, third := f.Reload(t.Context())
	require.ErrorIs(t, third, asset.ErrInvalid)
	require.NotSame(t, first, third, "one byte is different")
}

// TestAChangeAfterTheErrorIsSeen changes what stands behind the place that is wrong, and
// then what is wrong, all at one time and in one size.
func TestAChangeAfterTheErrorIsSeen(t *testing.T) {
	t.Parallel()
	f := openFile(t)
	at := time.Now()
	for _, text := range []string{`{"blacklist": [5, "a"]}   `, `{"blacklist": [5, "b"]}   `} {
		writeFile(t, f.path, text)
		f.date(t, at)
		_, err := f.Reload(t.Context())
		require.ErrorIs(t, err, asset.ErrInvalid)
	}
	writeFile(t, f.path, listB)
	f.date(t, at)
	f.requireReload(t, true)
}

// TestAFileThatGrewIsSeen leaves it the time at which it was modified, long ago.
func TestAFileThatGrewIsSeen(t *testing.T) {
	t.Parallel()
	f := openFile(t)
	long := time.Now().Add(-time.Hour)
	f.date(t, long)
	f.requireReload(t, false)
	writeFile(t, f.path, listB+"\n")
	f.date(t, long)
	f.requireReload(t, true)
	f.requireBlocks(t, "bbb.com", "aaa.com")
}

// TestReadingStopsAtTheLimit makes a file so large that nobody could read it.
func TestReadingStopsAtTheLimit(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "list.json")
	writeFile(t, path, listA)
	file, err := phishlist.OpenFile(path, phishlist.Options{MaxBytes: int64(len(listA))})
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

func TestReloadDoesNotReadWithoutNeed(t *testing.T) {
	t.Parallel()
	f := openFile(t)
	f.SetOpen(func(string) (fs.File, error) { panic("opened after the end") })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 { // it waits for two things at once
		_, err := f.Reload(ctx)
		require.ErrorIs(t, err, context.Canceled)
	}
	require.NoError(t, os.Remove(f.path))
	_, err := f.Reload(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

// TestReloadEndsWhileItReads ends the context in the midst of the file and at its end.
func TestReloadEndsWhileItReads(t *testing.T) {
	t.Parallel()
	for reason, sound := range map[string]int{
		"in the first look": 0,
		"at the end of it":  1,
		"in the midst":      2,
		"at the end":        3,
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := openFile(t)
			f.replace(t, listB)
			ctx, cancel := context.WithCancel(t.Context())
			reads := 0
			f.setRead(func(file *os.File, p []byte) (int, error) {
				if reads++; reads > sound {
					cancel()
				}
				return file.Read(p)
			})
			changed, err := f.Reload(ctx)
			require.ErrorIs(t, err, context.Canceled)
			require.False(t, changed)
			require.Equal(t, sound+1, reads, "nothing is read after the end")
			f.requireBlocks(t, "aaa.com", "bbb.com")
			f.setRead((*os.File).Read)
			f.requireReload(t, true)
		})
	}
}

// TestReloadDoesNotWaitAfterTheEnd has another call in a reading that takes its time.
func TestReloadDoesNotWaitAfterTheEnd(t *testing.T) {
	t.Parallel()
	f := openFile(t)
	f.replace(t, listB)
	begun, goOn := make(chan struct{}), make(chan struct{})
	f.setRead(func(file *os.File, p []byte) (int, error) {
		begun <- struct{}{}
		<-goOn
		return file.Read(p)
	})
	ended := make(chan error, 1)
	go func() {
		_, err := f.Reload(t.Context())
		ended <- err
	}()
	<-begun
	ctx, cancel := context.WithCancel(t.Context())
	waiting := make(chan error, 1)
	go func() {
		_, err := f.Reload(ctx)
		waiting <- err
	}()
	cancel()
	require.ErrorIs(t, <-waiting, context.Canceled)
	close(goOn)
	for {
		select {
		case <-begun:
		case err := <-ended:
			require.NoError(t, err)
			f.requireBlocks(t, "bbb.com", "aaa.com")
			return
		}
	}
}

// TestWatchTellsNothingAfterTheEnd ends the context while the file is read.
func TestWatchTellsNothingAfterTheEnd(t *testing.T) {
	t.Parallel()
	f := openFile(t)
	f.replace(t, listB)
	ctx, cancel := context.WithCancel(t.Context())
	f.setRead(func(*os.File, []byte) (int, error) {
		cancel()
		return 0, io.ErrUnexpectedEOF
	})
	f.Watch(ctx, time.Millisecond, func(err error) { t.Error("told", err) })
}
