//go:build cgo

package httpapi_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/benchtest"
)

// BenchmarkChangelog reads a changelog of 100,000 entries. "x/store" is the rate
// relative to reading it from the guard.
func BenchmarkChangelog(b *testing.B) {
	size := benchtest.Sized(100_000)
	store := openFilled(b, size)
	guard := apguard.New(store, apguard.Options{})
	client := dial(b, listen(b, store))
	everything := jsonOf(changelogPath, `{}`)
	for b.Loop() {
		times := benchtest.Medians(2*benchtest.Rounds+1,
			func(int) {
				changes, err := guard.Changelog(b.Context(), asset.ChangelogQuery{})
				require.NoError(b, err)
				read := 0
				for _, err := range changes {
					if err != nil {
						b.Fatal(err)
					}
					read++
				}
				require.GreaterOrEqual(b, read, size)
			},
			func(int) { require.NoError(b, client.send(everything, http.StatusOK, io.Discard)) })
		benchtest.Figures(b, map[string]float64{"ms/100000": times[1], "x/store": times[0] / times[1]})
	}
}
