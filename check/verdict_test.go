package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/classify/classifytest"
)

// statuses are the statuses of the assets that exist. Their IDs are 7.
type statuses map[asset.Identity]asset.Status

func (s statuses) find(identity asset.Identity) (asset.Asset, bool) {
	status, ok := s[identity]
	return asset.Asset{ID: 7, Identity: identity, Status: status}, ok
}

func page(host string) asset.Identity {
	return asset.Identity{Type: asset.TypePage, Canonical: host}
}

func TestDecide(t *testing.T) {
	t.Parallel()
	link := asset.Identity{Type: asset.TypeURL, Canonical: "https://app.example.com/x"}
	blocks := check.ListVerdict{List: "Blocks", Status: asset.StatusBlocked}
	exempts := check.ListVerdict{List: "Exempts", Status: asset.StatusAllowed}
	silent := check.ListVerdict{List: "Silent", Status: asset.StatusUnknown}
	for _, test := range []struct {
		name   string
		assets statuses
		lists  []check.ListVerdict
		want   check.Verdict
	}{
		{"nothing decides", nil, []check.ListVerdict{silent}, check.Verdict{Status: asset.StatusUnknown, Source: check.SourceNone}},
		{
			"the asset itself wins over its domain", statuses{link: asset.StatusAllowed, page("example.com"): asset.StatusBlocked}, nil,
			check.Verdict{
				Status: asset.StatusAllowed, Source: check.SourceAsset,
				Match: &check.Match{Kind: classify.CoverExact, Asset: asset.Asset{ID: 7, Identity: link, Status: asset.StatusAllowed}},
			},
		},
		{
			"an UNKNOWN asset does not decide", statuses{link: asset.StatusUnknown, page("example.com"): asset.StatusBlocked}, nil,
			check.Verdict{
				Status: asset.StatusBlocked, Source: check.SourceAsset,
				Match: &check.Match{Kind: classify.CoverDomain, Asset: asset.Asset{ID: 7, Identity: page("example.com"), Status: asset.StatusBlocked}},
			},
		},
		{
			"an allowed asset wins over a list", statuses{page("app.example.com"): asset.StatusAllowed}, []check.ListVerdict{blocks},
			check.Verdict{
				Status: asset.StatusAllowed, Source: check.SourceAsset, Lists: []check.ListVerdict{blocks},
				Match: &check.Match{Kind: classify.CoverPage, Asset: asset.Asset{ID: 7, Identity: page("app.example.com"), Status: asset.StatusAllowed}},
			},
		},
		{
			"a list blocks although another exempts", nil, []check.ListVerdict{exempts, silent, blocks},
			check.Verdict{Status: asset.StatusBlocked, Source: check.SourceList, Lists: []check.ListVerdict{exempts, blocks}},
		},
		{
			"an exemption allows nothing", nil, []check.ListVerdict{exempts},
			check.Verdict{Status: asset.StatusUnknown, Source: check.SourceNone, Lists: []check.ListVerdict{exempts}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.want.Identity = link
			require.Equal(t, test.want, check.Decide(classify.Covering(link), test.assets.find, test.lists))
		})
	}
}

func TestDecide_laws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		covers := classify.Covering(classifytest.Content().Draw(t, "content").Identity)
		assets := statuses{}
		for _, cover := range covers {
			if status := rapid.SampledFrom(append(asset.Statuses(), "", "")).Draw(t, cover.Canonical); status != "" {
				assets[cover.Identity] = status
			}
		}
		got := check.Decide(covers, assets.find, nil)

		without := statuses{}
		for identity, status := range assets {
			if status != asset.StatusUnknown {
				without[identity] = status
			}
		}
		require.Equal(t, got, check.Decide(covers, without.find, nil), "UNKNOWN assets change nothing")
		require.Equal(t, got.Source == check.SourceAsset, got.Match != nil)
		require.Equal(t, len(without) > 0, got.Match != nil)
		if status, ok := without[covers[0].Identity]; ok {
			require.Equal(t, status, got.Status)
			require.Equal(t, classify.CoverExact, got.Match.Kind)
		}
		blocked := check.Decide(covers, assets.find, []check.ListVerdict{{List: "list", Status: asset.StatusBlocked}})
		if got.Match != nil {
			require.Equal(t, got.Status, blocked.Status, "a list decides only if no asset does")
		} else {
			require.Equal(t, asset.StatusBlocked, blocked.Status)
		}
	})
}

func TestDecide_noCovers(t *testing.T) {
	t.Parallel()
	require.Equal(t, check.Verdict{Status: asset.StatusUnknown, Source: check.SourceNone}, check.Decide(nil, statuses{}.find, nil))
}

func TestSources(t *testing.T) {
	t.Parallel()
	require.Equal(t, []check.Source{"ASSET", "LIST", "NONE"}, check.Sources())
}
