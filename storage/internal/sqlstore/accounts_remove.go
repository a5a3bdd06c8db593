package sqlstore

import (
	"bytes"
	"context"
	"slices"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
)

const (
	deleteUser         = `DELETE FROM apguard_users WHERE id = ?`
	deleteUserKeys     = `DELETE FROM apguard_keys WHERE user_id = ? RETURNING ` + keyColumnNames
	deleteGroup        = `DELETE FROM apguard_groups WHERE id = ? AND organization_id = ?`
	deleteGroups       = `DELETE FROM apguard_groups WHERE organization_id = ?`
	deleteOrganization = `DELETE FROM apguard_organizations WHERE id = ?`
	deleteKeys         = `DELETE FROM apguard_keys WHERE organization_id = ? RETURNING ` + keyColumnNames
)

// A key that is stored at the same time may stay, but gives no access, because KeyByHash looks
// for its organization and its user.

// RemoveUser implements account.Store. It scans the keys, because few users are removed:
// PostgreSQL needs 10 ms for 100,000 keys.
func (s *Store) RemoveUser(ctx context.Context, id int64, entry audit.Entry) error {
	return s.do(ctx, "remove user", func(ctx context.Context, on session) error {
		if err := on.changeOne(ctx, account.ErrUserNotFound, deleteUser, id); err != nil {
			return err
		}
		return on.removeKeys(ctx, deleteUserKeys, id, entry)
	})
}

// RemoveGroup implements account.Store. Entries refer to groups that may be removed.
func (s *Store) RemoveGroup(ctx context.Context, organizationID, id int64, entry audit.Entry) error {
	return s.do(ctx, "remove group", func(ctx context.Context, on session) error {
		if err := on.changeOne(ctx, account.ErrGroupNotFound, deleteGroup, id, organizationID); err != nil {
			return err
		}
		return on.record(ctx, entry)
	})
}

// RemoveOrganization implements account.Store.
func (s *Store) RemoveOrganization(ctx context.Context, id int64, entry audit.Entry) error {
	return s.do(ctx, "remove organization", func(ctx context.Context, on session) error {
		if err := on.changeOne(ctx, account.ErrOrganizationNotFound, deleteOrganization, id); err != nil {
			return err
		}
		if err := on.exec(ctx, deleteGroups, id); err != nil {
			return err
		}
		return on.removeKeys(ctx, deleteKeys, id, entry)
	})
}

// removeKeys deletes the keys of an owner, who is removed, and records the entries of all.
func (s session) removeKeys(ctx context.Context, statement string, owner int64, entry audit.Entry) error {
	removed, err := collect(ctx, s, squirrel.Expr(statement, owner), scanKey)
	if err != nil {
		return err
	}
	slices.SortFunc(removed, func(a, b account.Key) int { return bytes.Compare(a.Hash[:], b.Hash[:]) })
	if err := s.record(ctx, entry); err != nil {
		return err
	}
	for _, key := range removed {
		if err := s.record(ctx, key.Removed(entry)); err != nil {
			return err
		}
	}
	return nil
}

// changeOne executes a statement that changes a record, or returns missing if there is none.
func (s session) changeOne(ctx context.Context, missing error, statement string, args ...any) error {
	changed, err := s.change(ctx, statement, args...)
	if err == nil && changed == 0 {
		return ContractError{missing}
	}
	return err
}
