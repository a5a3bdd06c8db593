package sqlstore

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

const (
	slugIsTaken = `SELECT EXISTS (SELECT 1 FROM apguard_organizations WHERE slug = ? AND id <> ?)`

	insertOrganization = `INSERT INTO apguard_organizations (id, slug, name) VALUES (?, ?, ?)`

	putOrganization = insertOrganization + `
		ON CONFLICT (id) DO UPDATE SET slug = excluded.slug, name = excluded.name`

	selectGroupOwner = `SELECT organization_id FROM apguard_groups WHERE id = ?`

	insertGroup = `INSERT INTO apguard_groups (organization_id, name) VALUES (?, ?)`

	insertGroupAs = `INSERT INTO apguard_groups (id, organization_id, name) VALUES (?, ?, ?)
		ON CONFLICT (id) DO NOTHING`

	renameGroup = `UPDATE apguard_groups SET name = ? WHERE id = ?`

	selectGroups = `SELECT id, organization_id, name FROM apguard_groups WHERE organization_id = ? ORDER BY id`

	insertUser = `INSERT INTO apguard_users (id, full_name, full_name_fold, email, email_fold, email_key, automation)
		VALUES (?, ?, ?, ?, ?, ?, ?)`

	putUser = insertUser + `
		ON CONFLICT (id) DO UPDATE SET full_name = excluded.full_name, full_name_fold = excluded.full_name_fold,
			email = excluded.email, email_fold = excluded.email_fold, email_key = excluded.email_key,
			automation = excluded.automation`
)

// PutOrganization implements account.Store.
func (s *Store) PutOrganization(ctx context.Context, organization account.Organization) error {
	return s.do(ctx, "put organization", func(ctx context.Context, on session) error {
		if err := on.Serialize(ctx, "organizations"); err != nil {
			return err
		}
		var taken bool
		if err := on.get(ctx, slugIsTaken, []any{organization.Slug, organization.ID}, &taken); err != nil {
			return err
		}
		if taken {
			return ContractError{account.ErrSlugTaken}
		}
		return on.exec(ctx, putOrganization, organizationColumns(organization)...)
	})
}

func organizationColumns(o account.Organization) []any {
	return []any{o.ID, o.Slug, o.Name}
}

// OrganizationByID implements account.Store.
func (s *Store) OrganizationByID(ctx context.Context, id int64) (account.Organization, error) {
	return s.organization(ctx, "organization by id", s.dialect.organizations().Where(squirrel.Eq{"id": id}))
}

// OrganizationBySlug implements account.Store.
func (s *Store) OrganizationBySlug(ctx context.Context, slug string) (account.Organization, error) {
	return s.organization(ctx, "organization by slug", s.dialect.OrganizationBySlug(slug))
}

// organization returns the organization that the query finds.
func (s *Store) organization(ctx context.Context, operation string, query squirrel.SelectBuilder) (account.Organization, error) {
	return read(ctx, s, short(operation), func(ctx context.Context, on session) (account.Organization, error) {
		found, err := collectOne(ctx, on, query, scanOrganization)
		return found, orContractError(err, account.ErrOrganizationNotFound)
	})
}

// Organizations implements account.Store.
func (s *Store) Organizations(ctx context.Context, after int64, limit int) (asset.Page[account.Organization], error) {
	return page(ctx, s, "organizations", limit, s.dialect.Organizations(after, limit), scanOrganization)
}

func (d Dialect) organizations() squirrel.SelectBuilder {
	return d.selectFrom("apguard_organizations", "id", "slug", "name")
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
	err := row.Scan(&o.ID, &o.Slug, &o.Name)
	return o, err
}

// PutGroup implements account.Store.
func (s *Store) PutGroup(ctx context.Context, group account.Group) (account.Group, error) {
	return write(ctx, s, "put group", func(ctx context.Context, on session) (account.Group, error) {
		// Two calls must not get the same identifier.
		if err := on.Serialize(ctx, "groups"); err != nil {
			return account.Group{}, err
		}
		if group.ID != 0 {
			return group, on.putGroup(ctx, group)
		}
		var err error
		group.ID, err = on.insert(ctx, insertGroup, group.OrganizationID, group.Name)
		return group, err
	})
}

// putGroup writes a group that has an identifier.
func (s session) putGroup(ctx context.Context, group account.Group) error {
	inserted, err := s.insert(ctx, insertGroupAs, group.ID, group.OrganizationID, group.Name)
	if err != nil {
		return err
	}
	if inserted != 0 {
		return s.ReserveIDs(ctx, "apguard_groups")
	}
	var owner int64
	if err := s.get(ctx, selectGroupOwner, []any{group.ID}, &owner); err != nil {
		return err
	}
	if owner != group.OrganizationID {
		return ContractError{account.ErrGroupTaken}
	}
	return s.exec(ctx, renameGroup, group.Name, group.ID)
}

// Groups implements account.Store.
func (s *Store) Groups(ctx context.Context, organizationID int64) ([]account.Group, error) {
	return list(ctx, s, "groups", squirrel.Expr(selectGroups, organizationID), func(row Row) (account.Group, error) {
		var g account.Group
		err := row.Scan(&g.ID, &g.OrganizationID, &g.Name)
		return g, err
	})
}

// PutUser implements account.Store.
func (s *Store) PutUser(ctx context.Context, user account.User) error {
	return s.do(ctx, "put user", func(ctx context.Context, on session) error {
		return on.exec(ctx, putUser, userColumns(user)...)
	})
}

func userColumns(u account.User) []any {
	return []any{u.ID, u.FullName, report.FoldCase(u.FullName), u.Email, report.FoldCase(u.Email), account.EmailKey(u.Email), u.Automation}
}

// UserByID implements account.Store.
func (s *Store) UserByID(ctx context.Context, id int64) (account.User, error) {
	return read(ctx, s, short("user by id"), func(ctx context.Context, on session) (account.User, error) {
		found, err := collectOne(ctx, on, s.dialect.users().Where(squirrel.Eq{"id": id}), scanUser)
		return found, orContractError(err, account.ErrUserNotFound)
	})
}

// UsersByEmail implements account.Store. It is rarely called, so there is no index: PostgreSQL
// scans 100,000 users in 7 ms.
func (s *Store) UsersByEmail(ctx context.Context, emailKey string) ([]account.User, error) {
	query := s.dialect.users().Where(squirrel.Eq{"email_key": emailKey}).OrderBy("id")
	return list(ctx, s, "users by email", query, scanUser)
}

func (d Dialect) users() squirrel.SelectBuilder {
	return d.selectFrom("apguard_users", "id", "full_name", "email", "automation")
}

func scanUser(row Row) (account.User, error) {
	var u account.User
	err := row.Scan(&u.ID, &u.FullName, &u.Email, &u.Automation)
	return u, err
}
