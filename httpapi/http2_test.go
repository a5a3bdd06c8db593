package httpapi_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage"
)

func TestAChangelogOverHTTP2(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		wrap  func(storage.Store) storage.Store
		whole bool
	}{
		"all of it":                  {func(store storage.Store) storage.Store { return store }, true},
		"the store fails in between": {func(store storage.Store) storage.Store { return &brokenStore{Store: store, err: errDisk, pages: 1} }, false},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			seen := new(witness)
			s := startWith(t, setup{options: httpapi.Options{Observer: seen}, wrap: c.wrap})
			fill(t, s, 1700)
			server := httptest.NewUnstartedServer(s)
			server.EnableHTTP2 = true
			server.StartTLS()
			defer server.Close()
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+changelogPath, strings.NewReader("{}"))
			require.NoError(t, err)
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("X-API-KEY", acmeKey)
			response, err := server.Client().Do(r)
			require.NoError(t, err)
			defer func() { _ = response.Body.Close() }()
			require.Equal(t, 2, response.ProtoMajor)
			body, err := io.ReadAll(response.Body)
			server.Close() // then the observer has been told
			require.Equal(t, !c.whole, seen.only(t).Aborted)
			if !c.whole {
				require.Error(t, err, "the stream is reset")
				return
			}
			require.NoError(t, err)
			require.Len(t, decode(t, string(body))["changelog"], 1702)
		})
	}
}
