package classify_test

import (
	"testing"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// BenchmarkCovering computes the covers of typical assets.
func BenchmarkCovering(b *testing.B) {
	for _, bench := range []struct {
		name     string
		contents []string
	}{{"plain URL", plainURLs}, {"mix", mix}} {
		b.Run(bench.name, func(b *testing.B) {
			identities := make([]asset.Identity, len(bench.contents))
			covers := 0
			for i, content := range bench.contents {
				result, err := classify.Classify(content)
				if err != nil {
					b.Fatal(err)
				}
				identities[i] = result.Identity
				covers += len(classify.Covering(result.Identity))
			}
			covering := func() {
				for _, identity := range identities {
					classify.Covering(identity)
				}
			}
			took := measure(b, covering, parsing(bench.contents...))
			n := float64(len(identities))
			b.ReportMetric(took[0]/n, "ns/content")
			b.ReportMetric(took[0]/took[1], "x-net/url")
			b.ReportMetric(testing.AllocsPerRun(100, covering)/n, "allocs/content")
			b.ReportMetric(float64(covers)/n, "covers/content")
		})
	}
}
