package client_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/report"
)

// all returns the items of a sequence, which has no error.
func all[T any](tb testing.TB, items func(func(T, error) bool)) []T {
	tb.Helper()
	var found []T
	for one, err := range items {
		require.NoError(tb, err)
		found = append(found, one)
	}
	return found
}

// last returns how many items a sequence has, and the error that ends it.
func last[T any](tb testing.TB, items func(func(T, error) bool)) (count int, failed error) {
	tb.Helper()
	for one, err := range items {
		require.NoError(tb, failed, "nothing comes after an error")
		if failed = err; err != nil {
			require.Zero(tb, one)
		} else {
			count++
		}
	}
	return count, failed
}

// badBasis is the basis of bad.example.com.
func badBasis() asset.Basis {
	return asset.Basis{By: asset.SourceOperator, Reason: asset.ReasonOther, Since: time.Date(2025, 1, 5, 10, 0, 0, 0, time.UTC)}
}

// badAsset is bad.example.com.
func badAsset() asset.Asset {
	return asset.Asset{ID: 1, Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://bad.example.com"}, Status: asset.StatusBlocked}
}

func TestClient_Check(t *testing.T) {
	t.Parallel()
	c := newOrigin(t, httpapi.Options{}, nil).client(t, acmeKey)
	verdict, err := c.Check(t.Context(), "https://bad.example.com/a?x=1&y=<2>")
	require.NoError(t, err)
	require.Equal(t, check.Verdict{
		Content: "https://bad.example.com/a?x=1&y=<2>", Identity: asset.Identity{Type: asset.TypeURL, Canonical: verdict.Canonical},
		Status: asset.StatusBlocked, Source: check.SourceAsset,
		Match: &check.Match{Kind: classify.CoverURL, Known: asset.Known{Asset: badAsset(), Basis: badBasis()}},
	}, verdict)

	_, err = c.Check(t.Context(), "no asset")
	require.ErrorIs(t, err, client.ErrInvalid)
	require.ErrorIs(t, err, classify.ErrInvalidFormat)
	require.NotErrorIs(t, err, classify.ErrContentRequired)
	require.Equal(t, classify.ReasonForbiddenCharacter, failure(t, err).Issues[0].Reason)
	require.Contains(t, failure(t, err).Issues[0].Message, "content: ")
	_, err = c.Check(t.Context(), "not \xff UTF-8")
	require.ErrorIs(t, err, client.ErrInvalid)
	_, err = c.Check(t.Context(), " ")
	require.ErrorIs(t, err, classify.ErrContentRequired)
}

func TestClient_Check_listsFailed(t *testing.T) {
	t.Parallel()
	c := serve(t, client.Options{}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, err := io.WriteString(w, `{"content":"x.dev","type":"PAGE","canonical":"x.dev","status":"UNKNOWN","source":"NONE","match":null,"lists":[],"listsFailed":["Down"]}`)
		assert.NoError(t, err)
	})
	verdict, err := c.Check(t.Context(), "x.dev")
	require.NoError(t, err)
	require.Equal(t, []string{"Down"}, verdict.ListsFailed.Names())
	require.ErrorIs(t, verdict.ListsFailed.Err(), check.ErrListFailed)
}

// Every way to read an asset has all members of its basis.
func TestClient_basis(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, httpapi.Options{}, nil)
	c := o.client(t, acmeKey)
	_, err := o.guard.Lists.Add(t.Context(), lists.List{Name: "phantom", Format: lists.Domains, Reason: asset.ReasonDrainer})
	require.NoError(t, err)
	_, err = o.guard.Lists.Sync(t.Context(), lists.SyncRequest{Name: "phantom", File: strings.NewReader("listed.example.com\n")})
	require.NoError(t, err)
	_, err = o.guard.Assets.SetStatus(t.Context(), asset.SetStatusRequest{
		Identity: asset.Identity{Type: asset.TypePage, Canonical: "shop.example.com"}, Status: asset.StatusBlocked,
		Reason: asset.ReasonCounterfeit, Note: `"shoes" <b>`,
	})
	require.NoError(t, err)
	for content, want := range map[string]asset.Basis{
		"listed.example.com": {By: asset.SourceList, List: "phantom", Reason: asset.ReasonDrainer},
		"shop.example.com":   {By: asset.SourceOperator, Reason: asset.ReasonCounterfeit, Note: `"shoes" <b>`},
	} {
		verdict, err := c.Check(t.Context(), content)
		require.NoError(t, err)
		require.NotZero(t, verdict.Match.Since)
		want.Since = verdict.Match.Since
		require.Equal(t, want, verdict.Match.Basis)

		listed := all(t, c.Assets(t.Context(), client.AssetsRequest{Prefix: content}))
		require.Len(t, listed, 1)
		require.Equal(t, verdict.Match.Known, listed[0].Known)
		export, err := c.Export(t.Context(), client.ExportRequest{})
		require.NoError(t, err)
		require.Contains(t, all(t, export.Assets()), listed[0])
		require.NoError(t, export.Close())
		page, err := c.Feed(t.Context(), client.FeedRequest{})
		require.NoError(t, err)
		require.True(t, slices.ContainsFunc(page.Changes, func(change asset.Change) bool { return change.Known() == listed[0].Known }))
	}
}

