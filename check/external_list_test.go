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
	got, failed := check.ExternalLists{
		listThat("First", asset.StatusBlocked, nil),
		listThat("Second", asset.StatusAllowed, nil),
		listThat("Third\x00", asset.StatusUnknown, nil),
	}.Verdicts(t.Context(), page("bad.example"))
	require.Empty(t, failed)
	require.Equal(t, []check.ListVerdict{
		{List: "First", Status: asset.StatusBlocked},
		{List: "Second", Status: asset.StatusAllowed},
		{List: "Third", Status: asset.StatusUnknown},
	}, got)
}

// A list of domains also decides about the e-mail addresses of its domains.
func TestExternalLists_Verdicts_email(t *testing.T) {
	t.Parallel()
	email := asset.Identity{Type: asset.TypeEmail, Canonical: "bob@mail.bad.com"}
	errGone := errors.New("gone")
	for _, test := range []struct {
		name              string
		ofEmail, ofHost   asset.Status
		emailErr, hostErr error
		want              []check.ListVerdict
	}{
		{"BLOCKED by its domain", asset.StatusUnknown, asset.StatusBlocked, nil, nil, []check.ListVerdict{{List: "list", Status: asset.StatusBlocked}}},
		{"BLOCKED wins over an exemption", asset.StatusAllowed, asset.StatusBlocked, nil, nil, []check.ListVerdict{{List: "list", Status: asset.StatusBlocked}}},
		{"BLOCKED itself", asset.StatusBlocked, asset.StatusAllowed, nil, nil, []check.ListVerdict{{List: "list", Status: asset.StatusBlocked}}},
		{"exempted by its domain", asset.StatusUnknown, asset.StatusAllowed, nil, nil, []check.ListVerdict{{List: "list", Status: asset.StatusAllowed}}},
		{"exempted itself", asset.StatusAllowed, asset.StatusUnknown, nil, nil, []check.ListVerdict{{List: "list", Status: asset.StatusAllowed}}},
		{"no answer about the address", "", asset.StatusBlocked, errGone, nil, nil},
		{"no answer about the domain", asset.StatusAllowed, "", nil, errGone, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			list := listBy(func(identity asset.Identity) (asset.Status, error) {
				if identity == email {
					return test.ofEmail, test.emailErr
				}
				require.Equal(t, page("mail.bad.com"), identity)
				return test.ofHost, test.hostErr
			})
			got, failed := check.ExternalLists{list}.Verdicts(t.Context(), email)
			require.Equal(t, test.want, got)
			require.Equal(t, test.want == nil, errors.Is(failed.Err(), errGone))
		})
	}
}

// listBy is an external list that answers by the asset.
type listBy func(asset.Identity) (asset.Status, error)

func (listBy) Name() string { return "list" }

func (l listBy) Status(_ context.Context, identity asset.Identity) (asset.Status, error) {
	return l(identity)
}

func TestExternalLists_Verdicts_noLists(t *testing.T) {
	t.Parallel()
	got, failed := check.ExternalLists(nil).Verdicts(t.Context(), page("bad.example"))
	require.Empty(t, failed)
	require.Empty(t, got)
}

func TestExternalLists_Verdicts_failures(t *testing.T) {
	t.Parallel()
	down, lost := errors.New("connection refused"), errors.New("no such file")
	got, failed := check.ExternalLists{
		listThat("Down", "", down),
		listThat("Up", asset.StatusBlocked, nil),
		listThat("Lost", "", lost),
		listThat("Odd", "blocked", nil),
		listThat("Silent", "", nil),
	}.Verdicts(t.Context(), page("bad.example"))
	require.Equal(t, []check.ListVerdict{{List: "Up", Status: asset.StatusBlocked}}, got)
	require.Equal(t, []string{"Down", "Lost", "Odd", "Silent"}, failed.Names())
	err := failed.Err()
	require.ErrorIs(t, err, check.ErrListFailed)
	require.ErrorIs(t, err, asset.ErrUnavailable)
	require.ErrorIs(t, err, down)
	require.ErrorIs(t, err, lost)
	for _, name := range failed.Names() {
		require.ErrorContains(t, err, `external list "`+name+`"`)
	}
	require.ErrorContains(t, err, `invalid status "blocked"`)
}

func TestExternalLists_Verdicts_canceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	got, failed := check.ExternalLists{
		listThat("First", asset.StatusUnknown, nil),
		fakeList{"Second", func() (asset.Status, error) { cancel(); return asset.StatusAllowed, nil }},
		fakeList{"Third", func() (asset.Status, error) { panic("asked after the end of the context") }},
	}.Verdicts(ctx, page("bad.example"))
	require.Equal(t, check.ListFailures{{List: "Third", Err: context.Canceled}}, failed)
	require.Equal(t, []check.ListVerdict{{List: "First", Status: asset.StatusUnknown}, {List: "Second", Status: asset.StatusAllowed}}, got)
}
