package sqlstore

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

const (
	organizationExists = `SELECT EXISTS (SELECT 1 FROM apguard_organizations WHERE id = ?)`

	userExists = `SELECT EXISTS (SELECT 1 FROM apguard_users WHERE id = ?)`

	keyColumnNames = `hash, organization_id, user_id, name, scopes, created_at, expires_at, revoked_at, last_used_at`

	insertKey = `INSERT INTO apguard_keys (` + keyColumnNames + `) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

	insertKeyOnce = insertKey + ` ON CONFLICT (hash) DO NOTHING`

	updateKey = `UPDATE apguard_keys SET organization_id = ?, user_id = ?, name = ?, scopes = ?,
			created_at = ?, expires_at = ?, revoked_at = ?, last_used_at = ?
		WHERE hash = ?`

	selectKey = `SELECT ` + keyColumnNames + ` FROM apguard_keys WHERE hash = ?`

	selectGrant = `SELECT k.hash, k.organization_id, k.user_id, k.name, k.scopes, k.created_at, k.expires_at, k.revoked_at,
			k.last_used_at, COALESCE(o.slug, ''), COALESCE(u.email, '')
		FROM apguard_keys k
		LEFT JOIN apguard_organizations o ON o.id = k.organization_id
		LEFT JOIN apguard_users u ON u.id = k.user_id
		WHERE k.hash = ?`

	// Two servers that write at the same time see each other's use, as the second
	// looks again when the first has committed.
	touchKey = `UPDATE apguard_keys SET last_used_at = ?
		WHERE hash = ? AND revoked_at = ? AND last_used_at < ? AND last_used_at < ?`
)

// never returns how the zero time stands in a column.
func never() int64 { return Millis(time.Time{}) }

// PutKey implements account.Store.
func (s *Store) PutKey(ctx context.Context, key account.Key) error {
	return s.do(ctx, "put key", func(ctx context.Context, on session) error {
		if err := on.checkOwner(ctx, organizationExists, key.OrganizationID); err != nil {
			return err
		}
		if err := on.checkOwner(ctx, userExists, key.UserID); err != nil {
			return err
		}
		inserted, err := on.change(ctx, insertKeyOnce, newKeyColumns(key)...)
		if err != nil || inserted > 0 {
			return err
		}
		old, err := on.lockKey(ctx, key.Hash)
		if err != nil {
			return err
		}
		stored, err := key.Over(old)
		if err != nil {
			return ContractError{err}
		}
		return on.updateKey(ctx, stored)
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
		return ContractError{account.ErrNotFound}
	}
	return nil
}

// newKeyColumns are those of a key that was neither revoked nor used.
func newKeyColumns(k account.Key) []any {
	k.RevokedAt, k.LastUsedAt = time.Time{}, time.Time{}
	return append([]any{k.Hash[:]}, keyColumns(k)...)
}

// keyColumns are those of a key but for its hash, which never changes.
func keyColumns(k account.Key) []any {
	return []any{
		k.OrganizationID, k.UserID, k.Name, joinScopes(k.Scopes),
		Millis(k.CreatedAt), Millis(k.ExpiresAt), Millis(k.RevokedAt), Millis(k.LastUsedAt),
	}
}

// Keys implements account.Store.
func (s *Store) Keys(ctx context.Context, organizationID int64) ([]account.Key, error) {
	return read(ctx, s, "keys", func(ctx context.Context, on session) ([]account.Key, error) {
		return collectBuilt(ctx, on, s.dialect.Keys(organizationID), scanKey)
	})
}

// Keys returns the query for the keys of an organization.
func (d Dialect) Keys(organizationID int64) squirrel.SelectBuilder {
	return d.selectFrom("apguard_keys", keyColumnNames).
		Where(squirrel.Eq{"organization_id": organizationID}).
		OrderBy("created_at", "hash")
}

// keyRow takes the columns of a key.
type keyRow struct {
	key                             account.Key
	hash                            []byte
	scopes                          string
	created, expires, revoked, used int64
}

// places are where the columns go, in the order of keyColumnNames.
func (r *keyRow) places() []any {
	return []any{
		&r.hash, &r.key.OrganizationID, &r.key.UserID, &r.key.Name, &r.scopes,
		&r.created, &r.expires, &r.revoked, &r.used,
	}
}

// value returns the key once its columns are there.
func (r *keyRow) value() account.Key {
	k := r.key
	copy(k.Hash[:], r.hash)
	k.Scopes = splitScopes(r.scopes)
	k.CreatedAt, k.ExpiresAt = Time(r.created), Time(r.expires)
	k.RevokedAt, k.LastUsedAt = Time(r.revoked), Time(r.used)
	return k
}

func scanKey(row Row) (account.Key, error) {
	var r keyRow
	err := row.Scan(r.places()...)
	return r.value(), err
}

// GrantByKey implements account.Store.
func (s *Store) GrantByKey(ctx context.Context, hash [32]byte) (account.Grant, error) {
	return read(ctx, s, "grant by key", func(ctx context.Context, on session) (account.Grant, error) {
		var (
			g account.Grant
			r keyRow
		)
		err := on.get(ctx, selectGrant, []any{hash[:]}, append(r.places(), &g.OrganizationSlug, &g.Email)...)
		g.Key = r.value()
		return g, orContractError(err, account.ErrUnknownKey)
	})
}

// RevokeKey implements account.Store.
func (s *Store) RevokeKey(ctx context.Context, hash [32]byte, at time.Time) (account.Key, error) {
	return write(ctx, s, "revoke key", func(ctx context.Context, on session) (account.Key, error) {
		key, err := on.lockKey(ctx, hash)
		if err != nil || !key.RevokedAt.IsZero() {
			return key, err
		}
		key.RevokedAt = asset.TruncateTime(at)
		return key, on.updateKey(ctx, key)
	})
}

// ExpireKey implements account.Store.
func (s *Store) ExpireKey(ctx context.Context, hash [32]byte, at time.Time) (account.Key, error) {
	return write(ctx, s, "expire key", func(ctx context.Context, on session) (account.Key, error) {
		key, err := on.lockKey(ctx, hash)
		if err != nil {
			return account.Key{}, err
		}
		if !key.RevokedAt.IsZero() {
			return account.Key{}, ContractError{account.ErrRevokedKey}
		}
		key.ExpiresAt = asset.TruncateTime(at)
		return key, on.updateKey(ctx, key)
	})
}

// RotateKey implements account.Store.
func (s *Store) RotateKey(ctx context.Context, rotation account.Rotation) error {
	return s.do(ctx, "rotate key", func(ctx context.Context, on session) error {
		old, err := on.lockKey(ctx, rotation.Hash)
		if err != nil {
			return err
		}
		ended, fresh, err := rotation.Of(old)
		if err != nil {
			return ContractError{err}
		}
		if err := on.updateKey(ctx, ended); err != nil {
			return err
		}
		return on.exec(ctx, insertKey, newKeyColumns(fresh)...)
	})
}

// lockKey returns the key with that hash. No other transaction changes it until the
// end of this one.
func (s session) lockKey(ctx context.Context, hash [32]byte) (account.Key, error) {
	var r keyRow
	err := s.get(ctx, selectKey+s.dialect.Lock, []any{hash[:]}, r.places()...)
	return r.value(), orContractError(err, account.ErrUnknownKey)
}

// updateKey writes the key as it has become since lockKey.
func (s session) updateKey(ctx context.Context, key account.Key) error {
	return s.exec(ctx, updateKey, append(keyColumns(key), key.Hash[:])...)
}

// TouchKey implements account.Store. The statement is account.Use.Applies in SQL.
func (s *Store) TouchKey(ctx context.Context, use account.Use) error {
	return s.do(ctx, "touch key", func(ctx context.Context, on session) error {
		at := Millis(use.At)
		return on.exec(ctx, touchKey, at, use.Hash[:], never(), ceilMillis(use.LastBefore), at)
	})
}

// orContractError returns err, or the answer in its stead when it is errNoRow.
func orContractError(err, answer error) error {
	if errors.Is(err, errNoRow) {
		return ContractError{answer}
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