func TestClient_Caller(t *testing.T) {
	t.Parallel()
	c := newOrigin(t, httpapi.Options{}, nil).client(t, acmeKey)
	caller, err := c.Caller(t.Context())
	require.NoError(t, err)
	require.Equal(t, account.Fingerprint(account.HashKey(acmeKey)), caller.Fingerprint)
	require.Equal(t, "acme", caller.Organization.Slug)
	require.Contains(t, caller.Scopes, account.ScopeCheck)
	require.Zero(t, caller.ExpiresAt)
}

func TestClient_CheckBatch(t *testing.T) {
	t.Parallel()
	c := newOrigin(t, httpapi.Options{}, nil).client(t, acmeKey)
	results, err := c.CheckBatch(t.Context(), []string{"good.example.com", "", "https://unknown.example", "x \xff\xfe y"})
	require.NoError(t, err)
	require.Len(t, results, 4)
	require.Equal(t, asset.StatusAllowed, results[0].Status)
	require.Equal(t, classify.CoverExact, results[0].Match.Kind)
	require.Equal(t, check.Result{Err: &classify.Error{Reason: classify.ReasonEmpty}}, results[1])
	require.Equal(t, check.SourceNone, results[2].Source)
	require.ErrorIs(t, results[3].Err, classify.ErrInvalidFormat)
	require.Equal(t, "x \xff\xfe y", results[3].Content)

	_, err = c.CheckBatch(t.Context(), nil)
	require.ErrorIs(t, err, client.ErrInvalid)
}

// A client is a Checker that answers as the service of its server does.
func TestClient_checksAsTheService(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, httpapi.Options{}, nil)
	local, remote := o.guard.Checks, o.client(t, acmeKey)
	contents := []string{
		"https://bad.example.com/a", "https:bad.example.com", "a@good.example.com", "https://sub.good.example.com", "@jack",
		"0x00000000219ab540356cBB839Cbe05303d7705Fa", "https://quiet.example.com", "no asset", "", "https://a.b\u202e", "x.unknownsuffix",
	}
	want, err := local.CheckBatch(t.Context(), contents)
	require.NoError(t, err)
	got, err := remote.CheckBatch(t.Context(), contents)
	require.NoError(t, err)
	for i, content := range contents {
		one, err := remote.Check(t.Context(), content)
		if want[i].Err == nil {
			require.NoError(t, err, content)
			require.Equal(t, want[i], got[i])
			require.Equal(t, want[i].Verdict, one)
			continue
		}
		require.Equal(t, content, got[i].Content)
		for _, kind := range []error{classify.ErrContentRequired, classify.ErrInvalidFormat} {
			is := errors.Is(want[i].Err, kind)
			require.Equal(t, is, errors.Is(got[i].Err, kind), content)
			require.Equal(t, is, errors.Is(err, kind), content)
		}
		var local, remote *classify.Error
		require.ErrorAs(t, want[i].Err, &local)
		require.ErrorAs(t, got[i].Err, &remote)
		require.Equal(t, local.Reason, remote.Reason, content)
	}
}

