package httpapi_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage"
)

// exampleFeed has the cursors of the example in the OpenAPI document.
type exampleFeed struct{ storage.Store }

func (s exampleFeed) Feed(ctx context.Context) (asset.Feed, error) {
	feed, err := s.Store.Feed(ctx)
	for i := range feed.Store {
		feed.Store[i] = byte(i)
	}
	return feed, err
}

func (s exampleFeed) Since(ctx context.Context, after asset.FeedCursor, limit int) (step.Page[asset.FeedEntry], error) {
	feed, err := s.Feed(ctx)
	if err != nil {
		return step.Page[asset.FeedEntry]{}, err
	}
	page, err := s.Store.Since(ctx, after, limit)
	for i := range page.Items {
		page.Items[i].Cursor = feed.Cursor(int64(i + 1))
	}
	return page, err
}

// feedWithout refuses every cursor with the error.
type feedWithout struct {
	storage.Store

	err error
}

func (s feedWithout) Since(context.Context, asset.FeedCursor, int) (step.Page[asset.FeedEntry], error) {
	return step.Page[asset.FeedEntry]{}, s.err
}

const (
	badChange  = `{"assetId":1,"type":"URL","content":"https://bad.example.com","fromStatus":"UNKNOWN","toStatus":"BLOCKED","updatedAt":"2025-01-05T10:00:00.000Z",` + badBasis + `}`
	goodChange = `{"assetId":2,"type":"PAGE","content":"good.example.com","fromStatus":"UNKNOWN","toStatus":"ALLOWED","updatedAt":"2025-01-06T23:59:59.999Z",` + goodBasis + `}`
)

// feed returns the query for the feed after a cursor.
func feedQuery(cursor string, more string) string {
	return feedPath + "?cursor=" + url.QueryEscape(cursor) + more
}

// cursorOf returns the cursor of a page, which must have the changes.
func cursorOf(t *testing.T, page response, changes string) string {
	t.Helper()
	require.Equal(t, http.StatusOK, page.Status, page.Body)
	var body struct {
		Cursor string `json:"cursor"`
	}
	require.NoError(t, json.Unmarshal([]byte(page.Body), &body))
	require.Equal(t, `{"changes":[`+changes+`],"cursor":"`+body.Cursor+`"}`, page.Body)
	return body.Cursor
}

func (s testServer) block(content string) {
	s.tb.Helper()
	_, err := s.guard.SetStatus(s.tb.Context(), content, asset.StatusBlocked, asset.Origin{})
	require.NoError(s.tb, err)
}

func TestReadFeed(t *testing.T) {
	t.Parallel()
	s := start(t)
	whole := s.get(feedPath, acmeKey)
	end := cursorOf(t, whole, badChange+","+goodChange)
	require.Equal(t, "0", whole.Header.Get("Age"))
	first := cursorOf(t, s.get(feedQuery("", "&limit=1"), acmeKey), badChange)
	require.Equal(t, end, cursorOf(t, s.get(feedQuery(first, "&wait="), acmeKey), goodChange))
	require.Equal(t, end, cursorOf(t, s.get(feedQuery(end, ""), acmeKey), ""))
	require.Equal(t, end, cursorOf(t, s.get(feedQuery("end", "&limit=7&wait=30"), acmeKey), ""), "the end waits for nothing")
	export := s.get(base+"/asset/export/jsonl?status=any", acmeKey)
	require.Equal(t, end, export.Header.Get("Feed-Cursor"))
	unchanged := newGet(base+"/asset/export/jsonl?status=any", acmeKey)
	unchanged.Header.Set("If-None-Match", export.Header.Get("ETag"))
	require.Equal(t, end, s.do(unchanged).Header.Get("Feed-Cursor"))

	s.block("https://new.example.com")
	cursorOf(t, s.get(feedQuery(end, "&wait=30"), looseKey), `{"assetId":4,"type":"URL","content":"https://new.example.com",`+
		`"fromStatus":"UNKNOWN","toStatus":"BLOCKED","updatedAt":"2025-06-01T12:00:00.123Z",`+
		`"reason":"OTHER","note":null,"since":"2025-06-01T12:00:00.123Z","by":"OPERATOR","list":null}`)
}

