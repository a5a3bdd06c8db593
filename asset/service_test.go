package asset_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/memory"
)

func url(name string) asset.Identity {
	return asset.Identity{Type: asset.TypeURL, Canonical: "https://" + name + ".example"}
}

// newService returns a service whose clock goes on by a second at each look.
func newService(t *testing.T) *asset.Service {
	t.Helper()
	now := day(2025, 1, 5)
	return asset.NewService(memory.New(), asset.Options{Clock: func() time.Time {
		now = now.Add(time.Second + 17*time.Microsecond)
		return now
	}})
}

func TestSetStatusRecordsAChange(t *testing.T) {
	t.Parallel()
	service := newService(t)
	origin := asset.Origin{Cause: asset.CauseReview, Actor: 7, Reference: "ticket 12"}

	got, err := service.SetStatus(t.Context(), asset.StatusRequest{
		Identity: url("a"), Status: asset.StatusBlocked, Origin: origin,
	})
	require.NoError(t, err)
	want := asset.Asset{ID: got.ID, Identity: url("a"), Status: asset.StatusBlocked}
	require.Equal(t, want, got)
	require.True(t, asset.ValidID(got.ID))

	found, err := service.Get(t.Context(), url("a"))
	require.NoError(t, err)
	require.Equal(t, want, found)

	changes, err := service.ChangePage(t.Context(), asset.ChangeFilter{}, asset.ChangeCursor{}, 10)
	require.NoError(t, err)
	require.Len(t, changes, 1)
	require.Equal(t, asset.Change{
		ID: changes[0].ID, AssetID: got.ID, Type: asset.TypeURL, Content: "https://a.example",
		From: asset.StatusUnknown, To: asset.StatusBlocked, At: day(2025, 1, 5).Add(time.Second), Origin: origin,
	}, changes[0], "the time is kept to the millisecond")
}

func TestSetStatusRecordsNothingWhenNothingChanges(t *testing.T) {
	t.Parallel()
	service := newService(t)
	for range 2 {
		_, err := service.SetStatus(t.Context(), asset.StatusRequest{Identity: url("a"), Status: asset.StatusAllowed})
		require.NoError(t, err)
	}
	_, err := service.SetStatus(t.Context(), asset.StatusRequest{Identity: url("b"), Status: asset.StatusUnknown})
	require.NoError(t, err)

	changes, err := service.ChangePage(t.Context(), asset.ChangeFilter{}, asset.ChangeCursor{}, 10)
	require.NoError(t, err)
	require.Len(t, changes, 1)
	require.Equal(t, asset.CauseManual, changes[0].Origin.Cause)
}

func TestSetStatusRefuses(t *testing.T) {
	t.Parallel()
	service := newService(t)
	right := asset.StatusRequest{Identity: url("a"), Status: asset.StatusAllowed}
	cases := map[string]struct {
		change func(*asset.StatusRequest)
		field  string
	}{
		"a type that does not exist":   {func(r *asset.StatusRequest) { r.Identity.Type = "X" }, "type"},
		"no canonical form":            {func(r *asset.StatusRequest) { r.Identity.Canonical = "" }, "content"},
		"no status":                    {func(r *asset.StatusRequest) { r.Status = "" }, "status"},
		"a cause that does not exist":  {func(r *asset.StatusRequest) { r.Origin.Cause = "WHIM" }, "cause"},
		"an actor that cannot be":      {func(r *asset.StatusRequest) { r.Origin.Actor = -1 }, "actor"},
		"a reference that is no UTF-8": {func(r *asset.StatusRequest) { r.Origin.Reference = "\xff" }, "reference"},
	}
	for reason, c := range cases {
		req := right
		c.change(&req)
		_, err := service.SetStatus(t.Context(), req)
		var input *asset.InputError
		require.ErrorAs(t, err, &input, reason)
		require.Equal(t, c.field, input.Issues[0].Field, reason)
	}
	_, err := service.Get(t.Context(), url("a"))
	require.ErrorIs(t, err, asset.ErrNotFound, "nothing was stored")
}

func TestGetFindsNothingThatCannotBe(t *testing.T) {
	t.Parallel()
	service := asset.NewService(nil, asset.Options{}) // it is not asked
	for reason, identity := range map[string]asset.Identity{
		"no type":            {Canonical: "https://a.example"},
		"an unknown type":    {Type: "url", Canonical: "https://a.example"},
		"a NUL":              {Type: asset.TypeURL, Canonical: "\x00"},
		"what is no Unicode": {Type: asset.TypeURL, Canonical: "\xff"},
		"nothing at all":     {},
	} {
		_, err := service.Get(t.Context(), identity)
		require.ErrorIs(t, err, asset.ErrNotFound, reason)
	}
}

func TestChangePageRefuses(t *testing.T) {
	t.Parallel()
	service := newService(t)
	for reason, limit := range map[string]int{
		"an empty page":        0,
		"a negative page":      -1,
		"a page over the most": asset.MaxChangePage + 1,
	} {
		_, err := service.ChangePage(t.Context(), asset.ChangeFilter{}, asset.ChangeCursor{}, limit)
		require.ErrorIs(t, err, asset.ErrInvalid, reason)
	}
	for _, limit := range []int{1, asset.MaxChangePage} {
		_, err := service.ChangePage(t.Context(), asset.ChangeFilter{}, asset.ChangeCursor{}, limit)
		require.NoError(t, err, "a page of %d", limit)
	}
	_, err := service.ChangePage(t.Context(), asset.ChangeFilter{Type: "X"}, asset.ChangeCursor{}, 1)
	require.ErrorIs(t, err, asset.ErrInvalid, "a wrong filter")
}

func TestChangesYieldsEverythingOnceAndNewestFirst(t *testing.T) {
	t.Parallel()
	service := newService(t)
	const n = 2*asset.MaxChangePage + 3
	for i := range n {
		_, err := service.SetStatus(t.Context(), asset.StatusRequest{Identity: url(fmt.Sprint("a", i)), Status: asset.StatusBlocked})
		require.NoError(t, err)
	}
	next := n - 1
	for change, err := range service.Changes(t.Context(), asset.ChangeFilter{}) {
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("https://a%d.example", next), change.Content)
		next--
	}
	require.Equal(t, -1, next)
}

func TestChangesStopsWhenItsReaderDoes(t *testing.T) {
	t.Parallel()
	service := newService(t)
	for _, name := range []string{"a", "b"} {
		_, err := service.SetStatus(t.Context(), asset.StatusRequest{Identity: url(name), Status: asset.StatusBlocked})
		require.NoError(t, err)
	}
	seen := 0
	for _, err := range service.Changes(t.Context(), asset.ChangeFilter{}) {
		require.NoError(t, err)
		seen++
		break
	}
	require.Equal(t, 1, seen)
}

func TestChangesYieldsAnErrorLast(t *testing.T) {
	t.Parallel()
	service := newService(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the reader went away"))

	var failures []error
	for change, err := range service.Changes(ctx, asset.ChangeFilter{}) {
		require.Zero(t, change)
		failures = append(failures, err)
	}
	require.Len(t, failures, 1)
	require.ErrorIs(t, failures[0], context.Canceled)
}
