//go:build cgo

package httpapi_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/internal/request"
	"github.com/apguard/apguard/internal/test/benchtest"
)

// BenchmarkAddAssets adds batches of 1,000 new assets to a store with 100,000.
// "x/store" is the rate relative to calling the store with classified assets.
// "json/request" is the share of decoding the body and encoding the response.
func BenchmarkAddAssets(b *testing.B) {
	// Two files, so that neither way changes the pages of the other.
	size := benchtest.Sized(100_000)
	store, served := openFilled(b, size), openFilled(b, size)
	client := dial(b, listen(b, served))
	const rounds = 3 * benchtest.Rounds
	for first := size / allowlist.MaxItems; b.Loop(); first += rounds {
		commands, bodies, requests := batches(first, rounds)
		response := new(bytes.Buffer)
		times := benchtest.Medians(rounds,
			func(round int) {
				_, err := store.AddToAllowlist(b.Context(), commands[round])
				require.NoError(b, err)
			},
			func(round int) {
				response.Reset()
				require.NoError(b, client.send(requests[round], http.StatusOK, response))
				require.Contains(b, response.String(), `"successCount":1000,"errorCount":0`)
			},
			func(round int) { recode(b, bodies[round]) })
		benchtest.Figures(b, map[string]float64{
			"ms/request":   times[1],
			"x/store":      times[0] / times[1],
			"json/request": times[2] / times[1],
		})
	}
}

// batches returns n batches of new assets: as commands of the store, as bodies and as
// requests.
func batches(first, n int) (commands []allowlist.AddCommand, bodies, requests [][]byte) {
	for batch := first; batch < first+n; batch++ {
		cmd := benchtest.AddCommand(batch, allowlist.MaxItems)
		items := make([]string, 0, len(cmd.Entries))
		for _, c := range cmd.Entries {
			items = append(items, `{"content":`+quote(c.Content)+`,"name":`+quote(c.Name)+`}`)
		}
		body := `{"assets":[` + strings.Join(items, ",") + `]}`
		commands = append(commands, cmd)
		bodies = append(bodies, []byte(body))
		requests = append(requests, jsonOf(assetsPath, body))
	}
	return commands, bodies, requests
}

// recode decodes a body and encodes its response.
func recode(b *testing.B, body []byte) {
	b.Helper()
	decoded, err := request.Call{Body: body, Caller: account.Principal{OrganizationID: 1}}.AddToAllowlist()
	require.NoError(b, err)
	results := make([]allowlist.Result, len(decoded.Items))
	for i, item := range decoded.Items {
		results[i] = allowlist.Result{Content: item.Content, Outcome: allowlist.Outcome{AssetID: int64(100_000 + i)}}
	}
	response, err := httpapi.WriteResults(results)
	require.NoError(b, err)
	require.Greater(b, len(response), len(results))
}
