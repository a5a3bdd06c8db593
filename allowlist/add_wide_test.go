package allowlist_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/protect"
)

// A dry run says which of the items that it would add are wide. Nothing else does.
func TestService_Add_Wide(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{Protected: protect.Rule{Names: protect.Names([]string{"named.com"})}})
	f.block(t, "https://bank.com/evil")
	f.add(t, acme, allowlist.Item{Content: "apple.com"})
	contents := []string{"google.com", "bank.com", "named.com", "good.com", "google.com", "apple.com", "no asset"}
	items := make([]allowlist.Item, len(contents))
	for i, content := range contents {
		items[i].Content = content
	}
	req := allowlist.AddRequest{OrganizationID: acme, Items: items, DryRun: true}
	planned, err := f.Add(t.Context(), req)
	require.NoError(t, err)
	want := []*protect.Wide{
		{Protection: asset.ProtectedPopular}, {BlockedBelow: 1}, {Protection: asset.ProtectedName}, nil, nil, nil, nil,
	}
	req.DryRun = false
	added, err := f.Add(t.Context(), req)
	require.NoError(t, err)
	for i, content := range contents {
		require.Equal(t, want[i], planned.Results[i].Wide, content)
		require.Nil(t, added.Results[i].Wide, content)
	}
}
