package httpapi_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/httpapi"
)

const (
	emailHeader = "X-Forwarded-Email"
	ada         = "ada@acme.test" // user 1
	proxyAddr   = "10.0.0.1:1234"
)

func TestTrustEmailHeader(t *testing.T) {
	t.Parallel()
	trusted := proxies()
	person := httpapi.TrustEmailHeader("x-forwarded-email", trusted...)
	clear(trusted) // it has its own copy
	for reason, c := range map[string]struct {
		remote string
		values []string
		want   string
	}{
		"a proxy":                         {proxyAddr, []string{ada}, ada},
		"a proxy with IPv6":               {"[2001:db8:ffff::1]:1234", []string{ada}, ada},
		"a proxy with IPv4 as IPv6":       {"[::ffff:10.0.0.1]:1234", []string{ada}, ada},
		"no proxy":                        {"192.0.2.1:1234", []string{ada}, ""},
		"a Unix socket":                   {"@", []string{ada}, ""},
		"no remote address":               {"", []string{ada}, ""},
		"no header":                       {proxyAddr, nil, ""},
		"an empty header":                 {proxyAddr, []string{""}, ""},
		"the header twice":                {proxyAddr, []string{ada, ada}, ""},
		"the header of a client before":   {proxyAddr, []string{"eve@acme.test", ada}, ""},
		"an empty header before the real": {proxyAddr, []string{"", ada}, ""},
	} {
		r := newGet(newReports, acmeKey)
		r.RemoteAddr = c.remote
		r.Header[emailHeader] = c.values
		r.Header.Set("X-Forwarded-For", "10.0.0.2")
		r.Header.Set("X-Forwarded_email", ada)
		require.Equal(t, c.want, person(r), reason)
	}
	r := newGet(newReports, acmeKey)
	r.RemoteAddr = proxyAddr
	r.Header.Set(emailHeader, ada)
	require.Empty(t, httpapi.TrustEmailHeader(emailHeader)(r), "no proxies")
}

// signInDesk is a desk behind a proxy, with a key for Ada, and Bob, who has none.
func signInDesk(tb testing.TB) (d *desk, adasKey account.Key) {
	tb.Helper()
	d = newDesk(tb, httpapi.SessionOptions{Person: httpapi.TrustEmailHeader(emailHeader, proxies()...)}, httpapi.Options{})
	d.remote = proxyAddr
	require.NoError(tb, d.guard.Accounts.PutUser(tb.Context(), account.User{ID: 3, Email: "bob@acme.test"}))
	key := account.GenerateKey()
	scopes := []account.Scope{account.ScopeOperatorRead}
	require.NoError(tb, d.guard.Keys.Put(tb.Context(), key, account.KeyRequest{UserID: 1, Name: account.SignInKeyName, Scopes: scopes}))
	adasKey, err := d.guard.Keys.Get(tb.Context(), account.HashKey(key))
	require.NoError(tb, err)
	return d, adasKey
}

// as returns what a browser sends for a request of the page when the proxy names a person.
func (t tab) as(email string) http.Header {
	header := t.header()
	header.Set(emailHeader, email)
	return header
}

// enter signs in the person of the header, and returns the response.
func (t tab) enter(header http.Header) *httptest.ResponseRecorder {
	t.tb.Helper()
	w := t.send(http.MethodPost, "/session/person", header)
	t.keep(w)
	return w
}

// lists returns the status of a request to the operators' API that acts with a key.
func (t tab) lists(header http.Header, key account.Key) int {
	t.tb.Helper()
	header.Set("X-Session-Key", key.Fingerprint())
	return t.send(http.MethodGet, deskPath, header).Code
}

