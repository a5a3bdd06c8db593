package httpapi

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/rs/cors"
)

// preflightAge is how long browsers keep the answer to a preflight request.
const preflightAge = 10 * time.Minute

// allowOrigins lets pages of [Options.AllowedOrigins] call an operation for browsers. It answers
// preflight requests, which have no credentials. Cookies are never allowed: the credentials are in a
// header.
func (a *API) allowOrigins(op operation, handler http.Handler) http.Handler {
	if !a.allowsOrigins(op) {
		return handler
	}
	return cors.New(cors.Options{
		AllowedOrigins: a.options.AllowedOrigins,
		AllowedMethods: op.methods,
		AllowedHeaders: []string{"Authorization", "Content-Type", "If-None-Match", keyHeader, requestIDHeader},
		ExposedHeaders: []string{"Age", "ETag", "RateLimit", "RateLimit-Policy", "Retry-After", rulesVersionHeader, requestIDHeader},
		MaxAge:         int(preflightAge.Seconds()),
	}).Handler(handler)
}

// allowsOrigins reports whether pages of other origins may call the operation.
func (a *API) allowsOrigins(op operation) bool {
	return op.browsers && len(a.options.AllowedOrigins) > 0
}

// validOrigin reports whether the text is an origin as browsers send it: a scheme, a host and, if it is
// not the usual one of the scheme, a port. There are no patterns, and not the origin "null", which every
// page can have.
func validOrigin(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Hostname() != "" && origin == u.Scheme+"://"+u.Host && !strings.ContainsFunc(origin, isNoOrigin) &&
		!strings.HasSuffix(u.Host, ":") && (u.Port() == "" || u.Port() != map[string]string{"http": "80", "https": "443"}[u.Scheme])
}

// isNoOrigin reports whether no origin has the character.
func isNoOrigin(r rune) bool {
	return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789.-_:/[]", r)
}
