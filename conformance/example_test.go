package conformance_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"log"
	"strings"

	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/conformance"
)

// A client answers the vectors of one rule. Here, package classify is the client.
func ExampleFiles() {
	text, err := fs.ReadFile(conformance.Files(), "identity.json")
	if err != nil {
		log.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			Name  string
			Given struct {
				Content string
				Padding int
			}
			Want struct{ Type, Canonical string }
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		log.Fatal(err)
	}
	for _, v := range file.Vectors {
		got, _ := classify.Classify(v.Given.Content + strings.Repeat("a", v.Given.Padding)) // a refusal has no type
		if string(got.Type) != v.Want.Type || got.Canonical != v.Want.Canonical {
			fmt.Println(v.Name, "differs:", got)
		}
	}
	fmt.Println(len(file.Vectors) > 0)
	// Output: true
}
