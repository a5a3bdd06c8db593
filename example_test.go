package apguard_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/check/phishlist"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/sqlite"
)

func Example() {
	ctx := context.Background()
	guard := apguard.New(memory.New(), apguard.Options{})

	acme, err := guard.Accounts.CreateOrganization(ctx, account.OrganizationRequest{Slug: "acme", Name: "Acme"})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = guard.SetStatus(ctx, "https://shop.example", asset.StatusBlocked, asset.Origin{Reference: "ticket 12"})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = guard.Allowlist.Add(ctx, allowlist.AddRequest{
		OrganizationID: acme.ID,
		Items:          []allowlist.Item{{Content: "https://shop.example/", Name: "Our shop"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	changes, err := guard.Changelog(ctx, asset.ChangelogQuery{Content: "HTTPS://SHOP.example"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for change, err := range changes {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(change.From, "->", change.To, change.Origin.Cause)
	}
	// Output:
	// BLOCKED -> ALLOWED ALLOWLIST
	// UNKNOWN -> BLOCKED MANUAL
}

func ExampleNew_check() {
	ctx := context.Background()
	list, err := phishlist.Load(strings.NewReader(`[{"name":"Example list","blocklist":["phish.example"]}]`), phishlist.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	guard := apguard.New(memory.New(), apguard.Options{ExternalLists: check.ExternalLists{list}})
	if _, err := guard.SetStatus(ctx, "bad.example.com", asset.StatusBlocked, asset.Origin{}); err != nil {
		fmt.Println(err)
		return
	}

	for _, content := range []string{"https://login.bad.example.com/x", "https://phish.example"} {
		verdict, err := guard.Checks.Check(ctx, content)
		if err != nil {
			fmt.Println(err)
			return
		}
		if verdict.Status == asset.StatusBlocked {
			fmt.Println("blocked by", verdict.Source)
		}
		if match := verdict.Match; match != nil { // nil if an external list blocks
			fmt.Println(match.Kind, match.Canonical)
		}
	}
	// Output:
	// blocked by ASSET
	// DOMAIN bad.example.com
	// blocked by LIST
}

func ExampleNew() {
	store := memory.New()
	defer store.Close()

	guard := apguard.New(store, apguard.Options{RefuseBlocked: true})
	fmt.Println(guard.Ready(context.Background()))
	// Output:
	// <nil>
}

// SetStatus accepts any spelling of an asset and refuses content that no rule
// recognizes.
func ExampleGuard_SetStatus() {
	ctx := context.Background()
	guard := apguard.New(memory.New(), apguard.Options{})

	bad, err := guard.SetStatus(ctx, "HTTPS://Bad.Example/", asset.StatusBlocked, asset.Origin{Reference: "ticket/42"})
	fmt.Println(bad.Type, bad.Canonical, bad.Status, err)

	_, err = guard.SetStatus(ctx, "bad site", asset.StatusBlocked, asset.Origin{})
	fmt.Println(errors.Is(err, asset.ErrInvalid))
	// Output:
	// URL https://bad.example BLOCKED <nil>
	// true
}

// StatusAt returns an earlier status. An asset without a change by then was UNKNOWN.
func ExampleGuard_StatusAt() {
	ctx := context.Background()
	now := time.Date(2025, time.January, 5, 10, 0, 0, 0, time.UTC)
	guard := apguard.New(memory.New(), apguard.Options{Clock: func() time.Time { return now }})
	if _, err := guard.SetStatus(ctx, "https://bad.example", asset.StatusBlocked, asset.Origin{}); err != nil {
		fmt.Println(err)
		return
	}

	fmt.Println(guard.StatusAt(ctx, "https://bad.example", now.Add(-time.Hour)))
	fmt.Println(guard.StatusAt(ctx, "https://bad.example", now))
	// Output:
	// UNKNOWN <nil>
	// BLOCKED <nil>
}

// Explain shows why an asset has its status, and which organizations allow it.
func ExampleGuard_Explain() {
	ctx := context.Background()
	guard := apguard.New(memory.New(), apguard.Options{})
	err := guard.Accounts.PutOrganization(ctx, account.Organization{ID: 1, Slug: "acme", Name: "Acme"})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = guard.Allowlist.Add(ctx, allowlist.AddRequest{OrganizationID: 1, Items: []allowlist.Item{{Content: "https://shop.example"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	why, err := guard.Explain(ctx, "https://shop.example/")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(why.Asset.Status, why.Change.Origin.Cause)
	for _, organization := range why.AllowedBy.Organizations {
		fmt.Println("allowed by organization", organization.OrganizationID)
	}
	// Output:
	// ALLOWED ALLOWLIST
	// allowed by organization 1
}

// A ticket of the host application and the status of an asset change together.
func ExampleGuard_With() {
	ctx := context.Background()
	db, err := sql.Open("sqlite", "file:host.db?_pragma=foreign_keys(1)&_txlock=immediate")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	store, err := sqlite.New(ctx, db, sqlite.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	guard := apguard.New(store, apguard.Options{})

	closeTicket := func() error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.ExecContext(ctx, "UPDATE tickets SET closed = TRUE WHERE id = 7"); err != nil {
			return err
		}
		_, err = guard.With(sqlite.InTx(tx)).SetStatus(ctx, "https://bad.example", asset.StatusBlocked, asset.Origin{Reference: "ticket/7"})
		if err != nil {
			return err
		}
		return tx.Commit()
	}
	fmt.Println(closeTicket())
}