func TestClient_Changelog(t *testing.T) {
	t.Parallel()
	c := newOrigin(t, httpapi.Options{}, nil).client(t, acmeKey)
	changes := all(t, c.Changelog(t.Context(), client.ChangelogRequest{}))
	require.Len(t, changes, 2)
	require.Equal(t, asset.Change{
		AssetID: 2, Type: asset.TypePage, Content: "good.example.com", From: asset.StatusUnknown, To: asset.StatusAllowed,
		At: time.Date(2025, 1, 5, 11, 0, 0, 0, time.UTC),
	}, changes[0])
	require.Empty(t, all(t, c.Changelog(t.Context(), client.ChangelogRequest{StartDate: "2025-01-06"})))
	for _, err := range c.Changelog(t.Context(), client.ChangelogRequest{}) {
		require.NoError(t, err)
		break // and closes the connection
	}
	_, err := last(t, c.Changelog(t.Context(), client.ChangelogRequest{StartDate: "January"}))
	require.ErrorIs(t, err, client.ErrInvalid)
}

func TestClient_Feed(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, httpapi.Options{}, nil)
	c := o.client(t, acmeKey)
	page, err := c.Feed(t.Context(), client.FeedRequest{Limit: 1})
	require.NoError(t, err)
	require.Len(t, page.Changes, 1)
	next, err := c.Feed(t.Context(), client.FeedRequest{Cursor: page.Cursor})
	require.NoError(t, err)
	require.Len(t, next.Changes, 1)
	require.Zero(t, next.Age)
	end, err := c.Feed(t.Context(), client.FeedRequest{Cursor: client.FeedEnd})
	require.NoError(t, err)
	require.Equal(t, client.FeedPage{Changes: []asset.Change{}, Cursor: next.Cursor, Rules: classify.Version}, end)

	_, err = c.Feed(t.Context(), client.FeedRequest{Cursor: "nonsense"})
	require.ErrorIs(t, err, client.ErrCursor)
	require.ErrorIs(t, err, asset.ErrMalformedCursor)
	require.NotErrorIs(t, err, asset.ErrPrunedCursor)
	_, err = c.Feed(t.Context(), client.FeedRequest{Wait: time.Hour})
	require.ErrorIs(t, err, client.ErrInvalid)
	require.NotErrorIs(t, err, client.ErrCursor)
}

func TestClient_Feed_refusedCursors(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, httpapi.Options{}, nil)
	c := o.client(t, acmeKey)
	feed, err := o.guard.Feed.State(t.Context())
	require.NoError(t, err)
	_, err = c.Feed(t.Context(), client.FeedRequest{Cursor: feed.Cursor(feed.Last + 1).String()})
	require.ErrorIs(t, err, asset.ErrFutureCursor)
	require.ErrorIs(t, err, client.ErrCursor)

	first, err := c.Feed(t.Context(), client.FeedRequest{Limit: 1})
	require.NoError(t, err)
	for _, status := range []asset.Status{asset.StatusAllowed, asset.StatusBlocked} {
		_, err := o.guard.SetStatus(t.Context(), "good.example.com", status, asset.Origin{})
		require.NoError(t, err)
	}
	_, err = o.guard.History.Prune(t.Context(), time.Now().Add(time.Hour))
	require.NoError(t, err)
	_, err = c.Feed(t.Context(), client.FeedRequest{Cursor: first.Cursor})
	require.ErrorIs(t, err, asset.ErrPrunedCursor)
	require.ErrorIs(t, err, client.ErrCursor)
	require.Equal(t, http.StatusGone, failure(t, err).Status)
}

// A follower continues from the cursor of an export, and hears of a change while it waits.
func TestClient_Follow(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, httpapi.Options{}, nil)
	c := o.client(t, acmeKey)
	export, err := c.Export(t.Context(), client.ExportRequest{})
	require.NoError(t, err)
	require.NoError(t, export.Close())

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	set := func(content string) {
		_, err := o.guard.SetStatus(ctx, content, asset.StatusBlocked, asset.Origin{})
		require.NoError(t, err)
	}
	set("one.dev")
	var contents []string
	var failed error
	for page, err := range c.Follow(ctx, export.Cursor) {
		if failed = err; err != nil {
			break
		}
		for _, change := range page.Changes {
			contents = append(contents, change.Content)
		}
		if len(contents) == 1 {
			time.AfterFunc(10*time.Millisecond, func() { set("two.dev") })
		} else {
			time.AfterFunc(10*time.Millisecond, cancel)
		}
	}
	require.ErrorIs(t, failed, context.Canceled)
	require.NotErrorIs(t, failed, client.ErrUnavailable)
	require.Equal(t, []string{"one.dev", "two.dev"}, contents)
}

