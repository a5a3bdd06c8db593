//go:build cgo

package sqlite_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/sqlite"
)

func TestPing_File(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		damage, repair func(path string) error
		want           error
	}{
		"a removed file": {
			func(path string) error { return os.Rename(path, path+".old") },
			func(path string) error { return os.Rename(path+".old", path) },
			sqlite.ErrRemoved,
		},
		"a replaced file": {
			func(path string) error { return replace(path, path+".old") },
			func(path string) error { return os.Rename(path+".old", path) },
			sqlite.ErrRemoved,
		},
		"a read-only file": {
			func(path string) error { return os.Chmod(path, 0o444) },
			func(path string) error { return os.Chmod(path, 0o600) },
			sqlite.ErrReadOnly,
		},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			path := newFile(t)
			store := open(t, path)
			require.NoError(t, store.Ping(t.Context()))

			require.NoError(t, test.damage(path))
			err := store.Ping(t.Context())
			require.ErrorIs(t, err, test.want)
			require.ErrorIs(t, err, asset.ErrUnavailable)
			require.ErrorContains(t, err, "sqlite: ping: ")
			_, err = store.Groups(t.Context(), 1)
			require.NoError(t, err, "calls that read still work")

			require.NoError(t, test.repair(path))
			require.NoError(t, store.Ping(t.Context()))
		})
	}
}

// replace renames a file and puts a copy in its place.
func replace(path, renamed string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := os.Rename(path, renamed); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o600)
}

// Another program can reclassify the database, or restore an older one, while the store is open.
func TestPing_Rules(t *testing.T) {
	t.Parallel()
	for reason, version := range map[string]int{"newer rules": classify.Version + 1, "older rules": classify.Version - 1} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			path := newFile(t)
			store := open(t, path)
			require.NoError(t, store.Ping(t.Context()))

			executeFile(t, path, fmt.Sprint("UPDATE apguard_rules SET version = ", version))
			var refused *storage.RulesError
			require.ErrorAs(t, store.Ping(t.Context()), &refused)
			require.Equal(t, storage.RulesError{Have: version, Want: classify.Version}, *refused)

			executeFile(t, path, fmt.Sprint("UPDATE apguard_rules SET version = ", classify.Version))
			require.NoError(t, store.Ping(t.Context()))
		})
	}
}
