package classify

import (
	"slices"
	"strings"

	"github.com/apguard/apguard/asset"
)

// maxContentIDs is the greatest number of content identifiers that [ContentIDs] returns.
const maxContentIDs = 4

const (
	base58Digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	upperBase32  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
)

// minContentID is the length of the shortest content identifier.
const minContentID = len("Qm") + 44

// contentIDForms are the text forms of content identifiers that MetaMask's phishing controller
// finds in links: CIDv0, and CIDv1 in four encodings (https://github.com/multiformats/cid). The
// controller decodes none of them.
var contentIDForms = [...]struct {
	prefix string
	digits string
	// least is the least number of digits after the prefix.
	least int
}{
	{"Qm", base58Digits, 44},
	{"b", upperBase32 + "abcdefghijklmnopqrstuvwxyz", 58},
	{"B", upperBase32, 58},
	{"z", base58Digits, 48},
	{"F", "0123456789ABCDEF", 50},
}

// ContentIDs returns the IPFS content identifiers (CIDs) that a URL or PAGE names, in their order
// and without duplicates. It returns at most four, and nil for every other identity.
//
// Gateways have the identifier in a label of the host, in the path or in the query, so it counts
// everywhere. It must be a whole word, as [IsContentID] takes it: characters other than letters
// and digits, and percent escapes, end a word. Letter case counts, and a host is in lower case.
//
// ContentIDs does not check the canonical form.
func ContentIDs(identity asset.Identity) []string {
	if identity.Type != asset.TypeURL && identity.Type != asset.TypePage {
		return nil
	}
	return contentIDs(identity.Canonical)
}

// IsContentID reports whether a text is in the form of an IPFS content identifier: a CIDv0, or a
// CIDv1 in base32, base58 or hexadecimal digits. It decodes nothing.
func IsContentID(text string) bool {
	for _, form := range contentIDForms {
		rest, ok := strings.CutPrefix(text, form.prefix)
		if ok && len(rest) >= form.least && strings.Trim(rest, form.digits) == "" {
			return true
		}
	}
	return false
}

// contentIDs returns the content identifiers in the canonical form of a link.
func contentIDs(link string) []string {
	if len(link) < minContentID {
		return nil
	}
	var ids []string
	for start := 0; start < len(link) && len(ids) < maxContentIDs; start++ {
		end := start
		for end < len(link) && (isLetter(link[end]) || isDigit(link[end])) {
			end++
		}
		if word := link[start:end]; len(word) >= minContentID && IsContentID(word) && !slices.Contains(ids, word) {
			ids = append(ids, word)
		}
		start = end
		if end < len(link) && link[end] == '%' {
			start += len("2F")
		}
	}
	return ids
}