func TestClient_Assets(t *testing.T) {
	t.Parallel()
	c := newOrigin(t, httpapi.Options{}, nil).client(t, acmeKey)
	page, err := c.ListAssets(t.Context(), client.AssetsRequest{Limit: 2})
	require.NoError(t, err)
	require.Equal(t, int64(2), page.NextCursor)
	found := all(t, c.Assets(t.Context(), client.AssetsRequest{Limit: 1}))
	require.Equal(t, page.Assets, found[:2])
	require.Len(t, found, 3)
	require.Equal(t, client.Asset{
		Listed:  asset.Listed{Known: asset.Known{Asset: badAsset(), Basis: badBasis()}, UpdatedAt: time.Date(2025, 1, 5, 10, 0, 0, 0, time.UTC)},
		Content: "https://bad.example.com",
	}, found[0])
	require.Zero(t, found[2].Basis)
	require.True(t, found[2].UpdatedAt.IsZero())
	since := client.AssetsRequest{ChangedSince: time.Date(2025, 1, 5, 12, 0, 0, 0, time.FixedZone("CET", 3600))}
	require.Len(t, all(t, c.Assets(t.Context(), since)), 1)
	require.Len(t, all(t, c.Assets(t.Context(), client.AssetsRequest{Cursor: 1})), 2)
	_, err = last(t, c.Assets(t.Context(), client.AssetsRequest{Status: "NONE"}))
	require.ErrorIs(t, err, client.ErrInvalid)
}

func TestClient_Export(t *testing.T) {
	t.Parallel()
	c := newOrigin(t, httpapi.Options{}, nil).client(t, acmeKey)
	for status, want := range map[client.ExportStatus]int{"": 1, client.ExportBlocked: 1, client.ExportAllowed: 1, client.ExportAny: 2} {
		export, err := c.Export(t.Context(), client.ExportRequest{Status: status})
		require.NoError(t, err)
		require.NotEmpty(t, export.Cursor)
		require.Equal(t, classify.Version, export.Rules)
		require.Len(t, all(t, export.Assets()), want, status)
		require.NoError(t, export.Close())
		_, err = c.Export(t.Context(), client.ExportRequest{Status: status, ETag: export.ETag})
		require.ErrorIs(t, err, client.ErrNotModified)
	}
	_, err := c.Export(t.Context(), client.ExportRequest{Status: "ALL"})
	require.ErrorIs(t, err, client.ErrInvalid)
}

