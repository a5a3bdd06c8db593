package lists_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage/memory"
)

func TestList_Validate(t *testing.T) {
	t.Parallel()
	valid := lists.List{Name: "phantom", Format: lists.Domains}
	for reason, c := range map[string]struct {
		change func(l *lists.List)
		field  string
	}{
		"the least":                   {func(*lists.List) {}, ""},
		"all signs of a name":         {func(l *lists.List) { l.Name = "0-a_b.c9" }, ""},
		"the longest name":            {func(l *lists.List) { l.Name = strings.Repeat("a", lists.MaxName) }, ""},
		"a longer name":               {func(l *lists.List) { l.Name = strings.Repeat("a", lists.MaxName+1) }, "name"},
		"no name":                     {func(l *lists.List) { l.Name = "" }, "name"},
		"a slash":                     {func(l *lists.List) { l.Name = "a/b" }, "name"},
		"a space":                     {func(l *lists.List) { l.Name = "a b" }, "name"},
		"a line break at the end":     {func(l *lists.List) { l.Name = "a\n" }, "name"},
		"a capital":                   {func(l *lists.List) { l.Name = "Phantom" }, "name"},
		"another script":              {func(l *lists.List) { l.Name = "список" }, "name"},
		"only signs":                  {func(l *lists.List) { l.Name = ".." }, "name"},
		"a sign at the start":         {func(l *lists.List) { l.Name = "-a" }, "name"},
		"no format":                   {func(l *lists.List) { l.Format = "" }, "format"},
		"an unknown format":           {func(l *lists.List) { l.Format = "xml" }, "format"},
		"a list that allows":          {func(l *lists.List) { l.Status = asset.StatusAllowed }, ""},
		"a list that says UNKNOWN":    {func(l *lists.List) { l.Status = asset.StatusUnknown }, "status"},
		"an unknown status":           {func(l *lists.List) { l.Status = "BAD" }, "status"},
		"a reason":                    {func(l *lists.List) { l.Reason = asset.ReasonDrainer }, ""},
		"an unknown reason":           {func(l *lists.List) { l.Reason = "BAD" }, "reason"},
		"a reason of another status":  {func(l *lists.List) { l.Reason = asset.ReasonLegitimate }, "reason"},
		"a reason that fits ALLOWED":  {func(l *lists.List) { l.Status, l.Reason = asset.StatusAllowed, asset.ReasonLegitimate }, ""},
		"a reason that needs BLOCKED": {func(l *lists.List) { l.Status, l.Reason = asset.StatusAllowed, asset.ReasonScam }, "reason"},
	} {
		list := valid
		c.change(&list)
		_, added := lists.NewService(memory.New(), lists.Options{}).Add(t.Context(), list)
		for _, err := range []error{list.Validate(false), added} {
			if c.field == "" {
				require.NoError(t, err, reason)
				continue
			}
			var input *asset.InputError
			require.ErrorAs(t, err, &input, reason)
			require.Len(t, input.Issues, 1, reason)
			require.Equal(t, c.field, input.Issues[0].Field, reason)
		}
	}
}

func TestService_Add(t *testing.T) {
	t.Parallel()
	service := lists.NewService(memory.New(), lists.Options{})
	added, err := service.Add(t.Context(), lists.List{ID: 77, Name: "b", Format: lists.Hosts, Entries: 5, Begun: 3, Removing: true})
	require.NoError(t, err)
	require.Equal(t, lists.List{
		ID: added.ID, Name: "b", Format: lists.Hosts, Status: asset.StatusBlocked, Reason: asset.ReasonOther, CreatedAt: added.CreatedAt,
	}, added)
	_, err = service.Add(t.Context(), lists.List{Name: "b", Format: lists.Domains})
	require.ErrorIs(t, err, lists.ErrNameTaken)
	first, err := service.Add(t.Context(), lists.List{Name: "a", Format: lists.Domains, Status: asset.StatusAllowed})
	require.NoError(t, err)
	require.Empty(t, first.Reason, "a list that allows needs no reason")

	all, err := service.List(t.Context())
	require.NoError(t, err)
	require.Equal(t, []lists.List{first, added}, all)
	got, err := service.Get(t.Context(), "b")
	require.NoError(t, err)
	require.Equal(t, added, got)
	_, err = service.Get(t.Context(), "c")
	require.ErrorIs(t, err, lists.ErrNotFound)

	for i := range lists.MaxLists - 2 {
		_, err := service.Add(t.Context(), lists.List{Name: fmt.Sprint("n", i), Format: lists.Domains})
		require.NoError(t, err)
	}
	_, err = service.Add(t.Context(), lists.List{Name: "c", Format: lists.Domains})
	require.ErrorIs(t, err, lists.ErrTooMany)
}

// A list that is removed gives back what it held. A removal that was interrupted is completed by the next one,
// and the list is not synced meanwhile.
func TestService_Remove(t *testing.T) {
	t.Parallel()
	away, left := errors.New("the database is away"), -1
	store := interruptedStore{memory.New(), func() error {
		if left--; left == -1 {
			return away
		}
		return nil
	}}
	s := newSyncedOn(t, store, lists.List{Name: "phantom", Format: lists.Domains})
	s.sync(t, hosts(1, 1500))
	s.decide(t, "h2.com", asset.StatusBlocked)
	left = 1
	require.ErrorIs(t, s.Remove(t.Context(), "phantom", 0), away)
	list, err := s.Get(t.Context(), "phantom")
	require.NoError(t, err)
	require.True(t, list.Removing)
	for _, dry := range []bool{false, true} {
		_, err = s.Sync(t.Context(), lists.SyncRequest{Name: "phantom", File: strings.NewReader("a.com"), DryRun: dry})
		require.ErrorIs(t, err, lists.ErrNotFound)
	}
	_, err = s.Add(t.Context(), lists.List{Name: "phantom", Format: lists.Domains})
	require.ErrorIs(t, err, lists.ErrNameTaken)

	require.NoError(t, s.Remove(t.Context(), "phantom", 7))
	require.Equal(t, asset.StatusUnknown, s.status(t, "h1.com"))
	require.Equal(t, asset.StatusBlocked, s.status(t, "h2.com"))
	changes, err := s.assets.ListChanges(t.Context(), asset.ListChangesRequest{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, asset.Origin{Cause: asset.CauseList, Actor: 7, Reference: "phantom"}, changes.Changes[0].Origin)
	_, err = s.Get(t.Context(), "phantom")
	require.ErrorIs(t, err, lists.ErrNotFound)
}
