package feed_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/internal/test/contentstest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
)

const (
	// contentsPerAsset and assetsPerName are averages.
	contentsPerAsset = 10
	assetsPerName    = 20
)

// TestReplica_agreement requires that a check, a batch, the mirror and the HTTP API answer the
// same, which is what the covers say, about many contents and a tenth of assets in every store. With fewer
// contents, some kinds of answers are too rare.
func TestReplica_agreement(t *testing.T) {
	t.Parallel()
	n := testsize.Of(3000, 3000, 10_000)
	for name, open := range stores() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			drawn := contentstest.New(n / contentsPerAsset / assetsPerName)
			a := newAgreement(t, open(t))
			a.fill(t, drawn, n/contentsPerAsset)
			answers := make(map[string]int)
			for first := 0; first < n; first += check.MaxItems {
				some := make([]string, min(check.MaxItems, n-first))
				for i := range some {
					some[i] = drawn.Content()
				}
				a.require(t, some, answers)
			}
			t.Logf("%d contents, %d assets: %v", n, len(a.assets), answers)
			kinds := []string{"NONE", "LIST", "EXACT", "URL", "PAGE", "DOMAIN", "ACCOUNT", classify.ErrContentRequired.Error(), classify.ErrInvalidFormat.Error()}
			require.ElementsMatch(t, kinds, slices.Collect(maps.Keys(answers)))
			for kind, count := range answers {
				require.Greater(t, count, n/100, kind)
			}
		})
	}
}

// agreement has everything that checks contents of one store.
type agreement struct {
	guard  *apguard.Guard
	mirror copied
	http   httpChecker
	// assets has the asset of each identity, without the time of its basis.
	assets map[asset.Identity]asset.Known
}

// newAgreement returns an agreement whose mirror does not run.
func newAgreement(t *testing.T, store storage.Store) *agreement {
	t.Helper()
	guard := apguard.New(store, apguard.Options{ExternalLists: check.ExternalLists{lengths{}}})
	return &agreement{
		guard:  guard,
		mirror: newReplica(store, feed.Options{}, mirror.Options{ExternalLists: guard.ExternalLists}),
		http:   newHTTPChecker(t, guard),
		assets: make(map[asset.Identity]asset.Known),
	}
}

// fill sets n assets. The mirror lists the first half of them, and follows the changes of the
// others.
func (a *agreement) fill(t *testing.T, drawn contentstest.Contents, n int) {
	t.Helper()
	identities := drawn.Identities(n)
	a.set(t, drawn, identities[:n/2], "")
	start(t, a.mirror)
	require.NoError(t, a.mirror.Sync(t.Context()))
	a.set(t, drawn, identities[n/4:], asset.ReasonOther)
	require.NoError(t, a.mirror.Sync(t.Context()))
}

// set gives each asset a random status.
func (a *agreement) set(t *testing.T, drawn contentstest.Contents, identities []asset.Identity, reason asset.Reason) {
	t.Helper()
	for some := range slices.Chunk(identities, asset.MaxItems) {
		items := make([]asset.StatusItem, len(some))
		for i, identity := range some {
			items[i] = asset.StatusItem{Identity: identity, Status: drawn.Status()}
		}
		results, err := a.guard.Assets.SetStatuses(t.Context(), asset.SetStatusesRequest{Items: items, Reason: reason, Note: "a note", ConfirmProtected: true})
		require.NoError(t, err)
		for i, result := range results {
			require.NoError(t, result.Err)
			status := items[i].Status
			a.assets[some[i]] = asset.Known{
				Asset: asset.Asset{ID: result.Asset.ID, Identity: some[i], Status: status},
				Basis: asset.Basis{By: asset.SourceOperator, Reason: reason.For(status), Note: "a note"},
			}
		}
	}
}

