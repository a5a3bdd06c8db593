package account

import (
	"context"
	"math/rand/v2"
	"strings"

	"github.com/apguard/apguard/asset"
)

// MaxName is the maximum length of the name of an [OrganizationRequest] or a [UserRequest] in bytes.
const MaxName = 255

const longName = "must be at most 255 bytes long"

// NewID returns a random ID for an organization or a user of a host application that has no IDs of
// its own. Calls at the same time, in any process, return different IDs, except by a chance of
// about one in 2^53 for each existing record.
func NewID() int64 {
	return 1 + rand.Int64N(asset.MaxID) //nolint:gosec // not a secret
}

// OrganizationRequest is the request of [Service.CreateOrganization].
type OrganizationRequest struct {
	// Slug and Name are those of the [Organization]. Name has at most [MaxName] bytes.
	Slug string
	Name string
}

// Validate returns an [*asset.InputError] that names every invalid field.
func (r OrganizationRequest) Validate() error {
	var issues asset.Issues
	issues.Check(len(r.Name) <= MaxName, "name", longName)
	return asset.JoinInput(issues.Err(), r.with(1).Validate())
}

func (r OrganizationRequest) with(id int64) Organization {
	return Organization{ID: id, Slug: r.Slug, Name: r.Name}
}

// CreateOrganization stores a new organization, with an ID of [NewID], and returns it. It returns
// an [*asset.InputError] for invalid input, or [ErrSlugTaken].
func (s *Service) CreateOrganization(ctx context.Context, req OrganizationRequest) (Organization, error) {
	if err := req.Validate(); err != nil {
		return Organization{}, err
	}
	created := req.with(NewID())
	return created, s.PutOrganization(ctx, created)
}

// GroupRequest is the request of [Service.CreateGroup].
type GroupRequest struct {
	OrganizationID int64
	// Name must not be blank. It has at most [MaxName] bytes.
	Name string
}

// Validate returns an [*asset.InputError] that names every invalid field.
func (r GroupRequest) Validate() error {
	return asset.JoinInput(validGroupName(r.Name), r.group().Validate())
}

func (r GroupRequest) group() Group { return Group{OrganizationID: r.OrganizationID, Name: r.Name} }

func validGroupName(name string) error {
	var issues asset.Issues
	issues.Check(strings.TrimSpace(name) != "", "name", "must not be blank")
	issues.Check(len(name) <= MaxName, "name", longName)
	return issues.Err()
}

// CreateGroup stores a new group of an organization and returns it. It returns an
// [*asset.InputError] for invalid input, or [ErrOrganizationNotFound].
func (s *Service) CreateGroup(ctx context.Context, req GroupRequest) (Group, error) {
	if err := req.Validate(); err != nil {
		return Group{}, err
	}
	if _, err := s.Organization(ctx, req.OrganizationID); err != nil {
		return Group{}, err
	}
	return s.PutGroup(ctx, req.group())
}

// UserRequest is the request of [Service.CreateUser].
type UserRequest struct {
	// FullName must not be blank. It has at most [MaxName] bytes.
	FullName string
	// Email is an e-mail address, or empty.
	Email      string
	Automation bool
}

// Validate returns an [*asset.InputError] that names every invalid field.
func (r UserRequest) Validate() error {
	var issues asset.Issues
	issues.Check(strings.TrimSpace(r.FullName) != "", "fullName", "must not be blank")
	issues.Check(len(r.FullName) <= MaxName, "fullName", longName)
	issues.Check(r.Email == "" || ValidEmail(r.Email), "email", "must be an e-mail address")
	return asset.JoinInput(issues.Err(), r.with(1).Validate())
}

func (r UserRequest) with(id int64) User {
	return User{ID: id, FullName: r.FullName, Email: r.Email, Automation: r.Automation}
}

// CreateUser stores a new user, with an ID of [NewID], and returns it. It returns an
// [*asset.InputError] for invalid input.
func (s *Service) CreateUser(ctx context.Context, req UserRequest) (User, error) {
	if err := req.Validate(); err != nil {
		return User{}, err
	}
	created := req.with(NewID())
	return created, s.PutUser(ctx, created)
}