func TestNewSignIn_Person(t *testing.T) {
	t.Parallel()
	d, key := signInDesk(t)
	page := d.open()
	w := d.send(http.MethodGet, "/session/current", page.as(ada))
	require.JSONEq(t, `{"public":null,"operator":null,"person":"ada@acme.test"}`, w.Body.String(), "a page knows who can sign in")
	require.Equal(t, http.StatusUnauthorized, page.lists(page.as(ada), key), "the header alone grants nothing")

	w = page.enter(page.as("Ada@ACME.test"))
	require.Equal(t, http.StatusOK, w.Code)
	require.JSONEq(t, `{"public":null,"operator":"`+key.Fingerprint()+`","person":"ada@acme.test"}`, w.Body.String())
	require.Regexp(t, `^__Host-apguard-session=[A-Z2-7]{52}; Path=/; HttpOnly; Secure; SameSite=Strict$`, w.Header().Get("Set-Cookie"))
	require.Equal(t, http.StatusOK, page.lists(page.as(ada), key))

	header := page.as(ada)
	header.Set("X-Session-Key", key.Fingerprint())
	w = d.send(http.MethodGet, "/operator/caller/get", header)
	var caller struct {
		Fingerprint string
		Scopes      []account.Scope
		User        struct{ ID int64 }
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &caller))
	require.Equal(t, key.Fingerprint(), caller.Fingerprint)
	require.Equal(t, key.Scopes, caller.Scopes, "the scopes are those of the key")
	require.EqualValues(t, 1, caller.User.ID)
	require.Equal(t, http.StatusForbidden, d.send(http.MethodPost, "/operator/dispute/startReview", header).Code)
	require.Equal(t, http.StatusOK, d.send(http.MethodPost, checkPath, header).Code)
	require.Equal(t, http.StatusUnauthorized, d.send(http.MethodPost, assetsPath, header).Code, "it acts for no organization")

	w = d.send(http.MethodPost, "/session/end", page.as(ada))
	require.JSONEq(t, `{"public":null,"operator":null,"person":"ada@acme.test"}`, w.Body.String())
	require.Contains(t, w.Header().Get("Set-Cookie"), "Max-Age=0")
	require.Equal(t, http.StatusUnauthorized, page.lists(page.as(ada), key), "Ada has signed out")
}

func TestNewSignIn_Person_refused(t *testing.T) {
	t.Parallel()
	for reason, change := range map[string]func(d *desk, header http.Header, key account.Key){
		"the proxy names nobody":                 func(_ *desk, header http.Header, _ account.Key) { header.Del(emailHeader) },
		"the header is empty":                    func(_ *desk, header http.Header, _ account.Key) { header.Set(emailHeader, "") },
		"the header is repeated":                 func(_ *desk, header http.Header, _ account.Key) { header.Add(emailHeader, ada) },
		"the request does not come from a proxy": func(d *desk, _ http.Header, _ account.Key) { d.remote = "192.0.2.1:1234" },
		"a direct request that says it came through a proxy": func(d *desk, header http.Header, _ account.Key) {
			d.remote = "192.0.2.1:1234"
			header.Set("X-Forwarded-For", "10.0.0.1")
		},
		"two addresses":                 func(_ *desk, header http.Header, _ account.Key) { header.Set(emailHeader, ada+", bob@acme.test") },
		"the user has no key":           func(_ *desk, header http.Header, _ account.Key) { header.Set(emailHeader, "bob@acme.test") },
		"nobody has the address":        func(_ *desk, header http.Header, _ account.Key) { header.Set(emailHeader, "eve@acme.test") },
		"another site":                  func(_ *desk, header http.Header, _ account.Key) { header.Set("Sec-Fetch-Site", "cross-site") },
		"another host of the same site": func(_ *desk, header http.Header, _ account.Key) { header.Set("Sec-Fetch-Site", "same-site") },
		"a form of a page of http": func(_ *desk, header http.Header, _ account.Key) {
			header.Del("Sec-Fetch-Site")
			header.Set("Origin", "null")
		},
		"two users have the address":     func(d *desk, _ http.Header, _ account.Key) { d.put(account.User{ID: 4, Email: "ADA@acme.test"}) },
		"the user is deactivated":        func(d *desk, _ http.Header, _ account.Key) { d.put(account.User{ID: 1, Email: ada, Deactivated: true}) },
		"the user is a program":          func(d *desk, _ http.Header, _ account.Key) { d.put(account.User{ID: 1, Email: ada, Automation: true}) },
		"the key of the user is revoked": func(d *desk, _ http.Header, key account.Key) { d.revoke(key) },
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			d, key := signInDesk(t)
			page := d.open()
			header := page.as(ada)
			change(d, header, key)
			w := page.enter(header)
			require.Equal(t, http.StatusForbidden, w.Code)
			require.Empty(t, w.Header().Get("Set-Cookie"))
			require.NotContains(t, w.Body.String(), "acme.test")
			require.Equal(t, http.StatusUnauthorized, page.lists(header, key))
		})
	}
}

func (d *desk) put(user account.User) {
	d.tb.Helper()
	require.NoError(d.tb, d.guard.Accounts.PutUser(d.tb.Context(), user))
}

func (d *desk) revoke(key account.Key) {
	d.tb.Helper()
	_, err := d.guard.Keys.Revoke(d.tb.Context(), key.Hash)
	require.NoError(d.tb, err)
}

