package classifytest_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/classify/classifytest"
)

// Each content comes with its classification. In a test, rapid.Check draws them.
func ExampleContent() {
	for seed := range 3 {
		drawn := classifytest.Content().Example(seed)
		got, err := classify.Classify(drawn.Content)
		fmt.Println(got == drawn.Result, err)
	}
	// Output:
	// true <nil>
	// true <nil>
	// true <nil>
}

// Every notation of an asset has the same identity.
func ExampleVariant() {
	jack, err := classify.Classify("@jack")
	if err != nil {
		fmt.Println(err)
		return
	}
	for seed := range 3 {
		drawn := classifytest.Variant(jack).Example(seed)
		got, err := classify.Classify(drawn.Content)
		fmt.Println(got.Canonical, err)
	}
	// Output:
	// x.com/jack <nil>
	// x.com/jack <nil>
	// x.com/jack <nil>
}

// Classify refuses a damaged content for the given reason. Without a reason, the content
// may be another asset.
func ExampleDamaged() {
	for seed := range 3 {
		drawn := classifytest.Damaged().Example(seed)
		got, err := classify.Classify(drawn.Content)
		var refusal *classify.Error
		refused := errors.As(err, &refusal) && refusal.Reason == drawn.Reason
		fmt.Println(refused || drawn.Reason == "" && got.Identity != drawn.Of.Identity)
	}
	// Output:
	// true
	// true
	// true
}

func ExampleURL() {
	fmt.Println(classifytest.URL().Example().Type)
	// Output:
	// URL
}

func ExamplePage() {
	fmt.Println(classifytest.Page().Example().Type)
	// Output:
	// PAGE
}

func ExampleAddress() {
	fmt.Println(classifytest.Address().Example().Type)
	// Output:
	// ADDRESS
}

func ExampleEmail() {
	fmt.Println(classifytest.Email().Example().Type)
	// Output:
	// EMAIL
}

func ExampleTwitter() {
	fmt.Println(classifytest.Twitter().Example().Type)
	// Output:
	// TWITTER
}

func ExampleInstagram() {
	fmt.Println(classifytest.Instagram().Example().Type)
	// Output:
	// INSTAGRAM
}

func ExampleTikTok() {
	fmt.Println(classifytest.TikTok().Example().Type)
	// Output:
	// TIKTOK
}

func ExampleTelegram() {
	fmt.Println(classifytest.Telegram().Example().Type)
	// Output:
	// TELEGRAM
}

func ExampleDiscord() {
	fmt.Println(classifytest.Discord().Example().Type)
	// Output:
	// DISCORD
}

func ExampleMedium() {
	fmt.Println(classifytest.Medium().Example().Type)
	// Output:
	// MEDIUM
}

func ExampleGitHub() {
	fmt.Println(classifytest.GitHub().Example().Type)
	// Output:
	// GITHUB
}

func ExampleYouTube() {
	fmt.Println(classifytest.YouTube().Example().Type)
	// Output:
	// YOUTUBE
}

func ExampleLinkedIn() {
	fmt.Println(classifytest.LinkedIn().Example().Type)
	// Output:
	// LINKEDIN
}

func ExampleTwitch() {
	fmt.Println(classifytest.Twitch().Example().Type)
	// Output:
	// TWITCH
}

func ExampleAddressOf() {
	fmt.Println(classifytest.AddressOf(classify.NetworkBitcoin).Example().Network)
	// Output:
	// bitcoin
}

// A handle is the name alone, without the host of a platform.
func ExampleHandle() {
	drawn := classifytest.Handle().Example()
	fmt.Println(strings.Contains(drawn.Content, "/"), strings.Contains(drawn.Canonical, "/"))
	// Output:
	// false true
}

// Most hostile contents are refused. None makes Classify fail in another way.
func ExampleHostile() {
	_, err := classify.Classify(classifytest.Hostile().Example())
	fmt.Println(err == nil || errors.As(err, new(*classify.Error)))
	// Output:
	// true
}
