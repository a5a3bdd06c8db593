package asset_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
)

func TestService_SetStatus(t *testing.T) {
	t.Parallel()
	f := newFixture()
	origin := asset.Origin{Cause: asset.CauseReview, Actor: 7, Reference: "ticket 12"}

	got, err := f.SetStatus(t.Context(), asset.SetStatusRequest{Identity: url("a"), Status: asset.StatusBlocked, Origin: origin})
	require.NoError(t, err)
	want := asset.Asset{ID: got.ID, Identity: url("a"), Status: asset.StatusBlocked}
	require.Equal(t, asset.Updated{Asset: want}, got)
	require.True(t, asset.ValidID(got.ID))

	found, err := f.Get(t.Context(), url("a"))
	require.NoError(t, err)
	require.Equal(t, want, found)

	changes := f.changes(t, asset.ChangeFilter{})
	require.Len(t, changes, 1)
	require.Equal(t, asset.Change{
		ID: changes[0].ID, AssetID: got.ID, Type: asset.TypeURL, Content: "https://a.example",
		From: asset.StatusUnknown, To: asset.StatusBlocked, At: second(1), Origin: origin,
	}, changes[0], "the time has whole milliseconds")
	require.Equal(t, url("a"), changes[0].Identity())
}

func TestService_SetStatus_SameStatus(t *testing.T) {
	t.Parallel()
	f := newFixture()
	f.set(t, "a", asset.StatusAllowed)
	f.set(t, "a", asset.StatusAllowed)
	f.set(t, "b", asset.StatusUnknown)

	changes := f.changes(t, asset.ChangeFilter{})
	require.Len(t, changes, 1)
	require.Equal(t, asset.CauseManual, changes[0].Origin.Cause, "the default cause")
}

func TestSetStatusRequest_Validate(t *testing.T) {
	t.Parallel()
	valid := asset.SetStatusRequest{Identity: url("a"), Status: asset.StatusAllowed}
	require.NoError(t, valid.Validate())
	longest := valid
	longest.Origin.Reference = strings.Repeat("x", asset.MaxReference)
	require.NoError(t, longest.Validate())
	f := newFixture()
	for reason, c := range map[string]struct {
		change func(*asset.SetStatusRequest)
		field  string
	}{
		"unknown type":            {func(r *asset.SetStatusRequest) { r.Identity.Type = "X" }, "type"},
		"no asset":                {func(r *asset.SetStatusRequest) { r.Identity = asset.Identity{} }, "content"},
		"no canonical form":       {func(r *asset.SetStatusRequest) { r.Identity.Canonical = "" }, "content"},
		"canonical form with NUL": {func(r *asset.SetStatusRequest) { r.Identity.Canonical = "a\x00" }, "content"},
		"no status":               {func(r *asset.SetStatusRequest) { r.Status = "" }, "status"},
		"unknown cause":           {func(r *asset.SetStatusRequest) { r.Origin.Cause = "WHIM" }, "cause"},
		"negative actor":          {func(r *asset.SetStatusRequest) { r.Origin.Actor = -1 }, "actor"},
		"reference is not UTF-8":  {func(r *asset.SetStatusRequest) { r.Origin.Reference = "\xff" }, "reference"},
		"unknown ifStatus":        {func(r *asset.SetStatusRequest) { r.IfStatus = "x" }, "ifStatus"},
		"key with a space":        {func(r *asset.SetStatusRequest) { r.Idempotency.Text = "a b" }, "Idempotency-Key"},
		"reference is too long":   {func(r *asset.SetStatusRequest) { r.Origin.Reference = strings.Repeat("x", asset.MaxReference+1) }, "reference"},
	} {
		req := valid
		c.change(&req)
		var input *asset.InputError
		require.ErrorAs(t, req.Validate(), &input, reason)
		require.Len(t, input.Issues, 1, reason)
		require.Equal(t, c.field, input.Issues[0].Field, reason)
		_, err := f.SetStatus(t.Context(), req)
		require.Equal(t, req.Validate(), err, reason)
	}
	_, err := f.Get(t.Context(), url("a"))
	require.ErrorIs(t, err, asset.ErrNotFound, "nothing was stored")
}

func TestService_SetStatus_ifStatus(t *testing.T) {
	t.Parallel()
	f := newFixture()
	set := func(status, ifStatus asset.Status) error {
		_, err := f.SetStatus(t.Context(), asset.SetStatusRequest{Identity: url("a"), Status: status, IfStatus: ifStatus})
		return err
	}
	require.ErrorIs(t, set(asset.StatusBlocked, asset.StatusAllowed), asset.ErrChanged, "an asset that does not exist is UNKNOWN")
	_, err := f.Get(t.Context(), url("a"))
	require.ErrorIs(t, err, asset.ErrNotFound)
	require.NoError(t, set(asset.StatusBlocked, asset.StatusUnknown))
	require.ErrorIs(t, set(asset.StatusAllowed, asset.StatusUnknown), asset.ErrChanged)
	require.NoError(t, set(asset.StatusAllowed, ""), "the caller does not ask")
	require.Len(t, f.changes(t, asset.ChangeFilter{}), 2)
}

func TestService_SetStatus_retry(t *testing.T) {
	t.Parallel()
	f := newFixture()
	req := asset.SetStatusRequest{
		Identity: url("a"), Status: asset.StatusBlocked, IfStatus: asset.StatusUnknown,
		Origin: asset.Origin{Actor: 7}, Idempotency: idempotency.Key{Text: "k"},
	}
	first, err := f.SetStatus(t.Context(), req)
	require.NoError(t, err)
	f.set(t, "a", asset.StatusAllowed)
	again, err := f.SetStatus(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, asset.Updated{Asset: first.Asset, Replayed: true}, again)
	require.Len(t, f.changes(t, asset.ChangeFilter{}), 2)

	for field, change := range map[string]func(*asset.SetStatusRequest){
		"content":   func(r *asset.SetStatusRequest) { r.Identity = url("b") },
		"status":    func(r *asset.SetStatusRequest) { r.Status = asset.StatusUnknown },
		"ifStatus":  func(r *asset.SetStatusRequest) { r.IfStatus = "" },
		"reference": func(r *asset.SetStatusRequest) { r.Origin.Reference = "x" },
	} {
		other := req
		change(&other)
		_, err = f.SetStatus(t.Context(), other)
		require.ErrorIs(t, err, idempotency.ErrReused, field)
	}
	req.Origin.Actor = 8
	other, err := f.SetStatus(t.Context(), req)
	require.ErrorIs(t, err, asset.ErrChanged, "another caller's key, and not UNKNOWN any more: %v", other)
}
