package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"time"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/httpapi/limit"
	"github.com/apguard/apguard/storage/memory"
)

// This server serves the API next to a page of its own. Callers have API keys.
func ExampleNew() {
	ctx := context.Background()
	guard := apguard.New(memory.New(), apguard.Options{})
	_ = guard.Accounts.PutOrganization(ctx, account.Organization{ID: 1, Slug: "acme", Name: "Acme"})
	key, _ := guard.Keys.Create(ctx, account.KeyRequest{OrganizationID: 1, Scopes: account.Scopes()})

	api, err := httpapi.New(guard, httpapi.APIKeys(guard.Keys), httpapi.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "home page") })
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

// staff authenticates callers by a user name, as a host with a directory might.
type staff struct{}

func (staff) Authenticate(r *http.Request) (account.Principal, error) {
	if name, _, _ := r.BasicAuth(); name != "ada" {
		return account.Principal{}, httpapi.ErrUnauthenticated
	}
	return account.Principal{OrganizationID: 1, OrganizationSlug: "acme", UserID: 1, Scopes: account.Scopes()}, nil
}

// A host that authenticates its callers itself implements Authenticator.
func ExampleAuthenticator() {
	guard := apguard.New(memory.New(), apguard.Options{})
	api, err := httpapi.New(guard, staff{}, httpapi.Options{
		Challenge:      `Basic realm="staff"`,
		SecurityScheme: httpapi.SecurityScheme{Name: "staff", Definition: `{"type": "http", "scheme": "basic"}`},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, user := range []string{"ada", "eve"} {
		request := httptest.NewRequestWithContext(context.Background(), "GET", "/organization/reports", nil)
		request.SetBasicAuth(user, "")
		response := httptest.NewRecorder()
		api.ServeHTTP(response, request)
		fmt.Printf("%s %d %q\n", user, response.Code, response.Header().Get("WWW-Authenticate"))
	}
	// Output:
	// ada 200 ""
	// eve 401 "Basic realm=\"staff\""
}

// maintenance refuses to change allowlists while it is on.
type maintenance struct {
	on atomic.Bool
}

func (m *maintenance) Admit(_ context.Context, request limit.Request) (release func(), err error) {
	if m.on.Load() && request.Method == http.MethodPost && strings.HasPrefix(request.Operation, "/organization/assets") {
		return nil, &limit.Error{Status: http.StatusServiceUnavailable, Policy: "maintenance", RetryAfter: time.Hour}
	}
	return nil, nil
}

// An Admission can refuse operations for some time.
func ExampleAdmission() {
	guard := apguard.New(memory.New(), apguard.Options{})
	if err := guard.Accounts.PutOrganization(context.Background(), account.Organization{ID: 1, Slug: "acme"}); err != nil {
		fmt.Println(err)
		return
	}
	window := new(maintenance)
	api, err := httpapi.New(guard, staff{}, httpapi.Options{Admission: []limit.Admission{window}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, on := range []bool{false, true} {
		window.on.Store(on)
		response := post(api, "/organization/assets", `{"assets": [{"content": "https://acme.example.com"}]}`)
		fmt.Printf("%d %q\n", response.Code, response.Header().Get("Retry-After"))
	}
	// Output:
	// 200 ""
	// 503 "3600"
}

// With a mirror, the API answers checks from memory, also while the store is unavailable.
func ExampleNew_mirror() {
	guard := apguard.New(memory.New(), apguard.Options{})
	copied := mirror.New(mirror.Options{ExternalLists: guard.ExternalLists})
	replica := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{copied}})
	guard.Checks = copied
	api, err := httpapi.New(guard, staff{}, httpapi.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	const body = `{"content": "https://acme.example.com"}`
	fmt.Println(post(api, "/asset/check", body).Code)

	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go replica.Run(ctx)
	if err := replica.Sync(ctx); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(post(api, "/asset/check", body).Code)
	// Output:
	// 503
	// 200
}

// post sends a body as Ada and returns the response.
func post(api http.Handler, path, body string) *httptest.ResponseRecorder {
	request := httptest.NewRequestWithContext(context.Background(), "POST", path, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.SetBasicAuth("ada", "")
	response := httptest.NewRecorder()
	api.ServeHTTP(response, request)
	return response
}

// People sign in to a page of the server with a key once. Its requests then have a cookie, and say with the
// fingerprint as whom they act.
func ExampleNewSignIn() {
	ctx := context.Background()
	guard := apguard.New(memory.New(), apguard.Options{})
	key, _ := guard.Keys.Create(ctx, account.KeyRequest{Scopes: account.OperatorScopes()[:1]})
	sessions := httpapi.NewSessions(guard.Keys, httpapi.SessionOptions{})
	operators, _ := httpapi.NewOperator(guard, sessions.Operator(), httpapi.Options{})
	signIn, err := httpapi.NewSignIn(sessions, httpapi.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	operators.Mount(mux, "/operator")
	signIn.Mount(mux, "/session")
	send := func(method, path string, header map[string]string) *httptest.ResponseRecorder {
		request := httptest.NewRequestWithContext(ctx, method, path, nil)
		request.Header.Set("Sec-Fetch-Site", "same-origin") // browsers say which page has sent it
		for name, value := range header {
			request.Header.Set(name, value)
		}
		response := httptest.NewRecorder()
		mux.ServeHTTP(response, request)
		return response
	}

	signedIn := send(http.MethodPost, "/session/operator", map[string]string{"X-API-Key": key})
	cookie, attributes, _ := strings.Cut(signedIn.Header().Get("Set-Cookie"), ";")
	fmt.Println(signedIn.Code, attributes)
	listed := send(http.MethodGet, "/operator/dispute/list", map[string]string{
		"Cookie": cookie, "X-Session-Key": account.Fingerprint(account.HashKey(key)),
	})
	fmt.Println(listed.Code)
	// Output:
	// 200  Path=/; HttpOnly; SameSite=Strict
	// 200
}

// With a pattern for the whole base, the API also answers unknown paths, and methods
// that Mount does not register.
func ExampleAPI_Mount() {
	api, err := httpapi.New(apguard.New(memory.New(), apguard.Options{}), staff{}, httpapi.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	api.Mount(mux, "/api/v2")
	mux.Handle("/api/v2/", http.StripPrefix("/api/v2", api))

	for _, target := range []string{"PROPFIND /api/v2/organization/reports", "GET /api/v2/nowhere"} {
		method, path, _ := strings.Cut(target, " ")
		response := httptest.NewRecorder()
		mux.ServeHTTP(response, httptest.NewRequestWithContext(context.Background(), method, path, nil))
		fmt.Printf("%d %q %s\n", response.Code, response.Header().Get("Allow"), response.Body)
	}
	// Output:
	// 405 "GET, HEAD" {"code":"METHOD_NOT_SUPPORTED","message":"Method not supported","issues":[]}
	// 404 "" {"code":"NOT_FOUND","message":"No such operation","issues":[]}
}

// router is a router that Mount does not support.
type router map[string]map[string]http.Handler

func (r router) add(path, method string, handler http.Handler) {
	if r[path] == nil {
		r[path] = make(map[string]http.Handler)
	}
	r[path][method] = handler
}

// A host with another router registers the operations from Routes.
func ExampleAPI_Routes() {
	api, err := httpapi.New(apguard.New(memory.New(), apguard.Options{}), staff{}, httpapi.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	routes := make(router)
	for _, route := range api.Routes() {
		routes.add("/api/v2"+route.Path, route.Method, route.Handler)
		fmt.Println(route.Method, route.Path)
	}

	request := httptest.NewRequestWithContext(context.Background(), "GET", "/api/v2/organization/reports", nil)
	request.SetBasicAuth("ada", "")
	response := httptest.NewRecorder()
	routes[request.URL.Path][request.Method].ServeHTTP(response, request)
	fmt.Println(response.Body)
	// Output:
	// GET /asset/export/eth-phishing-detect
	// HEAD /asset/export/eth-phishing-detect
	// GET /asset/export/domains
	// HEAD /asset/export/domains
	// GET /asset/export/hosts
	// HEAD /asset/export/hosts
	// GET /asset/export/rpz
	// HEAD /asset/export/rpz
	// GET /asset/export/adblock
	// HEAD /asset/export/adblock
	// GET /asset/export/csv
	// HEAD /asset/export/csv
	// GET /asset/export/jsonl
	// HEAD /asset/export/jsonl
	// GET /asset/export/stix
	// HEAD /asset/export/stix
	// GET /asset/export/misp-warninglist
	// HEAD /asset/export/misp-warninglist
	// GET /asset/list
	// HEAD /asset/list
	// POST /asset/changelog
	// GET /asset/feed
	// HEAD /asset/feed
	// GET /asset/hashes
	// HEAD /asset/hashes
	// POST /asset/check
	// POST /asset/check/batch
	// POST /dispute/create
	// GET /dispute/get
	// HEAD /dispute/get
	// GET /organization/assets
	// HEAD /organization/assets
	// POST /organization/assets
	// POST /organization/assets/remove
	// POST /public/getOrganizationReports
	// GET /organization/reports
	// HEAD /organization/reports
	// POST /report/create
	// GET /caller/get
	// HEAD /caller/get
	// GET /openapi.json
	// HEAD /openapi.json
	// {"reports":[],"nextCursor":null}
}
