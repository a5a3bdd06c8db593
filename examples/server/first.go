package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/storage"
)

// first is what an empty store is filled with.
type first struct {
	seed storage.Seed
	// key is the demo's only key; it is empty for a seed file.
	key string
	// file is the name of the seed file; it is empty for the demo.
	file string
}

// firstContent reads the seed file, or makes the demo when there is none.
func firstContent(c config) (first, error) {
	if c.seed == "" {
		key := account.NewKey()
		return first{seed: demo(key), key: key}, nil
	}
	text, err := os.ReadFile(c.seed)
	if err != nil {
		return first{}, fmt.Errorf("-seed: %w", err)
	}
	seed, err := storage.ReadSeed(bytes.NewReader(text))
	if err == nil {
		_, err = seed.Records() // now, before a store is made for it
	}
	if err != nil {
		return first{}, fmt.Errorf("-seed %s: %w", c.seed, err)
	}
	return first{seed: seed, file: c.seed}, nil
}

// fill puts the content into the store, if the store is empty, and returns what
// to tell the person who started the server.
func (f first) fill(ctx context.Context, store storage.Store, baseURL string) (string, error) {
	err := store.Import(ctx, f.seed)
	switch {
	case errors.Is(err, storage.ErrNotEmpty) && f.file != "":
		return fmt.Sprintf("The store is not empty: %s was left aside.\n", f.file), nil
	case errors.Is(err, storage.ErrNotEmpty):
		return "", nil
	case err != nil:
		return "", err
	case f.file != "":
		return fmt.Sprintf("The store was empty and now holds %s.\n", f.file), nil
	default:
		return welcome(f.key, baseURL), nil
	}
}

// welcome shows how to call each operation. README.md shows the same calls.
func welcome(key, baseURL string) string {
	var b strings.Builder
	b.WriteString("The store was empty and now holds a demo organization, acme. Its key is shown only once.\n\n")
	fmt.Fprintf(&b, "export APGUARD=%s\nexport KEY=%s\n\n", baseURL, key)
	for _, call := range tour() {
		b.WriteString(call.command() + "\n\n")
	}
	return b.String()
}

// call is one request of the tour through the operations.
type call struct {
	path string
	// body is empty for a GET.
	body string
}

// tour calls each operation once, in an order that makes the replies the same on
// every fresh demo.
func tour() []call {
	return []call{
		{path: "/asset/changelog", body: `{"toStatus":"BLOCKED","startDate":"2025-01-01","endDate":"2025-01-31"}`},
		{path: "/organization/assets", body: `{"assets":[{"content":"https://acme.example","name":"Home","groupId":1},{"content":"@acme"},{"content":"no asset"}]}`},
		{path: "/dispute/create", body: `{"content":"https://bad.example","description":"This site is ours."}`},
		{path: "/public/getOrganizationReports", body: `{"slug":"acme","limit":1}`},
		{path: "/organization/reports?limit=1&status=CLOSED"},
	}
}

// command returns the call as a line for the shell.
func (c call) command() string {
	line := fmt.Sprintf(`curl -s "$APGUARD%s" -H "X-API-KEY: $KEY"`, c.path)
	if c.body == "" {
		return line
	}
	return line + fmt.Sprintf(" \\\n  -H 'Content-Type: application/json' \\\n  -d '%s'", c.body)
}
