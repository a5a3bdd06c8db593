package dispute_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

// answering is an external list that does what a function says.
type answering struct {
	name   string
	answer func() (asset.Status, error)
}

func (l answering) Name() string { return l.name }

func (l answering) Status(context.Context, asset.Identity) (asset.Status, error) { return l.answer() }

func TestOpinionsAreThoseOfAllLists(t *testing.T) {
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

func TestOpinionsWithoutLists(t *testing.T) {
	t.Parallel()
	got, err := newFixture(t).CheckLists(t.Context(), url("https://bad.example"))
	require.NoError(t, err)
	require.Empty(t, got)
}

func TestOpinionsNameTheListsThatFail(t *testing.T) {
	t.Parallel()
	down, lost := errors.New("connection refused"), errors.New("no such file")
	f := newFixture(t,
		blocklist{name: "Down", err: down},
		blocklist{name: "Up", blocks: "https://bad.example"},
		blocklist{name: "Lost", err: lost},
		answering{"Odd", func() (asset.Status, error) { return "blocked", nil }},
		answering{"Silent", func() (asset.Status, error) { return "", nil }},
	)
	got, err := f.CheckLists(t.Context(), url("https://bad.example"))
	require.Equal(t, []dispute.ListVerdict{{List: "Up", Status: asset.StatusBlocked}}, got)
	require.ErrorIs(t, err, down)
	require.ErrorIs(t, err, lost)
	for _, name := range []string{"Down", "Lost", "Odd", "Silent"} {
		require.ErrorContains(t, err, `external list "`+name+`"`)
	}
	require.ErrorContains(t, err, `status "blocked"`)
	require.NotContains(t, err.Error(), "Up")
}

func TestOpinionsEndWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	f := newFixture(t,
		blocklist{name: "First"},
		answering{"Second", func() (asset.Status, error) { cancel(); return asset.StatusAllowed, nil }},
		answering{"Third", func() (asset.Status, error) { panic("asked after the end") }},
	)
	got, err := f.CheckLists(ctx, url("https://bad.example"))
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, []dispute.ListVerdict{{List: "First", Status: asset.StatusUnknown}, {List: "Second", Status: asset.StatusAllowed}}, got)

	_, err = f.Create(ctx, dispute.CreateRequest{Content: "https://bad.example", Email: "a@b.example"})
	require.ErrorIs(t, err, context.Canceled, "nor is a dispute taken")
}

func TestADisputeAsksUpToTheFirstListThatBlocks(t *testing.T) {
	t.Parallel()
	f := newFixture(t,
		blocklist{name: "Exempts", exempts: "https://bad.example"},
		blocklist{name: "Phish List", blocks: "https://bad.example"},
		answering{"Last", func() (asset.Status, error) { panic("asked for nothing") }},
	)
	created, err := f.Create(t.Context(), dispute.CreateRequest{Content: "https://bad.example", Email: "a@b.example"})
	require.NoError(t, err)
	require.Equal(t, onlyInList, created.Message)
}

// TestAListWithoutANameBlocksToo gives lists names of which nothing is left that can
// be stored.
func TestAListWithoutANameBlocksToo(t *testing.T) {
	t.Parallel()
	for reason, name := range map[string]string{"empty": "", "a NUL": "\x00"} {
		f := newFixture(t, blocklist{name: name, blocks: "https://bad.example"})
		created, err := f.Create(t.Context(), dispute.CreateRequest{Content: "https://bad.example", Email: "a@b.example"})
		require.NoError(t, err, reason)
		require.NoError(t, created.ListErr, reason)
		require.Equal(t, "This asset is not blocked here. It is blocked in an external list.", created.Message, reason)
	}
}

func TestWhatAListExemptsIsNotKnownByThat(t *testing.T) {
	t.Parallel()
	f := newFixture(t, blocklist{name: "Exempts", exempts: "https://good.example"})
	_, err := f.Create(t.Context(), dispute.CreateRequest{Content: "https://good.example", Email: "a@b.example"})
	require.ErrorIs(t, err, asset.ErrNotFound)
}

func TestAStatusThatIsNoneBlocksNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t, answering{"Odd", func() (asset.Status, error) { return "blocked", nil }})
	f.put(t, "https://site.example", asset.StatusUnknown)
	created, err := f.Create(t.Context(), dispute.CreateRequest{Content: "https://site.example", Email: "a@b.example"})
	require.NoError(t, err)
	require.Empty(t, created.Message)
	require.ErrorContains(t, created.ListErr, `external list "Odd"`)
}
