package httpapi_test

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/httpapi/limit"
	"github.com/apguard/apguard/storage/memory"
)

const (
	signInHost = "desk.example"
	deskKey    = "apg_signs_in" // all scopes, no organization
	deskPath   = "/operator/dispute/list"
)

// desk is a server with both APIs and the sign-in, and a clock.
type desk struct {
	http.Handler
	tb    testing.TB
	guard *apguard.Guard
	now   time.Time
	// remote is the address of connections. It is empty for that of a client.
	remote string
}

func newDesk(tb testing.TB, opts httpapi.SessionOptions, apiOptions httpapi.Options) *desk {
	tb.Helper()
	store := memory.New()
	data := seed()
	require.NoError(tb, store.Import(tb.Context(), data))
	d := &desk{tb: tb, now: now}
	d.guard = apguard.New(store, apguard.Options{Clock: func() time.Time { return d.now }})
	d.putKey(deskKey)
	opts.Clock, opts.Accounts = func() time.Time { return d.now }, d.guard.Accounts
	sessions := httpapi.NewSessions(d.guard.Keys, opts)
	apiOptions.RefusalDelay = -1
	public, err := httpapi.New(d.guard, sessions.Public(), apiOptions)
	require.NoError(tb, err)
	operators, err := httpapi.NewOperator(d.guard, sessions.Operator(), apiOptions)
	require.NoError(tb, err)
	signIn, err := httpapi.NewSignIn(sessions, apiOptions)
	require.NoError(tb, err)
	mux := http.NewServeMux()
	public.Mount(mux, base)
	operators.Mount(mux, "/operator")
	signIn.Mount(mux, "/session")
	d.Handler = mux
	return d
}

// putKey stores a key of an operator.
func (d *desk) putKey(key string) {
	d.tb.Helper()
	scopes := append(account.Scopes(), account.OperatorScopes()...)
	require.NoError(d.tb, d.guard.Keys.Put(d.tb.Context(), key, account.KeyRequest{UserID: 1, Scopes: scopes}))
}

// send sends a request with headers.
func (d *desk) send(method, path string, header http.Header) *httptest.ResponseRecorder {
	d.tb.Helper()
	body := ""
	switch {
	case strings.HasSuffix(path, "/check"):
		body = `{"content":"bad.example.com"}`
	case strings.HasPrefix(path, base):
		body = "{}"
	}
	r := httptest.NewRequestWithContext(d.tb.Context(), method, "https://"+signInHost+path, strings.NewReader(body))
	r.TLS = nil // a proxy has ended https
	r.RemoteAddr = cmp.Or(d.remote, r.RemoteAddr)
	r.Header = header.Clone()
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w
}

// tab is a page of the server in a browser, which keeps cookies.
type tab struct {
	*desk
	cookies map[string]string
}

func (d *desk) open() tab { return tab{d, make(map[string]string)} }

// header returns what a browser sends for a request of the page.
func (t tab) header() http.Header {
	header := http.Header{"Sec-Fetch-Site": {"same-origin"}, "Origin": {"https://" + signInHost}}
	for name, value := range t.cookies {
		header.Add("Cookie", name+"="+value)
	}
	return header
}

// keep keeps the cookies of a response.
func (t tab) keep(w *httptest.ResponseRecorder) {
	for _, cookie := range w.Result().Cookies() {
		if cookie.MaxAge < 0 {
			delete(t.cookies, cookie.Name)
		} else {
			t.cookies[cookie.Name] = cookie.Value
		}
	}
}

// signIn signs in with a key, and returns the response.
func (t tab) signIn(api, key string) *httptest.ResponseRecorder {
	t.tb.Helper()
	header := t.header()
	header.Set("X-Api-Key", key)
	w := t.send(http.MethodPost, "/session/"+api, header)
	t.keep(w)
	return w
}

// status returns the status of a request of the page that acts with a key.
func (t tab) status(method, path, key string) int {
	t.tb.Helper()
	header := t.header()
	header.Set("X-Session-Key", account.Fingerprint(account.HashKey(key)))
	return t.send(method, path, header).Code
}

// decides returns the status of a request to the operators' API.
func (t tab) decides(key string) int { return t.status(http.MethodGet, deskPath, key) }

