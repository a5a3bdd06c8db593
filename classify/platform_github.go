package classify

import "strings"

func identifyGitHub(t target) (string, bool) {
	if len(t.path()) < 1 || len(t.path()) > 2 {
		return "", false
	}
	owner := t.path()[0]
	if !hasLength(owner, 1, 39) || !isASCIIName(owner, "-_") || strings.HasPrefix(owner, "-") {
		return "", false
	}
	owner = strings.ToLower(owner)
	if isGitHubReserved(owner) {
		return "", false
	}
	if len(t.path()) == 1 {
		return "github.com/" + owner, true
	}
	if !isASCIIName(t.path()[1], "._-") {
		return "", false
	}
	repo := strings.TrimSuffix(strings.ToLower(t.path()[1]), ".git")
	if !hasLength(repo, 1, 100) || repo == "." || repo == ".." || strings.HasSuffix(repo, ".git") {
		return "", false
	}
	return "github.com/" + owner + "/" + repo, true
}

// isGitHubReserved reports whether GitHub uses the word itself in place of an owner.
func isGitHubReserved(word string) bool {
	switch word {
	case "features", "pricing", "login", "join", "explore", "marketplace", "settings",
		"notifications", "topics", "trending", "collections", "sponsors", "orgs",
		"enterprise", "search", "issues", "pulls", "new", "organizations", "about",
		"contact", "security", "dashboard", "apps", "codespaces", "site", "readme",
		"customer-stories", "team", "gist", "stars", "logout", "signup", "sessions",
		"events", "account":
		return true
	}
	return false
}
