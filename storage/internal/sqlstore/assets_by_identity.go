package sqlstore

import (
	"context"
	"maps"
	"slices"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// maxSiteAssets is the maximum number of assets of a site that are read together. A link has
// more covers, so looking for each of them would be slower.
const maxSiteAssets = 8

// AssetsByIdentity implements asset.Store. It looks for each of a few identities, such as the
// covers of one asset. For more, it reads the assets of their sites, as most sites have none.
func (s *Store) AssetsByIdentity(ctx context.Context, identities []asset.Identity) ([]asset.Asset, error) {
	const name = "assets by identity"
	if len(identities) <= classify.MaxCovers {
		return read(ctx, s, short(name), func(ctx context.Context, on session) ([]asset.Asset, error) {
			return collect(ctx, on, s.dialect.AssetsByIdentity(identities), scanAsset)
		})
	}
	return readOnce(ctx, s, listing(name), func(ctx context.Context, on session) ([]asset.Asset, error) {
		return on.assetsBySite(ctx, groupBySite(identities, func(one asset.Identity) asset.Identity { return one }))
	})
}

// assetsBySite reads the assets of each site. If a site has too many, it looks for each of its
// identities.
func (s session) assetsBySite(ctx context.Context, wanted map[siteHash][]asset.Identity) ([]asset.Asset, error) {
	stored, err := collect(ctx, s, s.dialect.assetsOfSites(slices.Sorted(maps.Keys(wanted))), scanAsset)
	if err != nil {
		return nil, err
	}
	var (
		found []asset.Asset
		rest  []asset.Identity
	)
	for site, assets := range groupBySite(stored, func(one asset.Asset) asset.Identity { return one.Identity }) {
		if len(assets) > maxSiteAssets {
			rest = append(rest, wanted[site]...)
			continue
		}
		for _, one := range assets {
			if slices.Contains(wanted[site], one.Identity) {
				found = append(found, one)
			}
		}
	}
	if len(rest) == 0 {
		return found, nil
	}
	more, err := collect(ctx, s, s.dialect.AssetsByIdentity(rest), scanAsset)
	return append(found, more...), err
}

// groupBySite returns the elements by the sites of their identities.
func groupBySite[T any](elements []T, identity func(T) asset.Identity) map[siteHash][]T {
	sites := make(map[siteHash][]T)
	for len(elements) > 0 {
		// Those of a site often follow each other.
		site, n := siteOf(identity(elements[0])), 1
		for n < len(elements) && siteOf(identity(elements[n])) == site {
			n++
		}
		sites[site] = append(sites[site], elements[:n]...)
		elements = elements[n:]
	}
	return sites
}

// AssetsByIdentity returns the query for several assets. scanAsset reads its rows.
func (d Dialect) AssetsByIdentity(identities []asset.Identity) squirrel.SelectBuilder {
	hashes := make([][]byte, len(identities))
	for i, identity := range identities {
		hashes[i] = IdentityHash(identity)
	}
	return d.selectFrom("apguard_assets", "id", "type", "canonical", "status").Where(d.AnyIdentity(hashes))
}

// AssetsOfSites returns the query for the assets of the sites of identities, and for no more of
// a site than are needed to see that there are too many. scanAsset reads its rows.
func (d Dialect) AssetsOfSites(identities ...asset.Identity) squirrel.Sqlizer {
	sites := make([]siteHash, len(identities))
	for i, identity := range identities {
		sites[i] = siteOf(identity)
	}
	return d.assetsOfSites(sites)
}

func (d Dialect) assetsOfSites(sites []siteHash) squirrel.Sqlizer {
	first, last := make([][]byte, len(sites)), make([][]byte, len(sites))
	for i, site := range sites {
		first[i], last[i] = site.bound(0), site.bound(0xff)
	}
	return d.InHashRanges("a.id, a.type, a.canonical, a.status", first, last, maxSiteAssets+1)
}
