package account

import (
	"context"
	"iter"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
)

// MaxSlug is the maximum length of an organization's slug in bytes.
const MaxSlug = 255

// Organization is a team that keeps an allowlist and files reports.
type Organization struct {
	// ID is chosen by the host application, from 1 to 2^53-1.
	ID int64 `json:"id"`
	// Slug names the organization in requests. It is unique and case-sensitive, not
	// blank, and at most [MaxSlug] bytes long.
	Slug string `json:"slug"`
	// Name is for display. It may be empty.
	Name string `json:"name"`
	// Deactivated says that the keys of the organization grant no access.
	Deactivated bool `json:"deactivated,omitzero"`
}

// Validate returns an [*asset.InputError] that names every invalid field.
func (o Organization) Validate() error {
	var issues asset.Issues
	issues.CheckID("id", o.ID)
	issues.Check(strings.TrimSpace(o.Slug) != "", "slug", "must not be blank")
	issues.CheckTextLength("slug", o.Slug, MaxSlug)
	issues.CheckText("name", o.Name)
	return issues.Err()
}

// Over returns the organization as it is stored over old, which is the zero value if there is none. It
// stays deactivated. Stores call it.
func (o Organization) Over(old Organization) Organization {
	o.Deactivated = o.Deactivated || old.Deactivated
	return o
}

// PutOrganization stores an organization and replaces the one with the same ID, if
// any. A deactivated organization stays deactivated. PutOrganization returns an [*asset.InputError] for invalid input, or [ErrSlugTaken] when
// another organization has the slug.
func (s *Service) PutOrganization(ctx context.Context, organization Organization) error {
	if err := organization.Validate(); err != nil {
		return err
	}
	return s.store.PutOrganization(ctx, organization, s.entry(ctx, audit.KindOrganization, audit.ActionCreated, organization.ID))
}

// Organization returns the organization with that ID, or [ErrOrganizationNotFound].
func (s *Service) Organization(ctx context.Context, id int64) (Organization, error) {
	return one(ctx, id, s.store.OrganizationsByID, ErrOrganizationNotFound)
}

// OrganizationsByID returns the organizations with these IDs, each once, ordered by ID. IDs that no
// organization has are ignored.
func (s *Service) OrganizationsByID(ctx context.Context, ids []int64) ([]Organization, error) {
	return some(ctx, ids, s.store.OrganizationsByID)
}

// OrganizationBySlug returns the organization with exactly that slug, or
// [ErrOrganizationNotFound].
func (s *Service) OrganizationBySlug(ctx context.Context, slug string) (Organization, error) {
	if slug == "" || !asset.ValidText(slug) {
		return Organization{}, ErrOrganizationNotFound
	}
	return s.store.OrganizationBySlug(ctx, slug)
}

// PageBytes implements [step.PageItem].
func (o Organization) PageBytes() int {
	return step.PageBytes(o.Slug, o.Name)
}

// Organizations yields every organization, ordered by ID. It reads them in pages and
// holds no connection or lock between pages. An organization that is stored after
// the iteration began may be missing. No organization is yielded twice.
//
// If the store or the context fails, the last pair has the error and a zero
// Organization.
func (s *Service) Organizations(ctx context.Context) iter.Seq2[Organization, error] {
	return step.Pages(0, func(o Organization) int64 { return o.ID }, func(after int64, limit int) (step.Page[Organization], error) {
		return s.store.Organizations(ctx, after, limit)
	})
}