// require checks the contents in every way, and counts the answers by kind.
func (a *agreement) require(t *testing.T, contents []string, answers map[string]int) {
	t.Helper()
	results, err := a.guard.Checks.CheckBatch(t.Context(), contents)
	require.NoError(t, err)
	copied, err := a.mirror.CheckBatch(t.Context(), contents)
	require.NoError(t, err)
	require.Equal(t, mirroredAll(results), copied)
	batch := a.http.checkBatch(t, contents)
	require.Len(t, batch, len(contents))

	for i, content := range contents {
		want, wantErr := results[i].Verdict, check.ContentError(results[i].Err)
		if wantErr != nil {
			want = check.Verdict{}
		}
		require.Equal(t, content, results[i].Content)
		require.Equal(t, a.match(content), withoutSince(t, results[i].Match), "%q", content)

		got, err := a.guard.Checks.Check(t.Context(), content)
		require.Equal(t, wantErr, err, "%q", content)
		require.Equal(t, want, got, "%q", content)
		got, err = a.mirror.Check(t.Context(), content)
		require.Equal(t, wantErr, err, "%q", content)
		require.Equal(t, mirrored(want), got, "%q", content)
		require.Equal(t, newAnswer(results[i]), batch[i], "%q", content)
		require.Equal(t, newAnswer(results[i]), a.http.check(t, content), "%q", content)
		answers[kindOf(results[i])]++
	}
}

// withoutSince returns the match without the time of its basis, which it must have.
func withoutSince(t *testing.T, match *check.Match) *check.Match {
	t.Helper()
	if match == nil {
		return nil
	}
	require.NotZero(t, match.Since)
	without := *match
	without.Since = time.Time{}
	return &without
}

// match returns the asset that decides: of the first step with an effect, the first that is
// BLOCKED, or else the first that is ALLOWED.
func (a *agreement) match(content string) *check.Match {
	var steps [][]classify.Cover
	covers, _ := check.Covers(content) // none for a content that is refused
	for _, cover := range covers {
		if cover.Step == len(steps) {
			steps = append(steps, nil)
		}
		steps[cover.Step] = append(steps[cover.Step], cover)
	}
	for _, step := range steps {
		first := func(status asset.Status, effects ...classify.CoverEffect) *check.Match {
			for _, cover := range step {
				if found, ok := a.assets[cover.Identity]; ok && found.Status == status && slices.Contains(effects, cover.Effect) {
					return &check.Match{Kind: cover.Kind, Known: found}
				}
			}
			return nil
		}
		if match := first(asset.StatusBlocked, classify.CoverDecides, classify.CoverBlocks); match != nil {
			return match
		}
		match := first(asset.StatusAllowed, classify.CoverDecides)
		if match != nil && first(asset.StatusBlocked, classify.CoverWithholds) == nil {
			return match
		}
	}
	return nil
}

// kindOf returns the kind of the match, or else the source or the error.
func kindOf(result check.Result) string {
	switch {
	case errors.Is(result.Err, classify.ErrContentRequired):
		return classify.ErrContentRequired.Error()
	case errors.Is(result.Err, classify.ErrInvalidFormat):
		return classify.ErrInvalidFormat.Error()
	case result.Match != nil:
		return string(result.Match.Kind)
	default:
		return string(result.Source)
	}
}

// mirrored returns the verdict that a mirror has in its place: of the basis of its match, it has the reason alone.
func mirrored(verdict check.Verdict) check.Verdict {
	if verdict.Match != nil {
		match := *verdict.Match
		match.Basis = asset.Basis{Reason: match.Reason}
		verdict.Match = &match
	}
	return verdict
}

func mirroredAll(results []check.Result) []check.Result {
	results = slices.Clone(results)
	for i := range results {
		results[i].Verdict = mirrored(results[i].Verdict)
	}
	return results
}

var errDown = errors.New("the list is down")

// lengths is an external list whose verdict depends on the length of the canonical form.
type lengths struct{}

func (lengths) Name() string { return "Lengths" }

func (lengths) Status(_ context.Context, identity asset.Identity) (asset.Status, error) {
	switch len(identity.Canonical) % 5 {
	case 0:
		return asset.StatusBlocked, nil
	case 1:
		return asset.StatusAllowed, nil
	case 2:
		return "", errDown
	default:
		return asset.StatusUnknown, nil
	}
}

