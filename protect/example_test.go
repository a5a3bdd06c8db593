package protect_test

import (
	"fmt"
	"log"

	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/protect"
)

// A rule protects names of the owner beside public suffixes, platforms and popular hosts.
func ExampleRule_Why() {
	rule := protect.Rule{Names: protect.Names([]string{"login.acme.com"})}
	for _, content := range []string{"acme.com", "github.io", "https://x.com", "https://acme.com/evil", "bad.acme.com"} {
		result, err := classify.Classify(content)
		if err != nil {
			log.Fatal(err)
		}
		if why, protected := rule.Why(result.Identity); protected {
			fmt.Println(content, why.Reason)
		} else {
			fmt.Println(content, "is not protected")
		}
	}
	// Output:
	// acme.com NAME
	// github.io PUBLIC_SUFFIX
	// https://x.com PLATFORM
	// https://acme.com/evil is not protected
	// bad.acme.com is not protected
}
