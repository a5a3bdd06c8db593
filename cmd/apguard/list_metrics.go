package main

import (
	"context"
	"strconv"
	"time"

	"github.com/apguard/apguard/lists"
)

// listsText returns how the lists are. It is empty if the store does not answer.
func listsText(ctx context.Context, service *lists.Service) []byte {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	all, err := service.List(ctx)
	if err != nil {
		return nil
	}
	var page page
	page.family("apguard_list_entries", "gauge", "Entries of a list after its last sync.")
	for _, list := range all {
		page.sample("apguard_list_entries", strconv.FormatInt(list.Entries, 10), "list", list.Name)
	}
	page.family("apguard_list_age_seconds", "gauge", "Time since the last sync of a list was completed, or since the list was added.")
	for _, list := range all {
		page.sample("apguard_list_age_seconds", decimal(listAge(list).Seconds()), "list", list.Name)
	}
	page.family("apguard_list_failures", "gauge", "Syncs and fetches of a list that have failed since one was completed.")
	for _, list := range all {
		page.sample("apguard_list_failures", strconv.Itoa(list.Failures), "list", list.Name)
	}
	return page.text
}

func listAge(list lists.List) time.Duration {
	at := list.CreatedAt
	if !list.SyncedAt.IsZero() {
		at = list.SyncedAt
	}
	return max(0, time.Since(at))
}
