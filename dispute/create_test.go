package dispute_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

func TestCreateRequest_Validate(t *testing.T) {
	t.Parallel()
	valid := dispute.CreateRequest{Content: "https://bad.example", Email: "ada@acme.example", Description: strings.Repeat("d", 10_000)}
	require.NoError(t, valid.Validate())
	for reason, c := range map[string]struct {
		change func(*dispute.CreateRequest)
		fields []string
	}{
		"blank content":         {func(r *dispute.CreateRequest) { r.Content = " \n" }, []string{"content"}},
		"content with NUL":      {func(r *dispute.CreateRequest) { r.Content += "\x00" }, []string{"content"}},
		"no e-mail":             {func(r *dispute.CreateRequest) { r.Email = "" }, []string{"email"}},
		"invalid e-mail":        {func(r *dispute.CreateRequest) { r.Email = "ada" }, []string{"email"}},
		"invalid account email": {func(r *dispute.CreateRequest) { r.Email, r.AccountEmail = "", "Ada <ada@acme.example>" }, []string{"email"}},
		"description not UTF-8": {func(r *dispute.CreateRequest) { r.Description = "\xff" }, []string{"description"}},
		"description too long":  {func(r *dispute.CreateRequest) { r.Description += "d" }, []string{"description"}},
		"invalid organization":  {func(r *dispute.CreateRequest) { r.OrganizationID = -1 }, []string{"organizationId"}},
		"invalid actor":         {func(r *dispute.CreateRequest) { r.Actor = -1 }, []string{"actor"}},
		"invalid key":           {func(r *dispute.CreateRequest) { r.Idempotency.Text = "a b" }, []string{"Idempotency-Key"}},
		"everything invalid":    {func(r *dispute.CreateRequest) { *r = dispute.CreateRequest{Description: "\x00"} }, []string{"content", "email", "description"}},
	} {
		req := valid
		c.change(&req)
		require.Equal(t, c.fields, fieldsOf(t, req.Validate()), reason)
		_, err := newFixture(t).Create(t.Context(), req)
		require.Equal(t, c.fields, fieldsOf(t, err), reason)
	}
}

func TestService_Create(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	blocked := f.put(t, "https://bad.example", asset.StatusBlocked)

	created, err := f.Create(t.Context(), dispute.CreateRequest{
		Content: " HTTPS://Bad.example/ ", Email: " Ada@Acme.example ", AccountEmail: "other@acme.example", Description: "It is ours.",
		OrganizationID: 1, Actor: 7,
	})
	require.NoError(t, err)
	require.Empty(t, created.Message)
	require.Empty(t, created.ListsFailed)
	require.Equal(t, dispute.Dispute{
		ID: 1, AssetID: blocked.ID, Content: "HTTPS://Bad.example/", Email: "Ada@Acme.example", Description: "It is ours.",
		OrganizationID: 1, CreatedBy: 7, State: dispute.StateOpen, Notes: []dispute.Note{}, CreatedAt: noon, UpdatedAt: noon,
	}, created.Dispute)

	got, err := f.queue.Get(t.Context(), created.Dispute.ID)
	require.NoError(t, err)
	require.Equal(t, created.Dispute, got)
}

func TestService_Create_AnyStatus(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for i, status := range asset.Statuses() {
		content := fmt.Sprintf("https://%d.example", i)
		known := f.put(t, content, status)
		created, err := f.Create(t.Context(), dispute.CreateRequest{Content: content, Email: "a@b.example"})
		require.NoError(t, err, status)
		require.Equal(t, known.ID, created.Dispute.AssetID, status)
	}
}

func TestService_Create_AccountEmail(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.put(t, "https://bad.example", asset.StatusBlocked)
	created, err := f.Create(t.Context(), dispute.CreateRequest{
		Content: "https://bad.example", Email: " \t", AccountEmail: " ada@acme.example ",
	})
	require.NoError(t, err)
	require.Equal(t, "ada@acme.example", created.Dispute.Email)
}

func TestService_Create_UnknownAsset(t *testing.T) {
	t.Parallel()
	for reason, content := range map[string]string{
		"no store or list has it": "https://unknown.example",
		"no rule recognizes it":   "no asset",
		"a list only exempts it":  "https://good.example",
	} {
		f := newFixture(t, blocklist{name: "Exempts", exempts: "https://good.example"})
		_, err := f.Create(t.Context(), dispute.CreateRequest{Content: content, Email: "ada@acme.example"})
		require.ErrorIs(t, err, asset.ErrNotFound, reason)
	}
}

