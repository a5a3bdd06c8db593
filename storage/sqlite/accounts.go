package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

const (
	slugIsTaken = `SELECT EXISTS (SELECT 1 FROM apguard_organizations WHERE slug = ? AND id <> ?)`

	putOrganization = `INSERT INTO apguard_organizations (id, slug, name) VALUES (?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET slug = excluded.slug, name = excluded.name`

	selectOrganization = `SELECT id, slug, name FROM apguard_organizations WHERE id = ?`

	groupOwner = `SELECT organization_id FROM apguard_groups WHERE id = ?`

	// insertGroup makes a new identifier from NULL.
	insertGroup = `INSERT INTO apguard_groups (id, organization_id, name) VALUES (?, ?, ?)`

	renameGroup = `UPDATE apguard_groups SET name = ? WHERE id = ?`

	selectGroups = `SELECT id, organization_id, name FROM apguard_groups WHERE organization_id = ? ORDER BY id`

	putUser = `INSERT INTO apguard_users (id, full_name, full_name_fold, email, email_fold, automation)
		VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET full_name = excluded.full_name, full_name_fold = excluded.full_name_fold,
			email = excluded.email, email_fold = excluded.email_fold, automation = excluded.automation`

	ownersExist = `SELECT (?1 = 0 OR EXISTS (SELECT 1 FROM apguard_organizations WHERE id = ?1))
		AND (?2 = 0 OR EXISTS (SELECT 1 FROM apguard_users WHERE id = ?2))`

	putKey = `INSERT INTO apguard_keys (hash, organization_id, user_id, scopes, created_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (hash) DO UPDATE SET organization_id = excluded.organization_id, user_id = excluded.user_id,
			scopes = excluded.scopes, created_at = excluded.created_at`

	selectKeys = `SELECT hash, organization_id, user_id, scopes, created_at FROM apguard_keys
		WHERE organization_id = ? ORDER BY created_at, hash`

	selectPrincipal = `SELECT k.organization_id, COALESCE(o.slug, ''), k.user_id, COALESCE(u.email, ''), k.scopes
		FROM apguard_keys k
		LEFT JOIN apguard_organizations o ON o.id = k.organization_id
		LEFT JOIN apguard_users u ON u.id = k.user_id
		WHERE k.hash = ?`
)

// PutOrganization implements account.Store.
func (s *Store) PutOrganization(ctx context.Context, organization account.Organization) error {
	_, err := write(ctx, s, "put organization", func(ctx context.Context, tx *transaction) (struct{}, error) {
		var taken bool
		if err := tx.get(ctx, slugIsTaken, []any{organization.Slug, organization.ID}, &taken); err != nil {
			return struct{}{}, err
		}
		if taken {
			return struct{}{}, answer{account.ErrConflict}
		}
		return struct{}{}, tx.putOrganization(ctx, organization)
	})
	return err
}

func (t *transaction) putOrganization(ctx context.Context, o account.Organization) error {
	return t.exec(ctx, putOrganization, o.ID, o.Slug, o.Name)
}

// OrganizationByID implements account.Store.
func (s *Store) OrganizationByID(ctx context.Context, id int64) (account.Organization, error) {
	return read(ctx, s, "organization by id", func(db *sql.DB) (account.Organization, error) {
		var o account.Organization
		err := db.QueryRowContext(ctx, selectOrganization, id).Scan(&o.ID, &o.Slug, &o.Name)
		if errors.Is(err, sql.ErrNoRows) {
			return account.Organization{}, answer{account.ErrNotFound}
		}
		return o, err
	})
}

// PutGroup implements account.Store.
func (s *Store) PutGroup(ctx context.Context, group account.Group) (account.Group, error) {
	return write(ctx, s, "put group", func(ctx context.Context, tx *transaction) (account.Group, error) {
		var owner int64
		err := tx.get(ctx, groupOwner, []any{group.ID}, &owner)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return tx.insertGroup(ctx, group)
		case err != nil:
			return account.Group{}, err
		case owner != group.OrganizationID:
			return account.Group{}, answer{account.ErrConflict}
		}
		return group, tx.exec(ctx, renameGroup, group.Name, group.ID)
	})
}

