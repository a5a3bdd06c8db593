package dispute_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage/memory"
)

var noon = time.Date(2025, 1, 5, 12, 0, 0, 0, time.UTC)

// fixture is a dispute service with the assets that it finds.
type fixture struct {
	*dispute.Service
	assets *asset.Service
}

func newFixture(t *testing.T, lists ...dispute.ExternalList) fixture {
	t.Helper()
	store := memory.New()
	clock := func() time.Time { return noon }
	return fixture{
		Service: dispute.NewService(store, dispute.Options{ExternalLists: lists, Clock: clock}),
		assets:  asset.NewService(store, asset.Options{Clock: clock}),
	}
}

func url(canonical string) asset.Identity {
	return asset.Identity{Type: asset.TypeURL, Canonical: canonical}
}

func (f fixture) put(t *testing.T, canonical string, status asset.Status) asset.Asset {
	t.Helper()
	a, err := f.assets.SetStatus(t.Context(), asset.StatusRequest{Identity: url(canonical), Status: status})
	require.NoError(t, err)
	return a
}

// blocklist is an external list that blocks one canonical form and exempts another,
// or fails.
type blocklist struct {
	name    string
	blocks  string
	exempts string
	err     error
}

func (l blocklist) Name() string { return l.name }

func (l blocklist) Status(_ context.Context, identity asset.Identity) (asset.Status, error) {
	switch {
	case l.err != nil:
		return "", l.err
	case identity.Canonical == l.blocks:
		return asset.StatusBlocked, nil
	case identity.Canonical == l.exempts:
		return asset.StatusAllowed, nil
	}
	return asset.StatusUnknown, nil
}

func texts(notes []dispute.Note) []string {
	list := make([]string, len(notes))
	for i, note := range notes {
		list[i] = note.Text
	}
	return list
}

const (
	viaAPI     = "This dispute was created through the API."
	onlyInList = "This asset is not blocked here. It is blocked in the external list Phish List."
)

func TestCreateStoresADispute(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	blocked := f.put(t, "https://bad.example", asset.StatusBlocked)

	created, err := f.Create(t.Context(), dispute.CreateRequest{
		Content: " HTTPS://Bad.example/ ", Email: " Ada@Acme.example ", AccountEmail: "other@acme.example",
		Description: "It is ours.", ViaAPI: true,
	})
	require.NoError(t, err)
	require.Empty(t, created.Message)
	require.NoError(t, created.ListErr)
	require.Equal(t, dispute.Dispute{
		ID: created.Dispute.ID, AssetID: blocked.ID, Content: "HTTPS://Bad.example/", Email: "Ada@Acme.example",
		Description: "It is ours.", State: dispute.StateOpen, CreatedAt: noon, UpdatedAt: noon, Notes: []dispute.Note{{Text: viaAPI, CreatedAt: noon}},
	}, created.Dispute)

	got, err := f.Get(t.Context(), created.Dispute.ID)
	require.NoError(t, err)
	require.Equal(t, created.Dispute, got)
}

func TestAnAssetOfAnyStatusMayBeDisputed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for i, status := range asset.Statuses() {
		known := f.put(t, fmt.Sprintf("https://%d.example", i), status)
		created, err := f.Create(t.Context(), dispute.CreateRequest{Content: known.Canonical, Email: "a@b.example"})
		require.NoError(t, err, status)
		require.Equal(t, known.ID, created.Dispute.AssetID, status)
	}
}

func TestWithoutAnEmailTheAccountsIsTaken(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.put(t, "https://bad.example", asset.StatusBlocked)
	created, err := f.Create(t.Context(), dispute.CreateRequest{Content: "https://bad.example", Email: " \t", AccountEmail: "ada@acme.example"})
	require.NoError(t, err)
	require.Equal(t, "ada@acme.example", created.Dispute.Email)
	require.Empty(t, created.Dispute.Notes, "a dispute that came in through Go is not noted as one of the API")
}

func TestCreateRefuses(t *testing.T) {
	t.Parallel()
	right := dispute.CreateRequest{Content: "https://bad.example", Email: "ada@acme.example"}
	cases := map[string]struct {
		change func(*dispute.CreateRequest)
		want   error
		fields []string
	}{
		"blank content":                     {func(r *dispute.CreateRequest) { r.Content = " \n" }, asset.ErrInvalid, []string{"content"}},
		"content with NUL":                  {func(r *dispute.CreateRequest) { r.Content += "\x00" }, asset.ErrInvalid, []string{"content"}},
		"no e-mail at all":                  {func(r *dispute.CreateRequest) { r.Email = "" }, asset.ErrInvalid, []string{"email"}},
		"an e-mail that is none":            {func(r *dispute.CreateRequest) { r.Email = "ada" }, asset.ErrInvalid, []string{"email"}},
		"an account's e-mail that is none":  {func(r *dispute.CreateRequest) { r.Email, r.AccountEmail = "", "Ada <ada@acme.example>" }, asset.ErrInvalid, []string{"email"}},
		"a description that is no UTF-8":    {func(r *dispute.CreateRequest) { r.Description = "\xff" }, asset.ErrInvalid, []string{"description"}},
		"everything that is wrong is told":  {func(r *dispute.CreateRequest) { *r = dispute.CreateRequest{Description: "\x00"} }, asset.ErrInvalid, []string{"content", "email", "description"}},
		"validation comes before a look-up": {func(r *dispute.CreateRequest) { r.Content, r.Email = "https://unheard.example", "ada" }, asset.ErrInvalid, []string{"email"}},
		"an asset that nobody knows":        {func(r *dispute.CreateRequest) { r.Content = "https://unheard.example" }, asset.ErrNotFound, nil},
		"content that no rule recognizes":   {func(r *dispute.CreateRequest) { r.Content = "no asset" }, asset.ErrNotFound, nil},
	}
	for reason, c := range cases {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.put(t, "https://bad.example", asset.StatusBlocked)
			req := right
			c.change(&req)
			_, err := f.Create(t.Context(), req)
			require.ErrorIs(t, err, c.want)
			if c.fields == nil {
				return
			}
			var input *asset.InputError
			require.ErrorAs(t, err, &input)
			var fields []string
			for _, issue := range input.Issues {
				fields = append(fields, issue.Field)
			}
			require.Equal(t, c.fields, fields)
		})
	}
}

func TestOneDisputeForEachEmailAndAsset(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.put(t, "https://bad.example", asset.StatusBlocked)
	f.put(t, "https://worse.example", asset.StatusBlocked)
	create := func(content, email string) error {
		_, err := f.Create(t.Context(), dispute.CreateRequest{Content: content, Email: email})
		return err
	}
	require.NoError(t, create("https://bad.example", "ada@acme.example"))
	require.ErrorIs(t, create("HTTPS://BAD.example/", " ADA@acme.EXAMPLE "), dispute.ErrExists, "the same asset and address, written otherwise")
	require.NoError(t, create("https://bad.example", "bob@acme.example"))
	require.NoError(t, create("https://worse.example", "ada@acme.example"))
}

func TestOfManyEqualDisputesAtOnceOneIsTaken(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.put(t, "https://bad.example", asset.StatusBlocked)
	var (
		wg            sync.WaitGroup
		taken, others atomic.Int32
	)
	for range 32 {
		wg.Go(func() {
			_, err := f.Create(t.Context(), dispute.CreateRequest{Content: "https://bad.example", Email: "ada@acme.example"})
			switch {
			case err == nil:
				taken.Add(1)
			case errors.Is(err, dispute.ErrExists):
				others.Add(1)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 1, taken.Load())
	require.EqualValues(t, 31, others.Load())
}

func TestWhatOnlyAnExternalListBlocksIsNoted(t *testing.T) {
	t.Parallel()
	list := blocklist{name: "Phish List", blocks: "https://bad.example"}
	for _, status := range []asset.Status{asset.StatusUnknown, asset.StatusAllowed} {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, list)
			f.put(t, "https://bad.example", status)
			created, err := f.Create(t.Context(), dispute.CreateRequest{Content: "https://bad.example", Email: "a@b.example", ViaAPI: true})
			require.NoError(t, err)
			require.Equal(t, []string{viaAPI, onlyInList}, texts(created.Dispute.Notes))
			require.Equal(t, onlyInList, created.Message)
		})
	}
}

func TestWhatTheServiceBlocksItselfIsNotNotedAsExternal(t *testing.T) {
	t.Parallel()
	f := newFixture(t, blocklist{name: "Phish List", blocks: "https://bad.example"})
	f.put(t, "https://bad.example", asset.StatusBlocked)
	created, err := f.Create(t.Context(), dispute.CreateRequest{Content: "https://bad.example", Email: "a@b.example", ViaAPI: true})
	require.NoError(t, err)
	require.Equal(t, []string{viaAPI}, texts(created.Dispute.Notes))
	require.Empty(t, created.Message)

	created, err = f.Create(t.Context(), dispute.CreateRequest{Content: "https://bad.example", Email: "c@d.example"})
	require.NoError(t, err)
	require.Empty(t, created.Dispute.Notes)
	require.Empty(t, created.Message)
}

func TestWhatOnlyAnExternalListKnowsIsRegistered(t *testing.T) {
	t.Parallel()
	f := newFixture(t, blocklist{name: "Empty"}, blocklist{name: "Phish List", blocks: "https://new.example"})
	created, err := f.Create(t.Context(), dispute.CreateRequest{Content: " https://new.example/ ", Email: "a@b.example"})
	require.NoError(t, err)
	require.Equal(t, onlyInList, created.Message)

	got, err := f.assets.Get(t.Context(), url("https://new.example"))
	require.NoError(t, err)
	require.Equal(t, asset.Asset{
		ID: created.Dispute.AssetID, Identity: url("https://new.example"), Status: asset.StatusUnknown,
	}, got)
}

func TestTheNameOfAListIsMadeFitToBeStored(t *testing.T) {
	t.Parallel()
	f := newFixture(t, blocklist{name: "Phish\x00 List\xff", blocks: "https://new.example"})
	created, err := f.Create(t.Context(), dispute.CreateRequest{Content: "https://new.example", Email: "a@b.example"})
	require.NoError(t, err)
	require.Equal(t, "This asset is not blocked here. It is blocked in the external list Phish List\ufffd.", created.Message)
}

func TestAFailingListHoldsNothingUp(t *testing.T) {
	t.Parallel()
	down := errors.New("connection refused")
	f := newFixture(t, blocklist{name: "Down", err: down}, blocklist{name: "Phish List", blocks: "https://bad.example"})
	f.put(t, "https://bad.example", asset.StatusUnknown)

	created, err := f.Create(t.Context(), dispute.CreateRequest{Content: "https://bad.example", Email: "a@b.example"})
	require.NoError(t, err)
	require.ErrorIs(t, created.ListErr, down)
	require.ErrorContains(t, created.ListErr, "Down", "the operator learns which list it was")
	require.Equal(t, onlyInList, created.Message, "the other list was asked")

	created, err = f.Create(t.Context(), dispute.CreateRequest{Content: "https://unheard.example", Email: "a@b.example"})
	require.ErrorIs(t, err, asset.ErrNotFound)
	require.ErrorIs(t, created.ListErr, down, "also told when the dispute is refused")
}

func TestGetFindsNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.Get(t.Context(), 1)
	require.ErrorIs(t, err, dispute.ErrNotFound)
}
