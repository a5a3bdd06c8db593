package asset_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/memory"
)

var badSite = asset.Identity{Type: asset.TypeURL, Canonical: "https://bad.example"}

// exampleStore returns a store in which badSite changed on the first three days of 2025.
func exampleStore(ctx context.Context) *memory.Store {
	store := memory.New()
	today := time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)
	service := asset.NewService(store, asset.Options{Clock: func() time.Time { return today }})
	for _, status := range []asset.Status{asset.StatusBlocked, asset.StatusUnknown, asset.StatusAllowed} {
		if _, err := service.SetStatus(ctx, asset.SetStatusRequest{Identity: badSite, Status: status}); err != nil {
			log.Fatal(err)
		}
		today = today.AddDate(0, 0, 1)
	}
	return store
}

func ExampleNewService() {
	ctx := context.Background()
	service := asset.NewService(memory.New(), asset.Options{})
	_, err := service.SetStatus(ctx, asset.SetStatusRequest{
		Identity: badSite,
		Status:   asset.StatusBlocked,
		Origin:   asset.Origin{Actor: 7, Reference: "ticket 12"},
	})
	if err != nil {
		log.Fatal(err)
	}

	blocked, err := service.Get(ctx, badSite)
	fmt.Println(blocked.Status, err)
	for change, err := range service.Changes(ctx, asset.ChangeFilter{Identity: badSite}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(change.From, "->", change.To, change.Origin.Cause, change.Origin.Actor, change.Origin.Reference)
	}
	// Output:
	// BLOCKED <nil>
	// UNKNOWN -> BLOCKED MANUAL 7 ticket 12
}

// A front end reads the changelog page by page.
func ExampleService_ListChanges() {
	ctx := context.Background()
	service := asset.NewService(exampleStore(ctx), asset.Options{})
	req := asset.ListChangesRequest{Limit: 2}
	for {
		page, err := service.ListChanges(ctx, req)
		if err != nil {
			log.Fatal(err)
		}
		for _, change := range page.Changes {
			fmt.Println(change.At.Format(time.DateOnly), change.From, "->", change.To)
		}
		fmt.Println("--")
		if req.Cursor = page.NextCursor; req.Cursor == (asset.ChangeCursor{}) {
			return
		}
	}
	// Output:
	// 2025-01-03 UNKNOWN -> ALLOWED
	// 2025-01-02 BLOCKED -> UNKNOWN
	// --
	// 2025-01-01 UNKNOWN -> BLOCKED
	// --
}

func ExampleNewHistoryService() {
	ctx := context.Background()
	history := asset.NewHistoryService(exampleStore(ctx))
	for day := range 4 {
		noon := time.Date(2024, time.December, 31+day, 12, 0, 0, 0, time.UTC)
		status, err := history.StatusAt(ctx, badSite, noon)
		fmt.Println(noon.Format(time.DateOnly), status, err)
	}
	// Output:
	// 2024-12-31 UNKNOWN <nil>
	// 2025-01-01 BLOCKED <nil>
	// 2025-01-02 UNKNOWN <nil>
	// 2025-01-03 ALLOWED <nil>
}

// The latest change of each asset stays.
func ExampleHistoryService_Prune() {
	ctx := context.Background()
	store := exampleStore(ctx)
	removed, err := asset.NewHistoryService(store).Prune(ctx, time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC))
	fmt.Println(removed, err)
	for change, err := range asset.NewService(store, asset.Options{}).Changes(ctx, asset.ChangeFilter{}) {
		fmt.Println(change.At.Format(time.DateOnly), change.From, "->", change.To, err)
	}
	// Output:
	// 2 <nil>
	// 2025-01-03 UNKNOWN -> ALLOWED <nil>
}

// A follower that copies all statuses in another way gets the end of the feed before the
// copy, and continues from there after the copy.
func ExampleNewFeedService() {
	ctx := context.Background()
	store := exampleStore(ctx)
	feed := asset.NewFeedService(store)
	end, err := feed.End(ctx)
	if err != nil {
		log.Fatal(err)
	}
	page, err := feed.Since(ctx, end, 10)
	fmt.Println(len(page), err)

	_, err = asset.NewService(store, asset.Options{}).SetStatus(ctx, asset.SetStatusRequest{Identity: badSite, Status: asset.StatusBlocked})
	if err != nil {
		log.Fatal(err)
	}
	page, err = feed.Since(ctx, end, 10)
	fmt.Println(len(page), err)
	// Output:
	// 0 <nil>
	// 1 <nil>
}

// A follower stores its cursor together with its copy, here as a text. It continues from
// there when it is called again.
func ExampleFeedService_Follow() {
	ctx := context.Background()
	store := exampleStore(ctx)
	feed := asset.NewFeedService(store)
	stored := ""
	follow := func() {
		cursor, err := asset.ParseFeedCursor(stored)
		if err != nil {
			log.Fatal(err)
		}
		for entry, err := range feed.Follow(ctx, cursor) {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(entry.Change.Content, entry.Change.To)
			stored = entry.Cursor.String()
		}
	}
	follow()
	_, err := asset.NewService(store, asset.Options{}).SetStatus(ctx, asset.SetStatusRequest{Identity: badSite, Status: asset.StatusBlocked})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("--")
	follow()
	// Output:
	// https://bad.example BLOCKED
	// https://bad.example UNKNOWN
	// https://bad.example ALLOWED
	// --
	// https://bad.example BLOCKED
}

func ExampleParseDays() {
	period, err := asset.ParseDays("2025-01-05", "2025-01-06")
	fmt.Println(period.Since.Format(time.RFC3339), period.Before.Format(time.RFC3339), err)

	_, err = asset.ParseDays("2025-02-30", "")
	fmt.Println(err)
	// Output:
	// 2025-01-05T00:00:00Z 2025-01-07T00:00:00Z <nil>
	// invalid input: startDate: must be an existing date, written YYYY-MM-DD
}
