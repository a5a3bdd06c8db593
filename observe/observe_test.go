package observe_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/observe"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// recorder records the outcomes of operations.
type recorder struct {
	mu       sync.Mutex
	outcomes []observe.Outcome
}

type startedKey struct{}

func (r *recorder) Start(ctx context.Context, operation string) context.Context {
	return context.WithValue(ctx, startedKey{}, operation)
}

func (r *recorder) End(ctx context.Context, outcome observe.Outcome) {
	if ctx.Value(startedKey{}) != outcome.Operation {
		panic("the context is another operation's")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outcomes = append(r.outcomes, outcome)
}

// take returns what was recorded since the last call.
func (r *recorder) take() []observe.Outcome {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() { r.outcomes = nil }()
	return r.outcomes
}

// observed returns a Guard on a store in memory with an organization, and its observer.
func observed(t *testing.T, opts apguard.Options) (*apguard.Guard, *recorder) {
	t.Helper()
	seen := new(recorder)
	opts.Observers = []observe.Observer{seen}
	guard := apguard.New(accounttest.Organizations(t, memory.New(), 1), opts)
	_, err := guard.SetStatus(t.Context(), "evil.example.com", asset.StatusBlocked, asset.Origin{})
	require.NoError(t, err)
	seen.take()
	return guard, seen
}

func items(contents ...string) []allowlist.Item {
	list := make([]allowlist.Item, len(contents))
	for i, content := range contents {
		list[i].Content = content
	}
	return list
}

func TestChecks(t *testing.T) {
	t.Parallel()
	lists := check.ExternalLists{listBlocking("listed.example.com")}
	for reason, c := range map[string]struct {
		contents []string
		want     observe.Outcome
	}{
		"a verdict": {
			[]string{"https://evil.example.com/a"},
			observe.Outcome{Operation: "check", Result: observe.ResultOK, Verdicts: []observe.VerdictCount{{asset.StatusBlocked, check.SourceAsset, 1}}},
		},
		"a verdict of a list": {
			[]string{"listed.example.com"},
			observe.Outcome{Operation: "check", Result: observe.ResultOK, Verdicts: []observe.VerdictCount{{asset.StatusBlocked, check.SourceList, 1}}},
		},
		"a content that is refused": {
			[]string{"hxxps://evil.example.com"},
			observe.Outcome{Operation: "check", Result: observe.ResultRefused, Items: []observe.ItemCount{{observe.Reason(classify.ReasonDefanged), 1}}},
		},
		"a batch": {
			[]string{"evil.example.com", "new.example.com", "", "https://evil.example.com/b", ""},
			observe.Outcome{
				Operation: "check.batch", Result: observe.ResultOK,
				Verdicts: []observe.VerdictCount{{asset.StatusBlocked, check.SourceAsset, 2}, {asset.StatusUnknown, check.SourceNone, 1}},
				Items:    []observe.ItemCount{{observe.Reason(classify.ReasonEmpty), 2}},
			},
		},
		"a batch without contents": {nil, observe.Outcome{Operation: "check.batch", Result: observe.ResultRefused}},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			guard, seen := observed(t, apguard.Options{ExternalLists: lists})
			if len(c.contents) == 1 {
				_, _ = guard.Checks.Check(t.Context(), c.contents[0])
			} else {
				_, _ = guard.Checks.CheckBatch(t.Context(), c.contents)
			}
			require.Equal(t, []observe.Outcome{c.want}, seen.take())
		})
	}
}

// listBlocking is an external list that blocks one asset.
type listBlocking string

func (l listBlocking) Name() string { return "list" }

func (l listBlocking) Status(_ context.Context, identity asset.Identity) (asset.Status, error) {
	if identity.Canonical == string(l) {
		return asset.StatusBlocked, nil
	}
	return asset.StatusUnknown, nil
}

