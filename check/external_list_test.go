package check_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
)

// fakeList is an external list with a function for its status.
type fakeList struct {
	name   string
	status func() (asset.Status, error)
}

func (l fakeList) Name() string { return l.name }

func (l fakeList) Status(context.Context, asset.Identity) (asset.Status, error) { return l.status() }

// listThat returns a list with the same answer about every asset.
func listThat(name string, status asset.Status, err error) check.ExternalList {
	return fakeList{name, func() (asset.Status, error) { return status, err }}
}

func TestExternalLists_Verdicts(t *testing.T) {
	t.Parallel()
	got, err := check.ExternalLists{
		listThat("First", asset.StatusBlocked, nil),
		listThat("Second", asset.StatusAllowed, nil),
		listThat("Third\x00", asset.StatusUnknown, nil),
	}.Verdicts(t.Context(), page("bad.example"))
	require.NoError(t, err)
	require.Equal(t, []check.ListVerdict{
		{List: "First", Status: asset.StatusBlocked},
		{List: "Second", Status: asset.StatusAllowed},
		{List: "Third", Status: asset.StatusUnknown},
	}, got)
}

func TestExternalLists_Verdicts_noLists(t *testing.T) {
	t.Parallel()
	got, err := check.ExternalLists(nil).Verdicts(t.Context(), page("bad.example"))
	require.NoError(t, err)
	require.Empty(t, got)
}

func TestExternalLists_Verdicts_failures(t *testing.T) {
	t.Parallel()
	down, lost := errors.New("connection refused"), errors.New("no such file")
	got, err := check.ExternalLists{
		listThat("Down", "", down),
		listThat("Up", asset.StatusBlocked, nil),
		listThat("Lost", "", lost),
		listThat("Odd", "blocked", nil),
		listThat("Silent", "", nil),
	}.Verdicts(t.Context(), page("bad.example"))
	require.Equal(t, []check.ListVerdict{{List: "Up", Status: asset.StatusBlocked}}, got)
	require.ErrorIs(t, err, down)
	require.ErrorIs(t, err, lost)
	for _, name := range []string{"Down", "Lost", "Odd", "Silent"} {
		require.ErrorContains(t, err, `external list "`+name+`"`)
	}
	require.ErrorContains(t, err, `invalid status "blocked"`)
	require.NotContains(t, err.Error(), "Up")
}

func TestExternalLists_Verdicts_canceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	got, err := check.ExternalLists{
		listThat("First", asset.StatusUnknown, nil),
		fakeList{"Second", func() (asset.Status, error) { cancel(); return asset.StatusAllowed, nil }},
		fakeList{"Third", func() (asset.Status, error) { panic("asked after the end of the context") }},
	}.Verdicts(ctx, page("bad.example"))
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, []check.ListVerdict{{List: "First", Status: asset.StatusUnknown}, {List: "Second", Status: asset.StatusAllowed}}, got)
}
