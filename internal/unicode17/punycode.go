package unicode17

import (
	"strings"
	"unicode/utf8"
)

// The parameters of Punycode (RFC 3492, section 5).
const (
	base        = 36
	tMin        = 1
	tMax        = 26
	skew        = 38
	damp        = 700
	initialBias = 72
	initialN    = 0x80
)

const punycodeDigits = "abcdefghijklmnopqrstuvwxyz0123456789"

// encodePunycode encodes a label (RFC 3492, section 6.3). Its cost is the product of the length
// and the number of characters outside ASCII.
func encodePunycode(label string) string {
	var b strings.Builder
	runes := []rune(label)
	for _, r := range runes {
		if r < utf8.RuneSelf {
			b.WriteByte(byte(r))
		}
	}
	basic := b.Len()
	if basic > 0 {
		b.WriteByte('-')
	}
	delta, bias, n := 0, initialBias, rune(initialN)
	for done := basic; done < len(runes); n++ {
		next := rune(utf8.MaxRune + 1)
		for _, r := range runes {
			if r >= n {
				next = min(next, r)
			}
		}
		delta += int(next-n) * (done + 1)
		n = next
		for _, r := range runes {
			if r < n {
				delta++
			}
			if r != n {
				continue
			}
			writeDelta(&b, delta, bias)
			bias = adapt(delta, done+1, done == basic)
			delta = 0
			done++
		}
		delta++
	}
	return b.String()
}

// writeDelta writes a number with variable length.
func writeDelta(b *strings.Builder, delta, bias int) {
	for k := base; ; k += base {
		t := min(max(k-bias, tMin), tMax)
		if delta < t {
			b.WriteByte(punycodeDigits[delta])
			return
		}
		b.WriteByte(punycodeDigits[t+(delta-t)%(base-t)])
		delta = (delta - t) / (base - t)
	}
}

// decodePunycode decodes a label (RFC 3492, section 6.2). It reports false for a text that is not
// an encoding. Its cost is quadratic in the length.
func decodePunycode(text string) (string, bool) {
	var runes []rune
	if basic := strings.LastIndexByte(text, '-'); basic >= 0 {
		runes, text = []rune(text[:basic]), text[basic+1:]
	}
	i, bias, n := 0, initialBias, rune(initialN)
	for text != "" {
		before := i
		weight := 1
		for k := base; ; k += base {
			if text == "" {
				return "", false
			}
			digit := strings.IndexByte(punycodeDigits, text[0])
			text = text[1:]
			if digit < 0 || digit > (maxDelta-i)/weight {
				return "", false
			}
			i += digit * weight
			t := min(max(k-bias, tMin), tMax)
			if digit < t {
				break
			}
			if weight > maxDelta/(base-t) {
				return "", false
			}
			weight *= base - t
		}
		count := len(runes) + 1
		bias = adapt(i-before, count, before == 0)
		if i/count > utf8.MaxRune {
			return "", false
		}
		n += rune(i / count) //nolint:gosec // not above the maximum of a rune
		i %= count
		if !utf8.ValidRune(n) {
			return "", false
		}
		runes = append(runes, 0)
		copy(runes[i+1:], runes[i:])
		runes[i] = n
		i++
	}
	return string(runes), true
}

// maxDelta bounds the numbers, as 32 bits do in other implementations.
const maxDelta = 1<<31 - 1

// adapt returns the bias for the next number (RFC 3492, section 6.1).
func adapt(delta, count int, first bool) int {
	if first {
		delta /= damp
	} else {
		delta /= 2
	}
	delta += delta / count
	k := 0
	for delta > (base-tMin)*tMax/2 {
		delta /= base - tMin
		k += base
	}
	return k + (base-tMin+1)*delta/(delta+skew)
}