func TestStore_Items(t *testing.T) {
	t.Parallel()
	guard, seen := observed(t, apguard.Options{RefuseBlocked: true})
	add := allowlist.AddRequest{
		OrganizationID: 1,
		Items:          append(items("a.example.com", "a.example.com", "evil.example.com", "b.example.com", ""), allowlist.Item{Content: "c.example.com", GroupID: -1}, allowlist.Item{Content: "c.example.com", ExpiresAt: time.Unix(1, 0)}),
		Idempotency:    idempotency.Key{Text: "one"},
	}
	_, err := guard.Allowlist.Add(t.Context(), add)
	require.NoError(t, err)
	require.Equal(t, []observe.Outcome{{
		Operation: "allowlist.add", Result: observe.ResultOK,
		Changes: []observe.ChangeCount{{asset.StatusAllowed, 2}},
		Items: []observe.ItemCount{
			{observe.ReasonNone, 2}, {observe.ReasonExists, 1}, {observe.ReasonBlocked, 1},
			{observe.Reason(classify.ReasonEmpty), 1}, {observe.ReasonInvalidGroupID, 1}, {observe.ReasonInvalidExpiry, 1},
		},
	}}, seen.take())

	_, err = guard.Allowlist.Add(t.Context(), add)
	require.NoError(t, err)
	require.Equal(t, []observe.Outcome{{Operation: "allowlist.add", Result: observe.ResultOK}}, seen.take(), "a repetition adds nothing")

	add.DryRun = true
	_, err = guard.Allowlist.Add(t.Context(), add)
	require.NoError(t, err)
	require.Equal(t, []observe.Outcome{
		{Operation: "allowlist.add", Result: observe.ResultOK}, {Operation: "asset.find_near", Result: observe.ResultOK},
	}, seen.take(), "a dry run adds nothing")

	_, err = guard.Allowlist.Remove(t.Context(), allowlist.RemoveRequest{OrganizationID: 1, Contents: []string{"a.example.com", "new.example.com", " "}})
	require.NoError(t, err)
	require.Equal(t, []observe.Outcome{{
		Operation: "allowlist.remove", Result: observe.ResultOK,
		Changes: []observe.ChangeCount{{asset.StatusUnknown, 1}},
		Items:   []observe.ItemCount{{observe.ReasonNone, 1}, {observe.ReasonNotListed, 1}, {observe.Reason(classify.ReasonEmpty), 1}},
	}}, seen.take())
}

func TestStore_Changes(t *testing.T) {
	t.Parallel()
	guard, seen := observed(t, apguard.Options{})
	identity := func(content string) asset.Identity {
		result, err := classify.Classify(content)
		require.NoError(t, err)
		return result.Identity
	}
	for range 20 { // the order does not depend on that of a map
		req := asset.SetStatusesRequest{Origin: asset.Origin{Cause: asset.CauseManual}, ConfirmProtected: true}
		for content, status := range map[string]asset.Status{
			"a.example.com": asset.StatusBlocked, "b.example.com": asset.StatusBlocked, "c.example.com": asset.StatusAllowed, "evil.example.com": asset.StatusUnknown,
		} {
			req.Items = append(req.Items, asset.StatusItem{Identity: identity(content), Status: status})
		}
		_, err := guard.Assets.SetStatuses(t.Context(), req)
		require.NoError(t, err)
		require.Equal(t, []observe.Outcome{{
			Operation: "asset.set_status", Result: observe.ResultOK,
			Changes: []observe.ChangeCount{{asset.StatusAllowed, 1}, {asset.StatusBlocked, 2}, {asset.StatusUnknown, 1}},
		}}, seen.take())

		for i, item := range req.Items {
			req.Items[i].Status = asset.StatusUnknown
			if item.Status == asset.StatusUnknown {
				req.Items[i].Status = asset.StatusBlocked
			}
		}
		_, err = guard.Assets.SetStatuses(t.Context(), req)
		require.NoError(t, err)
		require.Equal(t, []observe.ChangeCount{{asset.StatusBlocked, 1}, {asset.StatusUnknown, 3}}, seen.take()[0].Changes)

		_, err = guard.Assets.SetStatuses(t.Context(), req)
		require.NoError(t, err)
		require.Empty(t, seen.take()[0].Changes, "nothing changes")
	}
}

