package dispute_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage/memory"
)

var noon = time.Date(2025, 1, 5, 12, 0, 0, 0, time.UTC)

// fixture has the services on one store, whose clock stands at noon.
type fixture struct {
	*dispute.Service
	store  dispute.QueueStore
	queue  *dispute.QueueService
	assets *asset.Service
}

func newFixture(t *testing.T, lists ...check.ExternalList) fixture {
	t.Helper()
	store := memory.New()
	clock := func() time.Time { return noon }
	return fixture{
		store:   store,
		Service: dispute.NewService(store, dispute.Options{ExternalLists: lists, Clock: clock}),
		queue:   dispute.NewQueueService(store, dispute.QueueOptions{Clock: clock}),
		assets:  asset.NewService(store, asset.Options{Clock: clock}),
	}
}

func url(canonical string) asset.Identity {
	return asset.Identity{Type: asset.TypeURL, Canonical: canonical}
}

func (f fixture) put(t *testing.T, canonical string, status asset.Status) asset.Asset {
	t.Helper()
	a, err := f.assets.SetStatus(t.Context(), asset.SetStatusRequest{Identity: url(canonical), Status: status})
	require.NoError(t, err)
	return a.Asset
}

// dispute creates a dispute of https://bad.example, which is BLOCKED.
func (f fixture) dispute(t *testing.T, email string) dispute.Dispute {
	t.Helper()
	f.put(t, "https://bad.example", asset.StatusBlocked)
	created, err := f.Create(t.Context(), dispute.CreateRequest{Content: "https://bad.example", Email: email})
	require.NoError(t, err)
	return created.Dispute
}

// blocklist is an external list that blocks one canonical form and exempts another, or
// fails.
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

// fieldsOf returns the fields of an input error, in its order.
func fieldsOf(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	var input *asset.InputError
	require.ErrorAs(t, err, &input)
	var fields []string
	for _, issue := range input.Issues {
		fields = append(fields, issue.Field)
	}
	return fields
}

func TestNewService_DefaultClock(t *testing.T) {
	t.Parallel()
	store := memory.New()
	_, err := asset.NewService(store, asset.Options{}).SetStatus(t.Context(), asset.SetStatusRequest{
		Identity: url("https://bad.example"), Status: asset.StatusBlocked,
	})
	require.NoError(t, err)
	before := step.TruncateTime(time.Now())
	created, err := dispute.NewService(store, dispute.Options{}).
		Create(t.Context(), dispute.CreateRequest{Content: "https://bad.example", Email: "ada@acme.example"})
	require.NoError(t, err)
	require.False(t, created.Dispute.CreatedAt.Before(before))
	noted, err := dispute.NewQueueService(store, dispute.QueueOptions{}).
		AddNote(t.Context(), dispute.AddNoteRequest{DisputeID: created.Dispute.ID, Text: "note"})
	require.NoError(t, err)
	require.False(t, noted.Notes[0].CreatedAt.Before(before))
}
