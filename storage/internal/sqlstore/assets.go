package sqlstore

import (
	"context"
	"errors"
	"slices"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

const (
	// SelectAsset finds an asset by its identity.
	SelectAsset = `SELECT id, status FROM apguard_assets WHERE identity_hash = ?`

	// AssetColumns are the columns of an asset without its ID.
	AssetColumns = `identity_hash, type, status, changed_at, canonical, ` + BasisColumns

	// AssetValues has the parameters for AppendAsset.
	AssetValues = `?, ?, ?, ?, ?, ?, ?, ?, ?`

	// InsertAsset registers an asset unless it exists.
	InsertAsset = `INSERT INTO apguard_assets (` + AssetColumns + `) VALUES (` + AssetValues + `) ON CONFLICT (identity_hash) DO NOTHING`
)

// AppendAsset appends the values of AssetColumns.
func AppendAsset(to []any, a *asset.Held) []any {
	return append(to,
		IdentityHash(a.Identity), TypeCode(a.Type), StatusCode(a.Status), Millis(a.ChangedAt), a.Canonical,
		SourceCode(a.Basis), ReasonCode(a.Reason), since(a.Basis, a.ChangedAt), a.Note,
	)
}

func scanAsset(row Row) (asset.Asset, error) {
	var found asset.Asset
	err := row.Scan(&found.ID, scanType(&found.Type), &found.Canonical, ScanStatus(&found.Status))
	return found, err
}

// ofAsset returns the condition that a row belongs to the asset with the identity. With a
// subquery instead of a join, PostgreSQL knows that the index of the column is in order.
func ofAsset(column string, identity asset.Identity) squirrel.Sqlizer {
	return squirrel.Expr(column+" = (SELECT i.id FROM apguard_assets i WHERE i.identity_hash = ?)", IdentityHash(identity))
}

// asset returns the asset with the identity, or errNoRow. The query is SelectAsset, with
// or without a lock.
func (s session) asset(ctx context.Context, query string, identity asset.Identity) (asset.Asset, error) {
	found := asset.Asset{Identity: identity}
	err := s.get(ctx, query, []any{IdentityHash(identity)}, &found.ID, ScanStatus(&found.Status))
	return found, err
}

// register returns the asset with the identity. It inserts one with the status UNKNOWN if
// there is none. The query is that of asset.
func (s session) register(ctx context.Context, query string, identity asset.Identity) (asset.Asset, error) {
	found, err := s.asset(ctx, query, identity)
	if !errors.Is(err, errNoRow) {
		return found, err
	}
	created := asset.NewHeld(identity)
	created.ID, err = s.insert(ctx, InsertAsset, AppendAsset(nil, &created)...)
	if err == nil && created.ID == 0 {
		// Another transaction has registered it in between.
		return s.asset(ctx, query, identity)
	}
	return created.Asset, err
}

// assetColumnNames are the columns that scanAsset reads.
const assetColumnNames = "a.id, a.type, a.canonical, a.status"

// knownColumnNames returns the columns of scannedKnown.
func knownColumnNames() string { return assetColumnNames + ", " + basisOf("a") + ", " + listOf("a") }

// scannedKnown holds an asset with its basis of a row. All rows are scanned into the same variables.
type scannedKnown struct {
	known        asset.Known
	kind, status int64
	basis        namedBasis
}

func (s *scannedKnown) dest() []any {
	return append([]any{&s.known.ID, &s.kind, &s.known.Canonical, &s.status}, s.basis.dest()...)
}

func (s *scannedKnown) value() (asset.Known, error) {
	known := s.known
	var errs [3]error
	known.Type, errs[0] = typeCodes.value(s.kind)
	known.Status, errs[1] = statusCodes.value(s.status)
	known.Basis, errs[2] = s.basis.value()
	return known, errors.Join(errs[:]...)
}

// knownScanner returns the function that scans the rows of several assets.
func knownScanner() func(Row) (asset.Known, error) {
	var one scannedKnown
	dest := one.dest()
	return func(row Row) (asset.Known, error) {
		if err := row.Scan(dest...); err != nil {
			return asset.Known{}, err
		}
		return one.value()
	}
}

// maxSiteAssets is the maximum number of assets of a site that are read together. A link has
// more covers, so looking for each of them would be slower.
const maxSiteAssets = 8

// AssetsByIdentity implements asset.Store. It looks for each of a few identities, such as the
// covers of one asset. For more, it reads the assets of their sites, as most sites have none.
// With 200,000 assets, a batch of 1,000 links of unknown sites takes 13 to 24 ms instead of 100
// to 125 on SQLite, and 12 to 25 instead of 48 to 94 on PostgreSQL. A batch of platform
// identifiers, whose sites have many assets, takes a third more.
func (s *Store) AssetsByIdentity(ctx context.Context, identities []asset.Identity) ([]asset.Known, error) {
	const name = "assets by identity"
	if len(identities) <= classify.MaxCovers {
		return read(ctx, s, short(name), func(ctx context.Context, on session) ([]asset.Known, error) {
			return collect(ctx, on, s.dialect.AssetsByIdentity(identities), knownScanner())
		})
	}
	return readOnce(ctx, s, listing(name), func(ctx context.Context, on session) ([]asset.Known, error) {
		return on.assetsBySite(ctx, identities)
	})
}

// assetsBySite reads the assets of the sites of the identities. If a site has too many, it looks
// for each of its identities.
func (s session) assetsBySite(ctx context.Context, identities []asset.Identity) ([]asset.Known, error) {
	if err := s.set(ctx, s.dialect.RenewPlan); err != nil {
		return nil, err
	}
	wanted := siteRuns(identities)
	stored, err := collect(ctx, s, s.dialect.assetsOfSites(sitesOf(wanted)), knownScanner())
	if err != nil {
		return nil, err
	}
	bySite := make(map[siteHash][]asset.Known)
	for _, one := range stored {
		hash := hashOf(classify.Site(one.Identity))
		bySite[hash] = append(bySite[hash], one)
	}
	var (
		found []asset.Known
		rest  []asset.Identity
	)
	for _, run := range wanted {
		assets := bySite[run.site]
		if len(assets) > maxSiteAssets {
			rest = append(rest, run.identities...)
			continue
		}
		for _, one := range assets {
			if slices.Contains(run.identities, one.Identity) {
				found = append(found, one)
			}
		}
	}
	if len(rest) == 0 {
		return found, nil
	}
	more, err := collect(ctx, s, s.dialect.AssetsByIdentity(rest), knownScanner())
	return append(found, more...), err
}

// SiteAssets implements asset.Store.
func (s *Store) SiteAssets(ctx context.Context, identity asset.Identity, limit int) ([]asset.Asset, error) {
	hash := hashOf(classify.Site(identity))
	query := s.dialect.InHashRanges(assetColumnNames, [][]byte{hash.bound(0)}, [][]byte{hash.bound(0xff)}, limit)
	return read(ctx, s, listing("assets of a site"), func(ctx context.Context, on session) ([]asset.Asset, error) {
		if err := on.set(ctx, s.dialect.RenewPlan); err != nil {
			return nil, err
		}
		return collect(ctx, on, query, scanAsset)
	})
}

// siteRun is one or more identities of a site that follow each other, as the covers of an asset do.
type siteRun struct {
	site       siteHash
	identities []asset.Identity
}

func siteRuns(identities []asset.Identity) []siteRun {
	var runs []siteRun
	for len(identities) > 0 {
		first, n := classify.Site(identities[0]), 1
		for n < len(identities) && classify.Site(identities[n]) == first {
			n++
		}
		runs = append(runs, siteRun{hashOf(first), identities[:n]})
		identities = identities[n:]
	}
	return runs
}

// sitesOf returns the sites of the runs, each once and in the order of the index.
func sitesOf(runs []siteRun) []siteHash {
	sites := make([]siteHash, len(runs))
	for i, run := range runs {
		sites[i] = run.site
	}
	slices.Sort(sites)
	return slices.Compact(sites)
}

// AssetsByIdentity returns the query for several assets. knownScanner reads its rows.
func (d Dialect) AssetsByIdentity(identities []asset.Identity) squirrel.Sqlizer {
	hashes := make([][]byte, len(identities))
	all := make([]byte, 0, len(identities)*IdentityHashSize)
	for i, identity := range identities {
		all = appendIdentityHash(all, identity)
		hashes[i] = all[i*IdentityHashSize:]
	}
	return d.ByHash(knownColumnNames(), hashes)
}

// AssetsOfSites returns the query for the assets of the sites of identities, and for no more of
// a site than are needed to see that there are too many. knownScanner reads its rows.
func (d Dialect) AssetsOfSites(identities ...asset.Identity) squirrel.Sqlizer {
	return d.assetsOfSites(sitesOf(siteRuns(identities)))
}

func (d Dialect) assetsOfSites(sites []siteHash) squirrel.Sqlizer {
	first, last := bounds(sites)
	return d.InHashRanges(knownColumnNames(), first, last, maxSiteAssets+1)
}

// bounds returns the smallest and the largest hashes of the assets of each site.
func bounds(sites []siteHash) (first, last [][]byte) {
	for _, site := range sites {
		first, last = append(first, site.bound(0)), append(last, site.bound(0xff))
	}
	return first, last
}
