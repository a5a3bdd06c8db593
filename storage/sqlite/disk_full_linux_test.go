//go:build linux && cgo

package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/internal/test/subprocess"
	"github.com/apguard/apguard/storage/sqlite"
)

// The small disk has space for a few batches.
const smallDisk, largeDisk = "size=3m", "size=64m"

// The disk is a tmpfs in a mount namespace of a process.
func TestWriter_DiskFull(t *testing.T) {
	t.Parallel()
	cmd := subprocess.Command(t, "fill disk", t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	output, err := cmd.Output()
	if ended := new(exec.ExitError); err != nil && !errors.As(err, &ended) {
		t.Skipf("this system allows no mount namespaces: %v", err)
	}
	require.NoError(t, err)
	line := strings.TrimSpace(string(output))
	if line == noMount {
		t.Skip(noMount)
	}
	require.Equal(t, subprocess.OK, line)
}

// noMount is the result of a process that is not allowed to mount.
const noMount = "mounting a tmpfs is not permitted; run this test as root, or where user namespaces may mount"

// fillDiskTask mounts a small disk at the directory and fills it.
func fillDiskTask(dir string) string {
	err := syscall.Mount("tmpfs", dir, "tmpfs", 0, smallDisk)
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		return noMount
	}
	if err != nil {
		return err.Error()
	}
	return subprocess.Result(testFullDisk(dir))
}

func testFullDisk(dir string) error {
	const size, goroutines = 50, 4
	ctx, path := context.Background(), filepath.Join(dir, "a.db")
	store, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	if err := store.Ping(ctx); err != nil {
		return fmt.Errorf("on a disk with space: %w", err)
	}
	if err := store.PutOrganization(ctx, account.Organization{ID: 1, Slug: "acme"}, audit.Entry{}); err != nil {
		return err
	}
	var (
		group sync.WaitGroup
		added [goroutines]int
		errs  [goroutines]error
	)
	for i := range goroutines {
		group.Go(func() {
			for errs[i] == nil {
				if _, errs[i] = store.AddToAllowlist(ctx, fixtures.BatchCommand(fmt.Sprintf("%d-%d", i, added[i]), size)); errs[i] == nil {
					added[i]++
				}
			}
		})
	}
	group.Wait()
	stored := 0
	for i, err := range errs {
		stored += added[i]
		if !errors.Is(err, sqlite.ErrFull) || !errors.Is(err, asset.ErrUnavailable) {
			return fmt.Errorf("on a full disk: %w", err)
		}
	}
	if err := store.Ping(ctx); !errors.Is(err, sqlite.ErrFull) || !errors.Is(err, asset.ErrUnavailable) {
		return fmt.Errorf("ping on a full disk: %w", err)
	}
	if err := checkRows(ctx, store, stored*size); err != nil {
		return fmt.Errorf("on a full disk: %w", err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, largeDisk); err != nil {
		return err
	}
	if err := store.Ping(ctx); err != nil {
		return fmt.Errorf("ping with space again: %w", err)
	}
	if _, err := store.AddToAllowlist(ctx, fixtures.BatchCommand("space", size)); err != nil {
		return fmt.Errorf("with space again: %w", err)
	}
	if err := store.Close(); err != nil {
		return err
	}
	if err := testReadOnlyDisk(ctx, dir, path, (stored+1)*size); err != nil {
		return err
	}
	return testUnlimitedDisk(ctx, dir)
}

// testReadOnlyDisk opens a store with that many entries on a disk that became read-only, and
// again when it is writable.
func testReadOnlyDisk(ctx context.Context, dir, path string, entries int) error {
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, largeDisk); err != nil {
		return err
	}
	for _, file := range []string{path, filepath.Join(dir, "new.db")} {
		if _, err := sqlite.Open(ctx, file, sqlite.Options{}); !errors.Is(err, sqlite.ErrReadOnly) {
			return fmt.Errorf("on a read-only disk: %w", err)
		}
	}
	// A disk with an open file becomes read-only only by a fault, so this looks at the disk alone.
	if err := sqlite.CheckDisk(dir); !errors.Is(err, sqlite.ErrReadOnly) {
		return fmt.Errorf("check of a read-only disk: %w", err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, largeDisk); err != nil {
		return err
	}
	store, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	return errors.Join(checkRows(ctx, store, entries), store.Close())
}

// testUnlimitedDisk opens a store on a disk that reports no size.
func testUnlimitedDisk(ctx context.Context, dir string) error {
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=0,nr_inodes=0"); err != nil {
		return err
	}
	store, err := sqlite.Open(ctx, filepath.Join(dir, "a.db"), sqlite.Options{})
	if err != nil {
		return err
	}
	return errors.Join(store.Ping(ctx), store.Close())
}

// checkRows returns an error unless the store is intact and has that many entries.
func checkRows(ctx context.Context, store *sqlite.Store, want int) error {
	_, reader := sqlite.Pools(store)
	for _, table := range []string{"apguard_assets", "apguard_changes", "apguard_allowlist"} {
		var got int
		if err := reader.QueryRowContext(ctx, "SELECT count(*) FROM "+table).Scan(&got); err != nil {
			return err
		}
		if got != want {
			return fmt.Errorf("%s has %d rows instead of %d", table, got, want)
		}
	}
	var intact string
	if err := reader.QueryRowContext(ctx, "PRAGMA integrity_check").Scan(&intact); err != nil {
		return err
	}
	if intact != "ok" {
		return errors.New(intact)
	}
	return nil
}

// diskTasks returns the tasks that mount disks.
func diskTasks() map[string]subprocess.Task {
	return map[string]subprocess.Task{"fill disk": fillDiskTask}
}
