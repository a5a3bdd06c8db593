package classify

import (
	"encoding/binary"
	"net/netip"
	"strconv"
	"strings"
)

// endsInNumber reports whether browsers parse the host as an IPv4 address, valid or not.
func endsInNumber(domain string) bool {
	last := domain[strings.LastIndexByte(domain, '.')+1:]
	if digits, ok := strings.CutPrefix(last, "0x"); ok {
		return isHex(digits)
	}
	return last != "" && isDigits(last)
}

// parseIPv4 returns the canonical form of an IPv4 address in any notation that browsers
// accept: one to four numbers, each a byte, except that the last fills the remaining
// bytes. So 0x7f.1 is 127.0.0.1. The text must be in lower case.
func parseIPv4(text string) (string, bool) {
	const size = 4
	numbers := strings.SplitN(text, ".", size+1)
	last := len(numbers) - 1
	if last >= size {
		return "", false
	}
	var address uint64
	for i, number := range numbers {
		bytes := 1
		if i == last {
			bytes = size - last
		}
		n, ok := parseIPv4Number(number)
		if !ok || n >= 1<<(8*bytes) {
			return "", false
		}
		address = address<<(8*bytes) | n
	}
	var ip [size]byte
	binary.BigEndian.PutUint32(ip[:], uint32(address))
	return netip.AddrFrom4(ip).String(), true
}

// parseIPv4Number parses a number that is hexadecimal after 0x, octal after 0, and
// otherwise decimal. A lone 0x is zero.
func parseIPv4Number(text string) (uint64, bool) {
	base := 10
	if digits, ok := strings.CutPrefix(text, "0x"); ok {
		text, base = digits, 16
		if text == "" {
			return 0, true
		}
	} else if len(text) > 1 && text[0] == '0' {
		base = 8
	}
	n, err := strconv.ParseUint(text, base, 64)
	return n, err == nil
}
