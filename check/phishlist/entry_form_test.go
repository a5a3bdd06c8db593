package phishlist_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

func TestWhyInvalid(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("a", 249) + ".com"
	for reason, c := range map[string]struct {
		entry string
		host  bool
	}{
		"a host":                           {"bad.com", true},
		"an internationalized name":        {"b\u00fccher.com", true},
		"an IPv6 address":                  {"[2001:db8::1]", true},
		"empty labels":                     {"..bad..com.", true},
		"the longest host":                 {longest, true},
		"a longer host":                    {"a" + longest, false},
		"an empty string":                  {"", false},
		"a path":                           {"bad.com/path", false},
		"a port":                           {"bad.com:8080", false},
		"an IPv6 address without brackets": {"2001:db8::1", false},
		"a name in brackets":               {"[wallet]", false},
		"hexadecimal digits in brackets":   {"[dead.beef]", false},
		"an IPv6 address with a zone":      {"[fe80::1%eth0]", false},
		"an e-mail address":                {"bob@bad.com", false},
		"a space":                          {"bad .com", false},
		"a NUL":                            {"bad\\u0000.com", false},
		"percent-encoding":                 {"bad%2ecom", false},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			for _, key := range []string{"blacklist", "whitelist", "fuzzylist"} {
				list := load(t, fmt.Sprintf(`{"name": "a", %q: ["first.com", "%s", "last.com"]}`, key, c.entry))
				entries, targets := list.Len()
				if c.host {
					require.Zero(t, list.Warnings().InvalidHosts)
					require.Empty(t, list.Warnings().FirstInvalidHosts)
					require.Equal(t, 3, entries+targets)
					continue
				}
				require.Equal(t, 2, entries+targets)
				require.Equal(t, 1, list.Warnings().InvalidHosts)
				require.Contains(t, list.Warnings().FirstInvalidHosts[0].Field, "("+key+"[1])")
				require.NotEmpty(t, list.Warnings().FirstInvalidHosts[0].Message)
			}
		})
	}
}

func TestIsCanonical(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		entry     string
		canonical bool
	}{
		"a domain":                            {"evil.com", true},
		"a single label":                      {"evil", true},
		"an underscore and a hyphen":          {"_a-b.evil.com", true},
		"a label that begins with a digit":    {"1inch.7eleven", true},
		"punycode":                            {"xn--bcher-kva.de", true},
		"punycode in the last label":          {"a.xn--p1ai", true},
		"empty punycode":                      {"a.xn--.de", true},
		"punycode in uppercase":               {"XN--BCHER-KVA.de", false},
		"punycode of an uppercase letter":     {"xn--Bcher-kva.de", false},
		"undecodable punycode in the middle":  {"a.xn--a.de", true},
		"undecodable punycode as the end":     {"a.xn--a", true},
		"uppercase":                           {"Evil.com", false},
		"an internationalized name":           {"bücher.de", false},
		"a trailing dot":                      {"evil2.com.", false},
		"an empty label":                      {"evil..com", false},
		"a dot":                               {".", false},
		"an IPv4 address":                     {"203.0.113.7", true},
		"a hexadecimal IPv4 address":          {"0x7f.1", false},
		"an IPv4 address with leading zeros":  {"203.0.113.007", false},
		"an invalid IPv4 address":             {"203.0.113.256", false},
		"an IPv6 address":                     {"[2001:db8::1]", true},
		"an uncompressed IPv6 address":        {"[2001:db8:0:0:0:0:0:1]", false},
		"an IPv6 address with an IPv4 suffix": {"[::ffff:192.0.2.1]", false},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			for _, key := range []string{"whitelist", "blacklist"} {
				list := load(t, fmt.Sprintf(`{%q: ["first.com", %q]}`, key, c.entry))
				entries, _ := list.Len()
				require.Equal(t, 2, entries, "it stays in the list")
				if c.entry == strings.Trim(c.entry, ".") { // Check ignores a trailing dot
					require.Equal(t, c.entry, list.Check(c.entry).Match, "it matches the same spelling")
				}
				if c.canonical {
					require.Zero(t, list.Warnings())
					continue
				}
				require.Equal(t, 1, list.Warnings().NonCanonical)
				require.Len(t, list.Warnings().FirstNonCanonical, 1)
				require.Contains(t, list.Warnings().FirstNonCanonical[0].String(), "("+key+"[1]): is not in canonical form")
			}
			require.Zero(t, load(t, fmt.Sprintf(`{"fuzzylist": [%q]}`, c.entry)).Warnings(), "targets match in any form")
		})
	}
}

// TestIsCanonical_HostsOfAssets uses the hosts that package classify returns.
func TestIsCanonical_HostsOfAssets(t *testing.T) {
	t.Parallel()
	for _, content := range []string{
		"https://EVIL.com./a", "https://BÜCHER.de:8443", "https://0x7f.1", "http://[2001:DB8:0::1]", "evil.co.uk", "Jack.Medium.com",
		"https://1.2.3.4.5.example", "https://a_b.xn--p1ai", "https://localhost", "https://xn--bcher-kva.medium.com",
	} {
		result, err := classify.Classify(content)
		require.NoError(t, err, content)
		host, ok := classify.Host(result.Identity)
		require.True(t, ok, content)
		list := load(t, fmt.Sprintf(`{"blacklist": [%q]}`, host))
		require.Zero(t, list.Warnings(), host)
		status, err := list.Status(t.Context(), result.Identity)
		require.NoError(t, err)
		require.Equal(t, asset.StatusBlocked, status, content)
	}
}
