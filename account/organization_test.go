package account_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage/memory"
)

func TestOrganization_Validate(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		organization account.Organization
		want         []string
	}{
		"the smallest":         {account.Organization{ID: 1, Slug: "a"}, nil},
		"the largest":          {account.Organization{ID: asset.MaxID, Slug: strings.Repeat("a", account.MaxSlug), Name: "Acme"}, nil},
		"the zero value":       {account.Organization{}, []string{"id: must be from 1 to 2^53-1", "slug: must not be blank"}},
		"an ID above 2^53-1":   {account.Organization{ID: 1 << 53, Slug: "a"}, []string{"id: must be from 1 to 2^53-1"}},
		"a blank slug":         {account.Organization{ID: 1, Slug: " "}, []string{"slug: must not be blank"}},
		"a slug of 256 bytes":  {account.Organization{ID: 1, Slug: strings.Repeat("a", 256)}, []string{"slug: must be at most 255 bytes long"}},
		"a slug with NUL":      {account.Organization{ID: 1, Slug: "a\x00"}, []string{"slug: must be valid UTF-8 without NUL"}},
		"a name without UTF-8": {account.Organization{ID: 1, Slug: "a", Name: "\xff"}, []string{"name: must be valid UTF-8 without NUL"}},
	} {
		requireIssues(t, reason, c.want, c.organization.Validate())
	}
}

func TestService_PutOrganization(t *testing.T) {
	t.Parallel()
	service, _ := newService(t)
	renamed := account.Organization{ID: 1, Slug: "acme-inc", Name: "Acme Inc."}
	require.NoError(t, service.PutOrganization(t.Context(), renamed))
	got, err := service.Organization(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, renamed, got)

	require.ErrorIs(t, service.PutOrganization(t.Context(), account.Organization{ID: 2, Slug: "acme-inc"}), account.ErrSlugTaken)
	require.ErrorIs(t, service.PutOrganization(t.Context(), account.Organization{ID: 2}), asset.ErrInvalid)
	_, err = service.Organization(t.Context(), 2)
	require.ErrorIs(t, err, account.ErrOrganizationNotFound)
}

func TestService_OrganizationBySlug(t *testing.T) {
	t.Parallel()
	service, _ := newService(t)
	got, err := service.OrganizationBySlug(t.Context(), "acme")
	require.NoError(t, err)
	require.Equal(t, account.Organization{ID: 1, Slug: "acme", Name: "Acme"}, got)
	for _, slug := range []string{"", "Acme", "acme ", "a\x00", "\xff"} {
		_, err := service.OrganizationBySlug(t.Context(), slug)
		require.ErrorIs(t, err, account.ErrOrganizationNotFound, "%q", slug)
	}
}

// pagedStore counts the pages that are read, and fails after a number of them.
type pagedStore struct {
	account.Store
	read, atMost int
}

func (p *pagedStore) Organizations(ctx context.Context, after int64, limit int) (step.Page[account.Organization], error) {
	if p.read == p.atMost {
		return step.Page[account.Organization]{}, errBroken
	}
	p.read++
	return p.Store.Organizations(ctx, after, limit)
}

func newPagedStore(t *testing.T, organizations int64) (*account.Service, *pagedStore) {
	t.Helper()
	store := &pagedStore{Store: memory.New(), atMost: 100}
	service := account.NewService(store, account.Options{})
	for id := organizations; id > 0; id-- {
		require.NoError(t, service.PutOrganization(t.Context(), account.Organization{ID: id, Slug: strconv.FormatInt(id, 10)}))
	}
	return service, store
}

func TestService_Organizations(t *testing.T) {
	t.Parallel()
	for organizations, want := range map[int64]int{0: 1, 999: 1, 1000: 1, 1001: 2, 2001: 3} {
		service, store := newPagedStore(t, organizations)
		var last int64
		for organization, err := range service.Organizations(t.Context()) {
			require.NoError(t, err)
			require.Equal(t, last+1, organization.ID)
			last++
		}
		require.Equal(t, organizations, last)
		require.Equal(t, want, store.read, "pages of %d organizations", organizations)
	}
}

func TestService_Organizations_break(t *testing.T) {
	t.Parallel()
	service, store := newPagedStore(t, 1500)
	for organization, err := range service.Organizations(t.Context()) {
		require.NoError(t, err)
		require.EqualValues(t, 1, organization.ID)
		break
	}
	require.Equal(t, 1, store.read)
}

func TestService_Organizations_error(t *testing.T) {
	t.Parallel()
	service, store := newPagedStore(t, 1500)
	store.atMost = 1
	var (
		got  int
		errs []error
	)
	for organization, err := range service.Organizations(t.Context()) {
		if err != nil {
			require.Zero(t, organization)
			errs = append(errs, err)
			continue
		}
		require.Empty(t, errs, "an error is the last")
		got++
	}
	require.Equal(t, []error{errBroken}, errs)
	require.Equal(t, 1000, got)
}
