package httpapi

import (
	"net/http"
	"net/netip"
)

// TrustEmailHeader returns a function for SessionOptions.Person, for servers behind a proxy that authenticates people
// and sends their e-mail addresses in a header, such as X-Forwarded-Email. The prefixes are those of the proxies.
//
// The function returns nothing for a request whose connection is not from a proxy, or that has the header twice. Every
// proxy of the prefixes must remove the header of its clients, and so must every other program on the same addresses:
// they can act as every person. Without prefixes, the function returns nothing.
func TrustEmailHeader(header string, prefixes ...netip.Prefix) func(*http.Request) string {
	header, isProxy := http.CanonicalHeaderKey(header), within(prefixes)
	return func(r *http.Request) string {
		if values := r.Header[header]; len(values) == 1 && isProxy(remoteAddr(r)) {
			return values[0]
		}
		return ""
	}
}
