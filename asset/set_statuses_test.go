package asset_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/memory"
)

func item(name string, status asset.Status) asset.StatusItem {
	return asset.StatusItem{Identity: url(name), Status: status}
}

var errRefused = errors.New("content is not recognized")

// outcomes returns the old and the new status of each result, or its error.
func outcomes(results []asset.StatusResult) []string {
	texts := make([]string, len(results))
	for i, result := range results {
		texts[i] = string(result.From + " " + result.Asset.Status)
		if result.Err != nil {
			texts[i] = result.Err.Error()
		}
	}
	return texts
}

func TestService_SetStatuses(t *testing.T) {
	t.Parallel()
	for _, dry := range []bool{true, false} {
		f := newFixture()
		f.set(t, "a", asset.StatusAllowed)
		f.set(t, "b", asset.StatusBlocked)
		req := asset.SetStatusesRequest{
			DryRun: dry,
			Origin: asset.Origin{Reference: "feed"},
			Items: []asset.StatusItem{
				item("a", asset.StatusBlocked),
				item("b", asset.StatusBlocked),
				item("new", asset.StatusBlocked),
				{Identity: asset.Identity{Type: "X", Canonical: "x"}, Status: asset.StatusBlocked},
				item("new", asset.StatusBlocked),
				item("new", asset.StatusAllowed),
				item("other", asset.StatusUnknown),
				item("other", ""),
				{Identity: url("new"), Status: asset.StatusBlocked, ExpiresAt: second(60)},
				{Identity: url("ends"), Status: asset.StatusAllowed, ExpiresAt: second(60)},
				{Identity: url("ends"), Status: asset.StatusAllowed, ExpiresAt: second(60)},
				{Identity: url("ended"), Status: asset.StatusAllowed, ExpiresAt: second(2)},
				{Identity: url("a"), Status: asset.StatusBlocked, Refused: errRefused},
			},
		}
		results, err := f.SetStatuses(t.Context(), req)
		require.NoError(t, err)
		require.Equal(t, []string{
			"ALLOWED BLOCKED",
			"BLOCKED BLOCKED",
			"UNKNOWN BLOCKED",
			"invalid input: type: must be an asset type",
			"BLOCKED BLOCKED",
			asset.ErrContradiction.Error(),
			"UNKNOWN UNKNOWN",
			"invalid input: status: must be UNKNOWN, ALLOWED or BLOCKED",
			asset.ErrContradiction.Error(),
			"UNKNOWN ALLOWED",
			"ALLOWED ALLOWED",
			"invalid input: expiresAt: must be in the future, up to year 9999",
			errRefused.Error(),
		}, outcomes(results), "dry run: %v", dry)
		for i, changed := range []bool{true, false, true, false, false, false, false, false, false, true, false, false, false} {
			require.Equal(t, changed, results[i].Changed(), "item %d", i)
		}
		require.EqualValues(t, 1, results[0].Asset.ID)
		changes := f.changes(t, asset.ChangeFilter{})
		if dry {
			require.Zero(t, results[2].Asset.ID)
			require.Equal(t, url("new"), results[2].Asset.Identity)
			require.Len(t, changes, 2, "a dry run stores nothing")
			continue
		}
		require.EqualValues(t, 3, results[2].Asset.ID)
		require.Equal(t, results[2].Asset, results[4].Asset)
		require.Len(t, changes, 5)
		require.Equal(t, asset.Origin{Cause: asset.CauseManual, Reference: "feed"}, changes[0].Origin)
		require.Equal(t, second(3), changes[0].At)
		require.Nil(t, results[2].Previous, "of a new asset")
		for _, i := range []int{0, 1} {
			require.Equal(t, results[i].From, results[i].Previous.Status)
		}
		again, err := f.SetStatuses(t.Context(), req)
		require.NoError(t, err)
		for _, result := range again {
			require.False(t, result.Changed(), "a repeated request changes nothing")
		}
	}
}

func TestService_SetStatuses_AllRefused(t *testing.T) {
	t.Parallel()
	service := asset.NewService(nil, asset.Options{}) // the store is not called
	results, err := service.SetStatuses(t.Context(), asset.SetStatusesRequest{Items: make([]asset.StatusItem, 2)})
	require.NoError(t, err)
	require.Len(t, results, 2)
	require.ErrorIs(t, results[1].Err, asset.ErrInvalid)
}

func TestSetStatusesRequest_Validate(t *testing.T) {
	t.Parallel()
	one := []asset.StatusItem{item("a", asset.StatusBlocked)}
	for reason, c := range map[string]struct {
		req   asset.SetStatusesRequest
		field string
	}{
		"no items":               {asset.SetStatusesRequest{}, "items"},
		"1,001 items":            {asset.SetStatusesRequest{Items: make([]asset.StatusItem, 1001)}, "items"},
		"unknown cause":          {asset.SetStatusesRequest{Items: one, Origin: asset.Origin{Cause: "WHIM"}}, "cause"},
		"negative actor":         {asset.SetStatusesRequest{Items: one, Origin: asset.Origin{Actor: -1}}, "actor"},
		"reference is not UTF-8": {asset.SetStatusesRequest{Items: one, Origin: asset.Origin{Reference: "\xff"}}, "reference"},
		"reference is too long":  {asset.SetStatusesRequest{Items: one, Origin: asset.Origin{Reference: strings.Repeat("x", asset.MaxReference+1)}}, "reference"},
	} {
		var input *asset.InputError
		_, err := newFixture().SetStatuses(t.Context(), c.req)
		require.ErrorAs(t, err, &input, reason)
		require.Len(t, input.Issues, 1, reason)
		require.Equal(t, c.field, input.Issues[0].Field, reason)
	}
}

// protectorFunc is an [asset.Protector].
type protectorFunc func(identities []asset.Identity) (asset.Protections, error)

func (f protectorFunc) Protections(_ context.Context, identities []asset.Identity, _ time.Time) (asset.Protections, error) {
	return f(identities)
}

// An item that is refused may have no identity, so nothing is asked about it.
func TestService_SetStatuses_refusedIsNotProtected(t *testing.T) {
	t.Parallel()
	var asked []asset.Identity
	service := asset.NewService(memory.New(), asset.Options{Protector: protectorFunc(func(identities []asset.Identity) (asset.Protections, error) {
		asked = append(asked, identities...)
		return nil, nil
	})})
	_, err := service.SetStatuses(t.Context(), asset.SetStatusesRequest{Items: []asset.StatusItem{
		{Status: asset.StatusBlocked, Refused: errRefused}, item("a", asset.StatusBlocked), item("b", asset.StatusAllowed),
	}})
	require.NoError(t, err)
	require.Equal(t, []asset.Identity{url("a")}, asked)
}
