package storagetest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	verdicts "github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
)

func verdictChecks() []requirement {
	return []requirement{
		{"random contents have the verdicts of a model over random assets", func(p *probe) {
			random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // it must be repeatable
			model := make(map[asset.Identity]asset.Asset)
			for range 300 {
				p.setRandomCover(random, model)
			}
			contents := make([]string, verdicts.MaxItems)
			for i := range contents {
				contents[i] = randomContent(random)
			}
			p.compareVerdicts(contents, model)
		}},
		{"the largest batch is one query", func(p *probe) {
			known := p.set(asset.Identity{Type: asset.TypePage, Canonical: "example.com"}, asset.StatusBlocked, at(0))
			contents := make([]string, verdicts.MaxItems)
			for i := range contents {
				contents[i] = fmt.Sprintf("https://a.b.c.d-%d.example.com:8080/1/2/3/4/5/6/7?q#/r", i)
			}
			p.compareVerdicts(contents, map[asset.Identity]asset.Asset{known.Identity: known})
		}},
	}
}

// setRandomCover sets the status of one of the covers of a random content.
func (p *probe) setRandomCover(random *rand.Rand, model map[asset.Identity]asset.Asset) {
	p.Helper()
	result, err := classify.Classify(randomContent(random))
	require.NoError(p, err)
	covers := classify.Covering(result.Identity)
	identity := covers[random.IntN(len(covers))].Identity
	status := asset.Statuses()[random.IntN(len(asset.Statuses()))]
	model[identity] = p.set(identity, status, at(0))
}

// randomContent returns one of a few thousand contents with many covers in common.
func randomContent(random *rand.Rand) string {
	pick := func(texts ...string) string { return texts[random.IntN(len(texts))] }
	switch random.IntN(8) {
	case 0:
		return pick("ada", "bob") + "@" + pick("", "mail.") + pick("example.com", "example.co.uk", "acme.github.io")
	case 1:
		return pick("@ada", "github.com/ada", "github.com/ada/repo", "https://github.com/ada/repo/issues/1", "ada.medium.com", "https://ada.medium.com/post")
	}
	if random.IntN(8) == 0 {
		return pick("https://", "http://", "") + pick("192.0.2.1", "[2001:db8::1]") + pick("", ":8080") + pick("", "/x")
	}
	return pick("https://", "http://", "") + pick("", "", "a.", "b.a.", "xn--bcher-kva.") +
		pick("example.com", "example.co.uk", "acme.github.io", "acme.dev") +
		pick("", "", ":8080", ":80") + pick("", "/", "/x", "/x/", "/x/y", "/1/2/3/4/5/6/7") + pick("", "", "?q") + pick("", "", "#/route")
}

// compareVerdicts compares the verdicts on the store, one by one and in a batch, with those
// over the assets of the model.
func (p *probe) compareVerdicts(contents []string, model map[asset.Identity]asset.Asset) {
	p.Helper()
	service := verdicts.NewService(p.Store, verdicts.Options{})
	results, err := service.CheckBatch(p.Context(), contents)
	require.NoError(p, err, "CheckBatch")
	known := make(map[asset.Identity]asset.Known)
	for _, one := range p.assetsByIdentity(slices.Collect(maps.Keys(model))...) {
		require.Equal(p, model[one.Identity], one.Asset)
		known[one.Identity] = one
	}
	require.Len(p, known, len(model))
	find := func(identity asset.Identity) (asset.Known, bool) {
		one, ok := known[identity]
		return one, ok
	}
	for i, content := range contents {
		require.NoError(p, results[i].Err, "%q", content)
		want := verdicts.Decide(classify.Covering(results[i].Identity), find, nil)
		want.Content = content
		require.Equal(p, want, results[i].Verdict, "%q", content)
		if i%10 == 0 {
			one, err := service.Check(p.Context(), content)
			require.NoError(p, err, "Check")
			require.Equal(p, want, one, "%q", content)
		}
	}
}

// checkRandomly requires the verdict over the assets of the model.
func (m *machine) checkRandomly(t *rapid.T) {
	content := anyIdentity.Draw(t, "identity").Canonical + rapid.SampledFrom([]string{"", "/path?query"}).Draw(t, "below")
	covers, err := verdicts.Covers(content)
	require.NoError(m, err)
	want := verdicts.Decide(covers, func(identity asset.Identity) (asset.Known, bool) {
		found := m.model.asset(identity)
		if found == nil {
			return asset.Known{}, false
		}
		return asset.Known{Asset: *found, Basis: m.model.named(m.model.bases[found.ID])}, true
	}, nil)
	want.Content = content
	got, err := verdicts.NewService(m.Store, verdicts.Options{}).Check(m.Context(), content)
	require.NoError(m, err, "Check")
	require.Equal(m, want, got, "the check of %q", content)
}
