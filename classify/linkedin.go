package classify

import "strings"

func identifyLinkedIn(p place) (string, bool) {
	for _, word := range [...]string{"in", "company", "school", "showcase"} {
		if slug, ok := p.after(word); ok {
			return linkedInSlug(word, slug)
		}
	}
	return "", false
}

func linkedInSlug(word, slug string) (string, bool) {
	if !isLinkedInMember(word, slug) {
		slug = foldName(slug)
	}
	if !isName(slug, 2, 100, "-_.&") {
		return "", false
	}
	return "linkedin.com/" + word + "/" + percentEncode(slug), true
}

// isLinkedInMember reports whether the slug is the encoded number of a member.
// Its letter case counts.
func isLinkedInMember(word, slug string) bool {
	return word == "in" && isASCIIName(slug, "-_") &&
		(strings.HasPrefix(slug, "ACoAA") || strings.HasPrefix(slug, "ACwAA"))
}

// cutLinkedInCountry drops a country code, such as that of de.linkedin.com, from
// the prefix of a site.
func cutLinkedInCountry(prefix string) string {
	start := len(prefix) - len("de.")
	if start >= 0 && isLetter(prefix[start]) && isLetter(prefix[start+1]) && (start == 0 || prefix[start-1] == '.') {
		return prefix[:start]
	}
	return prefix
}
