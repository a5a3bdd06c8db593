package storagetest_test

import (
	"testing"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/storagetest"
)

func ExampleRun() {
	// The parameter of func TestStore(t *testing.T) in the adapter's package.
	var t *testing.T

	storagetest.Run(t, func(*testing.T) storage.Store {
		return memory.New()
	})
}

// mapStore implements account.Store so far.
type mapStore struct {
	storage.Store // nil
	organizations map[int64]account.Organization
}

// Close implements storage.Store.
func (*mapStore) Close() error { return nil }

// A half-written adapter embeds a nil storage.Store and tests the parts that it has.
func ExampleRunPart() {
	// The parameter of func TestStore(t *testing.T) in the adapter's package.
	var t *testing.T

	storagetest.RunPart(t, storagetest.Accounts, func(*testing.T) storage.Store {
		return &mapStore{organizations: make(map[int64]account.Organization)}
	})
}
