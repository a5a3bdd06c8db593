package dispute_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

// listFunc is an external list with a function for its status.
type listFunc struct {
	name   string
	status func() (asset.Status, error)
}

func (l listFunc) Name() string { return l.name }

func (l listFunc) Status(context.Context, asset.Identity) (asset.Status, error) { return l.status() }

func TestService_CheckLists(t *testing.T) {
	t.Parallel()
	f := newFixture(t,
		blocklist{name: "First", blocks: "https://bad.example"},
		blocklist{name: "Second", exempts: "https://bad.example"},
		blocklist{name: "Third\x00", blocks: "https://other.example"},
		blocklist{name: "Fourth", blocks: "https://bad.example"},
	)
	got, err := f.CheckLists(t.Context(), url("https://bad.example"))
	require.NoError(t, err)
	require.Equal(t, []dispute.ListVerdict{
		{List: "First", Status: asset.StatusBlocked},
		{List: "Second", Status: asset.StatusAllowed},
		{List: "Third", Status: asset.StatusUnknown},
		{List: "Fourth", Status: asset.StatusBlocked},
	}, got)
}

func TestService_CheckLists_NoLists(t *testing.T) {
	t.Parallel()
	got, err := newFixture(t).CheckLists(t.Context(), url("https://bad.example"))
	require.NoError(t, err)
	require.Empty(t, got)
}

func TestService_CheckLists_Failures(t *testing.T) {
	t.Parallel()
	down, lost := errors.New("connection refused"), errors.New("no such file")
	f := newFixture(t,
		blocklist{name: "Down", err: down},
		blocklist{name: "Up", blocks: "https://bad.example"},
		blocklist{name: "Lost", err: lost},
		listFunc{"Odd", func() (asset.Status, error) { return "blocked", nil }},
		listFunc{"Silent", func() (asset.Status, error) { return "", nil }},
	)
	got, err := f.CheckLists(t.Context(), url("https://bad.example"))
	require.Equal(t, []dispute.ListVerdict{{List: "Up", Status: asset.StatusBlocked}}, got)
	require.ErrorIs(t, err, down)
	require.ErrorIs(t, err, lost)
	for _, name := range []string{"Down", "Lost", "Odd", "Silent"} {
		require.ErrorContains(t, err, `external list "`+name+`"`)
	}
	require.ErrorContains(t, err, `invalid status "blocked"`)
	require.NotContains(t, err.Error(), "Up")
}

func TestService_CheckLists_Canceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	f := newFixture(t,
		blocklist{name: "First"},
		listFunc{"Second", func() (asset.Status, error) { cancel(); return asset.StatusAllowed, nil }},
		listFunc{"Third", func() (asset.Status, error) { panic("asked after the end of the context") }},
	)
	got, err := f.CheckLists(ctx, url("https://bad.example"))
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, []dispute.ListVerdict{{List: "First", Status: asset.StatusUnknown}, {List: "Second", Status: asset.StatusAllowed}}, got)

	_, err = f.Create(ctx, dispute.CreateRequest{Content: "https://bad.example", Email: "a@b.example"})
	require.ErrorIs(t, err, context.Canceled, "nor is a dispute created")
}

func TestService_Create_FirstBlockingList(t *testing.T) {
	t.Parallel()
	f := newFixture(t,
		blocklist{name: "Exempts", exempts: "https://bad.example"},
		blocklist{name: "Phish List", blocks: "https://bad.example"},
		listFunc{"Last", func() (asset.Status, error) { panic("asked after a list that blocks") }},
	)
	created, err := f.Create(t.Context(), dispute.CreateRequest{Content: "https://bad.example", Email: "a@b.example"})
	require.NoError(t, err)
	require.Equal(t, onlyInList, created.Message)
}

func TestService_Create_InvalidListStatus(t *testing.T) {
	t.Parallel()
	f := newFixture(t, listFunc{"Odd", func() (asset.Status, error) { return "blocked", nil }})
	f.put(t, "https://site.example", asset.StatusUnknown)
	created, err := f.Create(t.Context(), dispute.CreateRequest{Content: "https://site.example", Email: "a@b.example"})
	require.NoError(t, err)
	require.Empty(t, created.Message)
	require.ErrorContains(t, created.ListErr, `external list "Odd"`)
}
