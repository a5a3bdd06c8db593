package httpapi_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage"
)

func TestRequestID(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 128)
	for reason, c := range map[string]struct {
		// outer is the response header set by middleware, given the request header.
		outer, given []string
		// want is empty for a generated ID.
		want string
	}{
		"none":                         {nil, nil, ""},
		"of the client":                {nil, []string{"01HF-zq.9~a"}, "01HF-zq.9~a"},
		"of a gateway":                 {nil, []string{"Root=1-67:host/Ab+1"}, "Root=1-67:host/Ab+1"},
		"of middleware":                {[]string{"outer"}, nil, "outer"},
		"of middleware and the client": {[]string{"outer"}, []string{"given"}, "outer"},
		"invalid one of middleware":    {[]string{"<b>"}, []string{"given"}, "given"},
		"longest":                      {nil, []string{long}, long},
		"too long":                     {nil, []string{long + "a"}, ""},
		"empty":                        {nil, []string{""}, ""},
		"repeated":                     {nil, []string{"a", "b"}, ""},
		"space":                        {nil, []string{"a status=200"}, ""},
		"quote":                        {nil, []string{`a"b`}, ""},
		"angle bracket":                {nil, []string{"a<b"}, ""},
		"outside of ASCII":             {nil, []string{"\u00e9"}, ""},
		"invalid UTF-8":                {nil, []string{"\xff"}, ""},
		"line break":                   {nil, []string{"a\nb"}, ""},
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
			require.Equal(t, id, inside, "the context of the store has it")
			require.Regexp(t, `level=INFO msg=request id="?`+strings.ReplaceAll(id, "+", `\+`)+`"? method=POST`, s.log.String())
		})
	}
}

// requestIDStore records the ID of the request that reads changes.
type requestIDStore struct {
	storage.Store
	name *string
}

func (s requestIDStore) Changes(ctx context.Context, req asset.ListChangesRequest) (step.Page[asset.Change], error) {
	*s.name = httpapi.RequestID(ctx)
	return s.Store.Changes(ctx, req)
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
