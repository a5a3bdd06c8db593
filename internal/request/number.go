package request

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDigits is the number of digits of the largest int64. A number with as many zeros
// after another digit is out of range.
const maxDigits = 19

// maxExponent limits exponents. A body is too short for digits that would bring
// a number with a larger one back into the range of int64.
const maxExponent = 1 << 40

// parseWholeNumber returns the value of a JSON number: 100, 100.0 and 1e2 are equal.
// A value out of range becomes the nearest int64, as every limit of the service is
// well within it. It reports false for any other text and for fractions.
func parseWholeNumber(text string) (int64, bool) {
	if !isNumber(text) {
		return 0, false
	}
	unsigned, negative := strings.CutPrefix(text, "-")
	mantissa, exponent := unsigned, int64(0)
	// Out of range, here and below, ParseInt returns the nearest int64.
	if at := strings.IndexAny(unsigned, "eE"); at >= 0 {
		mantissa = unsigned[:at]
		exponent, _ = strconv.ParseInt(unsigned[at+1:], 10, 64)
		exponent = min(max(exponent, -maxExponent), maxExponent)
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	significant := strings.TrimRight(digits, "0")
	if significant == "" {
		return 0, true
	}
	exponent += int64(len(digits)-len(significant)) - int64(len(fraction))
	if exponent < 0 {
		return 0, false
	}
	plain := significant + strings.Repeat("0", int(min(exponent, maxDigits)))
	if negative {
		plain = "-" + plain
	}
	n, _ := strconv.ParseInt(plain, 10, 64)
	return n, true
}

// isNumber reports whether text is a JSON number without surrounding white space.
func isNumber(text string) bool {
	value := jsontext.Value(text)
	return value.Kind() == jsontext.KindNumber && value.IsValid() && strings.TrimSpace(text) == text
}
