package published_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/rulestest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/publish/manifest"
)

// JavaScript refuses the same folders as Go. It keeps its lists, and has the next ones.
func TestFolder_Hashes_javaScript(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	js := rulestest.NewHashLists(t, rulestest.Rules{})
	cases := faults()
	cases["the manifest is missing"] = fault{change: func(_ *testing.T, s *store) { s.remove(manifest.Name) }, code: "SERVER"}
	cases["the connection ends"] = fault{change: func(_ *testing.T, s *store) { s.set(abort) }, code: "NETWORK"}
	cases["the manifest does not end"] = fault{change: func(_ *testing.T, s *store) { s.set(endless) }, code: "MALFORMED"}
	cases["the manifest is a page"] = fault{change: func(_ *testing.T, s *store) { s.set(answer(http.StatusOK, "<html>")) }, code: "SIGNATURE"}
	cases["the manifest has another key"] = fault{change: func(t *testing.T, s *store) {
		t.Helper()
		s.signer = newKey(t, 7).signer
		s.publish(t, time.Now())
	}, code: "SIGNATURE"}
	cases["a manifest of the future"] = fault{change: func(t *testing.T, s *store) { t.Helper(); s.publish(t, time.Now().Add(time.Hour)) }, code: "FUTURE"}
	cases["no hash lists"] = fault{change: func(t *testing.T, s *store) { t.Helper(); s.Files = nil; s.publish(t, time.Now()) }, code: "NO_HASHES"}
	for reason, c := range cases {
		s, signer := newStore(t), newKey(t, 1).signer
		s.block(t, "a.com")
		s.block(t, "b.com")
		js.Clear(t, "list")
		before := js.RefreshFrom(t, "list", s.url, s.key)
		require.Empty(t, before.Code, reason)
		require.Equal(t, s.Version.String(), before.Version, reason)
		require.Equal(t, s.Time.UnixMilli(), before.AsOf, reason)
		require.Len(t, before.Blocked, 16, reason)

		s.block(t, "c.com")
		c.change(t, s)
		after := js.RefreshFrom(t, "list", s.url, s.key)
		require.Equal(t, c.code, after.Code, reason)
		if errors.Is(c.want, manifest.ErrFile) {
			require.Contains(t, after.Message, "differs from the manifest", reason)
		}
		before.Code, before.Message, before.Answer = c.code, after.Message, false
		before.Status, before.RetryAfter = after.Status, after.RetryAfter
		require.Equal(t, before, after, reason)

		s.set(nil)
		s.signer, s.Rules = signer, 1
		s.wholeAgain(t)
		require.Empty(t, js.RefreshFrom(t, "list", s.url, s.key).Code, reason)
	}
}

// JavaScript needs the same files as Go, and nothing if nothing has changed.
func TestFolder_Hashes_javaScript_requests(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	js := rulestest.NewHashLists(t, rulestest.Rules{})
	s := newStore(t)
	s.publishNow(t)
	held := js.RefreshFrom(t, "list", s.url, s.key)
	require.Empty(t, held.Code)
	require.Empty(t, held.Blocked)
	for _, content := range []string{"a.com", "b.com", "c.com"} {
		s.block(t, content)
	}
	s.requests()
	require.Len(t, js.RefreshFrom(t, "list", s.url, s.key).Blocked, 24)
	require.Len(t, s.requests(), 4)

	s.publishNow(t)
	held = js.RefreshFrom(t, "list", s.url, s.key)
	require.Empty(t, held.Code)
	require.Equal(t, s.Time.UnixMilli(), held.AsOf, "unchanged lists are as new as the manifest")
	require.Equal(t, []string{manifest.Name}, s.requests())

	s.publish(t, time.Now().Add(-30*time.Minute))
	require.Equal(t, "OLDER", js.RefreshFrom(t, "list", s.url, s.key).Code)
	s.Version = asset.FeedCursor{}
	js.Clear(t, "list") // as for a store that was restored
	s.wholeAgain(t)
	s.publish(t, time.Now().Add(-30*time.Minute))
	require.Empty(t, js.RefreshFrom(t, "list", s.url, s.key).Code)
	s.publish(t, time.Now().Add(-2*time.Hour))
	js.Clear(t, "list")
	require.Equal(t, "TOO_OLD", js.RefreshFrom(t, "list", s.url, s.key).Code)
}
