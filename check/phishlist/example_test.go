package phishlist_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/apguard/apguard/check/phishlist"
)

func ExampleLoad() {
	list, err := phishlist.Load(strings.NewReader(`{
		"version": 2,
		"tolerance": 2,
		"fuzzylist": ["metamask.io"],
		"whitelist": ["metamask.io", "metabase.com"],
		"blacklist": ["bad.example"]
	}`), phishlist.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, host := range []string{"login.bad.example", "metamask.io", "www.metamasks.example", "metabase.com", "example.com"} {
		verdict := list.Check(host)
		fmt.Println(host, verdict.Blocked, verdict.Rule, verdict.Match)
	}
	// Output:
	// login.bad.example true blocklist bad.example
	// metamask.io false allowlist metamask.io
	// www.metamasks.example true fuzzy metamask.io
	// metabase.com false allowlist metabase.com
	// example.com false none
}

func ExampleOpenFile() {
	path := exampleFile(`{"blacklist": ["bad.example", "https://worse.example/"]}`)
	defer os.Remove(path)

	file, err := phishlist.OpenFile(context.Background(), path, phishlist.Options{Name: "Example list"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(file.Name(), file.Check("login.bad.example").Blocked)
	for _, issue := range file.List().Warnings().FirstInvalidHosts {
		fmt.Println(issue)
	}
	// Output:
	// Example list true
	// byte 54 (blacklist[1]): contains a character that is not allowed in a host
}

func ExampleFile_Watch() {
	path := exampleFile(`{"blacklist": ["bad.example"]}`)
	defer os.Remove(path)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	file, err := phishlist.OpenFile(ctx, path, phishlist.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}

	if err := os.WriteFile(path, []byte(`{"blacklist": ["worse.example"]}`), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	// A server calls Watch in a goroutine of its own.
	file.Watch(ctx, 10*time.Millisecond, func(event phishlist.Event) {
		switch event.Kind {
		case phishlist.EventFailed:
			fmt.Println("the previous list stays in use:", event.Err)
		case phishlist.EventReloaded, phishlist.EventRecovered:
			fmt.Println(event.Kind, file.Check("worse.example").Blocked)
			stop()
		}
	})
	// Output:
	// reloaded true
}

// exampleFile returns the path of a temporary file with a list.
func exampleFile(text string) string {
	file, err := os.CreateTemp("", "phishlist-*.json")
	if err != nil {
		log.Fatal(err)
	}
	if _, err := file.WriteString(text); err != nil {
		log.Fatal(err)
	}
	if err := file.Close(); err != nil {
		log.Fatal(err)
	}
	return file.Name()
}