func TestSessions(t *testing.T) {
	t.Parallel()
	d := newDesk(t, httpapi.SessionOptions{}, httpapi.Options{})
	page := d.open()
	require.Equal(t, http.StatusUnauthorized, page.decides(deskKey), "no session")
	w := page.signIn("operator", deskKey)
	require.Equal(t, http.StatusOK, w.Code)
	require.JSONEq(t, `{"public":null,"operator":"`+account.Fingerprint(account.HashKey(deskKey))+`","person":null}`, w.Body.String())
	require.NotContains(t, w.Body.String()+w.Header().Get("Set-Cookie"), deskKey)
	require.Regexp(t, `^__Host-apguard-session=[A-Z2-7]{52}; Path=/; HttpOnly; Secure; SameSite=Strict$`, w.Header().Get("Set-Cookie"))
	require.Equal(t, http.StatusOK, page.decides(deskKey))

	// An operator checks and reads the changelog. In the public API, the operator acts for no organization.
	for path, want := range map[string]int{
		checkPath: http.StatusOK, changelogPath: http.StatusOK, disputePath: http.StatusForbidden,
		assetsPath: http.StatusUnauthorized, oldReports: http.StatusForbidden, reportPath: http.StatusForbidden,
	} {
		require.Equal(t, want, page.status(http.MethodPost, path, deskKey), path)
	}

	// With the key of an organization too, the page says as whom it acts.
	require.Equal(t, http.StatusOK, page.signIn("public", acmeKey).Code)
	require.Equal(t, http.StatusBadRequest, page.status(http.MethodPost, assetsPath, acmeKey), "allowed, but there are no assets")
	require.Equal(t, http.StatusUnauthorized, page.status(http.MethodPost, assetsPath, deskKey))
	require.Equal(t, http.StatusUnauthorized, page.status(http.MethodPost, checkPath, globexKey), "another tab has signed in with another key")
	require.Equal(t, http.StatusUnauthorized, page.decides(acmeKey))

	// A key in the header counts first.
	header := page.header()
	header.Set("X-Api-Key", unknownKey)
	header.Set("X-Session-Key", account.Fingerprint(account.HashKey(deskKey)))
	require.Equal(t, http.StatusUnauthorized, d.send(http.MethodGet, deskPath, header).Code)
	require.Equal(t, http.StatusOK, d.send(http.MethodGet, deskPath, http.Header{"X-Api-Key": {deskKey}}).Code)
}

func TestSessions_End(t *testing.T) {
	t.Parallel()
	ends := map[string]func(*desk, tab){
		"the key is revoked": func(d *desk, _ tab) {
			_, err := d.guard.Keys.Revoke(d.tb.Context(), account.HashKey(deskKey))
			require.NoError(d.tb, err)
		},
		"the key has expired": func(d *desk, _ tab) {
			_, err := d.guard.Keys.SetExpiry(d.tb.Context(), account.HashKey(deskKey), d.now.Add(time.Minute))
			require.NoError(d.tb, err)
			d.now = d.now.Add(time.Minute)
		},
		"the user is deactivated": func(d *desk, _ tab) {
			_, err := d.guard.Accounts.DeactivateUser(d.tb.Context(), 1)
			require.NoError(d.tb, err)
		},
		"the session is idle for too long": func(d *desk, _ tab) { d.now = d.now.Add(time.Hour) },
		"the session has become too old, though it is used": func(d *desk, page tab) {
			for range 4 {
				require.Equal(d.tb, http.StatusOK, page.decides(deskKey))
				d.now = d.now.Add(time.Hour - time.Second)
			}
		},
		"the person signs out in another tab": func(d *desk, page tab) {
			w := d.send(http.MethodPost, "/session/end", page.header())
			require.Equal(d.tb, http.StatusOK, w.Code)
			require.Contains(d.tb, w.Header().Get("Set-Cookie"), "Max-Age=0")
		},
	}
	for reason, end := range ends {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, httpapi.SessionOptions{Idle: time.Hour, Lifetime: 3 * time.Hour}, httpapi.Options{})
			page := d.open()
			require.Equal(t, http.StatusOK, page.signIn("operator", deskKey).Code)
			require.Equal(t, http.StatusOK, page.decides(deskKey))
			end(d, page)
			require.Eventually(t, func() bool { return page.decides(deskKey) == http.StatusUnauthorized }, time.Minute, 10*time.Millisecond)
			require.Equal(t, http.StatusUnauthorized, page.status(http.MethodPost, checkPath, deskKey))
		})
	}
}

