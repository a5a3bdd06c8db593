package httpapi

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// forwardedHeader is the header in which proxies report the addresses in front of them.
const forwardedHeader = "X-Forwarded-For"

// remoteAddr returns the address of the connection. It is the zero Addr if the connection
// has none, such as that of a Unix socket.
func remoteAddr(r *http.Request) netip.Addr {
	remote, _ := netip.ParseAddrPort(r.RemoteAddr)
	return plainAddr(remote.Addr())
}

// plainAddr returns an IPv4 address as such, and without a zone.
func plainAddr(addr netip.Addr) netip.Addr { return addr.Unmap().WithZone("") }

// TrustProxies returns a function for Options.ClientAddr, for servers behind proxies. The
// prefixes are those of the proxies, such as 10.0.0.0/8.
//
// The function reads the header X-Forwarded-For from its end, where each proxy appends the
// address of its client. It follows addresses of proxies only, and returns the first
// address that belongs to none. It ignores what stands in front of that, because the client
// may have written it. If the connection is not from a proxy, it ignores the header. If an
// entry is not an IP address, with or without a port, it returns the address of the proxy
// that has appended the entry.
func TrustProxies(prefixes ...netip.Prefix) func(*http.Request) netip.Addr {
	isProxy := within(prefixes)
	return func(r *http.Request) netip.Addr {
		addr := remoteAddr(r)
		if !isProxy(addr) {
			return addr
		}
		hops := strings.Split(strings.Join(r.Header.Values(forwardedHeader), ","), ",")
		for _, hop := range slices.Backward(hops) {
			before, valid := parseHop(strings.TrimSpace(hop))
			if !valid {
				return addr
			}
			if addr = before; !isProxy(addr) {
				return addr
			}
		}
		return addr
	}
}

// within returns a function that reports whether an address is in one of the prefixes.
func within(prefixes []netip.Prefix) func(netip.Addr) bool {
	prefixes = slices.Clone(prefixes)
	return func(addr netip.Addr) bool {
		return slices.ContainsFunc(prefixes, func(p netip.Prefix) bool { return p.Contains(addr) })
	}
}

// parseHop parses an address that may have a port, and may stand in brackets.
func parseHop(hop string) (netip.Addr, bool) {
	if withPort, err := netip.ParseAddrPort(hop); err == nil {
		return plainAddr(withPort.Addr()), true
	}
	addr, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(hop, "["), "]"))
	return plainAddr(addr), err == nil
}
