package benchtest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

// URL names an asset that no other pair of numbers has.
func URL(batch, number int) string {
	return fmt.Sprintf("https://batch-%d.example/asset/%d", batch, number)
}

// AddCommand adds a batch of that many assets, those of [URL], to the allowlist of
// organization 1.
func AddCommand(batch, size int) allowlist.AddCommand {
	cmd := allowlist.AddCommand{
		OrganizationID: 1,
		At:             time.Date(2025, 1, 5, 10, 0, 0, 0, time.UTC),
		Origin:         asset.Origin{Cause: asset.CauseAllowlist},
	}
	for i := range size {
		url := URL(batch, i)
		cmd.Entries = append(cmd.Entries, allowlist.Entry{Asset: asset.Asset{Identity: asset.Identity{Type: asset.TypeURL, Canonical: url}}, Content: url, Name: "An asset"})
	}
	return cmd
}

// Fill adds that many batches of [allowlist.MaxItems] assets, with the numbers from 0, to the
// allowlist of organization 1, which the store has. Each asset has one change.
func Fill(tb testing.TB, store allowlist.Store, batches int) {
	tb.Helper()
	for batch := range batches {
		_, err := store.AddToAllowlist(tb.Context(), AddCommand(batch, allowlist.MaxItems))
		require.NoError(tb, err)
	}
}
