package httpapi_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi"
)

// FuzzRawRequest fuzzes what stands before the body: the method, the target and
// the headers, as far as net/http lets them through to a handler.
func FuzzRawRequest(f *testing.F) {
	for path, body := range posts {
		f.Add("POST "+path+" HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nX-API-KEY: "+acmeKey, body)
		f.Add("POST http://h"+path+"?q HTTP/1.0\r\nX-Request-Id: a b\r\nContent-Encoding: gzip\r\nContent-Type: application/json\r\nX-API-KEY: "+acmeKey, body)
	}
	f.Add("GET "+newReports+"?limit=1 HTTP/1.1\r\nHost: h\r\nX-API-KEY: "+acmeKey+"\r\nX-Request-Id: 7", "")
	f.Add("HEAD //"+base+"//../%2e%2e/%00 HTTP/1.1\r\nHost: h\r\nX-API-KEY: a\r\nX-API-KEY: b", "")
	f.Add("OPTIONS * HTTP/1.1\r\nHost: h", "")
	f.Add("CONNECT h:80 HTTP/1.1\r\nHost: h", "")
	f.Fuzz(func(t *testing.T, head, body string) {
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(head + "\r\n\r\n")))
		if err != nil {
			return
		}
		r.Body = http.NoBody
		if body != "" {
			r.Body, r.ContentLength = readCloser{strings.NewReader(body)}, int64(len(body))
		}
		seen := new(witness)
		s := startWith(t, setup{options: httpapi.Options{Observer: seen}})
		s.Handler = http.StripPrefix(base, s.api)
		if !strings.HasPrefix(r.URL.Path, base+"/") {
			s.Handler = s.api
		}
		got := s.do(r)
		require.Less(t, got.Status, http.StatusInternalServerError, got.Body)
		require.Empty(t, s.log.String())
		require.Equal(t, got.Status, seen.only(t).Status)
		require.Regexp(t, `^[0-9A-Za-z.~:/+=_-]{1,128}$`, got.Header.Get("X-Request-Id"))
		for name, values := range got.Header {
			require.Len(t, values, 1, name)
			require.NotContains(t, values[0], "\n", name)
		}
		if r.Method != http.MethodHead || got.Status != http.StatusOK {
			require.True(t, json.Valid([]byte(got.Body)), got.Body)
		}
	})
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }
