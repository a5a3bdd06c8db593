package asset_test

import (
	"context"
	"fmt"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/memory"
)

func Example() {
	ctx := context.Background()
	service := asset.NewService(memory.New(), asset.Options{
		Clock: func() time.Time { return time.Date(2025, 1, 5, 10, 30, 0, 0, time.UTC) },
	})
	_, err := service.SetStatus(ctx, asset.StatusRequest{
		Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://bad.example"},
		Status:   asset.StatusBlocked,
		Origin:   asset.Origin{Actor: 7, Reference: "ticket 12"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for change, err := range service.Changes(ctx, asset.ChangeFilter{To: asset.StatusBlocked}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(change.At.Format(time.RFC3339), change.Content, change.From, "->", change.To)
		fmt.Println(change.Origin.Cause, change.Origin.Actor, change.Origin.Reference)
	}
	// Output:
	// 2025-01-05T10:30:00Z https://bad.example UNKNOWN -> BLOCKED
	// MANUAL 7 ticket 12
}

// A follower copies what is new, and keeps its place with what it has copied.
func ExampleService_Follow() {
	ctx := context.Background()
	service := asset.NewService(memory.New(), asset.Options{})
	kept := "" // such as in a file
	set := func(status asset.Status) {
		_, err := service.SetStatus(ctx, asset.StatusRequest{
			Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://bad.example"},
			Status:   status,
		})
		if err != nil {
			fmt.Println(err)
		}
	}
	follow := func() {
		place, err := asset.ParseFeedCursor(kept)
		if err != nil {
			fmt.Println(err)
			return
		}
		for followed, err := range service.Follow(ctx, place) {
			if err != nil {
				fmt.Println(err)
				return
			}
			fmt.Println(followed.Change.Content, followed.Change.From, "->", followed.Change.To)
			kept = followed.Cursor.String()
		}
	}
	set(asset.StatusBlocked)
	follow()
	set(asset.StatusAllowed)
	set(asset.StatusBlocked)
	follow()
	follow()
	// Output:
	// https://bad.example UNKNOWN -> BLOCKED
	// https://bad.example BLOCKED -> ALLOWED
	// https://bad.example ALLOWED -> BLOCKED
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
