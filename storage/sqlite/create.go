package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// create creates the database file unless it exists. Only its owner may read and write
// it, whatever the umask. SQLite gives the other files the mode of this one.
//
// SQLite itself creates the file, with the mode of an empty file that exists only
// meanwhile. See databaseFile for the reason not to create it here.
func create(ctx context.Context, file string, busyTimeout time.Duration) error {
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		return nil // Open reports any other error
	}
	private, err := os.CreateTemp(filepath.Dir(file), ".apguard-") // with mode 0600
	if err != nil {
		if meaning := meaningOfCause(err); meaning != nil {
			return fmt.Errorf("%w: %w", meaning, err)
		}
		return err
	}
	defer func() { _ = os.Remove(private.Name()) }()
	if err := private.Close(); err != nil {
		return err
	}
	pool := openPool(dataSource(file, 0, "&modeof="+escapeValue(private.Name())), "")
	err = retryWhileBusy(ctx, retryFor(busyTimeout), func() error { return pool.PingContext(ctx) })
	return errors.Join(err, pool.Close())
}

// escapeValue escapes the value of a parameter. SQLite does not read a plus sign as a
// space.
func escapeValue(value string) string {
	return strings.ReplaceAll(url.QueryEscape(value), "+", "%20")
}
