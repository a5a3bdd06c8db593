package httpapi_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
)

// repeatable has two valid bodies for each operation that takes a key, by path.
var repeatable = map[string][2]string{
	disputePath: {`{"content":"https://bad.example.com"}`, `{"content":"https://bad.example.com","email":"eve@other.test"}`},
	assetsPath: {
		`{"assets":[{"content":"https://new.example.com"},{"content":"https://bad.example.com"},{"content":"no such thing"},{"content":"https://new.example.com"}]}`,
		`{"assets":[{"content":"https://other.example.com"}]}`,
	},
	removePath: {`{"contents":["https://good.example.com","no such thing"]}`, `{"ids":[999]}`},
	reportPath: {posts[reportPath], `{"title":"Another","proposals":[{"content":"https://new.example.com","proposedStatus":"BLOCKED"}]}`},
}

// postKeyed sends a body as JSON with idempotency keys, each in its own header.
func (s testServer) postKeyed(path, key, body string, idempotencyKeys ...string) response {
	s.tb.Helper()
	r := newPost(path, key, strings.NewReader(body))
	r.Header["Idempotency-Key"] = idempotencyKeys
	return s.do(r)
}

// stored returns everything that the operations with keys change.
func (s testServer) stored() []any {
	s.tb.Helper()
	ctx := context.Background()
	var all []any
	for _, organization := range []int64{1, 2} {
		entries, err := s.guard.Allowlist.List(ctx, allowlist.ListRequest{OrganizationID: organization})
		require.NoError(s.tb, err)
		all = append(all, entries)
	}
	disputes, err := s.guard.DisputeQueue.List(ctx, dispute.ListRequest{})
	require.NoError(s.tb, err)
	reports, err := s.guard.Reports.List(ctx, report.ListRequest{Scope: report.AnyOrganization()})
	require.NoError(s.tb, err)
	changes, err := s.guard.Assets.ListChanges(ctx, asset.ListChangesRequest{})
	require.NoError(s.tb, err)
	return append(all, disputes, reports, changes)
}

// addKeyOf adds a key of any owner with scopes.
func (s testServer) addKeyOf(key string, organizationID, userID int64, scopes ...account.Scope) {
	s.tb.Helper()
	require.NoError(s.tb, s.store.PutKey(context.Background(), account.Key{
		Hash: account.HashKey(key), OrganizationID: organizationID, UserID: userID, Scopes: scopes, CreatedAt: now,
	}, audit.Entry{}))
}

func requireExecuted(t *testing.T, got response) {
	t.Helper()
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	require.Empty(t, got.Header.Values("Idempotency-Replayed"))
}

// requireReplay requires a repeat with the same bytes as the first response.
func requireReplay(t *testing.T, first, got response) {
	t.Helper()
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	require.Equal(t, []string{"true"}, got.Header.Values("Idempotency-Replayed"))
	require.Equal(t, first.Body, got.Body)
}

func requireReused(t *testing.T, got response, path string) {
	t.Helper()
	requireError(t, got, path, 422, "UNPROCESSABLE_CONTENT", "Idempotency key was used for another request")
}