func (t *transaction) insertGroup(ctx context.Context, group account.Group) (account.Group, error) {
	var err error
	group.ID, err = t.insert(ctx, insertGroup, orNull(group.ID), group.OrganizationID, group.Name)
	return group, err
}

// Groups implements account.Store.
func (s *Store) Groups(ctx context.Context, organizationID int64) ([]account.Group, error) {
	return read(ctx, s, "groups", func(db *sql.DB) ([]account.Group, error) {
		return collect(ctx, db, selectGroups, []any{organizationID}, func(row sqlstore.Row) (account.Group, error) {
			var g account.Group
			err := row.Scan(&g.ID, &g.OrganizationID, &g.Name)
			return g, err
		})
	})
}

// PutUser implements account.Store.
func (s *Store) PutUser(ctx context.Context, user account.User) error {
	_, err := write(ctx, s, "put user", func(ctx context.Context, tx *transaction) (struct{}, error) {
		return struct{}{}, tx.putUser(ctx, user)
	})
	return err
}

func (t *transaction) putUser(ctx context.Context, u account.User) error {
	return t.exec(ctx, putUser, u.ID, u.FullName, report.Fold(u.FullName), u.Email, report.Fold(u.Email), u.Automation)
}

// PutKey implements account.Store.
func (s *Store) PutKey(ctx context.Context, key account.Key) error {
	_, err := write(ctx, s, "put key", func(ctx context.Context, tx *transaction) (struct{}, error) {
		var exist bool
		if err := tx.get(ctx, ownersExist, []any{key.OrganizationID, key.UserID}, &exist); err != nil {
			return struct{}{}, err
		}
		if !exist {
			return struct{}{}, answer{account.ErrNotFound}
		}
		return struct{}{}, tx.putKey(ctx, key)
	})
	return err
}

func (t *transaction) putKey(ctx context.Context, k account.Key) error {
	return t.exec(ctx, putKey, k.Hash[:], k.OrganizationID, k.UserID, joinScopes(k.Scopes), sqlstore.Millis(k.CreatedAt))
}

// Keys implements account.Store.
func (s *Store) Keys(ctx context.Context, organizationID int64) ([]account.Key, error) {
	return read(ctx, s, "keys", func(db *sql.DB) ([]account.Key, error) {
		return collect(ctx, db, selectKeys, []any{organizationID}, scanKey)
	})
}

func scanKey(row sqlstore.Row) (account.Key, error) {
	var (
		k       account.Key
		hash    []byte
		scopes  string
		created int64
	)
	err := row.Scan(&hash, &k.OrganizationID, &k.UserID, &scopes, &created)
	copy(k.Hash[:], hash)
	k.Scopes = splitScopes(scopes)
	k.CreatedAt = sqlstore.Time(created)
	return k, err
}

// PrincipalByKey implements account.Store.
func (s *Store) PrincipalByKey(ctx context.Context, hash [32]byte) (account.Principal, error) {
	return read(ctx, s, "principal by key", func(db *sql.DB) (account.Principal, error) {
		var (
			p      account.Principal
			scopes string
		)
		err := db.QueryRowContext(ctx, selectPrincipal, hash[:]).
			Scan(&p.OrganizationID, &p.OrganizationSlug, &p.UserID, &p.Email, &scopes)
		if errors.Is(err, sql.ErrNoRows) {
			return account.Principal{}, answer{account.ErrUnknownKey}
		}
		p.Scopes = splitScopes(scopes)
		return p, err
	})
}

// joinScopes returns the scopes as one text. No scope has a comma.
func joinScopes(scopes []account.Scope) string {
	names := make([]string, len(scopes))
	for i, scope := range scopes {
		names[i] = string(scope)
	}
	return strings.Join(names, ",")
}

func splitScopes(joined string) []account.Scope {
	if joined == "" {
		return nil
	}
	var scopes []account.Scope
	for name := range strings.SplitSeq(joined, ",") {
		scopes = append(scopes, account.Scope(name))
	}
	return scopes
}

// orNull returns the identifier, or NULL when there is none.
func orNull(id int64) any {
	if id == 0 {
		return nil
	}
	return id
}
