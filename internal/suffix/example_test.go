package suffix_test

import (
	"fmt"

	"github.com/apguard/apguard/internal/suffix"
)

func ExampleFind() {
	for _, domain := range []string{"www.example.co.uk", "someone.github.io", "printer.local"} {
		publicSuffix, ok := suffix.Find(domain)
		fmt.Printf("%s: %q %t\n", domain, publicSuffix, ok)
	}
	// Output:
	// www.example.co.uk: "co.uk" true
	// someone.github.io: "io" true
	// printer.local: "" false
}

func ExampleFindPrivate() {
	publicSuffix, ok := suffix.FindPrivate("someone.github.io")
	fmt.Printf("%q %t\n", publicSuffix, ok)
	// Output:
	// "github.io" true
}