func TestIdempotencyKey_Invalid(t *testing.T) {
	t.Parallel()
	const text, twice = "must be 1 to 255 visible ASCII characters", "must not be given twice"
	tooLong := strings.Repeat("k", 256)
	for reason, c := range map[string]struct {
		keys  []string
		issue string
	}{
		"empty":                    {[]string{""}, text},
		"empty quotes":             {[]string{`""`}, text},
		"256 characters":           {[]string{tooLong}, text},
		"256 characters in quotes": {[]string{`"` + tooLong + `"`}, text},
		"a space":                  {[]string{"a b"}, text},
		"outer white space":        {[]string{" k"}, text},
		"a tab":                    {[]string{"a\tb"}, text},
		"a line feed":              {[]string{"a\nb"}, text},
		"NUL":                      {[]string{"a\x00"}, text},
		"DEL":                      {[]string{"a\x7f"}, text},
		"not ASCII":                {[]string{"\u00e9"}, text},
		"not UTF-8":                {[]string{"\xff"}, text},
		"a list":                   {[]string{"a, b"}, text},
		"parameters":               {[]string{`"k"; p`}, text},
		"one of two quotes":        {[]string{`"k`}, "must not have only one of two double quotes"},
		"two":                      {[]string{"a", "b"}, twice},
		"the same one twice":       {[]string{"k", "k"}, twice},
		"an empty one and another": {[]string{"", "k"}, twice},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			before := s.stored()
			requireInvalid(t, s.postKeyed(disputePath, acmeKey, `{"content":"https://bad.example.com"}`, c.keys...), "Idempotency-Key: "+c.issue)
			requireInvalid(t, s.postKeyed(disputePath, acmeKey, `{"content":1,"email":"ada"}`, c.keys...),
				"content: must be a string", "Idempotency-Key: "+c.issue, "email: must be an e-mail address")
			for body, issues := range map[string]string{
				`{"assets":[{"content":"https://new.example.com"}]}`:               "",
				`{"assets":[{"content":"https://new.example.com"}],"dryRun":true}`: "",
				`{"assets":[{"content":"a","name":1}]}`:                            "assets[0].name must be a string; ",
			} {
				got := s.postKeyed(assetsPath, acmeKey, body, c.keys...)
				requireError(t, got, assetsPath, 400, "BAD_REQUEST", "Invalid input data: "+issues+"Idempotency-Key "+c.issue)
			}
			require.Equal(t, before, s.stored())
		})
	}
}

// An operation that only reads takes no key.
func TestIdempotencyKey_Reads(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, route := range s.api.Routes() {
		path := base + route.Path
		if _, takesKey := repeatable[path]; takesKey && route.Method == http.MethodPost || path == documentPath || route.Method == http.MethodHead {
			continue
		}
		for _, keys := range [][]string{{"k"}, {""}, {"a", "b"}} {
			r := newRequest(route.Method, path, strings.NewReader(posts[path]))
			r.URL.RawQuery = map[string]string{ownPath: "id=1"}[path]
			r.Header = http.Header{"X-Api-Key": {acmeKey}, "Content-Type": {"application/json"}, "Idempotency-Key": keys}
			requireInvalid(t, s.do(r), "Idempotency-Key: must not be given for an operation that only reads")
		}
	}
}

// A repeat gets the first response and changes nothing, whatever happened in between.
func TestIdempotencyKey_Repeat(t *testing.T) {
	t.Parallel()
	for path, bodies := range repeatable {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			first := s.postKeyed(path, acmeKey, bodies[0], "k")
			requireExecuted(t, first)
			requireReplay(t, first, s.postKeyed(path, acmeKey, bodies[0], "k"))

			ctx := context.Background()
			for _, content := range []string{"https://bad.example.com", "https://new.example.com"} {
				_, err := s.guard.SetStatus(ctx, content, asset.StatusUnknown, asset.Origin{})
				require.NoError(t, err)
			}
			switch path {
			case disputePath:
				_, err := s.guard.DisputeQueue.Withdraw(ctx, dispute.TransitionRequest{DisputeID: 1})
				require.NoError(t, err)
			case reportPath:
				_, err := s.guard.Reviews.Escalate(ctx, report.EscalateRequest{Scope: report.InOrganization(1), ReportID: 5})
				require.NoError(t, err)
			}
			requireExecuted(t, s.post(path, acmeKey, bodies[1]))
			before := s.stored()
			requireReplay(t, first, s.postKeyed(path, acmeKey, bodies[0], "k"))
			require.Equal(t, before, s.stored())
			require.Empty(t, s.log.String())
		})
	}
}

// switchedList is an external list that can be switched off.
type switchedList struct{ *externalList }

func TestIdempotencyKey_RepeatWithMessage(t *testing.T) {
	t.Parallel()
	list := switchedList{&externalList{word: "phishy"}}
	s := startWith(t, setup{guard: apguard.Options{ExternalLists: check.ExternalLists{list}}})
	const body = `{"content":"https://phishy.example.com"}`
	first := s.postKeyed(disputePath, acmeKey, body, "k")
	requireExecuted(t, first)
	require.Contains(t, first.Body, "Phish & Co")
	for _, l := range []externalList{{word: "other"}, {err: errDisk}} {
		*list.externalList = l
		requireReplay(t, first, s.postKeyed(disputePath, acmeKey, body, "k"))
	}
}

