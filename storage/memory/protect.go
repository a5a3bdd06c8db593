package memory

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// AllowlistedNear implements [protect.Store].
func (s *Store) AllowlistedNear(ctx context.Context, identities []asset.Identity, at time.Time, _ int) ([]asset.Identity, error) {
	sites := make(map[string]bool)
	for _, identity := range identities {
		sites[classify.Site(identity)] = true
	}
	return read(ctx, s, func(t *tables) ([]asset.Identity, error) {
		var (
			found    []asset.Identity
			examined int
		)
		for _, rows := range t.allowlists {
			for _, row := range rows {
				if err := checkScan(ctx, examined); err != nil {
					return nil, err
				}
				examined++
				if !row.entry.Ended(at) && sites[classify.Site(row.asset.Identity)] {
					found = append(found, row.asset.Identity)
				}
			}
		}
		return found, nil
	})
}
