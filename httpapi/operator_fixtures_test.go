package httpapi_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/webhook"
)

// operatorBase is the base of the operators' API in the tests.
const operatorBase = "/operator"

// The keys of operators.
const (
	operatorKey  = "apg_operator" // both scopes, and a user
	readerKey    = "apg_reader"   // can only read
	writerKey    = "apg_writer"   // can only write
	userlessKey  = "apg_userless" // every scope of an operator, but no user
	adminKey     = "apg_admin"    // can administer, and check
	operatorUser = 2
)

// startOperator returns the operators' API on the seeded store, with two disputes: 1 of a
// blocked asset by Eve, and 2 of an allowed one by Mallory. It has a webhook whose receiver fails.
func startOperator(tb testing.TB) testServer { tb.Helper(); return startOperatorWith(tb, setup{}) }

func startOperatorWith(tb testing.TB, s setup) testServer {
	tb.Helper()
	store := storage.Store(memory.New())
	records := seed()
	both := account.OperatorScopes()
	records.Keys = append(records.Keys,
		storage.SeedKey{Key: operatorKey, User: operatorUser, Scopes: both},
		storage.SeedKey{Key: readerKey, User: operatorUser, Scopes: both[:1]},
		storage.SeedKey{Key: writerKey, User: operatorUser, Scopes: both[1:]},
		storage.SeedKey{Key: userlessKey, Scopes: append(both, account.ScopeOperatorAdmin)},
		storage.SeedKey{Key: adminKey, User: operatorUser, Scopes: []account.Scope{account.ScopeOperatorRead, account.ScopeOperatorAdmin, account.ScopeCheck}},
	)
	require.NoError(tb, store.Import(context.Background(), records))
	if s.guard.Clock == nil {
		s.guard.Clock = func() time.Time { return now }
	}
	guard := apguard.New(store, s.guard)
	for _, d := range []dispute.CreateRequest{
		{Content: "https://bad.example.com/", Email: "Eve@mail.example", Description: "We are not a phishing site", ViaAPI: true},
		{Content: "good.example.com", Email: "mallory@mail.example"},
	} {
		_, err := guard.Disputes.Create(context.Background(), d)
		require.NoError(tb, err)
	}
	addFailingWebhook(tb, guard, store)
	if s.wrap != nil {
		guard = apguard.New(s.wrap(store), s.guard)
	}
	if s.options.TestWebhook == nil {
		s.options.TestWebhook = testWebhook(guard)
	}
	if s.options.FetchList == nil {
		s.options.FetchList = fetchList(guard)
	}
	log := new(logBuffer)
	s.options.Logger = newLogger(log)
	if s.options.RefusalDelay == 0 {
		s.options.RefusalDelay = -1 // tests do not wait for it
	}
	api, err := httpapi.NewOperator(guard, httpapi.APIKeys(guard.Keys), s.options)
	require.NoError(tb, err)
	mux := http.NewServeMux()
	api.Mount(mux, operatorBase)
	return testServer{Handler: checkedWith(tb, servedToOperators(), mux), tb: tb, api: api, store: store, guard: guard, log: log}
}

// addFailingWebhook creates the webhook 1.
func addFailingWebhook(tb testing.TB, guard *apguard.Guard, store storage.Store) {
	tb.Helper()
	e, _, err := guard.Webhooks.Create(context.Background(), webhook.CreateRequest{
		URL: "https://receiver.example/hook", Events: []webhook.EventType{webhook.EventStatusChanged},
		Filter: webhook.Filter{Statuses: []asset.Status{asset.StatusBlocked}},
	})
	require.NoError(tb, err)
	_, err = store.UpdateEndpoint(context.Background(), e.ID, func(e webhook.Endpoint) (webhook.Endpoint, error) {
		e.LastSuccessAt = now.Add(-time.Hour)
		e.Failures, e.FailingSince, e.Last, e.LastAt = 2, now, webhook.OutcomeOf(http.StatusServiceUnavailable, "", now), now
		e.DueAt = now.Add(5 * time.Minute)
		return e, nil
	}, audit.Entry{})
	require.NoError(tb, err)
}

// testWebhook returns a function that stands for a sender whose receivers accept everything.
func testWebhook(guard *apguard.Guard) func(context.Context, int64) (webhook.Outcome, error) {
	return func(ctx context.Context, id int64) (webhook.Outcome, error) {
		if _, err := guard.Webhooks.TestAttempt(ctx, id); err != nil {
			return webhook.Outcome{}, err
		}
		return webhook.OutcomeOf(http.StatusNoContent, "", now), nil
	}
}

// fetchList returns a function that stands for a fetcher, for which every URL has the same file.
func fetchList(guard *apguard.Guard) func(context.Context, lists.SyncRequest) (lists.SyncResult, error) {
	return func(ctx context.Context, req lists.SyncRequest) (lists.SyncResult, error) {
		list, err := guard.Lists.Get(ctx, req.Name)
		switch {
		case err != nil:
			return lists.SyncResult{}, err
		case list.URL == "":
			return lists.SyncResult{}, lists.ErrNoURL
		}
		req.File = strings.NewReader("phishing.example.com\nscam.example.com\n")
		return guard.Lists.Sync(ctx, req)
	}
}

// operate sends a body to an operation and returns the response.
func (s testServer) operate(path, body string) response {
	s.tb.Helper()
	return s.post(operatorBase+path, operatorKey, body)
}

