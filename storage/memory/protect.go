package memory

import (
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/protect"
)

// AssetsNear implements [protect.Store].
func (s *Store) AssetsNear(ctx context.Context, req protect.NearRequest) ([]asset.Identity, error) {
	sites := make(map[string]bool)
	for _, identity := range req.Identities {
		sites[classify.Site(identity)] = true
	}
	return read(ctx, s, func(t *tables) ([]asset.Identity, error) {
		var (
			found    []asset.Identity
			examined int
		)
		if req.Blocked {
			for _, row := range t.assets {
				if err := checkScan(ctx, examined); err != nil {
					return nil, err
				}
				examined++
				if row.Status == asset.StatusBlocked && sites[classify.Site(row.Identity)] {
					found = append(found, row.Identity)
				}
			}
			return found, nil
		}
		for _, rows := range t.allowlists {
			for _, row := range rows {
				if err := checkScan(ctx, examined); err != nil {
					return nil, err
				}
				examined++
				if !row.entry.Ended(req.At) && sites[classify.Site(row.asset.Identity)] {
					found = append(found, row.asset.Identity)
				}
			}
		}
		return found, nil
	})
}
