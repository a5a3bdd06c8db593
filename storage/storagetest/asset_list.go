package storagetest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/step"
)

func assetListChecks() []requirement {
	return []requirement{
		{"SiteAssets returns the assets of a site, but no more than the limit", func(p *probe) {
			page := func(canonical string) asset.Identity {
				return asset.Identity{Type: asset.TypePage, Canonical: canonical}
			}
			want := make(map[string]bool)
			for _, canonical := range []string{"bad.example", "a.bad.example", "b.a.bad.example/x", "bad.example:8080", "good.example", "notbad.example"} {
				p.set(page(canonical), asset.StatusBlocked, at(0))
				if classify.Site(page(canonical)) == "bad.example" {
					want[canonical] = true
				}
			}
			require.Len(p, want, 4)
			for _, limit := range []int{1, 3, 4, noLimit} {
				found, err := p.SiteAssets(p.Context(), page("never.bad.example"), limit)
				require.NoError(p, err, "SiteAssets")
				got := make(map[string]bool)
				for _, one := range found {
					require.Equal(p, p.asset(one.Identity), one)
					got[one.Canonical] = true
				}
				require.Len(p, got, min(limit, len(want)))
				require.Subset(p, want, got)
			}
		}},
		{"ChangedSince includes its time and may lie within a millisecond", needs("FileReport", func(p *probe) {
			p.set(site(1), asset.StatusBlocked, at(5))
			p.file(fileCommand("of a new asset", 2))
			require.Len(p, p.list(asset.Filter{ChangedSince: at(5).Add(-time.Nanosecond)}), 1)
			require.Len(p, p.list(asset.Filter{ChangedSince: at(5)}), 1)
			require.Empty(p, p.list(asset.Filter{ChangedSince: at(5).Add(time.Nanosecond)}))
			require.Len(p, p.list(asset.Filter{ChangedSince: minTime.Add(time.Nanosecond)}), 1, "an asset without a change never matches")
			require.Empty(p, p.list(asset.Filter{ChangedSince: maxTime}))
		})},
		{"a prefix is compared byte by byte", func(p *probe) {
			for _, text := range differentTexts {
				p.set(asset.Identity{Type: asset.TypePage, Canonical: "x" + text + "y"}, asset.StatusAllowed, at(0))
			}
			for _, text := range differentTexts {
				prefix := "x" + text
				var want []string
				for _, other := range differentTexts {
					if strings.HasPrefix("x"+other+"y", prefix) {
						want = append(want, "x"+other+"y")
					}
				}
				require.Equal(p, want, canonicals(p.list(asset.Filter{Prefix: prefix})), "prefix %q", prefix)
			}
			require.Empty(p, p.list(asset.Filter{Prefix: "y"}), "a prefix is at the beginning only")
		}},
		{"a page of assets is bounded by bytes", func(p *probe) {
			requirePagesByBytes(p, func(sizes []int) {
				for i, size := range sizes {
					identity := site(i)
					identity.Canonical += filler(asset.Listed{Known: asset.Known{Asset: asset.Asset{Identity: identity}}}, size)
					p.set(identity, asset.StatusBlocked, at(i))
				}
			}, func(last asset.Listed) step.Page[asset.Listed] { return p.listPage(asset.Filter{}, last.ID, noLimit) })
		}},
		{"a thousand assets are found by their identities", func(p *probe) {
			identities := make([]asset.Identity, asset.MaxItems)
			for i := range identities {
				identities[i] = site(i)
			}
			p.setStatuses(statusesCommand(at(0), asset.StatusBlocked, numbersTo(len(identities))...))
			require.Len(p, p.assetsByIdentity(identities...), len(identities))
		}},
		{"any number of assets is found by their identities", func(p *probe) {
			const all = 100
			identities, want := make([]asset.Identity, all), make([]asset.Asset, all)
			for i := range all {
				identities[i] = site(i)
				want[i] = p.set(identities[i], asset.StatusBlocked, at(0))
			}
			for n := 1; n <= all; n++ {
				require.ElementsMatch(p, want[:n], assetsOf(p.assetsByIdentity(identities[:n]...)), "%d identities", n)
			}
		}},
		{"assets of sites with few and many assets are found by their identities", func(p *probe) {
			var want []asset.Asset
			var identities []asset.Identity
			for site := range 20 { // which is the number of its assets
				for n := range site + 3 {
					identity := asset.Identity{Type: asset.TypePage, Canonical: fmt.Sprintf("host-%d.site-%d.com", n, site)}
					switch {
					case n >= site: // not stored
						identities = append(identities, identity)
					case n%2 == 0: // not wanted
						p.set(identity, asset.StatusBlocked, at(0))
					default:
						want, identities = append(want, p.set(identity, asset.StatusAllowed, at(0))), append(identities, identity)
					}
				}
			}
			require.ElementsMatch(p, want, assetsOf(p.assetsByIdentity(identities...)))
		}},
	}
}

func (p *probe) listPage(filter asset.Filter, after int64, limit int) step.Page[asset.Listed] {
	p.Helper()
	page, err := p.Assets(p.Context(), asset.ListRequest{Filter: filter, Cursor: after, Limit: limit})
	require.NoError(p, err, "Assets for filter %+v after %d", filter, after)
	return page
}

// list returns all assets that match the filter.
func (p *probe) list(filter asset.Filter) []asset.Listed {
	p.Helper()
	return p.listPage(filter, 0, noLimit).Items
}

func (p *probe) assetsByIdentity(identities ...asset.Identity) []asset.Known {
	p.Helper()
	found, err := p.AssetsByIdentity(p.Context(), identities)
	require.NoError(p, err, "AssetsByIdentity")
	return found
}

func assetsOf(known []asset.Known) []asset.Asset {
	assets := make([]asset.Asset, len(known))
	for i, one := range known {
		assets[i] = one.Asset
	}
	return assets
}

func canonicals(list []asset.Listed) []string {
	texts := make([]string, len(list))
	for i, one := range list {
		texts[i] = one.Canonical
	}
	return texts
}

func (m *machine) readAssets(t *rapid.T) {
	filter := asset.Filter{
		Status:       sometimes(anyStatus).Draw(t, "status"),
		Type:         sometimes(rapid.SampledFrom([]asset.Type{asset.TypeURL, asset.TypePage})).Draw(t, "type"),
		Prefix:       rapid.SampledFrom([]string{"", "https://site-", "https://site-1", "HTTPS"}).Draw(t, "prefix"),
		ChangedSince: sometimes(anyBound).Draw(t, "since"),
	}
	after, limit := rapid.Int64Range(0, m.last["asset"]).Draw(t, "after"), anyLimit.Draw(t, "limit")
	want := slices.DeleteFunc(m.model.listed(), func(one asset.Listed) bool { return one.ID <= after || !filter.Match(one) })
	samePage(m, want, limit, m.listPage(filter, after, limit), "Assets for filter %+v after %d", filter, after)
}

// listed returns all assets, ordered by ID.
func (m *model) listed() []asset.Listed {
	list := make([]asset.Listed, len(m.assets))
	for i, a := range m.assets {
		list[i].Known = asset.Known{Asset: a, Basis: m.named(m.bases[a.ID])}
		for _, change := range m.changes {
			if change.AssetID == a.ID && change.At.After(list[i].UpdatedAt) {
				list[i].UpdatedAt = change.At
			}
		}
	}
	slices.SortFunc(list, func(a, b asset.Listed) int { return cmp.Compare(a.ID, b.ID) })
	return orNil(list)
}
