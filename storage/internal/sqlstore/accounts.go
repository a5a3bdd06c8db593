package sqlstore

import (
	"context"
	"errors"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
)

const (
	slugIsTaken = `SELECT EXISTS (SELECT 1 FROM apguard_organizations WHERE slug = ? AND id <> ?)`

	insertOrganization = `INSERT INTO apguard_organizations (id, slug, name, deactivated) VALUES (?, ?, ?, ?)`

	putOrganization = insertOrganization + `
		ON CONFLICT (id) DO UPDATE SET slug = excluded.slug, name = excluded.name, deactivated = excluded.deactivated`

	selectGroup = `SELECT id, organization_id, name FROM apguard_groups WHERE id = ?`

	insertGroup = `INSERT INTO apguard_groups (organization_id, name) VALUES (?, ?)`

	insertGroupAs = `INSERT INTO apguard_groups (id, organization_id, name) VALUES (?, ?, ?)
		ON CONFLICT (id) DO NOTHING`

	renameGroup = `UPDATE apguard_groups SET name = ? WHERE id = ?`

	selectOwnGroup = selectGroup + ` AND organization_id = ?`

	selectGroups = `SELECT id, organization_id, name FROM apguard_groups WHERE organization_id = ? ORDER BY id`

	insertUser = `INSERT INTO apguard_users (id, full_name, full_name_fold, email, email_fold, email_key, automation, deactivated)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

	insertUserOnce = insertUser + ` ON CONFLICT (id) DO NOTHING`

	putUser = insertUser + `
		ON CONFLICT (id) DO UPDATE SET full_name = excluded.full_name, full_name_fold = excluded.full_name_fold,
			email = excluded.email, email_fold = excluded.email_fold, email_key = excluded.email_key,
			automation = excluded.automation, deactivated = excluded.deactivated`
)

// PutOrganization implements account.Store.
func (s *Store) PutOrganization(ctx context.Context, organization account.Organization, entry audit.Entry) error {
	return s.do(ctx, "put organization", func(ctx context.Context, on session) error {
		if err := on.Serialize(ctx, "organizations"); err != nil {
			return err
		}
		old, err := on.lockOrganization(ctx, organization.ID)
		if err != nil {
			return err
		}
		organization = organization.Over(old)
		return on.putOrganization(ctx, organization, audit.Stored(entry, old, organization))
	})
}

// UpdateOrganization implements account.Store.
func (s *Store) UpdateOrganization(
	ctx context.Context, id int64, update func(old account.Organization) (account.Organization, audit.Entry),
) (account.Organization, error) {
	return write(ctx, s, "update organization", func(ctx context.Context, on session) (account.Organization, error) {
		if err := on.Serialize(ctx, "organizations"); err != nil {
			return account.Organization{}, err
		}
		old, err := on.lockOrganization(ctx, id)
		switch {
		case err != nil:
			return account.Organization{}, err
		case old.ID == 0:
			return account.Organization{}, ContractError{account.ErrOrganizationNotFound}
		}
		changed, entry := update(old)
		return changed, on.putOrganization(ctx, changed, entry)
	})
}

func (s session) lockOrganization(ctx context.Context, id int64) (account.Organization, error) {
	return oldRecord(ctx, s, s.dialect.organizations().Where(squirrel.Eq{"id": id}), scanOrganization)
}

// oldRecord returns the record that the query finds, which a step replaces. It is the zero value if
// there is none. It locks the record.
func oldRecord[T any](ctx context.Context, on session, query squirrel.SelectBuilder, scan func(Row) (T, error)) (T, error) {
	old, err := collectOne(ctx, on, query.Suffix(on.dialect.Lock), scan)
	if errors.Is(err, errNoRow) {
		err = nil
	}
	return old, err
}

// putOrganization writes an organization and records the entry.
func (s session) putOrganization(ctx context.Context, organization account.Organization, entry audit.Entry) error {
	var taken bool
	if err := s.get(ctx, slugIsTaken, []any{organization.Slug, organization.ID}, &taken); err != nil {
		return err
	}
	if taken {
		return ContractError{account.ErrSlugTaken}
	}
	if err := s.exec(ctx, putOrganization, organizationColumns(organization)...); err != nil {
		return err
	}
	return s.record(ctx, entry)
}

func organizationColumns(o account.Organization) []any {
	return []any{o.ID, o.Slug, o.Name, o.Deactivated}
}

// OrganizationsByID implements account.Store.
func (s *Store) OrganizationsByID(ctx context.Context, ids []int64) ([]account.Organization, error) {
	return byID(ctx, s, "organizations by id", s.dialect.OrganizationsByID(ids), scanOrganization)
}

// byID returns the rows that a query for IDs finds.
func byID[T any](ctx context.Context, s *Store, operation string, query squirrel.SelectBuilder, scan func(Row) (T, error)) ([]T, error) {
	return read(ctx, s, short(operation), func(ctx context.Context, on session) ([]T, error) {
		return collect(ctx, on, query, scan)
	})
}

// OrganizationBySlug implements account.Store.
func (s *Store) OrganizationBySlug(ctx context.Context, slug string) (account.Organization, error) {
	return read(ctx, s, short("organization by slug"), func(ctx context.Context, on session) (account.Organization, error) {
		found, err := collectOne(ctx, on, s.dialect.OrganizationBySlug(slug), scanOrganization)
		return found, orContractError(err, account.ErrOrganizationNotFound)
	})
}

// Organizations implements account.Store.
func (s *Store) Organizations(ctx context.Context, after int64, limit int) (step.Page[account.Organization], error) {
	return page(ctx, s, "organizations", limit, s.dialect.Organizations(after, limit), scanOrganization)
}

func (d Dialect) organizations() squirrel.SelectBuilder {
	return d.selectFrom("apguard_organizations", "id", "slug", "name", "deactivated")
}

// OrganizationsByID returns the query for the organizations with the IDs.
func (d Dialect) OrganizationsByID(ids []int64) squirrel.SelectBuilder {
	return d.organizations().Where(d.AnyOf("id", ids)).OrderBy("id")
}

// OrganizationBySlug returns the query for the organization with that slug.
func (d Dialect) OrganizationBySlug(slug string) squirrel.SelectBuilder {
	return d.organizations().Where(squirrel.Eq{"slug": slug})
}

// Organizations returns the query for a page of organizations.
func (d Dialect) Organizations(after int64, limit int) squirrel.SelectBuilder {
	return d.organizations().Where(squirrel.Gt{"id": after}).OrderBy("id").Limit(rowLimit(limit))
}

func scanOrganization(row Row) (account.Organization, error) {
	var o account.Organization
	err := row.Scan(&o.ID, &o.Slug, &o.Name, &o.Deactivated)
	return o, err
}

// PutGroup implements account.Store.
func (s *Store) PutGroup(ctx context.Context, group account.Group, entry audit.Entry) (account.Group, error) {
	return write(ctx, s, "put group", func(ctx context.Context, on session) (account.Group, error) {
		// Two calls must not get the same identifier.
		if err := on.Serialize(ctx, "groups"); err != nil {
			return account.Group{}, err
		}
		var (
			old account.Group
			err error
		)
		if group.ID != 0 {
			old, err = on.replaceGroup(ctx, group)
		} else {
			group.ID, err = on.insert(ctx, insertGroup, group.OrganizationID, group.Name)
		}
		if err != nil {
			return account.Group{}, err
		}
		return group, on.record(ctx, audit.Stored(entry.On(group.ID), old, group))
	})
}

// putGroup writes a group that has an identifier.
func (s session) putGroup(ctx context.Context, group account.Group) error {
	_, err := s.replaceGroup(ctx, group)
	return err
}

// replaceGroup writes a group that has an identifier, and returns the one that it replaces.
func (s session) replaceGroup(ctx context.Context, group account.Group) (old account.Group, err error) {
	inserted, err := s.insert(ctx, insertGroupAs, group.ID, group.OrganizationID, group.Name)
	if err != nil {
		return old, err
	}
	if inserted != 0 {
		return old, s.ReserveIDs(ctx, "apguard_groups")
	}
	old, err = collectOne(ctx, s, squirrel.Expr(selectGroup, group.ID), scanGroup)
	if err != nil {
		return old, err
	}
	if old.OrganizationID != group.OrganizationID {
		return old, ContractError{account.ErrGroupTaken}
	}
	return old, s.exec(ctx, renameGroup, group.Name, group.ID)
}

// RenameGroup implements account.Store.
func (s *Store) RenameGroup(ctx context.Context, group account.Group, entry audit.Entry) error {
	return s.do(ctx, "rename group", func(ctx context.Context, on session) error {
		old, err := collectOne(ctx, on, squirrel.Expr(selectOwnGroup+s.dialect.Lock, group.ID, group.OrganizationID), scanGroup)
		if err != nil {
			return orContractError(err, account.ErrGroupNotFound)
		}
		if err := on.exec(ctx, renameGroup, group.Name, group.ID); err != nil {
			return err
		}
		return on.record(ctx, audit.Stored(entry, old, group))
	})
}

// Groups implements account.Store.
func (s *Store) Groups(ctx context.Context, organizationID int64) ([]account.Group, error) {
	return list(ctx, s, "groups", squirrel.Expr(selectGroups, organizationID), scanGroup)
}

func scanGroup(row Row) (account.Group, error) {
	var g account.Group
	err := row.Scan(&g.ID, &g.OrganizationID, &g.Name)
	return g, err
}

// PutUser implements account.Store.
func (s *Store) PutUser(ctx context.Context, user account.User, entry audit.Entry) error {
	return s.do(ctx, "put user", func(ctx context.Context, on session) error {
		inserted, err := on.change(ctx, insertUserOnce, userColumns(user)...)
		if err != nil {
			return err
		}
		if inserted > 0 {
			return on.record(ctx, audit.Stored(entry, account.User{}, user))
		}
		old, err := on.lockUser(ctx, user.ID)
		if err != nil {
			return err
		}
		user = user.Over(old)
		return on.putUser(ctx, user, audit.Stored(entry, old, user))
	})
}

// UpdateUser implements account.Store.
func (s *Store) UpdateUser(
	ctx context.Context, id int64, update func(old account.User) (account.User, audit.Entry),
) (account.User, error) {
	return write(ctx, s, "update user", func(ctx context.Context, on session) (account.User, error) {
		old, err := on.lockUser(ctx, id)
		switch {
		case err != nil:
			return account.User{}, err
		case old.ID == 0:
			return account.User{}, ContractError{account.ErrUserNotFound}
		}
		changed, entry := update(old)
		return changed, on.putUser(ctx, changed, entry)
	})
}

func (s session) lockUser(ctx context.Context, id int64) (account.User, error) {
	return oldRecord(ctx, s, s.dialect.users().Where(squirrel.Eq{"id": id}), scanUser)
}

// putUser writes a user and records the entry.
func (s session) putUser(ctx context.Context, user account.User, entry audit.Entry) error {
	if err := s.exec(ctx, putUser, userColumns(user)...); err != nil {
		return err
	}
	return s.record(ctx, entry)
}

func userColumns(u account.User) []any {
	return []any{u.ID, u.FullName, asset.FoldCase(u.FullName), u.Email, asset.FoldCase(u.Email), account.EmailKey(u.Email), u.Automation, u.Deactivated}
}

// UsersByID implements account.Store.
func (s *Store) UsersByID(ctx context.Context, ids []int64) ([]account.User, error) {
	return byID(ctx, s, "users by id", s.dialect.UsersByID(ids), scanUser)
}

// UsersByID returns the query for the users with the IDs.
func (d Dialect) UsersByID(ids []int64) squirrel.SelectBuilder {
	return d.users().Where(d.AnyOf("id", ids)).OrderBy("id")
}

// Users implements account.Store.
func (s *Store) Users(ctx context.Context, after int64, limit int) (step.Page[account.User], error) {
	return page(ctx, s, "users", limit, s.dialect.Users(after, limit), scanUser)
}

// Users returns the query for a page of users.
func (d Dialect) Users(after int64, limit int) squirrel.SelectBuilder {
	return d.users().Where(squirrel.Gt{"id": after}).OrderBy("id").Limit(rowLimit(limit))
}

// UsersByEmail implements account.Store. It is rarely called, so there is no index: PostgreSQL
// scans 100,000 users in 7 ms.
func (s *Store) UsersByEmail(ctx context.Context, emailKey string) ([]account.User, error) {
	query := s.dialect.users().Where(squirrel.Eq{"email_key": emailKey}).OrderBy("id")
	return list(ctx, s, "users by email", query, scanUser)
}

func (d Dialect) users() squirrel.SelectBuilder {
	return d.selectFrom("apguard_users", "id", "full_name", "email", "automation", "deactivated")
}

func scanUser(row Row) (account.User, error) {
	var u account.User
	err := row.Scan(&u.ID, &u.FullName, &u.Email, &u.Automation, &u.Deactivated)
	return u, err
}
