//go:build cgo

package httpapi_test

import (
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/benchtest"
)

// BenchmarkRefusals sends requests that are refused, one at a time. "key/accepted" is the
// time of a request with an unknown key relative to an accepted one, and "type/accepted"
// that of a request with another content type. The accepted requests are cheap ones.
func BenchmarkRefusals(b *testing.B) {
	store := openFilled(b, disputedAssets)
	client := dial(b, listen(b, store))
	number := 0 // no two requests have the same
	for _, operation := range []struct {
		name, path string
		// body returns the body of the request with a number. It is nil for GET.
		body func(number int) string
	}{
		{"changelog", changelogPath, always(`{"content":"` + benchtest.URL(0, 0) + `"}`)},
		{"dispute", disputePath, func(number int) string {
			return fmt.Sprintf(`{"content":%q,"email":"ada+%d@acme.test"}`, benchtest.URL(0, 0), number)
		}},
		{"batch", assetsPath, func(number int) string {
			return fmt.Sprintf(`{"assets":[{"content":"https://refusals-%d.example"}]}`, number)
		}},
		{"old reports", oldReports, always(`{"slug":"acme","limit":1}`)},
		{"reports", newReports + "?limit=1", nil},
	} {
		b.Run(operation.name, func(b *testing.B) {
			request := func(number int, key, contentType string) []byte {
				if operation.body == nil {
					return getOf(operation.path, key)
				}
				return postOf(operation.path, key, contentType, operation.body(number))
			}
			repeat := func(key, contentType string, status int) func(int) {
				return func(int) {
					for range 100 {
						number++
						require.NoError(b, client.send(request(number, key, contentType), status, io.Discard))
					}
				}
			}
			ways := []func(int){
				repeat(acmeKey, "application/json", http.StatusOK),
				repeat(unknownKey, "application/json", http.StatusUnauthorized),
			}
			if operation.body != nil {
				ways = append(ways, repeat(acmeKey, "text/plain", http.StatusUnsupportedMediaType))
			}
			for b.Loop() {
				times := benchtest.Medians(benchtest.Rounds, ways...)
				figures := map[string]float64{"µs/accepted": times[0] * 10, "key/accepted": times[1] / times[0]}
				if len(times) > 2 {
					figures["type/accepted"] = times[2] / times[0]
				}
				benchtest.Figures(b, figures)
			}
		})
	}
}

// always returns the same body for every request.
func always(body string) func(int) string { return func(int) string { return body } }
