package httpapi

import (
	"context"
	"maps"
	"slices"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/internal/request"
)

// namedUser is a user with a name, which is null if it is unknown.
type namedUser struct {
	ID       int64   `json:"id"`
	FullName *string `json:"fullName"`
	// deactivated, unless nil, is set to whether the user is deactivated.
	deactivated *bool
}

// newNamedUser returns a user whose name is not known yet. It returns nil if there is no user.
func newNamedUser(id int64) *namedUser {
	if id == 0 {
		return nil
	}
	return &namedUser{ID: id}
}

// namedOrganization is an organization with its names, which are null if they are unknown.
type namedOrganization struct {
	ID   int64   `json:"id"`
	Slug *string `json:"slug"`
	Name *string `json:"name"`
	// deactivated, unless nil, is set to whether the organization is deactivated.
	deactivated *bool
}

// newNamedOrganization returns an organization whose names are not known yet. It returns nil if there
// is no organization.
func newNamedOrganization(id int64) *namedOrganization {
	if id == 0 {
		return nil
	}
	return &namedOrganization{ID: id}
}

// names has the users and organizations of a response. Some may be nil.
type names struct {
	users         []*namedUser
	organizations []*namedOrganization
}

func (n *names) addUsers(users ...*namedUser) { n.users = append(n.users, users...) }

func (n *names) addOrganizations(organizations ...*namedOrganization) {
	n.organizations = append(n.organizations, organizations...)
}

// withNames is a response whose names are read before it is written.
type withNames interface {
	addTo(*names)
}

// answerNamed is [answerUpdate] for a response with names.
func answerNamed[Request, Result any, Body withNames](
	o operator,
	decode func(request.Call) (Request, error),
	serve func(context.Context, Request) (Result, error),
	body func(Result) (Body, bool),
) func(*responseWriter, call) error {
	return answerCompleted(decode, serve, body, func(w *responseWriter, c call, response Body) { o.setNames(w, c, response) })
}

// setNames sets the names in a response. The request may have changed something, so an error only
// leaves names out, and is logged.
func (o operator) setNames(w *responseWriter, c call, response withNames) {
	var n names
	response.addTo(&n)
	for _, set := range []func(context.Context, *account.Service) error{n.setUsers, n.setOrganizations} {
		if err := set(c.Context(), o.guard.Accounts); err != nil {
			w.recordError(err)
		}
	}
}

func (n names) setUsers(ctx context.Context, accounts *account.Service) error {
	byID := make(map[int64][]*namedUser)
	for _, user := range n.users {
		if user != nil {
			byID[user.ID] = append(byID[user.ID], user)
		}
	}
	return readNames(ctx, byID, accounts.UsersByID, func(found account.User) {
		for _, user := range byID[found.ID] {
			user.FullName = known(found.FullName)
			if user.deactivated != nil {
				*user.deactivated = found.Deactivated
			}
		}
	})
}

func (n names) setOrganizations(ctx context.Context, accounts *account.Service) error {
	byID := make(map[int64][]*namedOrganization)
	for _, organization := range n.organizations {
		if organization != nil {
			byID[organization.ID] = append(byID[organization.ID], organization)
		}
	}
	return readNames(ctx, byID, accounts.OrganizationsByID, func(found account.Organization) {
		for _, organization := range byID[found.ID] {
			organization.Slug, organization.Name = known(found.Slug), known(found.Name)
			if organization.deactivated != nil {
				*organization.deactivated = found.Deactivated
			}
		}
	})
}

// readNames reads the records with the IDs in one step, and gives each to set.
func readNames[Named, Record any](
	ctx context.Context, byID map[int64][]Named, read func(context.Context, []int64) ([]Record, error), set func(Record),
) error {
	found, err := read(ctx, slices.Collect(maps.Keys(byID)))
	for _, record := range found {
		set(record)
	}
	return err
}