// A change of what gives an asset its status is in the feed and changes the tag of an export. It is not in
// the changelog, even if that asks for changes to the status.
func TestReadFeed_basisAlone(t *testing.T) {
	t.Parallel()
	s := start(t)
	tag := func() string { return s.get(base+"/asset/export/jsonl", acmeKey).Header.Get("ETag") }
	end := cursorOf(t, s.get(feedQuery("end", ""), acmeKey), "")
	before := tag()
	identity := asset.Identity{Type: asset.TypeURL, Canonical: "https://bad.example.com"}
	_, err := s.guard.Assets.SetStatus(t.Context(), asset.SetStatusRequest{
		Identity: identity, Status: asset.StatusBlocked, Reason: asset.ReasonScam, Note: "<b>shoes</b>",
	})
	require.NoError(t, err)
	const basis = `"reason":"SCAM","note":"<b>shoes</b>","since":"2025-06-01T12:00:00.123Z","by":"OPERATOR","list":null}`
	cursorOf(t, s.get(feedQuery(end, ""), acmeKey), `{"assetId":1,"type":"URL","content":"https://bad.example.com",`+
		`"fromStatus":"BLOCKED","toStatus":"BLOCKED","updatedAt":"2025-06-01T12:00:00.123Z",`+basis)
	require.NotEqual(t, before, tag())
	request := newGet(base+"/asset/export/jsonl", acmeKey)
	request.Header.Set("If-None-Match", before)
	got := s.do(request)
	require.Equal(t, http.StatusOK, got.Status)
	require.Contains(t, got.Body, `"updatedAt":"2025-06-01T12:00:00.123Z",`+basis)

	for body, want := range map[string]string{
		`{}`:                                    goodEntry + "," + badEntry,
		`{"content":"https://bad.example.com"}`: badEntry,
		`{"fromStatus":"BLOCKED"}`:              "",
		`{"toStatus":"BLOCKED"}`:                badEntry,
		`{"startDate":"2025-06-01"}`:            "",
	} {
		require.Equal(t, `{"changelog":[`+want+`]}`, s.post(changelogPath, acmeKey, body).Body, body)
	}
}

func TestReadFeed_Age(t *testing.T) {
	t.Parallel()
	for behind, age := range map[time.Duration]string{0: "0", time.Millisecond: "1", time.Second: "1", 90*time.Second + 1: "91"} {
		s := startWith(t, setup{wrap: func(store storage.Store) storage.Store { return lateFeed{store, behind} }})
		require.Equal(t, age, s.get(feedPath, acmeKey).Header.Get("Age"))
	}
}

// lateFeed is a feed that is behind.
type lateFeed struct {
	storage.Store

	behind time.Duration
}

func (s lateFeed) Feed(ctx context.Context) (asset.Feed, error) {
	feed, err := s.Store.Feed(ctx)
	feed.Behind = s.behind
	return feed, err
}

func TestReadFeed_InvalidInput(t *testing.T) {
	t.Parallel()
	s := start(t)
	var foreign asset.Feed
	foreign.Store[0] = 1
	feed, err := s.store.Feed(t.Context())
	require.NoError(t, err)
	const (
		malformed = "cursor: malformed cursor"
		limit     = "limit: must be from 1 to 1000"
		wait      = "wait: must be a whole number of seconds from 0 to 30"
	)
	for query, issue := range map[string]string{
		"cursor=begin":                         malformed,
		"cursor=END":                           malformed,
		"cursor=" + feed.End().String()[1:]:    malformed,
		"cursor=" + foreign.Cursor(1).String(): malformed,
		"cursor=" + feed.Cursor(99).String():   "cursor: cursor beyond the end of the feed",
		"cursor=end&cursor=end":                "cursor: must be given once",
		"limit=0":                              limit,
		"limit=1001":                           limit,
		"wait=31":                              wait,
		"wait=-1":                              wait,
		"wait=1.5":                             wait,
		"wait=1s":                              wait,
		"wait=9223372036854775807":             wait,
		"cursor=" + foreign.Cursor(1).String() + "&wait=30": malformed,
		"timeout=1": "timeout: unknown field",
	} {
		requireInvalid(t, s.get(feedPath+"?"+query, acmeKey), issue)
	}
}

