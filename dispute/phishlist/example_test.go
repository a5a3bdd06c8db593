package phishlist_test

import (
	"fmt"
	"strings"

	"github.com/apguard/apguard/dispute/phishlist"
)

func ExampleLoad() {
	list, err := phishlist.Load(strings.NewReader(`{
		"version": 2,
		"tolerance": 2,
		"fuzzylist": ["metamask.io"],
		"whitelist": ["metamask.io", "metabase.com"],
		"blacklist": ["bad.example"]
	}`))
	if err != nil {
		fmt.Println(err)
		return
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

// What is wrong with a file is told with its place.
func ExampleLoad_wrong() {
	_, err := phishlist.Load(strings.NewReader(`[{"name": "one", "blocklist": ["bad.example", null]}]`))
	fmt.Println(err)
	// Output:
	// invalid input: byte 50 ([0].blocklist[1]): must be a text
}
