package observe

import (
	"context"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
)

// PutOrganization implements [storage.Store].
func (s observedStore) PutOrganization(ctx context.Context, organization account.Organization, entry audit.Entry) error {
	return s.do(ctx, "account.put_organization", func(ctx context.Context) error { return s.Store.PutOrganization(ctx, organization, entry) })
}

// UpdateOrganization implements [storage.Store].
func (s observedStore) UpdateOrganization(
	ctx context.Context, id int64, update func(old account.Organization) (account.Organization, audit.Entry),
) (account.Organization, error) {
	return get(ctx, s, "account.update_organization", func(ctx context.Context) (account.Organization, error) {
		return s.Store.UpdateOrganization(ctx, id, update)
	})
}

// OrganizationBySlug implements [storage.Store].
func (s observedStore) OrganizationBySlug(ctx context.Context, slug string) (account.Organization, error) {
	return call(ctx, s, "account.get_organization", s.Store.OrganizationBySlug, slug)
}

// Organizations implements [storage.Store].
func (s observedStore) Organizations(ctx context.Context, after int64, limit int) (step.Page[account.Organization], error) {
	return get(ctx, s, "account.list_organizations", func(ctx context.Context) (step.Page[account.Organization], error) {
		return s.Store.Organizations(ctx, after, limit)
	})
}

// PutGroup implements [storage.Store].
func (s observedStore) PutGroup(ctx context.Context, group account.Group, entry audit.Entry) (account.Group, error) {
	return get(ctx, s, "account.put_group", func(ctx context.Context) (account.Group, error) {
		return s.Store.PutGroup(ctx, group, entry)
	})
}

// RenameGroup implements [storage.Store].
func (s observedStore) RenameGroup(ctx context.Context, group account.Group, entry audit.Entry) error {
	return s.do(ctx, "account.rename_group", func(ctx context.Context) error { return s.Store.RenameGroup(ctx, group, entry) })
}

// Groups implements [storage.Store].
func (s observedStore) Groups(ctx context.Context, organizationID int64) ([]account.Group, error) {
	return call(ctx, s, "account.list_groups", s.Store.Groups, organizationID)
}

// PutUser implements [storage.Store].
func (s observedStore) PutUser(ctx context.Context, user account.User, entry audit.Entry) error {
	return s.do(ctx, "account.put_user", func(ctx context.Context) error { return s.Store.PutUser(ctx, user, entry) })
}

// UpdateUser implements [storage.Store].
func (s observedStore) UpdateUser(ctx context.Context, id int64, update func(old account.User) (account.User, audit.Entry)) (account.User, error) {
	return get(ctx, s, "account.update_user", func(ctx context.Context) (account.User, error) { return s.Store.UpdateUser(ctx, id, update) })
}

// Users implements [storage.Store].
func (s observedStore) Users(ctx context.Context, after int64, limit int) (step.Page[account.User], error) {
	return get(ctx, s, "account.list_users", func(ctx context.Context) (step.Page[account.User], error) {
		return s.Store.Users(ctx, after, limit)
	})
}

// UsersByEmail implements [storage.Store].
func (s observedStore) UsersByEmail(ctx context.Context, emailKey string) ([]account.User, error) {
	return call(ctx, s, "account.find_users", s.Store.UsersByEmail, emailKey)
}

// RemoveUser implements [storage.Store].
func (s observedStore) RemoveUser(ctx context.Context, id int64, entry audit.Entry) error {
	return s.do(ctx, "account.remove_user", func(ctx context.Context) error { return s.Store.RemoveUser(ctx, id, entry) })
}

// RemoveGroup implements [storage.Store].
func (s observedStore) RemoveGroup(ctx context.Context, organizationID, id int64, entry audit.Entry) error {
	return s.do(ctx, "account.remove_group", func(ctx context.Context) error { return s.Store.RemoveGroup(ctx, organizationID, id, entry) })
}

// RemoveOrganization implements [storage.Store].
func (s observedStore) RemoveOrganization(ctx context.Context, id int64, entry audit.Entry) error {
	return s.do(ctx, "account.remove_organization", func(ctx context.Context) error { return s.Store.RemoveOrganization(ctx, id, entry) })
}

// PutKey implements [storage.Store].
func (s observedStore) PutKey(ctx context.Context, key account.Key, entry audit.Entry) error {
	return s.do(ctx, "key.put", func(ctx context.Context) error { return s.Store.PutKey(ctx, key, entry) })
}

// KeyByHash implements [storage.Store].
func (s observedStore) KeyByHash(ctx context.Context, hash [32]byte) (account.KeyRecord, error) {
	return call(ctx, s, "key.get", s.Store.KeyByHash, hash)
}

// Keys implements [storage.Store].
func (s observedStore) Keys(ctx context.Context, organizationID int64) ([]account.Key, error) {
	return call(ctx, s, "key.list", s.Store.Keys, organizationID)
}

// KeyPage implements [storage.Store].
func (s observedStore) KeyPage(ctx context.Context, organizationID int64, after account.KeyCursor, limit int) (step.Page[account.Key], error) {
	return get(ctx, s, "key.list", func(ctx context.Context) (step.Page[account.Key], error) {
		return s.Store.KeyPage(ctx, organizationID, after, limit)
	})
}

// KeysByFingerprint implements [storage.Store].
func (s observedStore) KeysByFingerprint(ctx context.Context, prefix [6]byte) ([]account.Key, error) {
	return call(ctx, s, "key.find", s.Store.KeysByFingerprint, prefix)
}

// UpdateKey implements [storage.Store].
func (s observedStore) UpdateKey(ctx context.Context, hash [32]byte, update func(old account.Key) (account.KeyUpdate, error)) (account.Key, error) {
	return get(ctx, s, "key.update", func(ctx context.Context) (account.Key, error) {
		return s.Store.UpdateKey(ctx, hash, update)
	})
}

// UpdateUserKeys implements [storage.Store].
func (s observedStore) UpdateUserKeys(ctx context.Context, userID int64, update func(old account.Key) account.KeyUpdate) ([]account.Key, error) {
	return get(ctx, s, "key.update_of_user", func(ctx context.Context) ([]account.Key, error) {
		return s.Store.UpdateUserKeys(ctx, userID, update)
	})
}
