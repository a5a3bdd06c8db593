package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/webhook"
)

// The paths of the operations, with the base of the tests.
const (
	base          = "/api/v2"
	changelogPath = base + "/asset/changelog"
	checkPath     = base + "/asset/check"
	batchPath     = base + "/asset/check/batch"
	assetListPath = base + "/asset/list"
	feedPath      = base + "/asset/feed"
	hashesPath    = base + "/asset/hashes"
	exportPath    = base + "/asset/export/csv"
	disputePath   = base + "/dispute/create"
	ownPath       = base + "/dispute/get"
	reportPath    = base + "/report/create"
	assetsPath    = base + "/organization/assets"
	removePath    = base + "/organization/assets/remove"
	oldReports    = base + "/public/getOrganizationReports"
	newReports    = base + "/organization/reports"
	documentPath  = base + "/openapi.json"
)

// The keys of the seed.
const (
	acmeKey      = "apg_acme"      // every scope, an organization and a user with an e-mail address
	globexKey    = "apg_globex"    // another organization, no user
	looseKey     = "apg_loose"     // every scope, no organization and no user
	powerlessKey = "apg_powerless" // an organization and no scope
	unknownKey   = "apg_unknown"
)

// The members of the basis of assets of the seed.
const (
	badBasis   = `"reason":"OTHER","note":null,"since":"2025-01-05T10:00:00.000Z","by":"OPERATOR","list":null`
	goodBasis  = `"reason":null,"note":null,"since":"2025-01-06T23:59:59.999Z","by":"OPERATOR","list":null`
	quietBasis = `"reason":null,"note":null,"since":null,"by":null,"list":null`
)

// now is the time of every clock in the tests.
var now = time.Date(2025, 6, 1, 12, 0, 0, 123456789, time.UTC)

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err)
	}
	return t
}

// seed has two organizations, three assets with changes, and three reports.
func seed() storage.Seed {
	all := account.Scopes()
	return storage.Seed{
		Organizations: []storage.SeedOrganization{
			{ID: 1, Slug: "acme", Name: "Acme", Groups: []storage.SeedGroup{{ID: 7, Name: "Sites"}}},
			{ID: 2, Slug: "globex", Name: "Globex", Groups: []storage.SeedGroup{{ID: 8, Name: "Shops"}}},
		},
		Users: []account.User{
			{ID: 1, FullName: "Ada Lovelace", Email: "ada@acme.test"},
			{ID: 2, Automation: true},
		},
		Keys: []storage.SeedKey{
			{Key: acmeKey, Organization: "acme", User: 1, Scopes: all},
			{Key: globexKey, Organization: "globex", Scopes: all},
			{Key: looseKey, Scopes: all},
			{Key: powerlessKey, Organization: "acme", User: 1, Scopes: []account.Scope{}},
		},
		Assets: []storage.SeedAsset{
			{Content: "https://bad.example.com", Status: asset.StatusBlocked, ChangedAt: at("2025-01-05T10:00:00Z")},
			{Content: "good.example.com", Status: asset.StatusAllowed, ChangedAt: at("2025-01-06T23:59:59.999Z")},
			{Content: "https://quiet.example.com"},
		},
		Reports: []storage.SeedReport{
			{
				ID: 1, Organization: "acme", Title: "Bad site", Description: "It lies", BrandID: 3, Reporter: 1,
				CreatedAt: at("2025-01-05T10:00:00Z"),
				Proposals: []storage.SeedProposal{{
					Content: "https://bad.example.com", ProposedStatus: asset.StatusBlocked,
					ReviewStatus: report.ReviewApprove, ReviewedBy: 1, ReviewedAt: at("2025-01-05T11:00:00.5Z"),
				}},
			},
			{
				ID: 2, Organization: "acme", CreatedAt: at("2025-01-07T00:00:00Z"), Reporter: 2,
				Proposals: []storage.SeedProposal{
					{Content: "https://quiet.example.com", ProposedStatus: asset.StatusAllowed, ReviewStatus: report.ReviewReject},
					{Content: "https://bad.example.com", ProposedStatus: asset.StatusAllowed},
				},
			},
			{ID: 3, Organization: "globex", Title: "Of Globex", CreatedAt: at("2025-01-08T00:00:00Z")},
			{ID: 4, Organization: "acme", Title: "100%", CreatedAt: at("2025-01-09T00:00:00Z")},
		},
	}
}

