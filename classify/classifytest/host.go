package classifytest

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// publicSuffixes holds some public suffixes.
var publicSuffixes = []string{"com", "org", "net", "io", "app", "de", "co.uk", "com.br", "xn--p1ai", "xn--fiqs8s"}

// scripts maps labels in punycode to their own script. The first four come from RFC 3492
// and the test domains of IANA, the last two from the root zone.
var scripts = map[string]string{
	"xn--bcher-kva":      "b\u00fccher",
	"xn--hxajbheg2az3al": "\u03c0\u03b1\u03c1\u03ac\u03b4\u03b5\u03b9\u03b3\u03bc\u03b1",
	"xn--e1afmkfd":       "\u043f\u0440\u0438\u043c\u0435\u0440",
	"xn--r8jz45g":        "\u4f8b\u3048",
	"xn--fsqu00a":        "\u4f8b\u5b50",
	"xn--p1ai":           "\u0440\u0444",
	"xn--fiqs8s":         "\u4e2d\u56fd",
}

// drawDomain draws a canonical registrable domain. The signs may occur inside labels.
// The last label before the suffix contains a digit, so that the domain is not a
// platform's.
func drawDomain(t *rapid.T, signs string) string {
	labels := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string { return drawLabel(t, signs) }), 0, 2).Draw(t, "labels")
	name := drawText(t, letters, 1, 12) + drawOne(t, "1", "7up", "-0", "24")
	labels = append(labels, name, drawOne(t, publicSuffixes...))
	return strings.Join(labels, ".")
}

func drawLabel(t *rapid.T, signs string) string {
	switch rapid.IntRange(0, 4).Draw(t, "label") {
	case 0:
		return drawOne(t, "www", "m", "mobile", "mail")
	case 1:
		return drawOne(t, "xn--bcher-kva", "xn--hxajbheg2az3al", "xn--e1afmkfd", "xn--r8jz45g", "xn--fsqu00a")
	default:
		return drawText(t, letters+digits, 1, 5) + drawText(t, letters+digits+signs, 0, 20) + drawText(t, letters+digits, 1, 5)
	}
}

// drawIPv4 draws an IPv4 address as four decimal parts.
func drawIPv4(t *rapid.T) string {
	return netip.AddrFrom4([4]byte(drawBytes(t, 4))).String()
}

// drawIPv6 draws an IPv6 address in brackets (RFC 5952).
func drawIPv6(t *rapid.T) string {
	raw := [16]byte(drawBytes(t, 16))
	from := rapid.IntRange(0, 7).Draw(t, "from")
	clear(raw[2*from : 2*rapid.IntRange(from, 8).Draw(t, "to")])
	raw[0] |= 0x20 // never an IPv4-mapped address, which has another notation
	return "[" + netip.AddrFrom16(raw).String() + "]"
}

func drawBytes(t *rapid.T, n int) []byte {
	return rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, "bytes")
}

// writeHost draws a notation of a canonical host in a link. Outside of URLs, an IPv4
// address always has four decimal parts.
func writeHost(t *rapid.T, host string, inURL bool) string {
	if strings.HasPrefix(host, "[") {
		return drawCase(t, host)
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		if inURL {
			host = writeIPv4(t, ip.As4())
		}
		return host + drawOne(t, "", "", ".")
	}
	return drawPercent(t, writeDomain(t, host), letters)
}

// writeIPv4 draws a notation of an IPv4 address that browsers accept.
func writeIPv4(t *rapid.T, ip [4]byte) string {
	number := uint32(ip[0])<<24 | uint32(ip[1])<<16 | uint32(ip[2])<<8 | uint32(ip[3])
	return drawOne(t,
		fmt.Sprintf("%d.%d.%d.%d", ip[0], ip[1], ip[2], ip[3]),
		fmt.Sprintf("0x%x.0%o.%d.0X%X", ip[0], ip[1], ip[2], ip[3]),
		fmt.Sprintf("%d.%d", ip[0], number&0xffffff),
		strconv.FormatUint(uint64(number), 10),
		fmt.Sprintf("0x%08x", number),
	)
}

// writeDomain draws a notation of a canonical domain.
func writeDomain(t *rapid.T, domain string) string {
	dot := "."
	if isPlainDomain(domain) {
		dot = drawOne(t, ".", ".", ".", "\u3002", "\uff0e", "\uff61")
	}
	labels := strings.Split(domain, ".")
	for i, label := range labels {
		if script, ok := scripts[label]; ok && drawChance(t, "as its script") {
			labels[i] = script
		} else {
			labels[i] = drawCase(t, label)
		}
	}
	return strings.Join(labels, dot) + drawOne(t, "", "", "", dot)
}

// isPlainDomain reports whether every domain parser accepts the labels.
func isPlainDomain(domain string) bool {
	for label := range strings.SplitSeq(domain, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, letters+digits) != "" {
			return false
		}
	}
	return len(domain) <= 253
}