// The bytes of the body decide what a repeat is.
func TestIdempotencyKey_AnotherRequest(t *testing.T) {
	t.Parallel()
	for path, bodies := range repeatable {
		s := start(t)
		first := s.postKeyed(path, acmeKey, bodies[0], "k")
		requireExecuted(t, first)
		before := s.stored()
		unused := `{"x":1,`
		switch path {
		case removePath:
			unused = `{"ids":null,`
		case reportPath:
			unused = `{"title":null,`
		}
		for reason, body := range map[string]string{
			"another request":        bodies[1],
			"white space":            bodies[0] + " ",
			"a name that has no use": strings.Replace(bodies[0], "{", unused, 1),
			"an escaped character":   strings.Replace(bodies[0], "https", `\u0068ttps`, 1),
			"a part in upper case":   strings.Replace(bodies[0], "https", "HTTPS", 1),
		} {
			t.Run(path+" "+reason, func(t *testing.T) {
				requireReused(t, s.postKeyed(path, acmeKey, body, "k"), path)
			})
		}
		require.Equal(t, before, s.stored())
		requireReplay(t, first, s.postKeyed(path, acmeKey, bodies[0], "k"))
	}
}

// A request that failed does not use its key.
func TestIdempotencyKey_Refused(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		path, key, body string
		failure         error
		status          int
	}{
		"a dispute of no content":        {disputePath, acmeKey, `{"content":""}`, nil, 400},
		"a dispute that is no JSON":      {disputePath, acmeKey, `{`, nil, 400},
		"a dispute of an unknown asset":  {disputePath, acmeKey, `{"content":"https://never.example.com"}`, nil, 404},
		"a dispute without access":       {disputePath, powerlessKey, `{"content":"https://bad.example.com"}`, nil, 403},
		"a dispute that fails":           {disputePath, acmeKey, `{"content":"https://bad.example.com"}`, errDisk, 500},
		"a dispute without a store":      {disputePath, acmeKey, `{"content":"https://bad.example.com"}`, asset.ErrUnavailable, 503},
		"additions of nothing":           {assetsPath, acmeKey, `{"assets":[]}`, nil, 400},
		"additions of an invalid name":   {assetsPath, acmeKey, `{"assets":[{"content":"a","name":1}]}`, nil, 400},
		"additions to an unknown group":  {assetsPath, acmeKey, `{"assets":[{"content":"https://new.example.com","groupId":999}]}`, nil, 404},
		"additions without access":       {assetsPath, powerlessKey, `{"assets":[{"content":"https://new.example.com"}]}`, nil, 401},
		"additions that fail":            {assetsPath, acmeKey, `{"assets":[{"content":"https://new.example.com"}]}`, errDisk, 500},
		"additions without a store":      {assetsPath, acmeKey, `{"assets":[{"content":"https://new.example.com"}]}`, asset.ErrUnavailable, 503},
		"a report of no proposals":       {reportPath, acmeKey, `{}`, nil, 400},
		"a report without access":        {reportPath, powerlessKey, posts[reportPath], nil, 403},
		"a report that fails":            {reportPath, acmeKey, posts[reportPath], errDisk, 500},
		"a report without a store":       {reportPath, acmeKey, posts[reportPath], asset.ErrUnavailable, 503},
		"additions of more than allowed": {assetsPath, acmeKey, `{"assets":[` + strings.Repeat(`{},`, allowlist.MaxItems) + `{}]}`, nil, 400},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			var store switchedStore
			s := startWith(t, setup{wrap: func(inner storage.Store) storage.Store {
				store = switchedStore{Store: inner, failure: &failingStore{Store: inner, err: c.failure}}
				return &store
			}})
			store.fails = c.failure != nil
			for range 2 {
				require.Equal(t, c.status, s.postKeyed(c.path, c.key, c.body, "k").Status)
			}
			store.fails = false
			corrected := repeatable[c.path][0]
			first := s.postKeyed(c.path, acmeKey, corrected, "k")
			requireExecuted(t, first)
			requireReplay(t, first, s.postKeyed(c.path, acmeKey, corrected, "k"))
		})
	}
}

