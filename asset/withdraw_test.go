package asset_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
)

func TestService_Withdraw(t *testing.T) {
	t.Parallel()
	f := newFixture()
	f.set(t, "a", asset.StatusAllowed)
	f.set(t, "a", asset.StatusBlocked)
	req := asset.WithdrawRequest{
		Identity: url("a"), Origin: asset.Origin{Actor: 7, Reference: "ticket 12"}, IfStatus: asset.StatusBlocked,
		Idempotency: idempotency.Key{Text: "k"},
	}
	got, err := f.Withdraw(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, asset.StatusUnknown, got.Status, "nothing else is held, and the decision before does not come back")
	require.Nil(t, got.Decision)
	require.Equal(t, asset.StatusBlocked, got.Previous.Status)
	change := f.changes(t, asset.ChangeFilter{})[0]
	require.Equal(t, asset.Origin{Cause: asset.CauseWithdrawal, Actor: 7, Reference: "ticket 12"}, change.Origin)
	require.Equal(t, [2]asset.Status{asset.StatusBlocked, asset.StatusUnknown}, [2]asset.Status{change.From, change.To})

	again, err := f.Withdraw(t.Context(), req)
	require.NoError(t, err)
	got.Replayed = true
	require.Equal(t, got, again)

	req.Idempotency, req.IfStatus = idempotency.Key{}, ""
	_, err = f.Withdraw(t.Context(), req)
	require.ErrorIs(t, err, asset.ErrNoDecision, "a second time")
	require.ErrorIs(t, err, asset.ErrNotFound)
}

func TestService_Withdraw_refused(t *testing.T) {
	t.Parallel()
	f := newFixture()
	f.set(t, "a", asset.StatusBlocked)
	for reason, c := range map[string]struct {
		req  asset.WithdrawRequest
		want error
	}{
		"an asset that does not exist": {asset.WithdrawRequest{Identity: url("b")}, asset.ErrNoDecision},
		"another status":               {asset.WithdrawRequest{Identity: url("a"), IfStatus: asset.StatusAllowed}, asset.ErrChanged},
		"no asset":                     {asset.WithdrawRequest{}, asset.ErrInvalid},
		"an invalid actor":             {asset.WithdrawRequest{Identity: url("a"), Origin: asset.Origin{Actor: -1}}, asset.ErrInvalid},
		"an unknown status":            {asset.WithdrawRequest{Identity: url("a"), IfStatus: "x"}, asset.ErrInvalid},
		"an invalid key":               {asset.WithdrawRequest{Identity: url("a"), Idempotency: idempotency.Key{Text: "a b"}}, asset.ErrInvalid},
	} {
		_, err := f.Withdraw(t.Context(), c.req)
		require.ErrorIs(t, err, c.want, reason)
	}
	require.Len(t, f.changes(t, asset.ChangeFilter{}), 1)
	_, err := f.Get(t.Context(), url("b"))
	require.ErrorIs(t, err, asset.ErrNotFound, "nothing is registered")
}