func TestClient_Allowlist(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, httpapi.Options{}, nil)
	c := o.client(t, acmeKey)
	ends := time.Now().Add(time.Hour).UTC().Truncate(time.Millisecond)
	request := client.AddRequest{Assets: []client.Item{
		{Content: "new.example.com", Name: "New", Description: "Shop", GroupID: 7, ExpiresAt: ends},
		{Content: "nonsense nonsense"},
	}, DryRun: true}
	dry, err := c.AddToAllowlist(t.Context(), request)
	require.NoError(t, err)
	require.True(t, dry.DryRun)
	require.Equal(t, client.AddResult{Content: "new.example.com", Success: true, Verdict: asset.StatusUnknown}, dry.Results[0])

	request.DryRun, request.IdempotencyKey = false, "k1"
	added, err := c.AddToAllowlist(t.Context(), request)
	require.NoError(t, err)
	require.Equal(t, client.AddResponse{Results: []client.AddResult{
		{Content: "new.example.com", Success: true, ID: added.Results[0].ID},
		{Content: "nonsense nonsense", Error: "Invalid asset format"},
	}, SuccessCount: 1, ErrorCount: 1}, added)
	again, err := c.AddToAllowlist(t.Context(), request)
	require.NoError(t, err)
	require.True(t, again.Replayed)
	again.Replayed = false
	require.Equal(t, added, again)

	request.Assets = request.Assets[:1]
	_, err = c.AddToAllowlist(t.Context(), request)
	require.ErrorIs(t, err, client.ErrReused)
	require.Equal(t, "k1", failure(t, err).IdempotencyKey)
	request = client.AddRequest{Assets: []client.Item{{Content: "x.example.com", GroupID: 99}}}
	_, err = c.AddToAllowlist(t.Context(), request)
	require.ErrorIs(t, err, client.ErrNotFound)
	require.ErrorContains(t, err, "Group with ID 99 not found")
	require.NotEmpty(t, failure(t, err).IdempotencyKey, "every write has a key")

	entries := all(t, c.Allowlist(t.Context(), client.AllowlistRequest{GroupID: 7, Prefix: "new", Status: asset.StatusAllowed}))
	require.Len(t, entries, 1)
	require.WithinDuration(t, time.Now(), entries[0].AddedAt, time.Hour)
	entries[0].AddedAt = time.Time{}
	require.Equal(t, client.Entry{
		ID: added.Results[0].ID, Type: asset.TypePage, Content: "new.example.com", Submitted: "new.example.com",
		Name: "New", Description: "Shop", GroupID: 7, ExpiresAt: ends, Status: asset.StatusAllowed,
	}, entries[0])

	removed, err := c.RemoveFromAllowlist(t.Context(), client.RemoveRequest{IDs: []int64{entries[0].ID, 12345}, IdempotencyKey: "k2"})
	require.NoError(t, err)
	require.Equal(t, client.RemoveResponse{Results: []client.RemoveResult{
		{ID: entries[0].ID, Success: true}, {ID: 12345, Error: "Asset not found in organization"},
	}, SuccessCount: 1, ErrorCount: 1}, removed)
	removed, err = c.RemoveFromAllowlist(t.Context(), client.RemoveRequest{Contents: []string{"new.example.com"}})
	require.NoError(t, err)
	require.Equal(t, 1, removed.ErrorCount)
	_, err = c.RemoveFromAllowlist(t.Context(), client.RemoveRequest{})
	require.ErrorIs(t, err, client.ErrInvalid)
}

func TestClient_Allowlist_pages(t *testing.T) {
	t.Parallel()
	c := newOrigin(t, httpapi.Options{}, nil).client(t, acmeKey)
	_, err := c.AddToAllowlist(t.Context(), client.AddRequest{Assets: []client.Item{
		{Content: "a.dev"}, {Content: "b.dev"}, {Content: "c.dev"},
	}})
	require.NoError(t, err)
	require.Len(t, all(t, c.Allowlist(t.Context(), client.AllowlistRequest{Limit: 2})), 3)
}

func TestClient_CreateDispute(t *testing.T) {
	t.Parallel()
	c := newOrigin(t, httpapi.Options{}, nil).client(t, acmeKey)
	request := client.DisputeRequest{
		Content: "https://bad.example.com", Email: "owner@example.com", Description: "It is ours", IdempotencyKey: "k",
	}
	created, err := c.CreateDispute(t.Context(), request)
	require.NoError(t, err)
	require.Equal(t, client.CreatedDispute{ID: created.ID, Content: "https://bad.example.com"}, created)
	again, err := c.CreateDispute(t.Context(), request)
	require.NoError(t, err)
	require.Equal(t, client.CreatedDispute{ID: created.ID, Content: "https://bad.example.com", Replayed: true}, again)
	request.IdempotencyKey = ""
	_, err = c.CreateDispute(t.Context(), request)
	require.ErrorIs(t, err, client.ErrInvalid, "it exists already")
	request.Content = "https://nowhere.example"
	_, err = c.CreateDispute(t.Context(), request)
	require.ErrorIs(t, err, client.ErrNotFound)
}

