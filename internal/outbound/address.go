package outbound

import (
	"net/netip"
	"slices"
)

// Public reports whether an address belongs to the public Internet. The server connects
// to no other addresses on behalf of operators, so that nobody can reach its network through a URL.
//
// The rule follows the IANA registries of special-purpose addresses. An IPv4 address inside of an
// IPv6 address is treated like that IPv4 address if it is mapped or translated by NAT64. Other
// tunnels are not public.
func Public(addr netip.Addr) bool {
	if addr.Zone() != "" {
		return false
	}
	addr = addr.Unmap()
	if nat64().Contains(addr) {
		inner := addr.As16()
		addr = netip.AddrFrom4([4]byte(inner[12:]))
	}
	special := special6()
	if addr.Is4() {
		special = special4()
	} else if !unicast6().Contains(addr) {
		return false // also the invalid address
	}
	return !slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// nat64 is the well-known prefix of RFC 6052.
func nat64() netip.Prefix {
	return netip.PrefixFrom(netip.AddrFrom16([16]byte{0, 0x64, 0xff, 0x9b}), 96)
}

// unicast6 is the only part of IPv6 from which public addresses are assigned.
func unicast6() netip.Prefix { return netip.PrefixFrom(netip.AddrFrom16([16]byte{0x20}), 3) }

// special4 are the blocks of IPv4 that are not public.
func special4() []netip.Prefix {
	return []netip.Prefix{
		v4(0, 0, 0, 8),      // this network, and the unspecified address
		v4(10, 0, 0, 8),     // private
		v4(100, 64, 0, 10),  // shared by the customers of a provider
		v4(127, 0, 0, 8),    // loopback
		v4(169, 254, 0, 16), // link-local, with the metadata services of clouds
		v4(172, 16, 0, 12),  // private
		v4(192, 0, 0, 24),   // protocol assignments
		v4(192, 0, 2, 24),   // documentation
		v4(192, 88, 99, 24), // relays of 6to4
		v4(192, 168, 0, 16), // private
		v4(198, 18, 0, 15),  // benchmarks
		v4(198, 51, 100, 24),
		v4(203, 0, 113, 24),
		v4(224, 0, 0, 4), // multicast
		v4(240, 0, 0, 4), // reserved, and broadcast
	}
}

// special6 are the blocks of unicast6 that are not public.
func special6() []netip.Prefix {
	return []netip.Prefix{
		v6([16]byte{0x20, 0x01}, 23),             // protocol assignments, such as Teredo
		v6([16]byte{0x20, 0x01, 0x0d, 0xb8}, 32), // documentation
		v6([16]byte{0x20, 0x02}, 16),             // 6to4
		v6([16]byte{0x3f, 0xff}, 20),             // documentation
	}
}

func v4(a, b, c byte, bits int) netip.Prefix {
	return netip.PrefixFrom(netip.AddrFrom4([4]byte{a, b, c}), bits)
}

func v6(addr [16]byte, bits int) netip.Prefix {
	return netip.PrefixFrom(netip.AddrFrom16(addr), bits)
}