func TestReadFeed_Pruned(t *testing.T) {
	t.Parallel()
	s := start(t)
	old := cursorOf(t, s.get(feedQuery("", "&limit=1"), acmeKey), badChange)
	s.block("good.example.com")
	_, err := s.guard.History.Prune(t.Context(), now)
	require.NoError(t, err)
	got := s.get(feedQuery(old, "&wait=30"), acmeKey)
	require.Equal(t, http.StatusGone, got.Status)
	require.Equal(t, standard("GONE", "Changes after this cursor were removed"), got.Body)
}

// Times are those of the bubble.
func TestReadFeed_Wait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stopping := make(chan struct{})
		s := startWith(t, setup{options: httpapi.Options{Timeout: time.Second, Stopping: stopping}})
		end := cursorOf(t, s.get(feedQuery("end", ""), acmeKey), "")
		began := time.Now()
		require.Equal(t, end, cursorOf(t, s.get(feedQuery(end, "&wait=30"), acmeKey), ""))
		require.Equal(t, 30*time.Second, time.Since(began), "without news, a request waits to the end")

		var got response
		waiting := background(func() { got = s.get(feedQuery(end, "&wait=30"), acmeKey) })
		time.Sleep(10 * time.Second)
		s.block("https://new.example.com")
		began = time.Now()
		waiting()
		require.LessOrEqual(t, time.Since(began), 250*time.Millisecond)
		require.Contains(t, got.Body, "https://new.example.com")
		end = cursorOf(t, s.get(feedQuery("end", ""), acmeKey), "")

		ctx, disconnect := context.WithCancel(t.Context())
		began = time.Now()
		request := newGet(feedQuery(end, "&wait=30"), acmeKey).WithContext(ctx)
		waiting = background(func() { got = s.do(request) })
		synctest.Wait()
		disconnect()
		waiting()
		require.Zero(t, time.Since(began))
		require.Equal(t, end, cursorOf(t, got, ""), "a client that has closed only its half reads the response")

		waiting = background(func() { got = s.get(feedQuery(end, "&wait=30"), acmeKey) })
		synctest.Wait()
		close(stopping)
		waiting()
		require.Equal(t, end, cursorOf(t, got, ""))
		require.Equal(t, end, cursorOf(t, s.get(feedQuery(end, "&wait=30"), acmeKey), ""), "a later request does not wait")
		require.Zero(t, time.Since(began))
	})
}

// background calls a function and returns one that waits for its end.
func background(call func()) (wait func()) {
	var group sync.WaitGroup
	group.Go(call)
	return group.Wait
}

func TestReadFeed_WaitLimits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := startWith(t, setup{options: httpapi.Options{RefusalDelay: -1, MaxRequests: 4, MaxWaiting: 8, MaxCostly: 4}})
		end := cursorOf(t, s.get(feedQuery("end", ""), acmeKey), "")
		ask := func(key string) response { return s.get(feedQuery(end, "&wait=30"), key) }
		var group sync.WaitGroup
		wait := func(key string) {
			for range 2 { // a quarter
				group.Go(func() { require.Equal(t, end, cursorOf(t, ask(key), "")) })
				synctest.Wait() // a request that begins counts for the others
			}
		}
		wait(acmeKey)
		got := ask(acmeKey)
		require.Equal(t, http.StatusTooManyRequests, got.Status)
		require.Equal(t, `"waiting-requests";q=2;qu="concurrent-requests"`, got.Header.Get("RateLimit-Policy"))
		require.NotEmpty(t, got.Header.Get("Retry-After"))
		require.Equal(t, http.StatusOK, s.get(feedPath, acmeKey).Status, "a request that need not wait is answered")
		require.Equal(t, end, cursorOf(t, s.get(feedQuery("end", "&wait=30"), acmeKey), ""), "and so is one for the end")

		keyOf := func(organization int64) string {
			key, err := s.guard.Keys.Create(t.Context(), account.KeyRequest{OrganizationID: organization, Scopes: account.Scopes()})
			require.NoError(t, err)
			return key
		}
		wait(keyOf(1))
		got = ask(keyOf(1))
		require.Equal(t, http.StatusTooManyRequests, got.Status, "another key of an organization helps nothing")
		require.Equal(t, `"waiting-requests-of-organization";q=4;qu="concurrent-requests"`, got.Header.Get("RateLimit-Policy"))
		wait(globexKey)
		require.Equal(t, http.StatusTooManyRequests, ask(looseKey).Status, "no other key of a client address")
		require.Equal(t, http.StatusOK, s.get(assetListPath, acmeKey).Status, "requests that wait take no place of others")
		group.Wait()
		require.Equal(t, end, cursorOf(t, ask(acmeKey), ""), "the places are free again")
	})
}

