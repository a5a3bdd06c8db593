package account_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/storage/memory"
)

func TestOrganizationBySlug(t *testing.T) {
	t.Parallel()
	service := newService(t)
	got, err := service.OrganizationBySlug(t.Context(), "acme")
	require.NoError(t, err)
	require.Equal(t, account.Organization{ID: 1, Slug: "acme", Name: "Acme"}, got)
	for _, slug := range []string{"", "Acme", "acme ", "a\x00", "\xff"} {
		_, err := service.OrganizationBySlug(t.Context(), slug)
		require.ErrorIs(t, err, account.ErrNotFound, "%q", slug)
	}
}

// pages counts the pages that are read, of which there may be so many.
type pages struct {
	account.Store
	read, atMost int
}

func (p *pages) Organizations(ctx context.Context, after int64, limit int) ([]account.Organization, error) {
	if p.read == p.atMost {
		return nil, errBroken
	}
	p.read++
	return p.Store.Organizations(ctx, after, limit)
}

func newPages(t *testing.T, organizations int64) (*account.Service, *pages) {
	t.Helper()
	store := &pages{Store: memory.New(), atMost: 100}
	service := account.NewService(store, account.Options{})
	for id := organizations; id > 0; id-- {
		require.NoError(t, service.PutOrganization(t.Context(), account.Organization{ID: id, Slug: strconv.FormatInt(id, 10)}))
	}
	return service, store
}

func TestOrganizationsAreReadInPages(t *testing.T) {
	t.Parallel()
	for organizations, want := range map[int64]int{0: 1, 999: 1, 1000: 2, 2001: 3} {
		service, store := newPages(t, organizations)
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

func TestNoPageOfOrganizationsIsReadThatNobodyAsksFor(t *testing.T) {
	t.Parallel()
	service, store := newPages(t, 1500)
	for organization, err := range service.Organizations(t.Context()) {
		require.NoError(t, err)
		require.EqualValues(t, 1, organization.ID)
		break
	}
	require.Equal(t, 1, store.read)
}

func TestAnErrorBetweenPagesOfOrganizationsComesOnceAndLast(t *testing.T) {
	t.Parallel()
	service, store := newPages(t, 1500)
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
		require.Empty(t, errs)
		got++
	}
	require.Equal(t, []error{errBroken}, errs)
	require.Equal(t, 1000, got)
}
