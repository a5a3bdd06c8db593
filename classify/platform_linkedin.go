package classify

import "strings"

func identifyLinkedIn(t target) (string, bool) {
	for _, word := range [...]string{"in", "company", "school", "showcase"} {
		if slug, ok := t.after(word); ok {
			return linkedInSlug(word, slug)
		}
	}
	return "", false
}

func linkedInSlug(word, slug string) (string, bool) {
	ok := true
	if !isLinkedInMember(word, slug) {
		slug, ok = foldName(slug)
	}
	if !ok || !isName(slug, 2, 100, "-_.&'") {
		return "", false
	}
	// LinkedIn itself writes an apostrophe as %27.
	return "linkedin.com/" + word + "/" + encodeSigns(encodeNonASCII(slug), "'"), true
}

// isLinkedInMember reports whether the slug is an encoded member ID, which is
// case-sensitive.
func isLinkedInMember(word, slug string) bool {
	return word == "in" && isASCIIName(slug, "-_") &&
		(strings.HasPrefix(slug, "ACoAA") || strings.HasPrefix(slug, "ACwAA"))
}

// cutLinkedInCountry drops a country code from a prefix, such as de. in de.linkedin.com.
// It accepts any two letters.
func cutLinkedInCountry(prefix string) string {
	start := len(prefix) - len("de.")
	if start >= 0 && isLetter(prefix[start]) && isLetter(prefix[start+1]) && (start == 0 || prefix[start-1] == '.') {
		return prefix[:start]
	}
	return prefix
}
