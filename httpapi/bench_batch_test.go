//go:build cgo

package httpapi_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/internal/benchtest"
)

// BenchmarkAddAssets adds 1,000 new assets at a time to a store that has 100,000.
// "x/store" is the rate against that of the store when it gets the assets as it
// takes them, recognized already. "json/request" is the part of a request that it
// takes to decode its body and to encode its reply.
func BenchmarkAddAssets(b *testing.B) {
	// Each way has a file of its own, so that neither moves the other's pages.
	size := benchtest.Sized(100_000)
	store, served := openFilled(b, size), openFilled(b, size)
	client := dial(b, listen(b, served))
	const rounds = 3 * benchtest.Rounds
	for first := size / allowlist.MaxItems; b.Loop(); first += rounds {
		commands, bodies, requests := batches(first, rounds)
		reply := new(bytes.Buffer)
		times := benchtest.Medians(rounds,
			func(round int) {
				_, err := store.AddToAllowlist(b.Context(), commands[round])
				require.NoError(b, err)
			},
			func(round int) {
				reply.Reset()
				require.NoError(b, client.send(requests[round], http.StatusOK, reply))
				require.Contains(b, reply.String(), `"successCount":1000,"errorCount":0`)
			},
			func(round int) { recode(b, bodies[round]) })
		benchtest.Figures(b, map[string]float64{
			"ms/request":   times[1],
			"x/store":      times[0] / times[1],
			"json/request": times[2] / times[1],
		})
	}
}

// batches returns n batches of new assets: as the store takes them, as bodies and
// as requests.
func batches(first, n int) (commands []allowlist.AddCommand, bodies, requests [][]byte) {
	for batch := first; batch < first+n; batch++ {
		command := benchtest.AddCommand(batch, allowlist.MaxItems)
		items := make([]string, 0, len(command.Candidates))
		for _, c := range command.Candidates {
			items = append(items, `{"content":`+quote(c.Content)+`,"name":`+quote(c.Name)+`}`)
		}
		body := `{"assets":[` + strings.Join(items, ",") + `]}`
		commands = append(commands, command)
		bodies = append(bodies, []byte(body))
		requests = append(requests, jsonOf(assetsPath, body))
	}
	return commands, bodies, requests
}

// recode reads a body and writes the reply to it, and does nothing in between.
func recode(b *testing.B, body []byte) {
	b.Helper()
	items, err := httpapi.ReadAssets(body)
	require.NoError(b, err)
	results := make([]allowlist.Result, len(items))
	for i, item := range items {
		results[i] = allowlist.Result{Content: item.Content, Outcome: allowlist.Outcome{AssetID: int64(100_000 + i)}}
	}
	reply, err := httpapi.WriteResults(results)
	require.NoError(b, err)
	require.Greater(b, len(reply), len(results))
}