// A key that was given later does not extend how long the other one can be used.
func TestSessions_Lifetime(t *testing.T) {
	t.Parallel()
	d := newDesk(t, httpapi.SessionOptions{Lifetime: 3 * time.Hour}, httpapi.Options{})
	page := d.open()
	page.signIn("operator", deskKey)
	d.now = d.now.Add(2 * time.Hour)
	page.signIn("public", acmeKey)
	require.Equal(t, http.StatusOK, page.decides(deskKey))
	d.now = d.now.Add(time.Hour)
	require.Equal(t, http.StatusUnauthorized, page.decides(deskKey))
	require.Equal(t, http.StatusOK, page.status(http.MethodPost, checkPath, acmeKey))
}

func TestSessions_OtherOrigins(t *testing.T) {
	t.Parallel()
	d := newDesk(t, httpapi.SessionOptions{}, httpapi.Options{})
	page := d.open()
	page.signIn("operator", deskKey)
	for reason, from := range map[string]http.Header{
		"another site":                    {"Sec-Fetch-Site": {"cross-site"}, "Origin": {"https://evil.example"}},
		"another host of the same site":   {"Sec-Fetch-Site": {"same-site"}, "Origin": {"https://other.desk.example"}},
		"a link":                          {"Sec-Fetch-Site": {"none"}},
		"another origin, http":            {"Origin": {"http://evil.example"}},
		"another port":                    {"Origin": {"http://desk.example:8080"}},
		"a page without an origin":        {"Origin": {"null"}},
		"headers that contradict another": {"Sec-Fetch-Site": {"same-origin", "cross-site"}},
	} {
		header := page.header()
		header.Del("Sec-Fetch-Site")
		header.Del("Origin")
		for name, values := range from {
			header[name] = values
		}
		header.Set("X-Session-Key", account.Fingerprint(account.HashKey(deskKey)))
		require.Equal(t, http.StatusUnauthorized, d.send(http.MethodGet, deskPath, header).Code, reason)
		require.Equal(t, http.StatusForbidden, d.send(http.MethodGet, "/session/current", header).Code, reason)
		require.Equal(t, http.StatusForbidden, d.send(http.MethodPost, "/session/end", header).Code, reason)
		header.Set("X-Api-Key", deskKey)
		w := d.send(http.MethodPost, "/session/operator", header)
		require.Equal(t, http.StatusForbidden, w.Code, reason)
		require.Empty(t, w.Header().Get("Set-Cookie"), reason)
	}
	header := page.header()
	require.Equal(t, http.StatusUnauthorized, d.send(http.MethodGet, deskPath, header).Code, "a form cannot name the key")

	// Browsers send no Sec-Fetch-Site over plain http, and no Origin with what only reads.
	header.Del("Sec-Fetch-Site")
	header.Set("X-Session-Key", account.Fingerprint(account.HashKey(deskKey)))
	require.Equal(t, http.StatusOK, d.send(http.MethodGet, deskPath, header).Code)
	header.Del("Origin")
	require.Equal(t, http.StatusOK, d.send(http.MethodGet, deskPath, header).Code)
	require.Equal(t, http.StatusForbidden, d.send(http.MethodPost, "/session/end", header).Code)
	require.Equal(t, http.StatusOK, page.decides(deskKey), "nothing has ended the session")
}

func TestSessions_Cookies(t *testing.T) {
	t.Parallel()
	d := newDesk(t, httpapi.SessionOptions{}, httpapi.Options{})
	page := d.open()
	page.signIn("operator", deskKey)
	first := page.cookies["__Host-apguard-session"]
	page.signIn("operator", deskKey)
	second := page.cookies["__Host-apguard-session"]
	require.NotEqual(t, first, second, "a sign-in changes the ID")

	page.cookies["__Host-apguard-session"] = first
	require.Equal(t, http.StatusOK, page.decides(deskKey), "a request was on its way")
	header := page.header()
	header.Set("X-Api-Key", acmeKey)
	require.Equal(t, http.StatusOK, d.send(http.MethodPost, "/session/public", header).Code)
	require.Equal(t, http.StatusUnauthorized, page.status(http.MethodPost, checkPath, acmeKey), "the earlier ID does not gain by a sign-in")
	d.now = d.now.Add(10 * time.Second)
	require.Equal(t, http.StatusUnauthorized, page.decides(deskKey), "the earlier ID has ended")
	page.cookies["__Host-apguard-session"] = second
	require.Equal(t, http.StatusOK, page.decides(deskKey))
	page.cookies["apguard-session"] = first
	require.Equal(t, http.StatusOK, page.decides(deskKey), "a neighbor cannot replace the cookie")
	victim := d.open()
	victim.cookies["apguard-session"] = second
	require.Equal(t, http.StatusUnauthorized, victim.decides(deskKey), "nor sign somebody in as themselves")

	header = page.header()
	header.Add("Cookie", "__Host-apguard-session="+first)
	header.Set("X-Session-Key", account.Fingerprint(account.HashKey(deskKey)))
	require.Equal(t, http.StatusUnauthorized, d.send(http.MethodGet, deskPath, header).Code, "two cookies of one name")

	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:8090/session/operator", nil)
	r.Header = http.Header{"X-Api-Key": {deskKey}, "Sec-Fetch-Site": {"same-origin"}, "Origin": {"http://127.0.0.1:8090"}}
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	require.Regexp(t, `^apguard-session-8090=[A-Z2-7]{52}; Path=/; HttpOnly; SameSite=Strict$`, w.Header().Get("Set-Cookie"),
		"servers on other ports have cookies of other names")
}

