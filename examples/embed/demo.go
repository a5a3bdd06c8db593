package main

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
)

// fill puts a team of two into a desk that has no team, and returns what to tell
// the person who started the program.
func (d desk) fill(ctx context.Context, baseURL string) (string, error) {
	acme := team{id: 1, slug: "acme", name: "Acme"}
	ada := person{id: 1, name: "Ada Acme", email: "ada@acme.example", role: agent, team: acme}
	ray := person{id: 2, name: "Ray Acme", email: "ray@acme.example", role: reader, team: acme}
	var greeting string
	err := d.together(ctx, func(tx *sql.Tx, guard *apguard.Guard) error {
		var filled bool
		if err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM teams)").Scan(&filled); err != nil || filled {
			return err
		}
		if err := found(ctx, tx, guard, acme); err != nil {
			return err
		}
		agentToken, err := hire(ctx, tx, guard, ada)
		if err != nil {
			return err
		}
		readerToken, err := hire(ctx, tx, guard, ray)
		greeting = welcome(baseURL, agentToken, readerToken)
		return err
	})
	return greeting, err
}

// found writes down a team. The service learns of it too.
func found(ctx context.Context, tx *sql.Tx, guard *apguard.Guard, t team) error {
	if _, err := tx.ExecContext(ctx, "INSERT INTO teams (id, slug, name) VALUES (?, ?, ?)", t.id, t.slug, t.name); err != nil {
		return err
	}
	return guard.Accounts.PutOrganization(ctx, account.Organization{ID: t.id, Slug: t.slug, Name: t.name})
}

// welcome shows what to call.
func welcome(baseURL, agentToken, readerToken string) string {
	return fmt.Sprintf(`The desk was empty and now has a team, acme. Its tokens are shown only once.

export DESK=%s
export AGENT=%s
export READER=%s

# Ada opens a ticket, which files a report, and blocks what it is about.
curl -s "$DESK/tickets" -H "Authorization: Bearer $AGENT" -d '{"content":"https://bad.example"}'
curl -s -X POST "$DESK/tickets/1/block" -H "Authorization: Bearer $AGENT"

# Ray sees both in the service, and may change nothing there.
curl -s "$DESK%[4]s/organization/reports" -H "Authorization: Bearer $READER"
curl -s "$DESK%[4]s/asset/changelog" -H "Authorization: Bearer $READER" -H 'Content-Type: application/json' -d '{}'
curl -s "$DESK%[4]s/dispute/create" -H "Authorization: Bearer $READER" -H 'Content-Type: application/json' -d '{"content":"https://bad.example"}'

`, baseURL, agentToken, readerToken, base)
}