func TestReadFeed_WaitFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &brokenFeed{}
		s := startWith(t, setup{wrap: func(inner storage.Store) storage.Store { store.Store = inner; return store }})
		end := cursorOf(t, s.get(feedQuery("end", ""), acmeKey), "")
		var got response
		waiting := background(func() { got = s.get(feedQuery(end, "&wait=30"), acmeKey) })
		synctest.Wait()
		store.broken.Lock()
		store.err = asset.ErrUnavailable
		store.broken.Unlock()
		waiting()
		require.Equal(t, http.StatusServiceUnavailable, got.Status)
		require.NotEmpty(t, got.Header.Get("Retry-After"))
	})
}

// brokenFeed is a feed that can fail.
type brokenFeed struct {
	storage.Store

	broken sync.Mutex
	err    error
}

func (s *brokenFeed) Feed(ctx context.Context) (asset.Feed, error) {
	s.broken.Lock()
	defer s.broken.Unlock()

	if s.err != nil {
		return asset.Feed{}, s.err
	}
	return s.Store.Feed(ctx)
}

// A client that is gone makes place for its next request.
func TestReadFeed_ClientGone(t *testing.T) {
	t.Parallel()
	e := serveOn(t, listenTCP(t), setup{options: httpapi.Options{MaxWaiting: 16}}) // 4 of a caller
	end := cursorOf(t, e.get(feedQuery("end", ""), acmeKey), "")
	request := "GET " + feedQuery(end, "&wait=30") + " HTTP/1.1\r\nHost: test\r\nX-API-KEY: " + acmeKey + "\r\n\r\n"
	const followers = 12
	for range followers {
		client := e.dial(t)
		_, err := io.WriteString(client, request)
		require.NoError(t, err)
		require.NoError(t, client.Close())
	}
	e.requireNoFailures(t, 1+followers)
	status, err := askHalfClosed(e.dial(t), request)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status)
}

// Followers receive every change once and in order, while others write.
func TestReadFeed_Followers(t *testing.T) {
	t.Parallel()
	s := start(t)
	const writers, each = 4, 25
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			var got []string
			for cursor := cursorOf(t, s.get(feedQuery("", "&limit=2"), acmeKey), badChange+","+goodChange); len(got) < writers*each; {
				page := s.get(feedQuery(cursor, "&wait=30&limit=7"), acmeKey)
				var body struct {
					Changes []struct {
						Content string `json:"content"`
					} `json:"changes"`
					Cursor string `json:"cursor"`
				}
				if page.Status != http.StatusOK || json.Unmarshal([]byte(page.Body), &body) != nil {
					t.Error(page)
					return
				}
				for _, change := range body.Changes {
					got = append(got, change.Content)
				}
				cursor = body.Cursor
			}
			next := make([]int, writers)
			for _, content := range got {
				writer, number, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(content, "https://w"), ".example.com"), "-")
				w, _ := strconv.Atoi(writer)
				n, _ := strconv.Atoi(number)
				if next[w] != n {
					t.Errorf("%s: want number %d", content, next[w])
				}
				next[w]++
			}
		})
	}
	for w := range writers {
		group.Go(func() {
			for n := range each {
				_, err := s.guard.SetStatus(t.Context(), "https://w"+strconv.Itoa(w)+"-"+strconv.Itoa(n)+".example.com", asset.StatusBlocked, asset.Origin{})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}
