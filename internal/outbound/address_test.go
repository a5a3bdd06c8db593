package outbound_test

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/outbound"
)

func TestPublic(t *testing.T) {
	t.Parallel()
	for text, reason := range map[string]string{
		"0.0.0.0":              "unspecified",
		"0.1.2.3":              "this network",
		"10.255.255.255":       "private",
		"100.64.0.1":           "shared by customers of a provider",
		"100.127.255.255":      "shared, last",
		"127.0.0.1":            "loopback",
		"127.255.255.254":      "loopback, last",
		"169.254.169.254":      "link-local",
		"172.16.0.1":           "private",
		"172.31.255.255":       "private, last",
		"192.0.0.8":            "protocol assignment",
		"192.0.2.1":            "documentation",
		"192.88.99.1":          "6to4 relay",
		"192.168.0.1":          "private",
		"198.18.0.1":           "benchmark",
		"198.19.255.255":       "benchmark, last",
		"198.51.100.1":         "documentation",
		"203.0.113.1":          "documentation",
		"224.0.0.1":            "multicast",
		"239.255.255.255":      "multicast, last",
		"240.0.0.1":            "reserved",
		"255.255.255.255":      "broadcast",
		"::":                   "unspecified",
		"::1":                  "loopback",
		"::ffff:127.0.0.1":     "mapped loopback",
		"::ffff:10.0.0.1":      "mapped private",
		"::127.0.0.1":          "compatible loopback",
		"::8.8.8.8":            "compatible",
		"64:ff9b::127.0.0.1":   "translated loopback",
		"64:ff9b::a00:1":       "translated private",
		"64:ff9b:1::808:808":   "translated, local use",
		"100::1":               "discard",
		"2001::1":              "Teredo",
		"2001:10::1":           "ORCHID",
		"2001:db8::1":          "documentation",
		"2002:7f00:1::":        "6to4 loopback",
		"2002:808:808::":       "6to4",
		"3fff::1":              "documentation",
		"4000::1":              "unassigned",
		"5f00::1":              "segment routing",
		"fc00::1":              "unique local",
		"fd12:3456::1":         "unique local",
		"fe80::1":              "link-local",
		"fe80::1%eth0":         "link-local with a zone",
		"2606:4700::1111%eth0": "zone",
		"fec0::1":              "site-local",
		"ff02::1":              "multicast",
	} {
		require.False(t, outbound.Public(netip.MustParseAddr(text)), "%s, %s", text, reason)
	}
	for _, text := range []string{
		"1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.1", "223.255.255.255",
		"::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2606:4700::1111", "2001:4860:4860::8888", "2a00::1",
	} {
		require.True(t, outbound.Public(netip.MustParseAddr(text)), text)
	}
	require.False(t, outbound.Public(netip.Addr{}), "the zero address")
}
