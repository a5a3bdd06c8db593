package httpapi

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDigits is how many digits the largest int64 has. With that many zeros behind
// it, any digit but 0 is beyond all of them.
const maxDigits = 19

// maxPower bounds the powers of ten that are reckoned with. No body is so long
// that its digits could bring a greater one back into the range of an int64.
const maxPower = 1 << 40

// wholeNumber returns the value of a number as JSON writes it, whatever the way:
// 100, 100.0 and 1e2 are the same. A value that no int64 has is taken for the
// nearest that one has: every limit of the service is far within. It reports
// false for a text that is no JSON number, and for a value that is not whole.
func wholeNumber(text string) (int64, bool) {
	if !isNumber(text) {
		return 0, false
	}
	unsigned, negative := strings.CutPrefix(text, "-")
	mantissa, power := unsigned, int64(0)
	// Out of range, here and below, ParseInt returns the nearest number that is not.
	if at := strings.IndexAny(unsigned, "eE"); at >= 0 {
		mantissa = unsigned[:at]
		power, _ = strconv.ParseInt(unsigned[at+1:], 10, 64)
		power = min(max(power, -maxPower), maxPower)
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	significant := strings.TrimRight(digits, "0")
	if significant == "" {
		return 0, true
	}
	power += int64(len(digits)-len(significant)) - int64(len(fraction))
	if power < 0 {
		return 0, false
	}
	plain := significant + strings.Repeat("0", int(min(power, maxDigits)))
	if negative {
		plain = "-" + plain
	}
	n, _ := strconv.ParseInt(plain, 10, 64)
	return n, true
}

// isNumber reports whether text is a JSON number without white space around it.
func isNumber(text string) bool {
	value := jsontext.Value(text)
	return value.Kind() == jsontext.KindNumber && value.IsValid() && strings.TrimSpace(text) == text
}
