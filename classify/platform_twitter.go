package classify

import "strings"

func identifyTwitter(t target) (string, bool) {
	name, ok := t.segment()
	name = strings.TrimPrefix(name, "@")
	if !ok || !isTwitterHandle(name) {
		return "", false
	}
	return twitterCanonical(name)
}

func isTwitterHandle(name string) bool {
	return hasLength(name, 1, 15) && isASCIIName(name, "_")
}

// twitterCanonical returns the canonical form of a handle. It reports false for a
// reserved word.
func twitterCanonical(handle string) (string, bool) {
	handle = strings.ToLower(handle)
	switch handle {
	case "home", "explore", "search", "i", "settings", "messages", "notifications",
		"login", "signup", "intent", "share", "hashtag", "compose", "tos", "privacy",
		"about", "jobs", "download", "account", "logout":
		return "", false
	}
	return "x.com/" + handle, true
}
