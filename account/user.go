package account

import (
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
)

// User is a person or a program that uses the service.
type User struct {
	// ID is chosen by the host application, from 1 to 2^53-1.
	ID       int64  `json:"id"`
	FullName string `json:"fullName"`
	// Email may be empty.
	Email string `json:"email"`
	// Automation marks a program.
	Automation bool `json:"automation"`
	// Deactivated says that the keys of the user grant no access.
	Deactivated bool `json:"deactivated,omitzero"`
}

// Validate returns an [*asset.InputError] that names every invalid field.
func (u User) Validate() error {
	var issues asset.Issues
	issues.CheckID("id", u.ID)
	issues.CheckText("fullName", u.FullName)
	issues.CheckText("email", u.Email)
	return issues.Err()
}

// Over returns the user as it is stored over old, which is the zero value if there is none. It stays
// deactivated. Stores call it.
func (u User) Over(old User) User {
	u.Deactivated = u.Deactivated || old.Deactivated
	return u
}

// PutUser stores a user and replaces the one with the same ID, if any. A deactivated user stays
// deactivated. PutUser returns an [*asset.InputError] for invalid input.
func (s *Service) PutUser(ctx context.Context, user User) error {
	if err := user.Validate(); err != nil {
		return err
	}
	return s.store.PutUser(ctx, user, s.entry(ctx, audit.KindUser, audit.ActionCreated, user.ID))
}

// PageBytes implements [step.PageItem].
func (u User) PageBytes() int {
	return step.PageBytes(u.FullName, u.Email)
}

// User returns the user with that ID, or [ErrUserNotFound].
func (s *Service) User(ctx context.Context, id int64) (User, error) {
	return one(ctx, id, s.store.UsersByID, ErrUserNotFound)
}

// UsersByID returns the users with these IDs, each once, ordered by ID. IDs that no user has are
// ignored.
func (s *Service) UsersByID(ctx context.Context, ids []int64) ([]User, error) {
	return some(ctx, ids, s.store.UsersByID)
}

// UsersByEmail returns the users with that e-mail address, as [EmailKey] compares them, ordered
// by ID.
func (s *Service) UsersByEmail(ctx context.Context, email string) ([]User, error) {
	key := EmailKey(email)
	if key == "" || !asset.ValidText(email) {
		return nil, nil
	}
	return s.store.UsersByEmail(ctx, key)
}
