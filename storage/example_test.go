package storage_test

import (
	"fmt"
	"strings"

	"github.com/apguard/apguard/storage"
)

func ExampleReadSeed() {
	seed, err := storage.ReadSeed(strings.NewReader(`{
  "organizations": [{"id": 1, "slug": "acme", "name": "Acme"}],
  "assets": [{"content": "https://bad.example", "status": "BLOCKED", "changedAt": "2025-01-05T10:00:00Z"}]
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	records, err := seed.Records()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, change := range records.Changes {
		fmt.Println(change.At.Format("2006-01-02"), change.Content, change.From, change.To)
	}

	_, err = storage.ReadSeed(strings.NewReader("{\n  \"user\": []\n}"))
	fmt.Println(err)
	// Output:
	// 2025-01-05 https://bad.example UNKNOWN BLOCKED
	// invalid input: line 2 (user): unknown field
}
