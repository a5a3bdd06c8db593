package client_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/httpapi"
)

func TestOperator_Preview(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	o := newOrigin(t, httpapi.Options{}, nil)
	op := o.operator(t)
	_, err := op.SetStatus(ctx, client.SetStatusRequest{Content: "shop.good.example.com", Status: asset.StatusAllowed})
	require.NoError(t, err)
	preview, err := op.Preview(ctx, "HTTPS://Good.example.com/x", asset.StatusBlocked)
	require.NoError(t, err)
	good, err := o.guard.Asset(ctx, "good.example.com")
	require.NoError(t, err)
	require.Len(t, preview.Above, 1)
	require.Equal(t, good, preview.Above[0].Asset)
	require.Equal(t, classify.CoverPage, preview.Above[0].Kind)
	require.Equal(t, asset.SourceOperator, preview.Above[0].By)
	preview.Above[0].Basis = asset.Basis{}
	identity := asset.Identity{Type: asset.TypeURL, Canonical: "https://good.example.com/x"}
	require.Equal(t, client.Preview{
		Asset: asset.Asset{Identity: identity, Status: asset.StatusUnknown}, Status: asset.StatusBlocked,
		Verdict: check.Verdict{
			Content: identity.Canonical, Identity: identity, Status: asset.StatusBlocked, Source: check.SourceAsset, Match: preview.Verdict.Match,
		},
		Above: preview.Above, AboveCount: 1,
	}, preview)
	require.Equal(t, identity, preview.Verdict.Match.Identity)

	preview, err = op.Preview(ctx, "good.example.com", asset.StatusBlocked)
	require.NoError(t, err)
	require.Equal(t, 1, preview.BelowCount.Number)
	require.Equal(t, preview.Below, preview.Exceptions.Assets)
	require.Equal(t, "shop.good.example.com", preview.Below[0].Canonical)
	_, err = op.Preview(ctx, "no asset", asset.StatusBlocked)
	require.ErrorIs(t, err, client.ErrInvalid)
}
