package classify

import "strings"

func identifyMedium(t target) (string, bool) {
	segment, ok := t.segment()
	if !ok {
		return "", false
	}
	if user, ok := strings.CutPrefix(segment, "@"); ok {
		if !hasLength(user, 1, 30) || !isASCIIName(user, "_.-") {
			return "", false
		}
		return "medium.com/@" + strings.ToLower(user), true
	}
	return mediumPublication(segment)
}

func mediumPublication(name string) (string, bool) {
	if !hasLength(name, 3, 100) || !isMediumName(name) {
		return "", false
	}
	name = strings.ToLower(name)
	switch name {
	case "about", "search", "tag", "topics", "membership", "new-story", "plans", "policy",
		"tags", "collections", "lists", "feed", "signin", "login", "creators",
		"partner-program", "explore-topics":
		return "", false
	}
	return "medium.com/" + name, true
}

func isMediumName(name string) bool {
	return isASCIIName(name, "-") && !strings.HasPrefix(name, "-") && !strings.HasSuffix(name, "-")
}

// identifyMediumHost identifies the name in a host such as netflixtechblog.medium.com.
// The name must be a valid label outside of punycode.
func identifyMediumHost(t target) (string, bool) {
	if len(t.path()) > 0 || !hasLength(t.name, 1, maxLabel) || !isMediumName(t.name) || strings.HasPrefix(t.name, punycodePrefix) {
		return "", false
	}
	switch t.name {
	case "help", "policy", "blog", "about", "api", "link", "status", "miro", "glyph",
		"uploads", "cdn-images-1", "cdn-images-2", "cdn-static-1":
		return "", false
	}
	return t.name + ".medium.com", true
}