// testServer is the API on a seeded store, mounted on a ServeMux.
type testServer struct {
	http.Handler
	tb    testing.TB
	api   *httpapi.API
	store storage.Store
	guard *apguard.Guard
	log   *logBuffer
	// hashes is nil unless the setup has hash lists.
	// replica fills the hash lists.
	replica *feed.Replica
}

func (s testServer) do(r *http.Request) response {
	s.tb.Helper()
	recorder := httptest.NewRecorder()
	s.ServeHTTP(recorder, r)
	return response{recorder.Code, recorder.Header(), recorder.Body.String()}
}

// post sends a body as JSON.
func (s testServer) post(path, key, body string) response {
	s.tb.Helper()
	return s.do(newPost(path, key, strings.NewReader(body)))
}

func (s testServer) get(target, key string) response {
	s.tb.Helper()
	return s.do(newGet(target, key))
}

// logBuffer is a log that can be read while it is written.
type logBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// newLogger returns a logger of failed requests only.
func newLogger(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// setup has the settings that a test changes.
type setup struct {
	options httpapi.Options
	guard   apguard.Options
	// hashes gives the server hash lists, which a test refreshes.
	hashes bool
	// everyRequest makes the server log all requests, not only failed ones.
	everyRequest bool
	// wrap wraps the store.
	wrap func(storage.Store) storage.Store
	// handler wraps the handler.
	handler func(http.Handler) http.Handler
}

func start(tb testing.TB) testServer { tb.Helper(); return startWith(tb, setup{}) }

func startWith(tb testing.TB, s setup) testServer {
	tb.Helper()
	store := storage.Store(memory.New())
	require.NoError(tb, store.Import(context.Background(), seed()))
	if s.wrap != nil {
		store = s.wrap(store)
	}
	if s.guard.Clock == nil {
		s.guard.Clock = func() time.Time { return now }
	}
	guard := apguard.New(store, s.guard)
	log := new(logBuffer)
	var replica *feed.Replica
	if s.hashes {
		s.options.Hashes = hashes.New(hashes.Options{})
		replica = feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{s.options.Hashes}})
	}
	s.options.Logger = newLogger(log)
	if s.options.RefusalDelay == 0 {
		s.options.RefusalDelay = -1 // tests do not wait for it
	}
	if s.everyRequest {
		s.options.Logger = slog.New(slog.NewTextHandler(log, nil))
	}
	api, err := httpapi.New(guard, httpapi.APIKeys(guard.Keys), s.options)
	require.NoError(tb, err)
	mux := http.NewServeMux()
	api.Mount(mux, base)
	handler := http.Handler(mux)
	if s.handler != nil {
		handler = s.handler(mux)
	}
	return testServer{Handler: checked(tb, handler), tb: tb, api: api, store: store, guard: guard, log: log, replica: replica}
}

// response is a recorded response.
type response struct {
	Status int
	Header http.Header
	Body   string
}

func newGet(target, key string) *http.Request {
	r := newRequest(http.MethodGet, target, nil)
	r.Header.Set("X-API-KEY", key)
	return r
}

// newRequest returns a request for a handler.
func newRequest(method, target string, body io.Reader) *http.Request {
	return httptest.NewRequestWithContext(context.Background(), method, target, body)
}

func newPost(path, key string, body io.Reader) *http.Request {
	r := newRequest(http.MethodPost, path, body)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-API-KEY", key)
	return r
}

// quote returns text as a JSON string.
func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(quoted)
}

