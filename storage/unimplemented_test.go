package storage_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage"
)

func TestUnimplemented(t *testing.T) {
	t.Parallel()
	methods := reflect.TypeFor[storage.Store]()
	for i := range methods.NumMethod() {
		name := methods.Method(i).Name
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			method := reflect.ValueOf(storage.Unimplemented{}).MethodByName(name)
			args := make([]reflect.Value, 0, method.Type().NumIn())
			for j := range method.Type().NumIn() {
				args = append(args, reflect.Zero(method.Type().In(j)))
			}
			results := method.Call(args)
			err, ok := results[len(results)-1].Interface().(error)
			require.True(t, ok)
			require.ErrorIs(t, err, storage.ErrUnimplemented)
			require.ErrorContains(t, err, name+":")
			for _, result := range results[:len(results)-1] {
				require.True(t, result.IsZero())
			}
		})
	}
}
