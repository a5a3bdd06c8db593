package source_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/check/hashlist"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/client/source"
	"github.com/apguard/apguard/internal/test/contentstest"
	"github.com/apguard/apguard/internal/test/rulestest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/publish"
)

// After each of many changes, the verdicts of the server, of hash lists from the server and from a folder, of hash lists
// from the folder in JavaScript, and of a mirror of the folder are equal for many contents. A false hit of a hash would
// be one of 10^6 runs of this test.
func TestVerdicts_law(t *testing.T) {
	t.Parallel()
	changes, n := testsize.Of(3, 8, 20), testsize.Of(300, 1000, 10_000)
	js := newJavaScript(t)
	s := newSite(t, publish.Options{ExportInterval: time.Nanosecond})
	server, fromServer := source.Hashes(newHashesClient(t, s.guard, s.hashes)), hashlist.New(time.Hour)
	folder, fromFolder := s.open(t), hashlist.New(time.Hour)
	drawn := contentstest.New(n / 20)
	identities, contents := drawn.Identities(n/2), make([]string, n)
	for i := range contents {
		contents[i] = drawn.Content()
	}
	s.publish(t, asset.StatusUnknown)
	mirror := s.follow(t)
	statuses := make(map[asset.Status]int)
	for change := range changes {
		items := make([]asset.StatusItem, 0, asset.MaxItems)
		for _, i := range drawn.Perm(len(identities))[:drawn.IntN(min(len(identities), asset.MaxItems))] {
			items = append(items, asset.StatusItem{Identity: identities[i], Status: drawn.Status()})
		}
		if len(items) > 0 {
			_, err := s.guard.Assets.SetStatuses(t.Context(), asset.SetStatusesRequest{Items: items, ConfirmProtected: true})
			require.NoError(t, err)
		}
		if change%10 == 9 {
			_, err := s.guard.History.Prune(t.Context(), time.Now().Add(time.Hour))
			require.NoError(t, err)
		}
		s.publish(t, asset.StatusUnknown)
		require.NoError(t, fromServer.Refresh(t.Context(), server))
		require.NoError(t, fromFolder.Refresh(t.Context(), folder.Hashes))
		js.refresh(t, s)
		mirror.until(t, s)
		t.Logf("change %d of %d", change+1, changes)
		for first := 0; first < len(contents); first += check.MaxItems {
			some := contents[first:min(first+check.MaxItems, len(contents))]
			want, err := s.guard.Checks.CheckBatch(t.Context(), some)
			require.NoError(t, err)
			fromMirror, err := mirror.CheckBatch(t.Context(), some)
			require.NoError(t, err)
			require.Equal(t, mirrored(want), fromMirror)
			hashed := withoutAsset(want)
			for _, list := range []*hashlist.List{fromServer, fromFolder} {
				got, err := list.CheckBatch(t.Context(), some)
				require.NoError(t, err)
				require.Equal(t, hashed, got)
			}
			if testsize.Of(1, 1, 0) == 1 || (first/check.MaxItems+change)%10 == 0 {
				js.requireEqual(t, hashed) // all contents, or in a full run a tenth of them after each change
			}
			for _, result := range want {
				statuses[result.Status]++
			}
		}
	}
	t.Logf("%d changes, %d contents: %v", changes, n, statuses)
	for _, status := range asset.Statuses() {
		require.Positive(t, statuses[status], status)
	}
}

// withoutAsset returns the results that a hash list has in their place, which does not know the asset.
func withoutAsset(results []check.Result) []check.Result {
	for _, result := range results {
		if result.Match != nil {
			result.Match.ID, result.Match.Basis = 0, asset.Basis{}
		}
	}
	return results
}

// javaScript is a hash list in JavaScript, or nil in short tests.
type javaScript struct{ lists *rulestest.HashLists }

func newJavaScript(t *testing.T) javaScript {
	t.Helper()
	if testing.Short() {
		return javaScript{}
	}
	return javaScript{rulestest.NewHashLists(t, rulestest.Build(t))}
}

func (j javaScript) refresh(t *testing.T, s *site) {
	t.Helper()
	if j.lists != nil {
		held := j.lists.RefreshFrom(t, "folder", s.manifest, s.key)
		require.Empty(t, held.Code)
		require.True(t, held.Answer)
	}
}

// requireEqual requires that the list answers with the results.
func (j javaScript) requireEqual(t *testing.T, results []check.Result) {
	t.Helper()
	if j.lists == nil {
		return
	}
	contents := make([]string, len(results))
	for i, result := range results {
		contents[i] = result.Content
	}
	for i, got := range j.lists.Check(t, "folder", contents) {
		want := results[i]
		if refused := new(classify.Error); errors.As(want.Err, &refused) {
			require.Equal(t, "REFUSED", got["code"], "%q", contents[i])
			continue
		}
		require.NoError(t, want.Err)
		match := any(nil)
		if m := want.Match; m != nil {
			match = map[string]any{"kind": string(m.Kind), "type": string(m.Type), "content": m.Canonical, "status": string(m.Status)}
		}
		require.Equal(t, map[string]any{
			"content": want.Content, "type": string(want.Type), "canonical": want.Canonical, "status": string(want.Status),
			"source": string(want.Source), "match": match,
		}, got)
	}
}
