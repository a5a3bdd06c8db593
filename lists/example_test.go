package lists_test

import (
	"context"
	"fmt"
	"iter"
	"log"
	"os"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage/memory"
)

// A list of domains is imported, and everything that is BLOCKED is written as a hosts file.
func Example() {
	ctx := context.Background()
	assets := asset.NewService(memory.New(), asset.Options{})

	file := strings.NewReader("bad.example.com\nnot a domain\n*.worse.example.com\n")
	counts, err := lists.Import(ctx, assets, lists.Read(file, lists.Domains, lists.ReadOptions{}), lists.ImportOptions{
		Origin:  asset.Origin{Reference: "list of 2025-01-05"},
		Refused: func(entry lists.Entry) { fmt.Printf("line %d: %v\n", entry.Line, entry.Err) },
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(counts.Set, "set,", counts.Refused, "refused")

	all := func(filter asset.Filter) iter.Seq2[asset.Listed, error] { return assets.All(ctx, filter, 0) }
	if _, err := lists.Write(os.Stdout, lists.Hosts, all, lists.WriteOptions{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// line 2: is not a host
	// 2 set, 1 refused
	// # blocked hosts
	// 0.0.0.0 bad.example.com
	// 0.0.0.0 worse.example.com
}
