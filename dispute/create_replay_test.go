package dispute_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/storage/memory"
)

func keyed(content, email string) dispute.CreateRequest {
	return dispute.CreateRequest{
		Content: content, Email: email, OrganizationID: 1, Actor: 7, Idempotency: idempotency.Key{Text: "key"},
	}
}

// A repeat returns the first dispute and message, and changes nothing, whatever happened in
// between.
func TestService_Create_RepeatLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		list := blocklist{name: "list", blocks: "https://bad.example"}
		f := newFixture(t, &list)
		if status := rapid.SampledFrom(append(asset.Statuses(), "")).Draw(rt, "status"); status != "" {
			f.put(t, "https://bad.example", status)
		}
		req := keyed(rapid.SampledFrom([]string{"https://bad.example", " HTTPS://Bad.example/ "}).Draw(rt, "content"), "Ada@acme.example")
		req.Description = rapid.SampledFrom([]string{"", "It is ours."}).Draw(rt, "description")
		req.ViaAPI = rapid.Bool().Draw(rt, "via API")
		first, err := f.Create(t.Context(), req)
		require.NoError(rt, err)
		require.False(rt, first.Replayed)

		f.put(t, "https://bad.example", rapid.SampledFrom(asset.Statuses()).Draw(rt, "later status"))
		list.blocks = "https://other.example"
		_, err = f.queue.AddNote(t.Context(), dispute.AddNoteRequest{DisputeID: first.Dispute.ID, Text: "note"})
		require.NoError(rt, err)
		noted, err := f.queue.Get(t.Context(), first.Dispute.ID)
		require.NoError(rt, err)

		repeat, err := f.Create(t.Context(), req)
		require.NoError(rt, err)
		first.Replayed = true
		require.Equal(rt, first, repeat)
		got, err := f.queue.Get(t.Context(), first.Dispute.ID)
		require.NoError(rt, err)
		require.Equal(rt, noted, got)
		_, err = f.queue.Get(t.Context(), first.Dispute.ID+1)
		require.ErrorIs(rt, err, dispute.ErrNotFound)
	})
}

func TestService_Create_AnotherRequest(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.put(t, "https://bad.example", asset.StatusBlocked)
	req := keyed("https://bad.example", "")
	req.AccountEmail = "ada@acme.example"
	_, err := f.Create(t.Context(), req)
	require.NoError(t, err)
	for field, change := range map[string]func(*dispute.CreateRequest){
		"content":       func(r *dispute.CreateRequest) { r.Content += "/" },
		"e-mail":        func(r *dispute.CreateRequest) { r.Email = "eve@acme.example" },
		"account email": func(r *dispute.CreateRequest) { r.AccountEmail = "eve@acme.example" },
		"description":   func(r *dispute.CreateRequest) { r.Description = "It is ours." },
		"via API":       func(r *dispute.CreateRequest) { r.ViaAPI = true },
		"fingerprint":   func(r *dispute.CreateRequest) { r.Idempotency.Fingerprint = idempotency.FingerprintOf() },
	} {
		other := req
		change(&other)
		created, err := f.Create(t.Context(), other)
		require.Equal(t, idempotency.ErrReused, err, field)
		require.Zero(t, created, field)
	}
}

func TestService_Create_OwnerOfKey(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.put(t, "https://bad.example", asset.StatusBlocked)
	for i, owner := range [][2]int64{{1, 7}, {1, 8}, {1, 0}, {0, 7}, {0, 0}} {
		req := keyed("https://bad.example", string(rune('a'+i))+"@acme.example")
		req.OrganizationID, req.Actor = owner[0], owner[1]
		for _, replayed := range []bool{false, true} {
			created, err := f.Create(t.Context(), req)
			require.NoError(t, err)
			require.Equal(t, replayed, created.Replayed, "organization %d and user %d", owner[0], owner[1])
		}
	}
}

