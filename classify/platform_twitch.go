package classify

import "strings"

func identifyTwitch(t target) (string, bool) {
	name, ok := t.segment()
	if !ok || !hasLength(name, 3, 25) || !isASCIIName(name, "_") || strings.HasPrefix(name, "_") {
		return "", false
	}
	name = strings.ToLower(name)
	switch name {
	case "directory", "downloads", "jobs", "settings", "subscriptions", "inventory",
		"wallet", "turbo", "search", "prime", "drops", "store", "videos", "friends",
		"login", "signup":
		return "", false
	}
	return "twitch.tv/" + name, true
}