func TestClient_GetDispute(t *testing.T) {
	t.Parallel()
	o := newOrigin(t, httpapi.Options{}, nil)
	c := o.client(t, acmeKey)
	created, err := c.CreateDispute(t.Context(), client.DisputeRequest{Content: "https://bad.example.com"})
	require.NoError(t, err)
	got, err := c.GetDispute(t.Context(), created.ID)
	require.NoError(t, err)
	want := client.OwnDispute{
		ID: created.ID, State: dispute.StateOpen, CreatedAt: got.CreatedAt,
		Asset: badAsset(),
	}
	require.WithinDuration(t, time.Now(), got.CreatedAt, time.Minute)
	require.Equal(t, want, got)
	_, err = o.guard.DisputeQueue.Resolve(t.Context(), dispute.ResolveRequest{
		DisputeID: created.ID, State: dispute.StateRejected, Reason: "It copies a login page.",
	})
	require.NoError(t, err)
	got, err = c.GetDispute(t.Context(), created.ID)
	require.NoError(t, err)
	want.State, want.Reason, want.ClosedAt = dispute.StateRejected, "It copies a login page.", got.ClosedAt
	require.False(t, got.ClosedAt.Before(got.CreatedAt))
	require.Equal(t, want, got)
	_, err = o.client(t, looseKey).GetDispute(t.Context(), created.ID)
	require.ErrorIs(t, err, client.ErrNotFound, "a dispute of others")
	_, err = c.GetDispute(t.Context(), 0)
	require.ErrorIs(t, err, client.ErrInvalid)
}

func TestClient_CreateReport(t *testing.T) {
	t.Parallel()
	c := newOrigin(t, httpapi.Options{}, nil).client(t, acmeKey)
	request := client.ReportRequest{
		Title: "Fake shop", Description: "It copies ours.", IdempotencyKey: "k",
		Proposals: []client.ProposalRequest{{Content: "HTTPS://Shop.example.net/", ProposedStatus: asset.StatusBlocked}},
	}
	created, err := c.CreateReport(t.Context(), request)
	require.NoError(t, err)
	require.False(t, created.Replayed)
	require.Equal(t, report.StatusTodo, created.Status)
	require.Equal(t, "https://shop.example.net", created.Proposals[0].Asset.Canonical)
	page, err := c.ListReports(t.Context(), client.ReportsRequest{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, []client.Report{created.Report}, page.Reports)
	again, err := c.CreateReport(t.Context(), request)
	require.NoError(t, err)
	require.Equal(t, client.CreatedReport{Report: created.Report, Replayed: true}, again)
	request.Title = "Another"
	_, err = c.CreateReport(t.Context(), request)
	require.ErrorIs(t, err, client.ErrReused)
	without, err := c.CreateReport(t.Context(), client.ReportRequest{Title: "No asset"})
	require.NoError(t, err)
	require.Empty(t, without.Proposals)
	_, err = c.CreateReport(t.Context(), client.ReportRequest{Proposals: []client.ProposalRequest{{}}})
	require.ErrorIs(t, err, client.ErrInvalid)
}

func TestClient_Reports(t *testing.T) {
	t.Parallel()
	c := newOrigin(t, httpapi.Options{}, nil).client(t, acmeKey)
	reports := all(t, c.Reports(t.Context(), client.ReportsRequest{Limit: 1}))
	require.Len(t, reports, 2)
	require.Zero(t, reports[0].Reporter)
	at := time.Date(2025, 1, 5, 10, 0, 0, 0, time.UTC)
	require.Equal(t, client.Report{
		ID: 1, Title: "Bad site", Description: "It lies", Status: report.StatusClosed, CreatedAt: at, UpdatedAt: at.Add(time.Minute), BrandID: 3,
		Reporter: report.Reporter{ID: 1, FullName: "Ada Lovelace", Email: "ada@acme.test"},
		Proposals: []client.Proposal{{
			ID:             reports[1].Proposals[0].ID,
			Asset:          badAsset(),
			ProposedStatus: asset.StatusBlocked, ReviewStatus: report.ReviewApprove, ReviewedBy: 1, ReviewedAt: at.Add(time.Minute),
		}},
	}, reports[1])
	for reason, request := range map[string]client.ReportsRequest{
		"status": {Status: report.StatusClosed}, "search": {SearchQuery: "bad"}, "reporter": {ReporterQuery: "ada"},
		"reviews": {ReviewStatuses: []report.ReviewStatus{report.ReviewApprove, report.ReviewSkip}}, "reviewer": {ReviewedBy: 1},
		"brands": {BrandIDs: []int64{3, 4}}, "days": {StartDate: "2025-01-05", EndDate: "2025-01-05T10:30:00Z"},
	} {
		require.Len(t, all(t, c.Reports(t.Context(), request)), 1, reason)
	}
	require.Empty(t, all(t, c.Reports(t.Context(), client.ReportsRequest{OnlyRejected: true, ExcludeAutomation: true})))
}
