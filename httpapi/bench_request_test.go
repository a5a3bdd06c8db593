//go:build cgo

package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/storage/memory"
)

// BenchmarkRequest serves requests without a network. The store is in memory and discards
// what is added, so the figures are those of this package and of the rules.
func BenchmarkRequest(b *testing.B) {
	store := memory.New()
	require.NoError(b, store.Import(b.Context(), seed()))
	benchtest.Fill(b, store, 1)
	guard := apguard.New(&forgetfulStore{discardingStore{Store: store}}, apguard.Options{})
	api, err := httpapi.New(guard, httpapi.APIKeys(guard.Keys), httpapi.Options{})
	require.NoError(b, err)
	handler := http.StripPrefix(base, api)
	_, batch, _ := batches(1, 1)
	for _, operation := range []struct{ name, path, body string }{
		{"dispute", disputePath, fmt.Sprintf(`{"content":%q,"email":"ada@acme.test"}`, benchtest.URL(0, 0))},
		{"batch of 1000", assetsPath, string(batch[0])},
		{"check", checkPath, fmt.Sprintf(`{"content":%q}`, benchtest.URL(0, 0))},
		{"changelog of 1", changelogPath, fmt.Sprintf(`{"content":%q}`, benchtest.URL(0, 0))},
		{"changelog of 1000", changelogPath, `{"type":"URL"}`},
	} {
		b.Run(operation.name, func(b *testing.B) {
			b.ReportAllocs()
			w := &discardingWriter{header: make(http.Header)}
			for b.Loop() {
				clear(w.header)
				handler.ServeHTTP(w, newPost(operation.path, acmeKey, strings.NewReader(operation.body)))
				if w.status != http.StatusOK {
					b.Fatal(w.status)
				}
			}
		})
	}
}

// forgetfulStore discards disputes and batches.
type forgetfulStore struct{ discardingStore }

func (s *forgetfulStore) AddToAllowlist(_ context.Context, cmd allowlist.AddCommand) ([]allowlist.Outcome, error) {
	outcomes := make([]allowlist.Outcome, len(cmd.Entries))
	for i := range outcomes {
		outcomes[i].AssetID = int64(i + 1)
	}
	return outcomes, nil
}

// discardingWriter discards responses.
type discardingWriter struct {
	header http.Header
	status int
}

func (w *discardingWriter) Header() http.Header              { return w.header }
func (w *discardingWriter) WriteHeader(status int)           { w.status = status }
func (w *discardingWriter) Write(b []byte) (int, error)      { return len(b), nil }
func (w *discardingWriter) SetWriteDeadline(time.Time) error { return nil }
func (w *discardingWriter) FlushError() error                { return nil }
