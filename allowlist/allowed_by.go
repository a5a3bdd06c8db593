package allowlist

import (
	"cmp"
	"context"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// AllowedByRequest asks for a page of the organizations that allow an asset.
type AllowedByRequest struct {
	AssetID int64
	// Cursor is the NextCursor of the previous page, or 0 for the first page.
	Cursor int64
	// Limit is the size of the page, at most [MaxLimit]. 0 means [DefaultLimit].
	Limit int
}

// Validate returns an [*asset.InputError] that names every invalid field.
func (req AllowedByRequest) Validate() error {
	var issues asset.Issues
	issues.CheckID("assetId", req.AssetID)
	checkPage(&issues, req.Cursor, req.Limit)
	return issues.Err()
}

// AllowedByPage is a page of the organizations that allow an asset.
type AllowedByPage struct {
	Organizations []AllowingOrganization `json:"organizations"`
	// NextCursor continues the list. It is 0 on the last page.
	NextCursor int64 `json:"nextCursor,omitzero"`
}

// AllowingOrganization is an organization that has an asset on its allowlist.
type AllowingOrganization struct {
	OrganizationID int64 `json:"organizationId"`
	// AddedAt is in UTC, truncated to milliseconds.
	AddedAt time.Time `json:"addedAt"`
	// ExpiresAt is when the entry ends, or zero for never. It is like AddedAt.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
}

// PageBytes implements [step.PageItem].
func (AllowingOrganization) PageBytes() int {
	return step.PageBytes()
}

// AllowedBy returns a page of the organizations that have the asset on their
// allowlist, ordered by ID. It is for operators only, because an organization must
// not learn what another one allows. It returns an [*asset.InputError] for an
// invalid request.
func (s *Service) AllowedBy(ctx context.Context, req AllowedByRequest) (AllowedByPage, error) {
	if err := req.Validate(); err != nil {
		return AllowedByPage{}, err
	}
	req.Limit = cmp.Or(req.Limit, DefaultLimit)
	found, err := s.store.AllowingOrganizations(ctx, req, s.clock())
	page := AllowedByPage{Organizations: found.Items}
	if found.More {
		page.NextCursor = found.Last().OrganizationID
	}
	return page, err
}