func TestStore_ChangesOfReviews(t *testing.T) {
	t.Parallel()
	guard, seen := observed(t, apguard.Options{})
	filed, err := guard.Reports.File(t.Context(), report.FileRequest{
		OrganizationID: 1, Proposals: []report.ProposalRequest{{Content: "evil.example.com", ProposedStatus: asset.StatusAllowed}},
	})
	require.NoError(t, err)
	seen.take()
	approved, err := guard.Reviews.Review(t.Context(), report.ReviewRequest{
		Scope: report.AnyOrganization(), ProposalID: filed.Proposals[0].ID, Status: report.ReviewApprove, ConfirmProtected: true,
	})
	require.NoError(t, err)
	require.Equal(t, []observe.Outcome{{
		Operation: "report.review", Result: observe.ResultOK, Changes: []observe.ChangeCount{{asset.StatusAllowed, 1}},
	}}, seen.take())

	_, err = guard.Reviews.Withdraw(t.Context(), report.WithdrawRequest{Scope: report.AnyOrganization(), ReviewID: approved.Proposals[0].ReviewID})
	require.NoError(t, err)
	require.Equal(t, []observe.Outcome{{
		Operation: "report.withdraw_review", Result: observe.ResultOK, Changes: []observe.ChangeCount{{asset.StatusBlocked, 1}},
	}}, seen.take())
}

func TestGuard_With(t *testing.T) {
	t.Parallel()
	guard, seen := observed(t, apguard.Options{})
	guard = guard.With(memory.New())
	_, err := guard.Keys.Get(t.Context(), [32]byte{})
	require.Error(t, err)
	require.Equal(t, []observe.Outcome{{Operation: "key.get", Result: observe.ResultRefused}}, seen.take())
	_, err = guard.Checks.Check(t.Context(), "evil.example.com")
	require.NoError(t, err)
	require.Len(t, seen.take(), 1)
}

// brokenStore returns an error, or panics without one.
type brokenStore struct {
	storage.Store
	err error
}

func (s brokenStore) DisputeBacklog(context.Context) (backlog dispute.Backlog, err error) {
	if s.err == nil {
		panic("broken")
	}
	return backlog, s.err
}

func TestStore_Order(t *testing.T) {
	t.Parallel()
	var calls []string
	store := observe.Store(memory.New(), named{"a", &calls}, named{"b", &calls})
	_, err := store.DisputeByID(t.Context(), 1)
	require.Error(t, err)
	require.Equal(t, []string{"start a", "start b", "end b", "end a"}, calls)
}

// named is an observer that records its calls.
type named struct {
	name  string
	calls *[]string
}

func (n named) Start(ctx context.Context, _ string) context.Context {
	*n.calls = append(*n.calls, "start "+n.name)
	return ctx
}

func (n named) End(context.Context, observe.Outcome) { *n.calls = append(*n.calls, "end "+n.name) }

func TestWithoutObservers(t *testing.T) {
	t.Parallel()
	store := memory.New()
	require.Same(t, store, observe.Store(store))
	checker := check.NewService(store, check.Options{})
	require.Same(t, checker, observe.Checks(checker))
}

func TestOutcome_Panic(t *testing.T) {
	t.Parallel()
	seen := new(recorder)
	store := observe.Store(brokenStore{}, seen)
	require.Panics(t, func() { _, _ = store.DisputeBacklog(t.Context()) })
	require.Equal(t, []observe.Outcome{{Operation: "dispute.backlog", Result: observe.ResultFailed}}, seen.take())
}

func TestResult(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		err  error
		want observe.Result
	}{
		"input":                          {new(asset.InputError), observe.ResultRefused},
		"a record that does not exist":   {asset.ErrNotFound, observe.ResultRefused},
		"a sync that is not the last":    {lists.ErrSuperseded, observe.ResultRefused},
		"the caller left":                {context.Canceled, observe.ResultCanceled},
		"a deadline":                     {context.DeadlineExceeded, observe.ResultTimeout},
		"the store is away":              {storage.ErrClosed, observe.ResultUnavailable},
		"a commit without an answer":     {asset.ErrOutcomeUnknown, observe.ResultUnknown},
		"any other error of the store":   {errors.New("disk"), observe.ResultFailed},
		"a request that was sent before": {new(idempotency.ReplayError), observe.ResultOK},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			seen := new(recorder)
			_, _ = observe.Store(brokenStore{err: c.err}, seen).DisputeBacklog(t.Context())
			got := seen.take()[0].Result
			require.Equal(t, c.want, got)
			require.True(t, slices.Contains(observe.Results(), got))
		})
	}
}