// answer is what the HTTP API tells about a content.
type answer struct {
	Content   string       `json:"content"`
	Type      asset.Type   `json:"type"`
	Canonical string       `json:"canonical"`
	Status    asset.Status `json:"status"`
	Source    check.Source `json:"source"`
	Match     *matchAnswer `json:"match"`
	Lists     []listAnswer `json:"lists"`
	Error     string       `json:"error"`
}

type matchAnswer struct {
	Kind    classify.CoverKind `json:"kind"`
	AssetID int64              `json:"assetId"`
	Type    asset.Type         `json:"type"`
	Content string             `json:"content"`
	Status  asset.Status       `json:"status"`
	asset.Basis
}

type listAnswer struct {
	Name   string       `json:"name"`
	Status asset.Status `json:"status"`
}

// The errors of an answer.
const (
	contentRequired = "Content is required"
	invalidFormat   = "Invalid asset format"
)

// newAnswer returns the answer that a result must have.
func newAnswer(result check.Result) answer {
	switch {
	case errors.Is(result.Err, classify.ErrContentRequired):
		return answer{Content: result.Content, Error: contentRequired}
	case errors.Is(result.Err, classify.ErrInvalidFormat):
		return answer{Content: result.Content, Error: invalidFormat}
	}
	a := answer{
		Content: result.Content, Type: result.Type, Canonical: result.Canonical,
		Status: result.Status, Source: result.Source, Lists: []listAnswer{},
	}
	if match := result.Match; match != nil {
		a.Match = &matchAnswer{match.Kind, match.ID, match.Type, match.Canonical, match.Status, match.Basis}
	}
	for _, verdict := range result.Lists {
		a.Lists = append(a.Lists, listAnswer{verdict.List, verdict.Status})
	}
	return a
}

// httpChecker checks contents over HTTP.
type httpChecker struct {
	handler http.Handler
	key     string
}

func newHTTPChecker(t *testing.T, guard *apguard.Guard) httpChecker {
	t.Helper()
	require.NoError(t, guard.Accounts.PutOrganization(t.Context(), account.Organization{ID: 1, Slug: "acme"}))
	key, err := guard.Keys.Create(t.Context(), account.KeyRequest{OrganizationID: 1, Scopes: []account.Scope{account.ScopeCheck}})
	require.NoError(t, err)
	api, err := httpapi.New(guard, httpapi.APIKeys(guard.Keys), httpapi.Options{})
	require.NoError(t, err)
	mux := http.NewServeMux()
	api.Mount(mux, "/api")
	return httpChecker{mux, key}
}

func (h httpChecker) checkBatch(t *testing.T, contents []string) []answer {
	t.Helper()
	var reply struct {
		Results []answer `json:"results"`
	}
	status := h.post(t, "/api/asset/check/batch", map[string]any{"contents": contents}, &reply)
	require.Equal(t, http.StatusOK, status)
	return reply.Results
}

// check returns the answer. The error of a refused content is that of a batch.
func (h httpChecker) check(t *testing.T, content string) answer {
	t.Helper()
	var reply struct {
		answer

		Issues []struct{ Message string }
	}
	status := h.post(t, "/api/asset/check", map[string]any{"content": content}, &reply)
	if status == http.StatusOK {
		return reply.answer
	}
	require.Equal(t, http.StatusBadRequest, status)
	require.Len(t, reply.Issues, 1)
	if reply.Issues[0].Message == "content: is required" {
		return answer{Content: content, Error: contentRequired}
	}
	require.True(t, strings.HasPrefix(reply.Issues[0].Message, "content: "))
	return answer{Content: content, Error: invalidFormat}
}

// post sends a request and decodes the body of the response.
func (h httpChecker) post(t *testing.T, path string, body, reply any) (status int) {
	t.Helper()
	text, err := json.Marshal(body)
	require.NoError(t, err)
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(string(text)))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-API-KEY", h.key)
	response := httptest.NewRecorder()
	h.handler.ServeHTTP(response, request)
	require.NoError(t, json.Unmarshal(response.Body.Bytes(), reply), response.Body)
	return response.Code
}