// switchedStore fails in the operations with keys while fails is set.
type switchedStore struct {
	storage.Store
	failure *failingStore
	fails   bool
}

func (s *switchedStore) CreateDispute(ctx context.Context, cmd dispute.CreateCommand) (dispute.Dispute, error) {
	if s.fails {
		return s.failure.CreateDispute(ctx, cmd)
	}
	return s.Store.CreateDispute(ctx, cmd)
}

func (s *switchedStore) AddToAllowlist(ctx context.Context, cmd allowlist.AddCommand) ([]allowlist.Outcome, error) {
	if s.fails {
		return s.failure.AddToAllowlist(ctx, cmd)
	}
	return s.Store.AddToAllowlist(ctx, cmd)
}

func (s *switchedStore) FileReport(ctx context.Context, cmd report.FileCommand) (report.Report, error) {
	if s.fails {
		return s.failure.FileReport(ctx, cmd)
	}
	return s.Store.FileReport(ctx, cmd)
}

func TestIdempotencyKey_InProgress(t *testing.T) {
	t.Parallel()
	s := startWith(t, setup{wrap: failingWith(idempotency.ErrInProgress)})
	for path, bodies := range repeatable {
		got := s.postKeyed(path, acmeKey, bodies[0], "k")
		requireError(t, got, path, 409, "CONFLICT", "A request with this idempotency key is in progress")
		require.Equal(t, "1", got.Header.Get("Retry-After"))
	}
	require.Empty(t, s.log.String(), "the server did not fail")
}

// A repeat needs the same access as the first request.
func TestIdempotencyKey_AccessLost(t *testing.T) {
	t.Parallel()
	for path, bodies := range repeatable {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			first := s.postKeyed(path, acmeKey, bodies[0], "k")
			requireExecuted(t, first)
			// The other key has the same organization and user.
			require.Contains(t, []int{401, 403}, s.postKeyed(path, powerlessKey, bodies[0], "k").Status, "no scope")
			require.Equal(t, 401, s.postKeyed(path, unknownKey, bodies[0], "k").Status)
			ctx := context.Background()
			rotated, err := s.guard.Keys.Rotate(ctx, account.HashKey(acmeKey), 0)
			require.NoError(t, err)
			require.Equal(t, 401, s.postKeyed(path, acmeKey, bodies[0], "k").Status, "a key that was rotated")
			requireReplay(t, first, s.postKeyed(path, rotated, bodies[0], "k"))
			_, err = s.guard.Keys.Revoke(ctx, account.HashKey(rotated))
			require.NoError(t, err)
			require.Equal(t, 401, s.postKeyed(path, rotated, bodies[0], "k").Status, "a revoked key")
		})
	}
}

// A key belongs to an organization, a user and an operation.
func TestIdempotencyKey_Owner(t *testing.T) {
	t.Parallel()
	s := start(t)
	const other, own = "apg_other_user", "apg_no_user"
	s.addKeyOf(other, 1, 2, account.Scopes()...)
	s.addKeyOf(own, 1, 0, account.Scopes()...)
	type request struct{ path, key, body string }
	var requests []request
	for _, key := range []string{acmeKey, globexKey, other, own, looseKey} {
		requests = append(requests, request{disputePath, key, `{"content":"https://bad.example.com","email":"` + key + `@other.test"}`})
		if key != looseKey {
			requests = append(requests, request{assetsPath, key, `{"assets":[{"content":"https://new.example.com","name":"` + key + `"}]}`})
			requests = append(requests, request{reportPath, key, `{"title":"` + key + `","proposals":[]}`})
		}
	}
	first := make([]response, len(requests))
	for i, r := range requests {
		first[i] = s.postKeyed(r.path, r.key, r.body, "k")
		requireExecuted(t, first[i])
	}
	for i, r := range requests {
		requireReplay(t, first[i], s.postKeyed(r.path, r.key, r.body, "k"))
		// The API key itself does not belong to the owner.
		if r.key == acmeKey {
			s.addKeyOf("apg_same_owner"+r.path, 1, 1, account.Scopes()...)
			requireReplay(t, first[i], s.postKeyed(r.path, "apg_same_owner"+r.path, r.body, "k"))
		}
	}
}
