package sqlstore

import (
	"context"

	"github.com/apguard/apguard/account"
)

const (
	deleteUser         = `DELETE FROM apguard_users WHERE id = ?`
	deleteUserKeys     = `DELETE FROM apguard_keys WHERE user_id = ?`
	deleteGroup        = `DELETE FROM apguard_groups WHERE id = ? AND organization_id = ?`
	deleteGroups       = `DELETE FROM apguard_groups WHERE organization_id = ?`
	deleteOrganization = `DELETE FROM apguard_organizations WHERE id = ?`
	deleteKeys         = `DELETE FROM apguard_keys WHERE organization_id = ?`
)

// A key that is stored at the same time may stay, but gives no access, because KeyByHash looks
// for its organization and its user.

// RemoveUser implements account.Store. It scans the keys, because few users are removed:
// PostgreSQL needs 10 ms for 100,000 keys.
func (s *Store) RemoveUser(ctx context.Context, id int64) error {
	return s.do(ctx, "remove user", func(ctx context.Context, on session) error {
		if err := on.changeOne(ctx, account.ErrUserNotFound, deleteUser, id); err != nil {
			return err
		}
		return on.exec(ctx, deleteUserKeys, id)
	})
}

// RemoveGroup implements account.Store. Entries refer to groups that may be removed.
func (s *Store) RemoveGroup(ctx context.Context, organizationID, id int64) error {
	return s.do(ctx, "remove group", func(ctx context.Context, on session) error {
		return on.changeOne(ctx, account.ErrGroupNotFound, deleteGroup, id, organizationID)
	})
}

// RemoveOrganization implements account.Store.
func (s *Store) RemoveOrganization(ctx context.Context, id int64) error {
	return s.do(ctx, "remove organization", func(ctx context.Context, on session) error {
		if err := on.changeOne(ctx, account.ErrOrganizationNotFound, deleteOrganization, id); err != nil {
			return err
		}
		if err := on.exec(ctx, deleteGroups, id); err != nil {
			return err
		}
		return on.exec(ctx, deleteKeys, id)
	})
}

// changeOne executes a statement that changes a record, or returns missing if there is none.
func (s session) changeOne(ctx context.Context, missing error, statement string, args ...any) error {
	changed, err := s.change(ctx, statement, args...)
	if err == nil && changed == 0 {
		return ContractError{missing}
	}
	return err
}
