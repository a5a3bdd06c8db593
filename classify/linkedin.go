package classify

import "strings"

// isLinkedIn matches linkedin.com as oneOf does, also with a country code before
// it.
func isLinkedIn(host string) bool {
	const site = "linkedin.com"
	prefix, ok := strings.CutSuffix(host, "."+site)
	if !ok {
		return host == site
	}
	country := prefix[strings.LastIndexByte(prefix, '.')+1:]
	if len(country) == 2 && isLetter(country[0]) && isLetter(country[1]) {
		return oneOf(country + "." + site)(host)
	}
	return oneOf(site)(host)
}

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
