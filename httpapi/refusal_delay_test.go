package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/httpapi/limit"
)

// The clock of the tests moves only while all of their goroutines wait.
func TestOptions_RefusalDelay(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		status      int
		delay, want time.Duration
	}{
		"a per-caller limit":          {429, 0, httpapi.DefaultRefusalDelay},
		"another delay":               {429, time.Hour, time.Hour},
		"no delay":                    {429, -1, 0},
		"a server-wide limit":         {503, 0, 0},
		"requests within their limit": {200, 0, 0},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				seen := new(recordingObserver)
				options := httpapi.Options{RefusalDelay: c.delay, Observer: seen}
				if c.status != http.StatusOK {
					options.Admission = []limit.Admission{refusing(&limit.Error{Status: c.status})}
				}
				began, got := time.Now(), httptest.NewRecorder()
				http.StripPrefix(base, newAPI(t, fullAccess(), options)).ServeHTTP(got, newOperationRequest(newReports, acmeKey))
				require.Equal(t, c.status, got.Code)
				require.Equal(t, c.want, time.Since(began))
				require.Len(t, seen.requests, 1)
				require.Zero(t, seen.requests[0].Duration, "the delay is no work")
			})
		})
	}
}

// Beyond those that are delayed, a refusal is answered at once, and its connection closed.
func TestOptions_RefusalDelay_manyRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := http.StripPrefix(base, newAPI(t, fullAccess(), httpapi.Options{
			MaxRequests: 4, Admission: []limit.Admission{refusing(&limit.Error{})},
		}))
		refused := func() (got *httptest.ResponseRecorder, took time.Duration) {
			began := time.Now()
			got = httptest.NewRecorder()
			api.ServeHTTP(got, newOperationRequest(newReports, acmeKey))
			require.Equal(t, http.StatusTooManyRequests, got.Code)
			return got, time.Since(began)
		}
		wait := background(func() {
			got, took := refused()
			require.Equal(t, httpapi.DefaultRefusalDelay, took)
			require.Empty(t, got.Header().Get("Connection"))
		})
		synctest.Wait()
		got, took := refused()
		require.Zero(t, took)
		require.Equal(t, "close", got.Header().Get("Connection"))
		wait()
	})
}