func TestService_Create_ValidatesBeforeLookup(t *testing.T) {
	t.Parallel()
	_, err := newFixture(t).Create(t.Context(), dispute.CreateRequest{Content: "https://unknown.example", Email: "ada"})
	require.Equal(t, []string{"email"}, fieldsOf(t, err))
}

func TestService_Create_Duplicate(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.put(t, "https://bad.example", asset.StatusBlocked)
	f.put(t, "https://worse.example", asset.StatusBlocked)
	create := func(content, email string) error {
		_, err := f.Create(t.Context(), dispute.CreateRequest{Content: content, Email: email})
		return err
	}
	require.NoError(t, create("https://bad.example", "ada@acme.example"))
	require.ErrorIs(t, create("HTTPS://BAD.example/", " ADA@acme.EXAMPLE "), dispute.ErrExists, "another spelling of both")
	require.NoError(t, create("https://bad.example", "bob@acme.example"))
	require.NoError(t, create("https://worse.example", "ada@acme.example"))
}

func TestService_Create_ConcurrentDuplicates(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.put(t, "https://bad.example", asset.StatusBlocked)
	var (
		wg               sync.WaitGroup
		created, refused atomic.Int32
	)
	for range 32 {
		wg.Go(func() {
			_, err := f.Create(t.Context(), dispute.CreateRequest{Content: "https://bad.example", Email: "ada@acme.example"})
			switch {
			case err == nil:
				created.Add(1)
			case errors.Is(err, dispute.ErrExists):
				refused.Add(1)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 1, created.Load())
	require.EqualValues(t, 31, refused.Load())
}

func TestService_Create_RegistersAsset(t *testing.T) {
	t.Parallel()
	f := newFixture(t, blocklist{name: "Empty"}, blocklist{name: "Phish List", blocks: "https://new.example"})
	created, err := f.Create(t.Context(), dispute.CreateRequest{Content: " https://new.example/ ", Email: "a@b.example"})
	require.NoError(t, err)
	require.Equal(t, onlyInList, created.Message)

	got, err := f.assets.Get(t.Context(), url("https://new.example"))
	require.NoError(t, err)
	want := asset.Asset{ID: created.Dispute.AssetID, Identity: url("https://new.example"), Status: asset.StatusUnknown}
	require.Equal(t, want, got)
}

func TestService_Create_ListFails(t *testing.T) {
	t.Parallel()
	down := errors.New("connection refused")
	f := newFixture(t, blocklist{name: "Down", err: down}, blocklist{name: "Phish List", blocks: "https://bad.example"})
	f.put(t, "https://bad.example", asset.StatusUnknown)

	created, err := f.Create(t.Context(), dispute.CreateRequest{Content: "https://bad.example", Email: "a@b.example"})
	require.NoError(t, err)
	require.ErrorIs(t, created.ListsFailed.Err(), down)
	require.ErrorContains(t, created.ListsFailed.Err(), "Down", "the error names the list")
	require.Equal(t, onlyInList, created.Message, "the other list was asked")

	created, err = f.Create(t.Context(), dispute.CreateRequest{Content: "https://unknown.example", Email: "a@b.example"})
	require.ErrorIs(t, err, asset.ErrNotFound)
	require.ErrorIs(t, created.ListsFailed.Err(), down, "also if the dispute is refused")
}

func TestCreateCommand_Apply_LeavesNotes(t *testing.T) {
	t.Parallel()
	notes := []dispute.Note{{Kind: dispute.NoteKindExternalList, Text: "listed"}, {Kind: dispute.NoteKindAPI, Text: "via API"}}
	cmd := dispute.CreateCommand{Notes: notes, At: noon.Add(1)}
	got := cmd.Apply(7, asset.Asset{ID: 3, Status: asset.StatusBlocked})
	require.Equal(t, []dispute.Note{{Kind: dispute.NoteKindAPI, Text: "via API", CreatedAt: noon}}, got.Notes)
	require.Equal(t, "listed", notes[0].Text)
	require.Zero(t, notes[1].CreatedAt)
}