// standard returns a standard error body.
func standard(code, message string, issues ...string) string {
	var list strings.Builder
	for i, issue := range issues {
		if i > 0 {
			list.WriteString(",")
		}
		list.WriteString(`{"message":` + quote(issue) + `}`)
	}
	return `{"code":` + quote(code) + `,"message":` + quote(message) + `,"issues":[` + list.String() + `]}`
}

// invalid returns the standard error body of invalid input.
func invalid(issues ...string) string {
	return standard("BAD_REQUEST", "Invalid input data", issues...)
}

// requireInvalid requires a 400 response with exactly these issues.
func requireInvalid(t *testing.T, got response, issues ...string) {
	t.Helper()
	require.Equal(t, http.StatusBadRequest, got.Status, got.Body)
	require.Equal(t, invalid(issues...), got.Body)
}

// wrapped returns an error body of the batch add.
func wrapped(code, message string) string {
	return `{"error":{"code":` + quote(code) + `,"message":` + quote(message) + `}}`
}

// decode decodes a JSON object with encoding/json, which the package does not use.
func decode(tb testing.TB, body string) map[string]any {
	tb.Helper()
	var object map[string]any
	decoder := json.NewDecoder(strings.NewReader(body))
	decoder.UseNumber()
	require.NoError(tb, decoder.Decode(&object), body)
	return object
}

// fill blocks count new assets.
func fill(tb testing.TB, s testServer, count int) {
	tb.Helper()
	for i := range count {
		_, err := s.guard.Assets.SetStatus(context.Background(), asset.SetStatusRequest{
			Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://site-" + strconv.Itoa(i) + ".example.com"},
			Status:   asset.StatusBlocked,
		})
		require.NoError(tb, err)
	}
}

// posts has a valid body for each POST operation, by path.
var posts = map[string]string{
	changelogPath: `{}`,
	checkPath:     `{"content":"https://bad.example.com/x"}`,
	batchPath:     `{"contents":["https://bad.example.com/x"]}`,
	disputePath:   `{"content":"https://bad.example.com"}`,
	assetsPath:    `{"assets":[{"content":"https://new.example.com"}]}`,
	removePath:    `{"ids":[1]}`,
	oldReports:    `{"slug":"acme","limit":20}`,
	reportPath:    `{"proposals":[{"content":"https://new.example.com","proposedStatus":"BLOCKED"}]}`,
}

// changesAllowlist reports whether the operation at path changes an allowlist. Its errors are
// wrapped, and a caller without access is answered with 401.
func changesAllowlist(path string) bool {
	return path == assetsPath || path == removePath
}

// errorBody returns an error body of the operation at path.
func errorBody(path, code, message string) string {
	if changesAllowlist(path) {
		return wrapped(code, message)
	}
	return standard(code, message)
}

func requireError(t *testing.T, got response, path string, status int, code, message string) {
	t.Helper()
	require.Equal(t, status, got.Status, got.Body)
	require.Equal(t, errorBody(path, code, message), got.Body)
	require.Equal(t, "application/json", got.Header.Get("Content-Type"))
	require.Equal(t, "nosniff", got.Header.Get("X-Content-Type-Options"))
	require.Equal(t, "no-store", got.Header.Get("Cache-Control"))
	require.Equal(t, path == oldReports, got.Header.Get("Deprecation") != "")
	challenge := ""
	if status == http.StatusUnauthorized {
		challenge = "ApiKey"
	}
	require.Equal(t, challenge, got.Header.Get("WWW-Authenticate"))
}

// requireForbidden requires a 403 that says what the key lacks.
func requireForbidden(t *testing.T, got response, issues ...string) {
	t.Helper()
	require.Equal(t, http.StatusForbidden, got.Status, got.Body)
	body := standard("FORBIDDEN", "Insufficient access")
	for i, issue := range issues {
		issues[i] = `{"message":"your key ` + issue + `"}`
	}
	require.Equal(t, strings.Replace(body, "[]", "["+strings.Join(issues, ",")+"]", 1), got.Body)
}

// fixedPrincipal is an Authenticator that always returns the same principal or error.
type fixedPrincipal struct {
	principal account.Principal
	err       error
}

