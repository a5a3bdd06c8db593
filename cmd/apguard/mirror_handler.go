package main

import (
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/httpapi/limit"
	"github.com/apguard/apguard/metrics"
	"github.com/apguard/apguard/observe"
	"github.com/apguard/apguard/storage"
)

// mirrorCostly is the maximum number of batches of checks that a mirror answers at the same time, of which a
// client has a quarter.
const mirrorCostly = 64

// newMirrorHandler returns a handler that answers checks from the mirror as the server does, and counts them. state
// returns the state of the Replica of the mirror.
func newMirrorHandler(m *mirror.Mirror, state func() feed.State, base string, counts *metrics.Counts) (http.Handler, error) {
	guard := apguard.New(storage.Unimplemented{}, apguard.Options{})
	guard.Checks = observe.Checks(m, counts)
	api, err := httpapi.New(guard, everybody{httpapi.TrustProxies()}, httpapi.Options{MaxRequests: mirrorConnections, MaxCostly: mirrorCostly})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	for _, route := range api.Routes() {
		if strings.HasPrefix(route.Path, "/asset/check") {
			mux.Handle(base+route.Path, withAge(m, route.Handler))
		}
	}
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { answerHealth(w, m, state().Err) })
	mux.Handle("/", api.NotFound())
	return mux, nil
}

// everybody lets all clients check, and nothing else. Limits apply to the network of each.
type everybody struct {
	clientAddr func(*http.Request) netip.Addr
}

// Authenticate implements [httpapi.Authenticator].
func (e everybody) Authenticate(r *http.Request) (account.Principal, error) {
	return account.Principal{
		Scopes:      []account.Scope{account.ScopeCheck},
		Fingerprint: limit.Network(e.clientAddr(r)).String(),
	}, nil
}

// withAge adds how old the copy may be, in seconds, as caches do (RFC 9111, section 5.1).
func withAge(m *mirror.Mirror, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if now := m.State(); now.Filled {
			w.Header().Set("Age", strconv.Itoa(int(max(0, time.Since(now.ReadAt)).Seconds())))
		}
		next.ServeHTTP(w, r)
	})
}

// mirrorState is the answer to a health check.
type mirrorState struct {
	Filled bool `json:"filled"`
	Assets int  `json:"assets"`
	// AgeSeconds is how old the copy may be.
	AgeSeconds float64 `json:"ageSeconds,omitzero"`
	// Stale says that the copy is too old to answer.
	Stale bool   `json:"stale,omitzero"`
	Error string `json:"error,omitempty"`
}

// answerHealth returns 503 until the mirror is filled, and while its copy is too old to answer. A load balancer may
// stop asking it before.
func answerHealth(w http.ResponseWriter, m *mirror.Mirror, err error) {
	now := m.State()
	answer, code := mirrorState{Filled: now.Filled, Assets: now.Assets, Stale: now.Stale}, http.StatusServiceUnavailable
	if now.Filled {
		answer.AgeSeconds = time.Since(now.ReadAt).Seconds()
	}
	if now.Filled && !now.Stale {
		code = http.StatusOK
	}
	if err != nil {
		answer.Error = "the source cannot be read" // the log has the rest
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.MarshalWrite(w, answer) // the client is gone
}
