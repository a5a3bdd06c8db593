package classify

import "strings"

func identifyInstagram(t target) (string, bool) {
	name, ok := t.segment()
	if !ok || !isInstagramName(name) {
		return "", false
	}
	return instagramCanonical(name)
}

func isInstagramName(name string) bool {
	return hasLength(name, 1, 30) && isASCIIName(name, "_.") &&
		!strings.HasPrefix(name, ".") && !strings.HasSuffix(name, ".") && !strings.Contains(name, "..")
}

// instagramCanonical returns the canonical form of a name. It reports false for a
// reserved word.
func instagramCanonical(name string) (string, bool) {
	name = strings.ToLower(name)
	switch name {
	case "explore", "accounts", "direct", "reels", "reel", "stories", "p", "tv", "about",
		"developer", "legal", "api", "web", "directory", "emails", "challenge", "session",
		"oauth", "graphql":
		return "", false
	}
	return "instagram.com/" + name, true
}