func TestSessions_PersonEnds(t *testing.T) {
	t.Parallel()
	for reason, end := range map[string]func(d *desk, header http.Header, key account.Key){
		"the proxy names nobody any more":  func(_ *desk, header http.Header, _ account.Key) { header.Del(emailHeader) },
		"the proxy names a colleague":      func(_ *desk, header http.Header, _ account.Key) { header.Set(emailHeader, "bob@acme.test") },
		"the header is repeated":           func(_ *desk, header http.Header, _ account.Key) { header.Add(emailHeader, ada) },
		"the cookie comes past the proxy":  func(d *desk, _ http.Header, _ account.Key) { d.remote = "192.0.2.1:1234" },
		"the user has another address":     func(d *desk, _ http.Header, _ account.Key) { d.put(account.User{ID: 1, Email: "ada@new.test"}) },
		"the user is deactivated":          func(d *desk, _ http.Header, _ account.Key) { d.put(account.User{ID: 1, Email: ada, Deactivated: true}) },
		"the key is revoked":               func(d *desk, _ http.Header, key account.Key) { d.revoke(key) },
		"the session is idle for too long": func(d *desk, _ http.Header, _ account.Key) { d.now = d.now.Add(12 * time.Hour) },
		"another site uses the session":    func(_ *desk, header http.Header, _ account.Key) { header.Set("Sec-Fetch-Site", "cross-site") },
		"a fingerprint without the cookie": func(_ *desk, header http.Header, _ account.Key) { header.Del("Cookie") },
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			d, key := signInDesk(t)
			page := d.open()
			require.Equal(t, http.StatusOK, page.enter(page.as(ada)).Code)
			header := page.as(ada)
			require.Equal(t, http.StatusOK, page.lists(header, key))
			end(d, header, key)
			require.Eventually(t, func() bool { return page.lists(header, key) == http.StatusUnauthorized }, time.Minute, 10*time.Millisecond)
		})
	}
}

// A browser that two people use: what one has signed in with is nothing that the other can use.
func TestSessions_PersonsOfOneBrowser(t *testing.T) {
	t.Parallel()
	d, key := signInDesk(t)
	bobsKey := account.GenerateKey()
	require.NoError(t, d.guard.Keys.Put(t.Context(), bobsKey, account.KeyRequest{UserID: 3, Name: account.SignInKeyName, Scopes: account.OperatorScopes()}))
	bobs, err := d.guard.Keys.Get(t.Context(), account.HashKey(bobsKey))
	require.NoError(t, err)
	page := d.open()
	require.Equal(t, http.StatusOK, page.enter(page.as(ada)).Code)
	header := page.as(ada)
	header.Set("X-Api-Key", acmeKey)
	w := d.send(http.MethodPost, "/session/public", header)
	require.Equal(t, http.StatusOK, w.Code)
	page.keep(w)
	writes := func(email string) int {
		header := page.as(email)
		header.Set("X-Session-Key", account.Fingerprint(account.HashKey(acmeKey)))
		return d.send(http.MethodPost, assetsPath, header).Code
	}
	require.Equal(t, http.StatusBadRequest, writes(ada), "allowed, but there are no assets")
	require.Equal(t, http.StatusUnauthorized, writes("bob@acme.test"), "nor does Bob have the key that Ada has entered")

	require.Equal(t, http.StatusOK, page.enter(page.as("bob@acme.test")).Code)
	require.Equal(t, http.StatusOK, page.lists(page.as("bob@acme.test"), bobs))
	require.Equal(t, http.StatusUnauthorized, writes("bob@acme.test"))
	require.Equal(t, http.StatusUnauthorized, page.lists(page.as(ada), key), "the cookie is that of Bob")
}

func TestNewSignIn_PersonWithoutAccounts(t *testing.T) {
	t.Parallel()
	d, _ := signInDesk(t)
	sessions := httpapi.NewSessions(d.guard.Keys, httpapi.SessionOptions{Person: httpapi.TrustEmailHeader(emailHeader, proxies()...)})
	_, err := httpapi.NewSignIn(sessions, httpapi.Options{})
	require.ErrorIs(t, err, httpapi.ErrOptions)

	plain := newDesk(t, httpapi.SessionOptions{}, httpapi.Options{})
	plain.remote = proxyAddr
	page := plain.open()
	require.Equal(t, http.StatusForbidden, page.enter(page.as(ada)).Code, "without the option, the header is nothing")
}