func (s fixedPrincipal) Authenticate(*http.Request) (account.Principal, error) {
	return s.principal, s.err
}

func fullAccess() fixedPrincipal {
	return fixedPrincipal{principal: account.Principal{OrganizationID: 1, OrganizationSlug: "acme", Scopes: account.Scopes()}}
}

func newAPI(tb testing.TB, authenticator httpapi.Authenticator, opts httpapi.Options) *httpapi.API {
	tb.Helper()
	api, err := httpapi.New(apguard.New(accounttest.Organizations(tb, memory.New(), 1), apguard.Options{}), authenticator, opts)
	require.NoError(tb, err)
	return api
}

// noChanges is an empty changelog.
const noChanges = `{"changelog":[]}`

var errDisk = errors.New("disk failure")

// failingStore fails in every operation. It only finds keys.
type failingStore struct {
	storage.Store
	err error
	// pages is the number of changelog pages that it returns before it fails.
	pages int
	// then is called before a page fails.
	then func()
}

func (s *failingStore) Changes(ctx context.Context, req asset.ListChangesRequest) (step.Page[asset.Change], error) {
	if s.pages > 0 {
		s.pages--
		return s.Store.Changes(ctx, req)
	}
	if s.then != nil {
		s.then()
	}
	return step.Page[asset.Change]{}, s.err
}

func (s *failingStore) SiteAssets(context.Context, asset.Identity, int) ([]asset.Asset, error) {
	return nil, s.err
}

func (s *failingStore) AssetsByIdentity(context.Context, []asset.Identity) ([]asset.Known, error) {
	return nil, s.err
}

func (s *failingStore) Assets(context.Context, asset.ListRequest) (step.Page[asset.Listed], error) {
	return step.Page[asset.Listed]{}, s.err
}

func (s *failingStore) Feed(context.Context) (asset.Feed, error) {
	return asset.Feed{}, s.err
}

func (s *failingStore) CreateDispute(context.Context, dispute.CreateCommand) (dispute.Dispute, error) {
	return dispute.Dispute{}, s.err
}

func (s *failingStore) DisputeWithAsset(context.Context, int64) (dispute.WithAsset, error) {
	return dispute.WithAsset{}, s.err
}

func (s *failingStore) FileReport(context.Context, report.FileCommand) (report.Report, error) {
	return report.Report{}, s.err
}

func (s *failingStore) AddToAllowlist(context.Context, allowlist.AddCommand) ([]allowlist.Outcome, error) {
	return nil, s.err
}

func (s *failingStore) AllowlistEntries(context.Context, allowlist.ListRequest, time.Time) (allowlist.Page, error) {
	return allowlist.Page{}, s.err
}

func (s *failingStore) RemoveFromAllowlist(context.Context, allowlist.RemoveCommand) ([]allowlist.RemovedEntry, error) {
	return nil, s.err
}

func (s *failingStore) Reports(context.Context, report.ListRequest) (report.Page, error) {
	return report.Page{}, s.err
}

func (s *failingStore) DisputeByID(context.Context, int64) (dispute.Dispute, error) {
	return dispute.Dispute{}, s.err
}

func (s *failingStore) Disputes(context.Context, dispute.ListRequest) (step.Page[dispute.Dispute], error) {
	return step.Page[dispute.Dispute]{}, s.err
}

func (s *failingStore) DisputeBacklog(context.Context) (dispute.Backlog, error) {
	return dispute.Backlog{}, s.err
}

func (s *failingStore) UpdateDispute(context.Context, dispute.UpdateCommand) (dispute.Dispute, error) {
	return dispute.Dispute{}, s.err
}

func (s *failingStore) ReportByID(context.Context, report.Scope, int64) (report.Report, error) {
	return report.Report{}, s.err
}

func (s *failingStore) AddReviews(context.Context, report.ReviewCommand) (report.Report, error) {
	return report.Report{}, s.err
}

func (s *failingStore) WithdrawReview(context.Context, report.WithdrawCommand) (report.Report, error) {
	return report.Report{}, s.err
}

