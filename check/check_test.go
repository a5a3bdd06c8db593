package check_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/test/contentstest"
)

// fakeStore has the assets of statuses. It counts the calls and fails with err, if that is
// not nil.
type fakeStore struct {
	statuses
	err   error
	calls [][]asset.Identity
}

func (s *fakeStore) AssetsByIdentity(_ context.Context, identities []asset.Identity) ([]asset.Known, error) {
	s.calls = append(s.calls, identities)
	var found []asset.Known
	for _, identity := range identities {
		if one, ok := s.find(identity); ok {
			found = append(found, one)
		}
	}
	return found, s.err
}

func TestService_Check(t *testing.T) {
	t.Parallel()
	store := &fakeStore{statuses: statuses{page("bad.example.com"): asset.StatusBlocked}}
	down := errors.New("the list is down")
	service := check.NewService(store, check.Options{ExternalLists: check.ExternalLists{listThat("Down", "", down)}})

	got, err := service.Check(t.Context(), " https://login.BAD.example.com/x ")
	require.NoError(t, err)
	require.Equal(t, check.Verdict{
		Content:  " https://login.BAD.example.com/x ",
		Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://login.bad.example.com/x"},
		Status:   asset.StatusBlocked,
		Source:   check.SourceAsset,
		Match: &check.Match{
			Kind:  classify.CoverDomain,
			Known: asset.Known{Asset: asset.Asset{ID: 7, Identity: page("bad.example.com"), Status: asset.StatusBlocked}},
		},
		ListsFailed: check.ListFailures{{List: "Down", Err: down}},
	}, got)
	require.Len(t, store.calls, 1)
}

func TestNewService_noLists(t *testing.T) {
	t.Parallel()
	service := check.NewService(&fakeStore{statuses: statuses{page("bad.example.com"): asset.StatusBlocked}}, check.Options{})
	blocked, err := service.Check(t.Context(), "https://bad.example.com")
	require.NoError(t, err)
	require.Equal(t, asset.StatusBlocked, blocked.Status)
	results, err := service.CheckBatch(t.Context(), []string{"https://other.example.com"})
	require.NoError(t, err)
	require.Equal(t, check.SourceNone, results[0].Source)
	require.Empty(t, results[0].ListsFailed)
}

func TestService_Check_refused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, content string
		want          error
		message       string
	}{
		{"empty", "", classify.ErrContentRequired, "content: is required"},
		{"blank", " \t\n", classify.ErrContentRequired, "content: is required"},
		{"not recognized", "no asset", classify.ErrInvalidFormat, "content: inner white space"},
		{"a secret", "5KJvsngHeMpm884wtkJNzQGaCErckhHJBGFsvd3VyK5qMZXj3hS", classify.ErrInvalidFormat, "content: possible private key"},
		{"invalid UTF-8", "exam\xffple.com", classify.ErrInvalidFormat, "content: invalid UTF-8"},
		{"NUL", "https://exam\x00ple.com", classify.ErrInvalidFormat, "content: inner white space, control character"},
		{"too long", strings.Repeat("a", classify.MaxContent+1), classify.ErrInvalidFormat, "content: content or canonical form longer"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			store := &fakeStore{}
			service := check.NewService(store, check.Options{})
			got, err := service.Check(t.Context(), test.content)
			require.ErrorIs(t, err, test.want)
			require.ErrorIs(t, err, asset.ErrInvalid)
			require.ErrorContains(t, err, test.message)
			require.Zero(t, got)

			results, err := service.CheckBatch(t.Context(), []string{test.content})
			require.NoError(t, err)
			require.ErrorIs(t, results[0].Err, test.want)
			require.Equal(t, check.Verdict{Content: test.content}, results[0].Verdict)
			require.Empty(t, store.calls, "there is nothing to read")
		})
	}
}

func TestService_CheckBatch(t *testing.T) {
	t.Parallel()
	store := &fakeStore{statuses: statuses{page("example.com"): asset.StatusAllowed}}
	service := check.NewService(store, check.Options{ExternalLists: check.ExternalLists{listThat("Blocks", asset.StatusBlocked, nil)}})
	contents := []string{"https://a.example.com", "no asset", "https://b.example.com", "https://a.example.com", "other.example.org"}

	results, err := service.CheckBatch(t.Context(), contents)
	require.NoError(t, err)
	require.Len(t, results, len(contents))
	require.Len(t, store.calls, 1)
	require.Len(t, store.calls[0], 24, "the covers of each content")

	for i, content := range contents {
		require.Equal(t, content, results[i].Content)
		if content == "no asset" {
			require.ErrorIs(t, results[i].Err, classify.ErrInvalidFormat)
			continue
		}
		want, err := service.Check(t.Context(), content)
		require.NoError(t, err)
		require.Equal(t, check.Result{Verdict: want}, results[i])
	}
	require.Equal(t, check.SourceList, results[4].Source)
}

