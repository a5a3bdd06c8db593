package sqlstore

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
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

	selectUserKeys = `SELECT ` + keyColumnNames + ` FROM apguard_keys WHERE user_id = ? ORDER BY hash`

	selectKeyRecord = `SELECT k.hash, k.organization_id, k.user_id, k.name, k.scopes, k.created_at, k.expires_at, k.revoked_at,
			k.last_used_at, COALESCE(o.slug, ''), COALESCE(u.email, ''), COALESCE(o.deactivated, FALSE) OR COALESCE(u.deactivated, FALSE)
		FROM apguard_keys k
		LEFT JOIN apguard_organizations o ON o.id = k.organization_id
		LEFT JOIN apguard_users u ON u.id = k.user_id
		WHERE k.hash = ? AND (k.organization_id = 0 OR o.id IS NOT NULL) AND (k.user_id = 0 OR u.id IS NOT NULL)`

	// The condition is checked again after the commit of a concurrent use.
	recordKeyUse = `UPDATE apguard_keys SET last_used_at = ?
		WHERE hash = ? AND revoked_at = ? AND last_used_at < ? AND last_used_at < ?`
)

// never returns the zero time as a column has it.
func never() int64 { return Millis(time.Time{}) }

// PutKey implements account.KeyStore.
func (s *Store) PutKey(ctx context.Context, key account.Key, entry audit.Entry) error {
	return s.do(ctx, "put key", func(ctx context.Context, on session) error {
		if err := on.checkOwner(ctx, organizationExists, key.OrganizationID, account.ErrOrganizationNotFound); err != nil {
			return err
		}
		if err := on.checkOwner(ctx, userExists, key.UserID, account.ErrUserNotFound); err != nil {
			return err
		}
		created, err := key.Merge(account.Key{})
		if err != nil {
			return ContractError{err}
		}
		inserted, err := on.change(ctx, insertKeyOnce, newKeyColumns(created)...)
		if err != nil {
			return err
		}
		if inserted > 0 {
			return on.record(ctx, created.Stored(entry, account.Key{}))
		}
		old, err := on.lockKey(ctx, key.Hash)
		if err != nil {
			return err
		}
		stored, err := key.Merge(old)
		if err != nil {
			return ContractError{err}
		}
		if err := on.updateKey(ctx, stored); err != nil {
			return err
		}
		if stored, err = on.lockKey(ctx, key.Hash); err != nil { // as it is stored
			return err
		}
		return on.record(ctx, stored.Stored(entry, old))
	})
}

// checkOwner returns missing unless the owner of a key exists. 0 means none.
func (s session) checkOwner(ctx context.Context, query string, id int64, missing error) error {
	if id == 0 {
		return nil
	}
	var exists bool
	if err := s.get(ctx, query, []any{id}, &exists); err != nil {
		return err
	}
	if !exists {
		return ContractError{missing}
	}
	return nil
}

// newKeyColumns are the columns of a new key.
func newKeyColumns(k account.Key) []any {
	return append([]any{k.Hash[:]}, keyColumns(k)...)
}

// keyColumns are the columns of a key without its hash, which never changes.
func keyColumns(k account.Key) []any {
	return []any{
		k.OrganizationID, k.UserID, k.Name, joinNames(k.Scopes),
		Millis(k.CreatedAt), Millis(k.ExpiresAt), Millis(k.RevokedAt), Millis(k.LastUsedAt),
	}
}

// Keys implements account.KeyStore.
func (s *Store) Keys(ctx context.Context, organizationID int64) ([]account.Key, error) {
	return list(ctx, s, "keys", s.dialect.Keys(organizationID), scanKey)
}

// Keys returns the query for the keys of an organization.
func (d Dialect) Keys(organizationID int64) squirrel.SelectBuilder {
	return d.selectFrom("apguard_keys", keyColumnNames).
		Where(squirrel.Eq{"organization_id": organizationID}).
		OrderBy("created_at", "hash")
}

// KeyPage implements account.KeyStore.
func (s *Store) KeyPage(ctx context.Context, organizationID int64, after account.KeyCursor, limit int) (step.Page[account.Key], error) {
	return page(ctx, s, "key page", limit, s.dialect.KeyPage(organizationID, after, limit), scanKey)
}

// KeyPage returns the query for a page of keys.
func (d Dialect) KeyPage(organizationID int64, after account.KeyCursor, limit int) squirrel.SelectBuilder {
	query := d.selectFrom("apguard_keys", keyColumnNames)
	if organizationID != 0 {
		query = query.Where(squirrel.Eq{"organization_id": organizationID})
	}
	if after != (account.KeyCursor{}) {
		last := after.LastHash()
		query = query.Where("(organization_id, created_at, hash) > (?, ?, ?)", after.OrganizationID, Millis(after.CreatedAt), last[:])
	}
	return query.OrderBy("organization_id", "created_at", "hash").Limit(rowLimit(limit))
}

// KeysByFingerprint implements account.KeyStore.
func (s *Store) KeysByFingerprint(ctx context.Context, prefix [6]byte) ([]account.Key, error) {
	return list(ctx, s, "keys by fingerprint", s.dialect.KeysByFingerprint(prefix), scanKey)
}

// KeysByFingerprint returns the query for the keys with a fingerprint.
func (d Dialect) KeysByFingerprint(prefix [6]byte) squirrel.SelectBuilder {
	last := account.KeyCursor{Fingerprint: prefix}.LastHash()
	return d.selectFrom("apguard_keys", keyColumnNames).
		Where(squirrel.GtOrEq{"hash": prefix[:]}).
		Where(squirrel.LtOrEq{"hash": last[:]}).
		OrderBy("hash")
}

