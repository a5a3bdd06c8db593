package main

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
)

// fill adds a demo team of two users to an empty desk, and returns a message for the
// operator. The message is empty if the desk is not empty.
func (d desk) fill(ctx context.Context, baseURL string) (string, error) {
	acme := team{id: 1, slug: "acme", name: "Acme"}
	ada := user{id: 1, name: "Ada Acme", email: "ada@acme.example", role: agent, team: acme}
	ray := user{id: 2, name: "Ray Acme", email: "ray@acme.example", role: reader, team: acme}
	var greeting string
	err := d.inTransaction(ctx, func(tx *sql.Tx, guard *apguard.Guard) error {
		var filled bool
		if err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM teams)").Scan(&filled); err != nil || filled {
			return err
		}
		if err := addTeam(ctx, tx, guard, acme); err != nil {
			return err
		}
		agentToken, err := addUser(ctx, tx, guard, ada)
		if err != nil {
			return err
		}
		readerToken, err := addUser(ctx, tx, guard, ray)
		greeting = welcome(baseURL, agentToken, readerToken)
		return err
	})
	return greeting, err
}

// addTeam adds a team to the desk, and as an organization to the service.
func addTeam(ctx context.Context, tx *sql.Tx, guard *apguard.Guard, t team) error {
	if _, err := tx.ExecContext(ctx, "INSERT INTO teams (id, slug, name) VALUES (?, ?, ?)", t.id, t.slug, t.name); err != nil {
		return err
	}
	return guard.Accounts.PutOrganization(ctx, account.Organization{ID: t.id, Slug: t.slug, Name: t.name})
}

// welcome returns a message with commands to try.
func welcome(baseURL, agentToken, readerToken string) string {
	return fmt.Sprintf(`The database was empty and now contains a demo team, acme. Its tokens are shown only once.

export DESK=%s
export AGENT=%s
export READER=%s

# Ada opens a ticket, which files a report, and blocks its asset.
curl -s "$DESK/tickets" -H "Authorization: Bearer $AGENT" -d '{"content":"https://bad.example"}'
curl -s -X POST "$DESK/tickets/1/block" -H "Authorization: Bearer $AGENT"

# Ray can read both in the service, but not dispute.
curl -s "$DESK%[4]s/organization/reports" -H "Authorization: Bearer $READER"
curl -s "$DESK%[4]s/asset/changelog" -H "Authorization: Bearer $READER" -H 'Content-Type: application/json' -d '{}'
curl -s "$DESK%[4]s/dispute/create" -H "Authorization: Bearer $READER" -H 'Content-Type: application/json' -d '{"content":"https://bad.example"}'

`, baseURL, agentToken, readerToken, base)
}
