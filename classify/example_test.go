package classify_test

import (
	"errors"
	"fmt"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

func ExampleClassify() {
	for _, content := range []string{
		"HTTPS://user@Example.com:443/",
		"example.com/login?next=/",
		"https://twitter.com/jack?lang=en",
		"@jack",
		"GitHub.com/golang/go.git",
		"Bob@Example.com",
		"0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
	} {
		result, err := classify.Classify(content)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(result.Type, result.Canonical)
	}
	// Output:
	// URL https://example.com
	// PAGE example.com/login?next=/
	// TWITTER x.com/jack
	// TWITTER x.com/jack
	// GITHUB github.com/golang/go
	// EMAIL bob@example.com
	// ADDRESS 0xd8da6bf26964af9d7eed9e03e53415d37aa96045
}

// An explanation names the rule that decided and the differences from the canonical form.
func ExampleExplain() {
	e := classify.Explain("HTTPS://www.Twitter.com/@jack")
	fmt.Println(e.Result.Type, e.Result.Canonical)
	fmt.Println(e.Rule)
	for _, rewrite := range e.Rewrites {
		fmt.Println("-", rewrite)
	}
	// Output:
	// TWITTER x.com/jack
	// WEB_LINK
	// - PLATFORM_FORM
	// - LETTER_CASE
}

// For a refused content, an explanation holds the reason of each rule.
func ExampleExplain_refusal() {
	e := classify.Explain("bob@example.notatld")
	fmt.Println(e.Rule, e.Err.Reason)
	for _, attempt := range e.Tried {
		fmt.Println("-", attempt.Rule, attempt.Reason)
	}
	// Output:
	// EMAIL UNKNOWN_SUFFIX
	// - WEB_LINK UNRECOGNIZED
	// - OTHER_SCHEME UNRECOGNIZED
	// - ADDRESS UNRECOGNIZED
	// - PLATFORM_LINK USER_INFO
	// - PAGE USER_INFO
	// - EMAIL UNKNOWN_SUFFIX
	// - HANDLE UNRECOGNIZED
}

// The network of an address is part of the result, not of its identity.
func ExampleResult() {
	result, err := classify.Classify("BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Identity)
	fmt.Println(result.Network)
	// Output:
	// {ADDRESS bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4}
	// bitcoin
}

// An error has a code for programs and a text for users.
func ExampleError() {
	for _, content := range []string{
		"1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb",
		"example.notatld",
	} {
		_, err := classify.Classify(content)
		var refusal *classify.Error
		if errors.As(err, &refusal) {
			fmt.Println(refusal.Reason)
			fmt.Println(err)
		}
	}
	// Output:
	// CHECKSUM
	// wrong checksum of an address
	// UNKNOWN_SUFFIX
	// domain without a public suffix
}

// A blocklist of hosts applies to every asset with a host.
func ExampleHost() {
	for _, identity := range []asset.Identity{
		{Type: asset.TypeURL, Canonical: "https://wallet.example.com:8443/login"},
		{Type: asset.TypePage, Canonical: "example.com/login"},
		{Type: asset.TypeMedium, Canonical: "example.medium.com"},
		{Type: asset.TypeMedium, Canonical: "medium.com/@example"},
	} {
		host, ok := classify.Host(identity)
		fmt.Printf("%q %t\n", host, ok)
	}
	// Output:
	// "wallet.example.com" true
	// "example.com" true
	// "example.medium.com" true
	// "" false
}

func ExampleNetworks() {
	fmt.Println(classify.Networks()[:3])
	// Output:
	// [evm move bitcoin]
}

func ExampleRules() {
	fmt.Println(classify.Rules())
	// Output:
	// [WEB_LINK OTHER_SCHEME ADDRESS PLATFORM_LINK PAGE EMAIL HANDLE]
}

func ExampleRewrites() {
	fmt.Println(classify.Rewrites()[:3])
	// Output:
	// [WHITE_SPACE_DROPPED LETTER_CASE SLASHES]
}

// A table of every reason and its text, for the documentation of an API.
func ExampleReasons() {
	for _, reason := range classify.Reasons()[:3] {
		fmt.Println(reason, "-", reason.Text())
	}
	// Output:
	// EMPTY - empty content
	// TOO_LONG - content or canonical form longer than 8192 bytes
	// ENCODING - invalid UTF-8
}

func ExampleReason_Text() {
	fmt.Println(classify.ReasonHexLength.Text())
	// Output:
	// wrong number of hex digits for an address
}

func ExampleCovering() {
	result, err := classify.Classify("https://login.example.com/reset?id=7")
	if err != nil {
		panic(err)
	}
	for _, cover := range classify.Covering(result.Identity) {
		fmt.Printf("%d %-6s %s\n", cover.Step, cover.Kind, cover.Canonical)
	}
	// Output:
	// 0 EXACT  https://login.example.com/reset?id=7
	// 0 PAGE   login.example.com/reset?id=7
	// 0 URL    http://login.example.com/reset?id=7
	// 1 PAGE   login.example.com/reset
	// 1 URL    https://login.example.com/reset
	// 1 URL    http://login.example.com/reset
	// 2 PAGE   login.example.com
	// 2 URL    https://login.example.com
	// 2 URL    http://login.example.com
	// 3 DOMAIN example.com
	// 3 URL    https://example.com
	// 3 URL    http://example.com
}
