package httpapi

import (
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/apguard/apguard/account"
)

// sessionKeyHeader is the header with the fingerprint of the key that a page acts with. Another tab may have
// signed in with another key meanwhile, and what is sent for one organization must not go to another. No form
// and no link can send it.
const sessionKeyHeader = "X-Session-Key"

// Public returns the Authenticator for [New]. A key in the header X-API-KEY counts first. Without one, a session
// counts if the header X-Session-Key has the fingerprint of one of its keys. With that of an operator, a request may
// check and read the changelog. It acts for no organization.
func (s *Sessions) Public() Authenticator { return sessionKeys{s, publicAPI} }

// Operator returns the Authenticator for [NewOperator]. A key in the header X-API-KEY counts first. Without one, a
// session counts if the header X-Session-Key has the fingerprint of its operator's key.
func (s *Sessions) Operator() Authenticator { return sessionKeys{s, operatorAPI} }

// sessionKeys authenticates requests of one API.
type sessionKeys struct {
	sessions *Sessions
	api      sessionAPI
}

// Authenticate implements [Authenticator].
func (a sessionKeys) Authenticate(r *http.Request) (account.Principal, error) {
	keys := a.sessions.keys
	switch {
	case keys == nil:
		return account.Principal{}, ErrUnauthenticated
	case len(r.Header[keyHeader]) > 0:
		return apiKeys{keys}.Authenticate(r)
	case !sameOrigin(r) || len(r.Header[sessionKeyHeader]) != 1:
		return account.Principal{}, ErrUnauthenticated
	}
	named := r.Header[sessionKeyHeader][0]
	held := a.sessions.use(r)
	if key, found := held[a.api]; found && account.Fingerprint(key.hash) == named {
		return a.sessions.authenticate(r, key)
	}
	if key, found := held[operatorAPI]; found && account.Fingerprint(key.hash) == named {
		operator, err := a.sessions.authenticate(r, key)
		return readerOf(operator), err
	}
	return account.Principal{}, ErrUnauthenticated
}

// readerOf returns what an operator without an organization's key is in the public API.
func readerOf(operator account.Principal) account.Principal {
	reader := account.Principal{UserID: operator.UserID, Email: operator.Email, Fingerprint: operator.Fingerprint}
	if operator.Has(account.ScopeOperatorRead) {
		reader.Scopes = []account.Scope{account.ScopeCheck, account.ScopeChangelog}
	}
	return reader
}

// sameOrigin reports whether a page of the same origin has sent a request. Browsers say so for https and for
// this machine. For other addresses, they name the origin of requests that change something, and others of
// strangers cannot be read by them.
func sameOrigin(r *http.Request) bool {
	if site := r.Header["Sec-Fetch-Site"]; len(site) > 0 {
		return len(site) == 1 && site[0] == "same-origin"
	}
	origin := r.Header["Origin"]
	if len(origin) == 0 {
		return r.Method == http.MethodGet || r.Method == http.MethodHead
	}
	parsed, err := url.Parse(origin[0])
	return len(origin) == 1 && err == nil && parsed.Host != "" && strings.EqualFold(parsed.Host, r.Host)
}

// sessionID returns the ID that the cookie of a request has, or nothing. Two cookies of one name have different
// owners, and so has one without the prefix over https: a neighbor of the host can set it.
func sessionID(r *http.Request) string {
	for _, secure := range []bool{true, false} {
		if !secure && isHTTPS(r) {
			break
		}
		if cookies := r.CookiesNamed(sessionCookie(r, secure)); len(cookies) > 0 {
			if len(cookies) > 1 {
				return ""
			}
			return cookies[0].Value
		}
	}
	return ""
}

// sessionCookie returns the name of the cookie. Servers on different ports of a host share their cookies, so the
// name has the port. Only the host itself can set a cookie with the prefix __Host-.
func sessionCookie(r *http.Request, secure bool) string {
	name := "apguard-session"
	if _, port, err := net.SplitHostPort(r.Host); err == nil {
		if _, err := strconv.ParseUint(port, 10, 16); err == nil {
			name += "-" + port
		}
	}
	if secure {
		return "__Host-" + name
	}
	return name
}

// isHTTPS reports whether a page that was loaded over https has sent a request, as far as the request tells. A proxy
// may have ended https. The page then still names its own origin when it changes something.
func isHTTPS(r *http.Request) bool {
	return r.TLS != nil || strings.HasPrefix(r.Header.Get("Origin"), "https://")
}

// setSession sets the cookie of a session, or removes it if the ID is empty.
func setSession(w http.ResponseWriter, r *http.Request, id string) {
	secure := isHTTPS(r)
	cookie := http.Cookie{ //nolint:gosec // a cookie that is Secure is not kept over http
		Name: sessionCookie(r, secure), Value: id, Path: "/", HttpOnly: true, Secure: secure, SameSite: http.SameSiteStrictMode,
	}
	if id == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(w, &cookie)
}
