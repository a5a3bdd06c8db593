// Package accounttest makes the organizations that tests act for.
package accounttest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
)

// Organizations stores organizations with these IDs, and returns the store.
func Organizations[S account.Store](tb testing.TB, store S, ids ...int64) S {
	tb.Helper()
	for _, id := range ids {
		organization := account.Organization{ID: id, Slug: fmt.Sprintf("organization-%d", id)}
		require.NoError(tb, store.PutOrganization(tb.Context(), organization, audit.Entry{}))
	}
	return store
}
