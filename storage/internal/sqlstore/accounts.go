package sqlstore

import (
	"context"
	"errors"
	"strings"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/report"
)

const (
	slugIsTaken = `SELECT EXISTS (SELECT 1 FROM apguard_organizations WHERE slug = ? AND id <> ?)`

	insertOrganization = `INSERT INTO apguard_organizations (id, slug, name) VALUES (?, ?, ?)`

	putOrganization = insertOrganization + `
		ON CONFLICT (id) DO UPDATE SET slug = excluded.slug, name = excluded.name`

	selectOrganization = `SELECT id, slug, name FROM apguard_organizations WHERE id = ?`

	selectGroupOwner = `SELECT organization_id FROM apguard_groups WHERE id = ?`

	insertGroup = `INSERT INTO apguard_groups (organization_id, name) VALUES (?, ?)`

	insertGroupAs = `INSERT INTO apguard_groups (id, organization_id, name) VALUES (?, ?, ?)
		ON CONFLICT (id) DO NOTHING`

	renameGroup = `UPDATE apguard_groups SET name = ? WHERE id = ?`

	selectGroups = `SELECT id, organization_id, name FROM apguard_groups WHERE organization_id = ? ORDER BY id`

	insertUser = `INSERT INTO apguard_users (id, full_name, full_name_fold, email, email_fold, automation)
		VALUES (?, ?, ?, ?, ?, ?)`

	putUser = insertUser + `
		ON CONFLICT (id) DO UPDATE SET full_name = excluded.full_name, full_name_fold = excluded.full_name_fold,
			email = excluded.email, email_fold = excluded.email_fold, automation = excluded.automation`

	organizationExists = `SELECT EXISTS (SELECT 1 FROM apguard_organizations WHERE id = ?)`

	userExists = `SELECT EXISTS (SELECT 1 FROM apguard_users WHERE id = ?)`

	insertKey = `INSERT INTO apguard_keys (hash, organization_id, user_id, scopes, created_at) VALUES (?, ?, ?, ?, ?)`

	putKey = insertKey + `
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
	return s.do(ctx, "put organization", func(ctx context.Context, on session) error {
		if err := on.Alone(ctx, "organizations"); err != nil {
			return err
		}
		var taken bool
		if err := on.get(ctx, slugIsTaken, []any{organization.Slug, organization.ID}, &taken); err != nil {
			return err
		}
		if taken {
			return AnswerError{account.ErrConflict}
		}
		return on.exec(ctx, putOrganization, organizationColumns(organization)...)
	})
}

func organizationColumns(o account.Organization) []any {
	return []any{o.ID, o.Slug, o.Name}
}

// OrganizationByID implements account.Store.
func (s *Store) OrganizationByID(ctx context.Context, id int64) (account.Organization, error) {
	return read(ctx, s, "organization by id", func(ctx context.Context, on session) (account.Organization, error) {
		var o account.Organization
		err := on.get(ctx, selectOrganization, []any{id}, &o.ID, &o.Slug, &o.Name)
		return o, orAnswer(err, account.ErrNotFound)
	})
}

// PutGroup implements account.Store.
func (s *Store) PutGroup(ctx context.Context, group account.Group) (account.Group, error) {
	return write(ctx, s, "put group", func(ctx context.Context, on session) (account.Group, error) {
		// The database must not give an identifier that another call is giving.
		if err := on.Alone(ctx, "groups"); err != nil {
			return account.Group{}, err
		}
		if group.ID == 0 {
			return on.newGroup(ctx, group)
		}
		return group, on.putGroup(ctx, group)
	})
}

// newGroup writes a group with an identifier that no group ever had.
func (s session) newGroup(ctx context.Context, group account.Group) (account.Group, error) {
	var err error
	group.ID, err = s.insert(ctx, insertGroup, group.OrganizationID, group.Name)
	return group, err
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
		return AnswerError{account.ErrConflict}
	}
	return s.exec(ctx, renameGroup, group.Name, group.ID)
}

// Groups implements account.Store.
func (s *Store) Groups(ctx context.Context, organizationID int64) ([]account.Group, error) {
	return read(ctx, s, "groups", func(ctx context.Context, on session) ([]account.Group, error) {
		return collect(ctx, on, selectGroups, []any{organizationID}, func(row Row) (account.Group, error) {
			var g account.Group
			err := row.Scan(&g.ID, &g.OrganizationID, &g.Name)
			return g, err
		})
	})
}

// PutUser implements account.Store.
func (s *Store) PutUser(ctx context.Context, user account.User) error {
	return s.do(ctx, "put user", func(ctx context.Context, on session) error {
		return on.exec(ctx, putUser, userColumns(user)...)
	})
}

func userColumns(u account.User) []any {
	return []any{u.ID, u.FullName, report.Fold(u.FullName), u.Email, report.Fold(u.Email), u.Automation}
}

// PutKey implements account.Store.
func (s *Store) PutKey(ctx context.Context, key account.Key) error {
	return s.do(ctx, "put key", func(ctx context.Context, on session) error {
		if err := on.checkOwner(ctx, organizationExists, key.OrganizationID); err != nil {
			return err
		}
		if err := on.checkOwner(ctx, userExists, key.UserID); err != nil {
			return err
		}
		return on.exec(ctx, putKey, keyColumns(key)...)
	})
}

// checkOwner asks whether what a key belongs to exists. 0 is no owner.
func (s session) checkOwner(ctx context.Context, query string, id int64) error {
	if id == 0 {
		return nil
	}
	var exists bool
	if err := s.get(ctx, query, []any{id}, &exists); err != nil {
		return err
	}
	if !exists {
		return AnswerError{account.ErrNotFound}
	}
	return nil
}

func keyColumns(k account.Key) []any {
	return []any{k.Hash[:], k.OrganizationID, k.UserID, joinScopes(k.Scopes), Millis(k.CreatedAt)}
}

// Keys implements account.Store.
func (s *Store) Keys(ctx context.Context, organizationID int64) ([]account.Key, error) {
	return read(ctx, s, "keys", func(ctx context.Context, on session) ([]account.Key, error) {
		return collect(ctx, on, selectKeys, []any{organizationID}, scanKey)
	})
}

func scanKey(row Row) (account.Key, error) {
	var (
		k       account.Key
		hash    []byte
		scopes  string
		created int64
	)
	err := row.Scan(&hash, &k.OrganizationID, &k.UserID, &scopes, &created)
	copy(k.Hash[:], hash)
	k.Scopes = splitScopes(scopes)
	k.CreatedAt = Time(created)
	return k, err
}

// PrincipalByKey implements account.Store.
func (s *Store) PrincipalByKey(ctx context.Context, hash [32]byte) (account.Principal, error) {
	return read(ctx, s, "principal by key", func(ctx context.Context, on session) (account.Principal, error) {
		var (
			p      account.Principal
			scopes string
		)
		err := on.get(ctx, selectPrincipal, []any{hash[:]}, &p.OrganizationID, &p.OrganizationSlug, &p.UserID, &p.Email, &scopes)
		p.Scopes = splitScopes(scopes)
		return p, orAnswer(err, account.ErrUnknownKey)
	})
}

// orAnswer returns err, or the answer in its stead when it is errNoRow.
func orAnswer(err, answer error) error {
	if errors.Is(err, errNoRow) {
		return AnswerError{answer}
	}
	return err
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
