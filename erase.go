package apguard

import (
	"context"
	"errors"
	"strings"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

// Subject is a person whose data [Guard.Erase] erases. At least one of its fields is set. All
// users with an e-mail address of the person are the person.
type Subject struct {
	// UserID is the ID of a user, or 0. The user's e-mail address belongs to the person.
	UserID int64
	// Email is an e-mail address of the person, or empty; [account.EmailKey] compares it.
	Email string
}

// Validate returns an [*asset.InputError] that names every invalid field.
func (s Subject) Validate() error {
	var issues asset.Issues
	issues.Check(s.UserID != 0 || strings.TrimSpace(s.Email) != "", "", "a user or an e-mail address is required")
	issues.CheckOptionalID("userId", s.UserID)
	issues.CheckText("email", s.Email)
	return issues.Err()
}

// Erased is what [Guard.Erase] erased.
type Erased struct {
	Users    int64 `json:"users"`
	Disputes int64 `json:"disputes"`
}

// Erase erases a person: it removes the users with their API keys, and erases the e-mail
// address and the texts of the person's disputes; see [dispute.Dispute.Erased]. What the
// person did stays, without the person. It returns what it erased, even if it fails. Then
// another call erases the rest, and after that nothing.
//
// Erase does not change assets and statuses, texts of reports, comments of reviews, or
// texts of allowlist entries, which belong to organizations. SECURITY.md says what else can
// have data of the person, such as backups. The error is an [*asset.InputError] if the
// subject is invalid.
func (g *Guard) Erase(ctx context.Context, subject Subject) (Erased, error) {
	var erased Erased
	if err := subject.Validate(); err != nil {
		return erased, err
	}
	users, err := g.usersOf(ctx, subject)
	if err != nil {
		return erased, err
	}
	emails := []string{subject.Email}
	for _, user := range users {
		emails = append(emails, user.Email)
	}
	for _, email := range emails {
		n, err := g.DisputeQueue.Erase(ctx, email)
		erased.Disputes += n
		if err != nil {
			return erased, err
		}
	}
	// The users come last, because another call finds the disputes by their addresses.
	for _, user := range users {
		switch err := g.RemoveUser(ctx, user.ID); {
		case err == nil:
			erased.Users++
		case !errors.Is(err, account.ErrUserNotFound):
			return erased, err
		}
	}
	return erased, nil
}

// usersOf returns the users that are the subject, each once. The user with the ID comes last,
// because another call finds the others by that user's address.
func (g *Guard) usersOf(ctx context.Context, subject Subject) ([]account.User, error) {
	emails := []string{subject.Email}
	var named []account.User
	if subject.UserID != 0 {
		user, err := g.Accounts.User(ctx, subject.UserID)
		switch {
		case err == nil:
			emails, named = append(emails, user.Email), append(named, user)
		case !errors.Is(err, account.ErrUserNotFound):
			return nil, err
		}
	}
	var users []account.User
	seen := map[int64]bool{subject.UserID: true}
	for _, email := range emails {
		found, err := g.Accounts.UsersByEmail(ctx, email)
		if err != nil {
			return nil, err
		}
		for _, user := range found {
			if !seen[user.ID] {
				seen[user.ID] = true
				users = append(users, user)
			}
		}
	}
	return append(users, named...), nil
}
