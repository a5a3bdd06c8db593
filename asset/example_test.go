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
	_, err := service.SetStatus(ctx, asset.SetStatusRequest{
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

// A follower copies new changes and stores its cursor with them.
func ExampleFeedService_Follow() {
	ctx := context.Background()
	store := memory.New()
	service := asset.NewService(store, asset.Options{})
	feed := asset.NewFeedService(store)
	stored := "" // for example in a file
	set := func(status asset.Status) {
		_, err := service.SetStatus(ctx, asset.SetStatusRequest{
			Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://bad.example"},
			Status:   status,
		})
		if err != nil {
			fmt.Println(err)
		}
	}
	follow := func() {
		cursor, err := asset.ParseFeedCursor(stored)
		if err != nil {
			fmt.Println(err)
			return
		}
		for entry, err := range feed.Follow(ctx, cursor) {
			if err != nil {
				fmt.Println(err)
				return
			}
			fmt.Println(entry.Change.Content, entry.Change.From, "->", entry.Change.To)
			stored = entry.Cursor.String()
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

func ExampleHistoryService_Prune() {
	ctx := context.Background()
	now := time.Date(2025, 1, 5, 10, 0, 0, 0, time.UTC)
	store := memory.New()
	service := asset.NewService(store, asset.Options{Clock: func() time.Time { return now }})
	history := asset.NewHistoryService(store)
	for _, status := range []asset.Status{asset.StatusBlocked, asset.StatusUnknown, asset.StatusAllowed} {
		_, err := service.SetStatus(ctx, asset.SetStatusRequest{
			Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://site.example"},
			Status:   status,
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		now = now.AddDate(0, 1, 0)
	}

	removed, err := history.Prune(ctx, now.AddDate(-1, 0, 0))
	fmt.Println(removed, err)
	removed, err = history.Prune(ctx, now)
	fmt.Println(removed, err)
	for change, err := range service.Changes(ctx, asset.ChangeFilter{}) {
		fmt.Println(change.At.Format(time.DateOnly), change.From, "->", change.To, err)
	}
	// Output:
	// 0 <nil>
	// 2 <nil>
	// 2025-03-05 UNKNOWN -> ALLOWED <nil>
}