func (s *failingStore) Reviews(context.Context, report.Scope, int64, int64, int) (step.Page[report.Review], error) {
	return step.Page[report.Review]{}, s.err
}

func (s *failingStore) AddEndpoint(context.Context, webhook.Endpoint, audit.Entry) (webhook.Endpoint, error) {
	return webhook.Endpoint{}, s.err
}

func (s *failingStore) EndpointByID(context.Context, int64) (webhook.Endpoint, error) {
	return webhook.Endpoint{}, s.err
}

func (s *failingStore) Endpoints(context.Context, int64, int) (step.Page[webhook.Endpoint], error) {
	return step.Page[webhook.Endpoint]{}, s.err
}

func (s *failingStore) UpdateEndpoint(context.Context, int64, func(webhook.Endpoint) (webhook.Endpoint, error), audit.Entry) (webhook.Endpoint, error) {
	return webhook.Endpoint{}, s.err
}

func (s *failingStore) RemoveEndpoint(context.Context, int64, audit.Entry) error { return s.err }

func failing(store storage.Store) storage.Store { return &failingStore{Store: store, err: errDisk} }

func failingWith(err error) func(storage.Store) storage.Store {
	return func(store storage.Store) storage.Store { return &failingStore{Store: store, err: err} }
}

// hookedStore calls a function before each operation, which fails with its error. Nil does
// nothing.
type hookedStore struct {
	storage.Store
	before, beforeKey func(context.Context) error
}

// after returns what a call returns, unless the function before it fails.
func after[T any](ctx context.Context, before func(context.Context) error, call func() (T, error)) (T, error) {
	if before != nil {
		if err := before(ctx); err != nil {
			var zero T
			return zero, err
		}
	}
	return call()
}

func (s hookedStore) KeyByHash(ctx context.Context, hash [32]byte) (account.KeyRecord, error) {
	return after(ctx, s.beforeKey, func() (account.KeyRecord, error) { return s.Store.KeyByHash(ctx, hash) })
}

func (s hookedStore) Changes(ctx context.Context, req asset.ListChangesRequest) (step.Page[asset.Change], error) {
	return after(ctx, s.before, func() (step.Page[asset.Change], error) { return s.Store.Changes(ctx, req) })
}

func (s hookedStore) CreateDispute(ctx context.Context, cmd dispute.CreateCommand) (dispute.Dispute, error) {
	return after(ctx, s.before, func() (dispute.Dispute, error) { return s.Store.CreateDispute(ctx, cmd) })
}

func (s hookedStore) DisputeWithAsset(ctx context.Context, id int64) (dispute.WithAsset, error) {
	return after(ctx, s.before, func() (dispute.WithAsset, error) { return s.Store.DisputeWithAsset(ctx, id) })
}

func (s hookedStore) FileReport(ctx context.Context, cmd report.FileCommand) (report.Report, error) {
	return after(ctx, s.before, func() (report.Report, error) { return s.Store.FileReport(ctx, cmd) })
}

func (s hookedStore) AddToAllowlist(ctx context.Context, cmd allowlist.AddCommand) ([]allowlist.Outcome, error) {
	return after(ctx, s.before, func() ([]allowlist.Outcome, error) { return s.Store.AddToAllowlist(ctx, cmd) })
}

func (s hookedStore) AssetsByIdentity(ctx context.Context, identities []asset.Identity) ([]asset.Known, error) {
	return after(ctx, s.before, func() ([]asset.Known, error) { return s.Store.AssetsByIdentity(ctx, identities) })
}

func (s hookedStore) RemoveFromAllowlist(ctx context.Context, cmd allowlist.RemoveCommand) ([]allowlist.RemovedEntry, error) {
	return after(ctx, s.before, func() ([]allowlist.RemovedEntry, error) { return s.Store.RemoveFromAllowlist(ctx, cmd) })
}

func (s hookedStore) Reports(ctx context.Context, req report.ListRequest) (report.Page, error) {
	return after(ctx, s.before, func() (report.Page, error) { return s.Store.Reports(ctx, req) })
}
