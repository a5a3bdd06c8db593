package classify

import (
	"strconv"
	"strings"
)

// parsePort returns the canonical form of a port, which is written after a colon
// or not at all: without leading zeros, and empty when it is the scheme's own. It
// reports false for what is no number from 0 to 65535.
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
