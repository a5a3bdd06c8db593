package routers_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// Two services in one process are independent.
func TestRouters_TwoServices(t *testing.T) {
	t.Parallel()
	for name, h := range hosts() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mux := http.NewServeMux()
			for base, secret := range map[string]string{"/api/one": "apg_one", "/api/two": "apg_two"} {
				mux.Handle(base+"/", h.mount(newAPI(t, storeOf(t, secret)), base))
			}
			s := serve(t, mux)
			call := func(secret, path, body string) reply {
				r := s.request(t, http.MethodPost, path, body)
				r.Header.Set("X-API-KEY", secret)
				return do(t, r)
			}
			const (
				add   = `{"assets":[{"content":"https://acme.example"}]}`
				added = `{"results":[{"content":"https://acme.example","success":true,"id":1}],"successCount":1,"errorCount":0}`
			)
			refused := call("apg_two", "/api/one/organization/assets", add)
			require.Equal(t, http.StatusUnauthorized, refused.status, "the key of the other service")
			require.JSONEq(t, added, call("apg_one", "/api/one/organization/assets", add).body)
			require.JSONEq(t, `{"changelog":[]}`, call("apg_two", "/api/two/asset/changelog", "{}").body, "the changes of the other service")
			require.JSONEq(t, added, call("apg_two", "/api/two/organization/assets", add).body, "each service has its own IDs")
		})
	}
}

// storeOf returns a store with one key.
func storeOf(t *testing.T, secret string) storage.Store {
	t.Helper()
	store := memory.New()
	require.NoError(t, store.Import(t.Context(), storage.Seed{
		Organizations: []storage.SeedOrganization{{ID: 1, Slug: "acme", Name: "Acme"}},
		Keys:          []storage.SeedKey{{Key: secret, Organization: "acme", Scopes: account.Scopes()}},
	}))
	return store
}
