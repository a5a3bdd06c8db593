package sqlstore

import (
	"bytes"
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
)

const (
	selectHashes = `SELECT a.id, a.identity_hash FROM apguard_assets a WHERE a.id > ? AND a.id <= ?`
	updateHash   = `UPDATE apguard_assets SET identity_hash = ? WHERE id = ?`
)

// rehash stores the hashes of a page of assets that are not those of their identities. The rules can
// change the site of an asset, with which its hash begins, and leave its form.
func (s session) rehash(ctx context.Context, after int64, page []asset.Asset) error {
	if len(page) == 0 {
		return nil
	}
	stored, err := s.hashes(ctx, after, page[len(page)-1].ID)
	if err != nil {
		return err
	}
	for _, one := range page {
		hash := IdentityHash(one.Identity)
		if bytes.Equal(hash, stored[one.ID]) {
			continue
		}
		if err := s.queue(ctx, updateHash, hash, one.ID); err != nil {
			return err
		}
	}
	return nil
}

// hashes returns the stored hashes of the assets with the IDs after the first one up to the last one.
func (s session) hashes(ctx context.Context, after, last int64) (map[int64][]byte, error) {
	stored := make(map[int64][]byte)
	_, err := collect(ctx, s, squirrel.Expr(selectHashes, after, last), func(row Row) (struct{}, error) {
		var (
			id   int64
			hash []byte
		)
		err := row.Scan(&id, &hash)
		stored[id] = hash
		return struct{}{}, err
	})
	return stored, err
}
