package main

import (
	"fmt"
	"strings"
)

// welcome returns the message of a new demo: the key, and a command for each call of the
// tour. README.md shows the same commands.
func welcome(key, baseURL string) string {
	var b strings.Builder
	b.WriteString("The database was empty and now contains a demo organization, acme. Its key is shown only once.\n\n")
	fmt.Fprintf(&b, "export APGUARD=%s\nexport KEY=%s\n\n", baseURL, key)
	for _, call := range tour() {
		b.WriteString(call.command() + "\n\n")
	}
	return b.String()
}

// call is a request of the tour.
type call struct {
	path string
	// body is empty for a GET.
	body string
}

// tour returns one call of each operation. In this order, every new demo gives the same
// replies.
func tour() []call {
	return []call{
		{path: "/asset/check", body: `{"content":"http://BAD.example/login?id=7"}`},
		{path: "/asset/changelog", body: `{"toStatus":"BLOCKED","startDate":"2025-01-01","endDate":"2025-01-31"}`},
		{path: "/organization/assets", body: `{"assets":[{"content":"https://acme.example","name":"Home","groupId":1},{"content":"@acme"},{"content":"no asset"}]}`},
		{path: "/dispute/create", body: `{"content":"https://bad.example","description":"This site is ours."}`},
		{path: "/public/getOrganizationReports", body: `{"slug":"acme","limit":1}`},
		{path: "/organization/reports?limit=1&status=CLOSED"},
	}
}

// command returns a shell command that makes the call.
func (c call) command() string {
	line := fmt.Sprintf(`curl -s "$APGUARD%s" -H "X-API-KEY: $KEY"`, c.path)
	if c.body == "" {
		return line
	}
	return line + fmt.Sprintf(" \\\n  -H 'Content-Type: application/json' \\\n  -d '%s'", c.body)
}
