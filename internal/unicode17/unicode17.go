// Package unicode17 has what decides a canonical form, by the tables of one version of Unicode:
// the mapping of international domain names (UTS #46), normalization (NFC), lower case, and the
// categories of letters. It also has the characters of domains that look like ASCII (UTS #39),
// which decide nothing.
//
// The tables of golang.org/x/net/idna, golang.org/x/text and package unicode depend on the version
// of Go that builds a program. Stored canonical forms must not. The tables are static data, so
// importing the package does no work at startup.
package unicode17

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/apguard/apguard/internal/unicode17/layout"
)

// MAPPING_TABLE, JOINING_TYPES and CONFUSABLES are the paths that the command gen takes.
//
//go:generate env GOTOOLCHAIN=go1.27.3 go run ./gen $MAPPING_TABLE $JOINING_TYPES $CONFUSABLES

// Version is the version of Unicode.
const Version = "17.0.0"

// number returns the number of three bytes at a position of a table.
func number(table string, at int) int {
	return int(table[at])<<16 | int(table[at+1])<<8 | int(table[at+2])
}

// recordOf returns the value of the last record with a code point that is not above r, and the
// code point.
func recordOf(table string, r rune) (first rune, value int) {
	const size = 2 * layout.Size
	after := sort.Search(len(table)/size, func(i int) bool { return number(table, i*size) > int(r) })
	if after == 0 {
		return -1, 0
	}
	at := (after - 1) * size
	return rune(number(table, at)), number(table, at+layout.Size) //nolint:gosec // three bytes
}

func propertiesOf(r rune) (category layout.Category, bidi layout.Bidi, joining layout.Joining, class int) {
	_, value := recordOf(propertyRecords, r)
	return layout.Split(value)
}

// IsLetter reports whether r is a letter, a mark or a number (the general categories L, M and N).
// Invalid UTF-8 decodes to U+FFFD, which is none of these.
func IsLetter(r rune) bool {
	category, _, _, _ := propertiesOf(r)
	return category != layout.Other
}

// ToLower returns the text with each character in its simple lower case.
func ToLower(text string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf {
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			return r
		}
		if first, lower := recordOf(lowerRecords, r); first == r {
			return rune(lower) //nolint:gosec // three bytes
		}
		return r
	}, text)
}