// keyRow receives the columns of a key.
type keyRow struct {
	key    account.Key
	hash   []byte
	scopes string
}

// dest returns the destinations of the columns, in the order of keyColumnNames.
func (r *keyRow) dest() []any {
	return []any{
		&r.hash, &r.key.OrganizationID, &r.key.UserID, &r.key.Name, &r.scopes,
		(*timeColumn)(&r.key.CreatedAt), (*timeColumn)(&r.key.ExpiresAt),
		(*timeColumn)(&r.key.RevokedAt), (*timeColumn)(&r.key.LastUsedAt),
	}
}

// value returns the key of the columns.
func (r *keyRow) value() account.Key {
	k := r.key
	copy(k.Hash[:], r.hash)
	k.Scopes = splitNames[account.Scope](r.scopes)
	return k
}

func scanKey(row Row) (account.Key, error) {
	var r keyRow
	err := row.Scan(r.dest()...)
	return r.value(), err
}

// KeyByHash implements account.KeyStore.
func (s *Store) KeyByHash(ctx context.Context, hash [32]byte) (account.KeyRecord, error) {
	return read(ctx, s, short("key by hash"), func(ctx context.Context, on session) (account.KeyRecord, error) {
		var (
			record account.KeyRecord
			row    keyRow
		)
		err := on.get(ctx, selectKeyRecord, []any{hash[:]}, append(row.dest(), &record.OrganizationSlug, &record.Email, &record.Deactivated)...)
		record.Key = row.value()
		return record, orContractError(err, account.ErrUnknownKey)
	})
}

// UpdateKey implements account.KeyStore.
func (s *Store) UpdateKey(ctx context.Context, hash [32]byte, update func(old account.Key) (account.KeyUpdate, error)) (account.Key, error) {
	return write(ctx, s, "update key", func(ctx context.Context, on session) (account.Key, error) {
		old, err := on.lockKey(ctx, hash)
		if err != nil {
			return account.Key{}, err
		}
		changed, err := update(old)
		if err != nil {
			return account.Key{}, ContractError{err}
		}
		if err := on.updateKey(ctx, changed.Key); err != nil {
			return account.Key{}, err
		}
		if changed.Successor != nil {
			if err := on.exec(ctx, insertKey, newKeyColumns(*changed.Successor)...); err != nil {
				return account.Key{}, err
			}
		}
		if err := on.record(ctx, changed.Entry); err != nil {
			return account.Key{}, err
		}
		return on.lockKey(ctx, hash) // as it is stored
	})
}

// UpdateUserKeys implements account.KeyStore. It scans the keys, as RemoveUser does.
func (s *Store) UpdateUserKeys(ctx context.Context, userID int64, update func(old account.Key) account.KeyUpdate) ([]account.Key, error) {
	return write(ctx, s, "update user keys", func(ctx context.Context, on session) ([]account.Key, error) {
		if err := on.checkOwner(ctx, userExists, userID, account.ErrUserNotFound); err != nil {
			return nil, err
		}
		keys, err := collect(ctx, on, squirrel.Expr(selectUserKeys+s.dialect.Lock, userID), scanKey)
		if err != nil {
			return nil, err
		}
		var changed []account.Key
		for _, key := range keys {
			updated := update(key)
			if updated.Entry.IsZero() {
				continue
			}
			if err := on.updateKey(ctx, updated.Key); err != nil {
				return nil, err
			}
			if err := on.record(ctx, updated.Entry); err != nil {
				return nil, err
			}
			changed = append(changed, updated.Key)
		}
		return changed, nil
	})
}

// lockKey returns the key with that hash and locks it until the end of the transaction.
func (s session) lockKey(ctx context.Context, hash [32]byte) (account.Key, error) {
	var r keyRow
	err := s.get(ctx, selectKey+s.dialect.Lock, []any{hash[:]}, r.dest()...)
	return r.value(), orContractError(err, account.ErrUnknownKey)
}

// updateKey writes a key that lockKey has returned.
func (s session) updateKey(ctx context.Context, key account.Key) error {
	return s.exec(ctx, updateKey, append(keyColumns(key), key.Hash[:])...)
}

// RecordKeyUse implements account.KeyStore. The statement is KeyUse.Applies in SQL.
func (s *Store) RecordKeyUse(ctx context.Context, use account.KeyUse) error {
	_, err := result(ctx, s, s.engine.Write, short("record key use"), func(ctx context.Context, on session) (struct{}, error) {
		if err := on.set(ctx, on.dialect.CommitLocally); err != nil {
			return struct{}{}, err
		}
		at := Millis(use.At)
		return struct{}{}, on.exec(ctx, recordKeyUse, at, use.Hash[:], never(), ceilMillis(use.LastBefore), at)
	})
	return err
}

// orContractError returns err, or the answer if err is errNoRow.
func orContractError(err, answer error) error {
	if errors.Is(err, errNoRow) {
		return ContractError{answer}
	}
	return err
}

// joinNames returns the names, such as scopes, as one text. None of them has a comma.
func joinNames[T ~string](names []T) string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = string(name)
	}
	return strings.Join(texts, ",")
}

func splitNames[T ~string](joined string) []T {
	if joined == "" {
		return nil
	}
	var names []T
	for name := range strings.SplitSeq(joined, ",") {
		names = append(names, T(name))
	}
	return names
}
