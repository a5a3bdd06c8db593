package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage/memory"
)

// The operations stand beside the host's own routes, and a key opens them.
func Example() {
	ctx := context.Background()
	guard := apguard.New(memory.New(), apguard.Options{})
	_ = guard.Accounts.PutOrganization(ctx, account.Organization{ID: 1, Slug: "acme", Name: "Acme"})
	key, _ := guard.Accounts.CreateKey(ctx, account.KeyRequest{OrganizationID: 1, Scopes: account.Scopes()})

	api, err := httpapi.New(guard, httpapi.APIKeys(guard.Accounts), httpapi.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "the host's own page") })
	api.Mount(mux, "/api/v2")

	body := `{"assets": [{"content": "https://acme.example.com"}, {"content": "not an asset"}]}`
	request := httptest.NewRequestWithContext(ctx, "POST", "/api/v2/organization/assets", strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-API-KEY", key)
	response := httptest.NewRecorder()
	mux.ServeHTTP(response, request)

	fmt.Println(response.Code)
	fmt.Println(response.Body)
	// Output:
	// 200
	// {"results":[{"content":"https://acme.example.com","success":true,"id":1},{"content":"not an asset","success":false,"error":"Invalid asset format"}],"successCount":1,"errorCount":1}
}

// A host that knows its users by itself brings an Authenticator.
func ExampleAuthenticator() {
	guard := apguard.New(memory.New(), apguard.Options{})
	api, err := httpapi.New(guard, staff{}, httpapi.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, user := range []string{"ada", "eve"} {
		request := httptest.NewRequestWithContext(context.Background(), "GET", "/organization/reports", nil)
		request.SetBasicAuth(user, "")
		response := httptest.NewRecorder()
		api.ServeHTTP(response, request)
		fmt.Println(user, response.Code)
	}
	// Output:
	// ada 200
	// eve 401
}

// staff knows Ada.
type staff struct{}

func (staff) Authenticate(r *http.Request) (account.Principal, error) {
	if name, _, _ := r.BasicAuth(); name != "ada" {
		return account.Principal{}, httpapi.ErrUnauthenticated
	}
	return account.Principal{OrganizationID: 1, OrganizationSlug: "acme", UserID: 1, Scopes: account.Scopes()}, nil
}
