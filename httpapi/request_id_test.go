package httpapi_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage"
)

func TestRequestID(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 128)
	for reason, c := range map[string]struct {
		// outer is what a middleware has set in the reply, given what the client sent.
		outer, given []string
		// want is empty for a name that the API makes.
		want string
	}{
		"nobody gave a name":                  {nil, nil, ""},
		"the client gave one":                 {nil, []string{"01HF-zq.9~a"}, "01HF-zq.9~a"},
		"the client's is as a gateway's is":   {nil, []string{"Root=1-67:host/Ab+1"}, "Root=1-67:host/Ab+1"},
		"a middleware gave one":               {[]string{"outer"}, nil, "outer"},
		"a middleware's is before a client's": {[]string{"outer"}, []string{"given"}, "outer"},
		"a middleware's cannot be one":        {[]string{"<b>"}, []string{"given"}, "given"},
		"the longest":                         {nil, []string{long}, long},
		"too long":                            {nil, []string{long + "a"}, ""},
		"empty":                               {nil, []string{""}, ""},
		"two":                                 {nil, []string{"a", "b"}, ""},
		"a blank, which ends a word in a log": {nil, []string{"a status=200"}, ""},
		"a quote":                             {nil, []string{`a"b`}, ""},
		"a sign of HTML":                      {nil, []string{"a<b"}, ""},
		"a letter outside of ASCII":           {nil, []string{"\u00e9"}, ""},
		"a byte that is not of UTF-8":         {nil, []string{"\xff"}, ""},
		"the end of a line":                   {nil, []string{"a\nb"}, ""},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			var inside string
			s := startWith(t, setup{everyRequest: true, wrap: func(store storage.Store) storage.Store {
				return requestIDStore{store, &inside}
			}})
			api := s.Handler
			s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header()["X-Request-Id"] = c.outer
				api.ServeHTTP(w, r)
			})
			r := newPost(changelogPath, acmeKey, strings.NewReader("{}"))
			r.Header["X-Request-Id"] = c.given
			got := s.do(r)
			require.Len(t, got.Header.Values("X-Request-Id"), 1)
			id := got.Header.Get("X-Request-Id")
			if c.want == "" {
				require.Regexp(t, "^[A-Z2-7]{26}$", id)
			} else {
				require.Equal(t, c.want, id)
			}
			require.Equal(t, id, inside, "the store's context knows it")
			require.Regexp(t, `level=INFO msg=request id="?`+strings.ReplaceAll(id, "+", `\+`)+`"? method=POST`, s.log.String())
		})
	}
}

// requestIDStore notes the name of the request that reads its changes.
type requestIDStore struct {
	storage.Store
	name *string
}

func (s requestIDStore) Changes(ctx context.Context, f asset.ChangeFilter, after asset.ChangeCursor, limit int) ([]asset.Change, error) {
	*s.name = httpapi.RequestID(ctx)
	return s.Store.Changes(ctx, f, after, limit)
}

func TestRequestID_Unique(t *testing.T) {
	t.Parallel()
	s := start(t)
	seen := make(map[string]bool)
	for range 100 {
		id := s.get(newReports, unknownKey).Header.Get("X-Request-Id")
		require.False(t, seen[id], id)
		seen[id] = true
	}
}

func TestRequestID_OnEveryStatus(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, got := range []response{
		s.get(newReports, acmeKey), s.get(newReports, unknownKey), s.get(changelogPath, acmeKey), s.post(disputePath, acmeKey, "["),
	} {
		require.NotEmpty(t, got.Header.Get("X-Request-Id"), got.Status)
	}
	api := newAPI(t, fullAccess(), httpapi.Options{})
	s.Handler = api
	require.NotEmpty(t, s.get("/nowhere", "").Header.Get("X-Request-Id"))
}

func TestRequestID_OtherContext(t *testing.T) {
	t.Parallel()
	require.Empty(t, httpapi.RequestID(context.Background()))
}