func TestSessions_Bounded(t *testing.T) {
	t.Parallel()
	d := newDesk(t, httpapi.SessionOptions{Max: 25}, httpapi.Options{})
	open := func(key string) tab {
		d.now = d.now.Add(time.Second)
		page := d.open()
		require.Equal(t, http.StatusOK, page.signIn("operator", key).Code)
		return page
	}
	d.putKey("apg_other")
	other := open("apg_other")
	pages := make([]tab, 0, 21)
	for range 21 {
		pages = append(pages, open(deskKey))
	}
	require.Equal(t, http.StatusUnauthorized, pages[0].decides(deskKey), "a key has at most 20")
	require.Equal(t, http.StatusOK, pages[1].decides(deskKey))
	require.Equal(t, http.StatusOK, other.decides("apg_other"), "a key does not end the sessions of others")
	for range 5 {
		open("apg_other")
	}
	require.Equal(t, http.StatusUnauthorized, pages[2].decides(deskKey), "the session that was not used for the longest time has ended")
	require.Equal(t, http.StatusOK, pages[3].decides(deskKey))
	require.Equal(t, http.StatusOK, other.decides("apg_other"))
}

func TestSessions_TwoSessions(t *testing.T) {
	t.Parallel()
	d := newDesk(t, httpapi.SessionOptions{}, httpapi.Options{})
	one, two := d.open(), d.open()
	one.signIn("operator", deskKey)
	two.signIn("operator", deskKey)
	require.Equal(t, http.StatusOK, d.send(http.MethodPost, "/session/end", one.header()).Code)
	require.Equal(t, http.StatusUnauthorized, one.decides(deskKey))
	require.Equal(t, http.StatusOK, two.decides(deskKey))
}

func TestNewSignIn_FailedAuthentications(t *testing.T) {
	t.Parallel()
	rate, err := limit.NewRate(limit.RateOptions{FailedRate: 0.001, FailedBurst: 3, Clock: func() time.Time { return now }})
	require.NoError(t, err)
	d := newDesk(t, httpapi.SessionOptions{}, httpapi.Options{Failures: rate})
	page := d.open()
	for range 3 {
		w := page.signIn("operator", unknownKey)
		require.Equal(t, http.StatusUnauthorized, w.Code)
		require.Empty(t, w.Header().Get("Set-Cookie"))
	}
	require.Equal(t, http.StatusTooManyRequests, page.signIn("operator", unknownKey).Code)
	require.Equal(t, http.StatusTooManyRequests, page.decides(unknownKey), "the APIs share the limit")
	require.Equal(t, http.StatusOK, page.signIn("operator", deskKey).Code)
}

func TestSessions_Zero(t *testing.T) {
	t.Parallel()
	var zero httpapi.Sessions
	_, err := httpapi.NewSignIn(&zero, httpapi.Options{})
	require.ErrorIs(t, err, httpapi.ErrOptions)
	_, err = httpapi.NewSignIn(nil, httpapi.Options{})
	require.ErrorIs(t, err, httpapi.ErrOptions)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+signInHost+deskPath, nil)
	r.Header = http.Header{"X-Api-Key": {deskKey}, "Sec-Fetch-Site": {"same-origin"}, "X-Session-Key": {"000000000000"}}
	for _, authenticator := range []httpapi.Authenticator{zero.Public(), zero.Operator()} {
		principal, err := authenticator.Authenticate(r)
		require.ErrorIs(t, err, httpapi.ErrUnauthenticated)
		require.Zero(t, principal)
	}
}
