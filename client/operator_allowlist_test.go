package client_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/httpapi"
)

func TestOperator_ClearAllowlist(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	o := newOrigin(t, httpapi.Options{}, nil)
	op := o.operator(t)
	_, err := o.guard.Allowlist.Add(ctx, allowlist.AddRequest{OrganizationID: 1, Items: []allowlist.Item{{Content: "https://a.example"}, {Content: "https://b.example"}}})
	require.NoError(t, err)
	page, err := op.ListAllowlist(ctx, client.OperatorEntriesRequest{OrganizationID: 1, Limit: 1000})
	require.NoError(t, err)
	require.Len(t, page.Entries, 2)
	filter := client.AllowlistFilter{AddedBefore: time.Now().Add(time.Hour), AddedSince: time.Now().AddDate(-100, 0, 0)}
	for entry, err := range op.Allowlist(ctx, client.OperatorEntriesRequest{OrganizationID: 1, Filter: filter, Limit: 1}) {
		require.NoError(t, err)
		require.True(t, slices.Contains(page.Entries, entry))
	}
	req := client.ClearAllowlistRequest{OrganizationID: 1, Filter: filter, DryRun: true}
	planned, err := op.ClearAllowlist(ctx, req)
	require.NoError(t, err)
	require.Equal(t, len(page.Entries), planned.Removed)
	req.DryRun = false
	for _, want := range []client.ClearedAllowlist{planned, {}} {
		cleared, err := op.ClearAllowlist(ctx, req)
		require.NoError(t, err)
		require.Equal(t, want, cleared)
	}
	_, err = op.ClearAllowlist(ctx, client.ClearAllowlistRequest{})
	require.ErrorIs(t, err, client.ErrInvalid)
}