// Assets that are classified already have the verdicts of their canonical forms.
func TestService_CheckAssets(t *testing.T) {
	t.Parallel()
	drawn := contentstest.New(20)
	var (
		identities []asset.Identity
		contents   []string
		stored     = make(statuses)
	)
	for len(identities) < check.MaxItems {
		result, err := classify.Classify(drawn.Content())
		if err != nil {
			continue
		}
		identities, contents = append(identities, result.Identity), append(contents, result.Canonical)
		if n := len(identities); n%7 == 0 {
			covers := classify.Covering(result.Identity)
			stored[covers[len(covers)-1].Identity] = []asset.Status{asset.StatusBlocked, asset.StatusAllowed}[n%2]
		}
	}
	service := check.NewService(&fakeStore{statuses: stored}, check.Options{})
	want, err := service.CheckBatch(t.Context(), contents)
	require.NoError(t, err)
	got, err := service.CheckAssets(t.Context(), identities)
	require.NoError(t, err)
	for i := range want {
		require.Equal(t, want[i], got[i])
	}
	decided := slices.ContainsFunc(got, func(r check.Result) bool {
		return r.Status == asset.StatusBlocked && r.Match.Kind != classify.CoverExact
	})
	require.True(t, decided, "some are decided by a cover")
}

// TestService_CheckBatch_longContents has contents whose covers would take too much memory
// at once.
func TestService_CheckBatch_longContents(t *testing.T) {
	t.Parallel()
	store := &fakeStore{statuses: statuses{page("bad.example.com"): asset.StatusBlocked}}
	service := check.NewService(store, check.Options{})
	contents := slices.Repeat([]string{
		"https://bad.example.com/" + strings.Repeat("a", 4000),
		"no asset",
		"https://example.org/" + strings.Repeat("b", 8000),
	}, 100)

	results, err := service.CheckBatch(t.Context(), contents)
	require.NoError(t, err)
	require.Len(t, results, len(contents))
	for i, result := range results {
		require.Equal(t, contents[i], result.Content)
		require.Equal(t, i%3 == 0, result.Status == asset.StatusBlocked, i)
		require.Equal(t, i%3 == 1, result.Err != nil, i)
	}
	require.Equal(t, 5, len(store.calls), "1.2 MB in steps of at most 256 KiB") //nolint:testifylint // Len prints the contents
}

// A content that is longer than a step has one of its own.
func TestService_CheckBatch_longerThanAStep(t *testing.T) {
	t.Parallel()
	service := check.NewService(&fakeStore{statuses: statuses{page("bad.example.com"): asset.StatusBlocked}}, check.Options{})
	results, err := service.CheckBatch(t.Context(), []string{"bad.example.com", strings.Repeat("a", 300<<10), "bad.example.com"})
	require.NoError(t, err)
	require.Len(t, results, 3)
	require.ErrorIs(t, results[1].Err, classify.ErrInvalidFormat)
	require.Equal(t, asset.StatusBlocked, results[2].Status)
}

func TestService_CheckBatch_size(t *testing.T) {
	t.Parallel()
	service := check.NewService(&fakeStore{}, check.Options{})
	_, err := service.CheckBatch(t.Context(), nil)
	require.ErrorIs(t, err, asset.ErrInvalid)
	require.ErrorContains(t, err, "contents: must hold 1 to 1000 elements")

	contents := slices.Repeat([]string{"example.com"}, check.MaxItems)
	_, err = service.CheckBatch(t.Context(), contents)
	require.NoError(t, err)
	_, err = service.CheckBatch(t.Context(), append(contents, ""))
	require.ErrorIs(t, err, check.ErrTooMany)
	require.ErrorIs(t, err, asset.ErrInvalid)
}

func TestService_storeError(t *testing.T) {
	t.Parallel()
	gone := errors.New("the store is gone")
	_, err := check.NewService(&fakeStore{err: gone}, check.Options{}).Check(t.Context(), "example.com")
	require.ErrorIs(t, err, gone)
}

func TestService_endedContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := check.NewService(&fakeStore{}, check.Options{}).Check(ctx, "example.com")
	require.ErrorIs(t, err, context.Canceled)
}

func TestOptions_FailClosed(t *testing.T) {
	t.Parallel()
	down, blocks := listThat("Down", "", errors.New("the list is down")), listThat("Blocks", asset.StatusBlocked, nil)
	for _, test := range []struct {
		name    string
		lists   check.ExternalLists
		content string
		want    asset.Status // "" if there is no verdict
	}{
		{"nothing else decides", check.ExternalLists{down}, "other.example.com", ""},
		{"a list that exempts decides nothing", check.ExternalLists{down, listThat("Exempts", asset.StatusAllowed, nil)}, "other.example.com", ""},
		{"another list blocks", check.ExternalLists{down, blocks}, "other.example.com", asset.StatusBlocked},
		{"an asset decides before lists", check.ExternalLists{down}, "good.example.com", asset.StatusAllowed},
		{"an asset blocks", check.ExternalLists{down}, "bad.example.com", asset.StatusBlocked},
		{"all lists answer", check.ExternalLists{listThat("Up", asset.StatusUnknown, nil)}, "other.example.com", asset.StatusUnknown},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			store := &fakeStore{statuses: statuses{page("bad.example.com"): asset.StatusBlocked, page("good.example.com"): asset.StatusAllowed}}
			closed := check.NewService(store, check.Options{ExternalLists: test.lists, FailClosed: true})
			got, err := closed.Check(t.Context(), test.content)
			_, batchErr := closed.CheckBatch(t.Context(), []string{"bad.example.com", test.content})
			if test.want == "" {
				require.ErrorIs(t, err, check.ErrListFailed)
				require.ErrorIs(t, err, asset.ErrUnavailable)
				require.ErrorIs(t, batchErr, check.ErrListFailed)
				return
			}
			require.NoError(t, err)
			require.NoError(t, batchErr)
			require.Equal(t, test.want, got.Status)
		})
	}
}
