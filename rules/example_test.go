package rules_test

import (
	"fmt"
	"log"

	"github.com/apguard/apguard/rules"
)

// A front end says which asset a text names, or why it names none.
func ExampleCall() {
	for _, argument := range []string{
		`{"contents": ["HTTPS://Example.com/"]}`,
		`{"contents": ["example.notatld"]}`,
	} {
		answer, err := rules.Call("classify", []byte(argument))
		if err != nil { // an error of the program, not of the user
			log.Fatal(err)
		}
		fmt.Printf("%s\n", answer)
	}
	// Output:
	// [{"type":"URL","canonical":"https://example.com"}]
	// [{"refused":{"reason":"UNKNOWN_SUFFIX","message":"domain without a public suffix"}}]
}
