package storagetest_test

import (
	"testing"

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
