package client_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/httpapi"
)

func TestOperator_Explain(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	o := newOrigin(t, httpapi.Options{}, nil)
	op := o.operator(t)
	_, err := o.client(t, acmeKey).AddToAllowlist(ctx, client.AddRequest{Assets: []client.Item{{Content: "https://bad.example.com"}}})
	require.NoError(t, err)
	_, err = o.client(t, acmeKey).CreateDispute(ctx, client.DisputeRequest{Content: "https://bad.example.com"})
	require.NoError(t, err)
	e, err := op.Explain(ctx, "https://bad.example.com/x")
	require.NoError(t, err)
	require.Equal(t, "https://bad.example.com/x", e.Asset.Canonical)
	require.Equal(t, asset.StatusAllowed, e.Match.Status)
	require.Equal(t, client.NamedOrganization{ID: 1, Slug: "acme", Name: "Acme"}, e.AllowedBy[0].NamedOrganization)
	require.Equal(t, client.DecisionSource{Kind: asset.SourceOrganization, Organization: e.AllowedBy[0].NamedOrganization}, e.Decisions[0].Source)
	require.True(t, e.Decisions[0].Counts)
	require.Equal(t, asset.SourceOperator, e.Decisions[1].Source.Kind)
	require.Equal(t, asset.CauseAllowlist, e.Change.Cause)
	require.Len(t, e.Disputes, 1)
	require.False(t, e.MoreDisputes)
	_, err = op.Explain(ctx, "no asset")
	require.ErrorIs(t, err, client.ErrNotFound)
}
