package webhook

import (
	"net/netip"

	"github.com/apguard/apguard/internal/outbound"
)

// MaxURL is the maximum length of the URL of an endpoint in bytes.
const MaxURL = outbound.MaxURL

// Public reports whether an address belongs to the public Internet. A sender connects to no other
// addresses, so that nobody can reach the network of the server through an endpoint.
//
// The rule follows the IANA registries of special-purpose addresses. An IPv4 address inside of an
// IPv6 address is treated like that IPv4 address if it is mapped or translated by NAT64. Other
// tunnels are not public.
func Public(addr netip.Addr) bool { return outbound.Public(addr) }
