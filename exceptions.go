package apguard

import (
	"cmp"
	"context"
	"slices"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
)

const (
	// maxExaminedSite is the maximum number of assets of a site that Exceptions examines.
	maxExaminedSite = 10_000
	// maxCheckedExceptions is the maximum number of assets that it checks.
	maxCheckedExceptions = 1000
)

// Exceptions are the assets that stay ALLOWED below an asset that is BLOCKED.
type Exceptions struct {
	// Assets are in the order of their IDs. There are at most [MaxExplained].
	Assets []asset.Asset
	// More reports whether there may be more.
	More bool
}

// Exceptions returns the ALLOWED assets that the one with the identity covers, and that stay
// ALLOWED if it is BLOCKED. They are more specific, such as a subdomain or a path. The asset need
// not exist.
//
// It looks at the assets of the same site (see [classify.Site]), and at no more than 10,000 of
// them. External lists are not asked.
func (g *Guard) Exceptions(ctx context.Context, identity asset.Identity) (Exceptions, error) {
	near, more, err := g.near(ctx, identity)
	if err != nil {
		return Exceptions{}, err
	}
	return g.exceptions(ctx, covered(identity, slices.DeleteFunc(near, notAllowed)), more)
}

// near returns the assets of the site of an asset, and whether there are more.
func (g *Guard) near(ctx context.Context, identity asset.Identity) (near []asset.Asset, more bool, err error) {
	near, err = g.store.SiteAssets(ctx, identity, maxExaminedSite+1)
	return near, len(near) > maxExaminedSite, err
}

func notAllowed(a asset.Asset) bool { return a.Status != asset.StatusAllowed }

// covered returns those of the assets that the one with the identity covers, in the order of their IDs. It
// overwrites its argument.
func covered(identity asset.Identity, near []asset.Asset) []asset.Asset {
	near = slices.DeleteFunc(near, func(a asset.Asset) bool { return !covers(identity, a.Identity, 1) })
	slices.SortFunc(near, func(a, b asset.Asset) int { return cmp.Compare(a.ID, b.ID) })
	return near
}

// exceptions returns those of the ALLOWED assets that a check answers with ALLOWED. There may be more assets.
func (g *Guard) exceptions(ctx context.Context, near []asset.Asset, more bool) (Exceptions, error) {
	exceptions := Exceptions{More: more}
	if len(near) == 0 {
		return exceptions, nil
	}
	if len(near) > maxCheckedExceptions {
		near, exceptions.More = near[:maxCheckedExceptions], true
	}
	contents := make([]string, len(near))
	for i, a := range near {
		contents[i] = a.Canonical
	}
	results, err := check.NewService(g.store, check.Options{}).CheckBatch(ctx, contents)
	if err != nil {
		return Exceptions{}, err
	}
	for i, result := range results {
		if result.Err != nil || result.Status != asset.StatusAllowed {
			continue
		}
		if len(exceptions.Assets) == MaxExplained {
			exceptions.More = true
			break
		}
		exceptions.Assets = append(exceptions.Assets, near[i])
	}
	return exceptions, nil
}

// covers reports whether the asset covers another one at that step or a later one. At step 1, it has another
// text: BLOCKED on a form of the same text leaves nothing ALLOWED.
func covers(identity, other asset.Identity, step int) bool {
	return slices.ContainsFunc(classify.Covering(other), func(cover classify.Cover) bool {
		return cover.Identity == identity && cover.Step >= step && cover.Effect != classify.CoverWithholds
	})
}
