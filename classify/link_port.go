package classify

import (
	"strconv"
	"strings"
)

// parsePort returns the canonical form of a port with its colon: without leading zeros,
// and empty for the scheme's default. It reports false unless the port is a number from
// 0 to 65535 or empty.
func parsePort(scheme, port string) (string, bool) {
	digits := strings.TrimPrefix(port, ":")
	if digits == "" {
		return "", true
	}
	number, err := strconv.ParseUint(digits, 10, 16)
	switch {
	case err != nil:
		return "", false
	case scheme == "http" && number == 80, scheme == "https" && number == 443:
		return "", true
	case digits[0] == '0':
		return ":" + strconv.FormatUint(number, 10), true
	}
	return port, true
}
