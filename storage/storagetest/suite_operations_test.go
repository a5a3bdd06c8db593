package storagetest_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/storagetest"
)

func TestOperations_EveryMethod(t *testing.T) {
	t.Parallel()
	want := make(map[string]bool)
	for method := range reflect.TypeFor[storage.Store]().Methods() {
		if method.Name != "Close" {
			want[method.Name] = true
		}
	}
	require.Equal(t, want, storagetest.Methods())
}
