package classifytest_test

import (
	"errors"
	"fmt"

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