// askFor lets another operator ask for an act: to block a public suffix.
func (s testServer) askFor(content string) {
	s.tb.Helper()
	guard := apguard.New(s.store, apguard.Options{Clock: func() time.Time { return now }, FourEyes: true})
	_, err := guard.Assets.SetStatus(context.Background(), asset.SetStatusRequest{
		Identity: asset.Identity{Type: asset.TypePage, Canonical: content}, Status: asset.StatusBlocked,
		Reason: asset.ReasonPhishing, Note: "Everything below is bad", Origin: asset.Origin{Actor: operatorUser + 1}, ConfirmProtected: true,
	})
	require.ErrorIs(s.tb, err, asset.ErrPending)
}

// reportSuffix files a report with the proposal 4, that github.io is BLOCKED.
func (s testServer) reportSuffix() {
	s.tb.Helper()
	_, err := s.guard.Reports.File(context.Background(), report.FileRequest{
		OrganizationID: 1, Title: "Suffix", Proposals: []report.ProposalRequest{{Content: "github.io", ProposedStatus: asset.StatusBlocked}},
	})
	require.NoError(s.tb, err)
}

// administer sends a body to an operation with the key of an administrator.
func (s testServer) administer(path, body string) response {
	s.tb.Helper()
	return s.post(operatorBase+path, adminKey, body)
}

// read asks an operation with a query and returns the response.
func (s testServer) read(target string) response {
	s.tb.Helper()
	return s.get(operatorBase+target, operatorKey)
}

// status returns the status of an asset.
func (s testServer) status(content string) asset.Status {
	s.tb.Helper()
	found, err := s.guard.Asset(context.Background(), content)
	require.NoError(s.tb, err)
	return found.Status
}

// failingEverywhere fails in every operation of both APIs.
func failingEverywhere(err error) func(storage.Store) storage.Store {
	return func(store storage.Store) storage.Store {
		return unsettableStore{&failingStore{Store: store, err: err}}
	}
}

// unsettableStore is a failing store that sets no status and finds no organization either. The
// fixtures of other tests need to.
type unsettableStore struct {
	*failingStore
}

func (s unsettableStore) SetAssetStatuses(context.Context, asset.SetStatusesCommand) ([]asset.Held, error) {
	return nil, s.err
}

func (s unsettableStore) DueDecisions(context.Context, asset.DueRequest) (step.Page[asset.Due], error) {
	return step.Page[asset.Due]{}, s.err
}

func (s unsettableStore) Organizations(context.Context, int64, int) (step.Page[account.Organization], error) {
	return step.Page[account.Organization]{}, s.err
}

func (s unsettableStore) PutOrganization(context.Context, account.Organization, audit.Entry) error {
	return s.err
}

func (s unsettableStore) UpdateOrganization(context.Context, int64, func(account.Organization) (account.Organization, audit.Entry)) (account.Organization, error) {
	return account.Organization{}, s.err
}

func (s unsettableStore) RemoveOrganization(context.Context, int64, audit.Entry) error { return s.err }

func (s unsettableStore) Groups(context.Context, int64) ([]account.Group, error) { return nil, s.err }

func (s unsettableStore) RenameGroup(context.Context, account.Group, audit.Entry) error { return s.err }

func (s unsettableStore) RemoveGroup(context.Context, int64, int64, audit.Entry) error { return s.err }

func (s unsettableStore) UpdateUser(context.Context, int64, func(account.User) (account.User, audit.Entry)) (account.User, error) {
	return account.User{}, s.err
}

func (s unsettableStore) RemoveUser(context.Context, int64, audit.Entry) error { return s.err }

func (s unsettableStore) UpdateUserKeys(context.Context, int64, func(account.Key) account.KeyUpdate) ([]account.Key, error) {
	return nil, s.err
}

func (s unsettableStore) Users(context.Context, int64, int) (step.Page[account.User], error) {
	return step.Page[account.User]{}, s.err
}

func (s unsettableStore) UsersByID(context.Context, []int64) ([]account.User, error) {
	return nil, s.err
}

func (s unsettableStore) PutUser(context.Context, account.User, audit.Entry) error { return s.err }

func (s unsettableStore) KeyPage(context.Context, int64, account.KeyCursor, int) (step.Page[account.Key], error) {
	return step.Page[account.Key]{}, s.err
}

func (s unsettableStore) KeysByFingerprint(context.Context, [6]byte) ([]account.Key, error) {
	return nil, s.err
}

func (s unsettableStore) PutKey(context.Context, account.Key, audit.Entry) error { return s.err }

func (s unsettableStore) AuditEntries(context.Context, trail.Filter, int64, int) (step.Page[audit.Entry], error) {
	return step.Page[audit.Entry]{}, s.err
}

func (s unsettableStore) ReportBacklog(context.Context, report.Scope) (report.Backlog, error) {
	return report.Backlog{}, s.err
}

func (s unsettableStore) PruneReports(context.Context, report.PruneCommand) (step.Pruned[int64], error) {
	return step.Pruned[int64]{}, s.err
}

func (s unsettableStore) Acts(context.Context, pending.ListRequest, time.Time) (step.Page[pending.Act], error) {
	return step.Page[pending.Act]{}, s.err
}

func (s unsettableStore) ActByID(context.Context, int64) (pending.Act, error) {
	return pending.Act{}, s.err
}

func (s unsettableStore) Lists(context.Context) ([]lists.List, error) { return nil, s.err }

func (s unsettableStore) PutList(context.Context, string, func(lists.List, int) (lists.List, audit.Entry, error)) (lists.List, error) {
	return lists.List{}, s.err
}

func (s unsettableStore) OrganizationsByID(context.Context, []int64) ([]account.Organization, error) {
	return nil, s.err
}
