//go:build cgo

package httpapi_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/benchtest"
)

// BenchmarkCheck measures [benchtest.Checks] over HTTP on 100,000 assets.
func BenchmarkCheck(b *testing.B) {
	size := benchtest.Sized(100_000)
	store := openFilled(b, 0)
	benchtest.Block(b, store, size)
	client := dial(b, listen(b, store))
	send := func(path, body string) {
		require.NoError(b, client.send(jsonOf(path, body), http.StatusOK, io.Discard))
	}
	benchtest.Checks(b, size, benchtest.CheckWays{
		Single: func(content string) { send(checkPath, `{"content":`+quote(content)+`}`) },
		Batch: func(contents []string) {
			quoted := make([]string, len(contents))
			for i, content := range contents {
				quoted[i] = quote(content)
			}
			send(batchPath, `{"contents":[`+strings.Join(quoted, ",")+`]}`)
		},
	})
}