// A request that is refused can be corrected and repeated with its key. A key does not make a
// second dispute a repeat.
func TestService_Create_RefusedRequest(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.dispute(t, "ada@acme.example")
	for range 2 {
		_, err := f.Create(t.Context(), keyed("https://bad.example", "ada@acme.example"))
		require.ErrorIs(t, err, dispute.ErrExists)
		_, err = f.Create(t.Context(), keyed("https://unknown.example", "ada@acme.example"))
		require.ErrorIs(t, err, asset.ErrNotFound)
	}
	created, err := f.Create(t.Context(), keyed("https://bad.example", "eve@acme.example"))
	require.NoError(t, err)
	require.False(t, created.Replayed)
}

func TestService_Create_KeyExpires(t *testing.T) {
	t.Parallel()
	now := noon
	store := memory.New()
	service := dispute.NewService(store, dispute.Options{
		ExternalLists: check.ExternalLists{blocklist{blocks: "https://bad.example"}}, Clock: func() time.Time { return now },
	})
	req := keyed("https://bad.example", "ada@acme.example")
	_, err := service.Create(t.Context(), req)
	require.NoError(t, err)
	now = noon.Add(24*time.Hour - time.Millisecond)
	created, err := service.Create(t.Context(), req)
	require.NoError(t, err)
	require.True(t, created.Replayed)
	require.Equal(t, noon, created.Dispute.CreatedAt)
	now = noon.Add(24 * time.Hour)
	_, err = service.Create(t.Context(), req)
	require.ErrorIs(t, err, dispute.ErrExists)
}

// A repeat does not depend on external lists.
func TestService_Create_RepeatWithoutList(t *testing.T) {
	t.Parallel()
	list := blocklist{name: "list", blocks: "https://bad.example"}
	f := newFixture(t, &list)
	first, err := f.Create(t.Context(), keyed("https://bad.example", "ada@acme.example"))
	require.NoError(t, err)
	require.NotEmpty(t, first.Message)
	list.err = errors.New("list is down")
	repeat, err := f.Create(t.Context(), keyed("https://bad.example", "ada@acme.example"))
	require.NoError(t, err)
	require.ErrorIs(t, repeat.ListsFailed.Err(), list.err)
	require.Equal(t, first.Dispute, repeat.Dispute)
	require.Equal(t, first.Message, repeat.Message)
}

func TestCreateCommand_Record(t *testing.T) {
	t.Parallel()
	cmd := dispute.CreateCommand{Claim: idempotency.Claim{Operation: "test", Key: idempotency.Key{Text: "key"}, At: noon}}
	created := dispute.Dispute{
		ID: 3, AssetID: 4, Content: "content", Email: "ada@acme.example", Description: "text", State: dispute.StateOpen,
		Notes: []dispute.Note{{Kind: dispute.NoteKindAPI, Text: "note", CreatedAt: noon}}, CreatedAt: noon, UpdatedAt: noon,
	}
	require.Equal(t, cmd.Claim.Record([]byte(
		`{"id":3,"assetId":4,"notes":[{"kind":"API","text":"note","createdAt":"2025-01-05T12:00:00Z"}],"createdAt":"2025-01-05T12:00:00Z"}`,
	)), cmd.Record(created), "the record has no text of the caller")
}

// failingStore refuses every dispute with an error.
type failingStore struct {
	dispute.Store
	err error
}

func (s failingStore) CreateDispute(context.Context, dispute.CreateCommand) (dispute.Dispute, error) {
	return dispute.Dispute{}, s.err
}

func TestService_Create_MalformedRecord(t *testing.T) {
	t.Parallel()
	service := dispute.NewService(failingStore{err: &idempotency.ReplayError{Answer: []byte("{")}}, dispute.Options{})
	created, err := service.Create(t.Context(), keyed("https://bad.example", "ada@acme.example"))
	require.ErrorContains(t, err, "malformed record of an idempotency key: ")
	require.Zero(t, created)
}

func TestService_Create_InProgress(t *testing.T) {
	t.Parallel()
	service := dispute.NewService(failingStore{err: idempotency.ErrInProgress}, dispute.Options{})
	_, err := service.Create(t.Context(), keyed("https://bad.example", "ada@acme.example"))
	require.ErrorIs(t, err, idempotency.ErrInProgress)
}
