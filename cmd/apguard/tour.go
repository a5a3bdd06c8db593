package main

import (
	"fmt"
	"strings"
)

// demoURLs are the base URLs of the APIs of a demo.
type demoURLs struct{ public, operator string }

// welcome returns the message of a new demo: the keys, and a command for each call of the tour. README.md shows
// the same commands.
func welcome(keys demoKeys, urls demoURLs) string {
	var b strings.Builder
	b.WriteString("The database was empty and now contains a demo organization, acme. The keys are shown only once.\n\n")
	fmt.Fprintf(&b, "export APGUARD=%s\nexport KEY=%s\nexport OPERATOR=%s\nexport OPERATOR_KEY=%s\n\n",
		urls.public, keys.organization, urls.operator, keys.operator)
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
	// operator makes it a request to the operators' API.
	operator bool
}

// tour returns the calls that show what the service is for. In this order, every new demo gives the same replies.
func tour() []call {
	return []call{
		{path: "/asset/setStatus", body: `{"content":"bad.example.com","status":"BLOCKED","reason":"PHISHING","reference":"ticket/7"}`, operator: true},
		{path: "/asset/check", body: `{"content":"https://login.bad.example.com/x"}`},
		{path: "/dispute/create", body: `{"content":"bad.example.com","description":"This site is ours."}`},
		{path: "/organization/assets", body: `{"assets":[{"content":"https://acme.example","name":"Home","groupId":1},{"content":"@acme"},{"content":"no asset"}]}`},
		{path: "/asset/changelog", body: `{"toStatus":"BLOCKED","startDate":"2025-01-01","endDate":"2025-01-31"}`},
	}
}

// command returns a shell command that makes the call.
func (c call) command() string {
	base, key := "$APGUARD", "$KEY"
	if c.operator {
		base, key = "$OPERATOR", "$OPERATOR_KEY"
	}
	line := fmt.Sprintf(`curl -s "%s%s" -H "X-API-KEY: %s"`, base, c.path, key)
	if c.body == "" {
		return line
	}
	return line + fmt.Sprintf(" \\\n  -H 'Content-Type: application/json' \\\n  -d '%s'", c.body)
}
