package main

import (
	"context"
	"database/sql"
	"errors"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// ticket is a case about a suspicious asset.
type ticket struct {
	ID      int64  `json:"id"`
	Content string `json:"content"`
	Open    bool   `json:"open"`
}

// errTicketNotFound reports that the team has no open ticket with the ID.
var errTicketNotFound = errors.New("no such open ticket")

// open creates a ticket and files a report that proposes to block its asset, in one
// transaction. The error is an [*asset.InputError] if the content is not an asset.
func (d desk) open(ctx context.Context, by user, content string) (ticket, error) {
	opened := ticket{Content: content, Open: true}
	err := d.inTransaction(ctx, func(tx *sql.Tx, guard *apguard.Guard) error {
		filed, err := guard.Reports.File(ctx, report.FileRequest{
			OrganizationID: by.team.id,
			Title:          "Ticket of " + by.name,
			ReporterID:     by.id,
			Proposals:      []report.ProposalRequest{{Content: content, ProposedStatus: asset.StatusBlocked}},
		})
		if err != nil {
			return err
		}
		return tx.QueryRowContext(ctx,
			"INSERT INTO tickets (team_id, content, proposal_id, open) VALUES (?, ?, ?, 1) RETURNING id",
			by.team.id, content, filed.Proposals[0].ID,
		).Scan(&opened.ID)
	})
	return opened, err
}

// block closes a ticket and blocks its asset, in one transaction. The error is
// errTicketNotFound if the team has no open ticket with the ID.
func (d desk) block(ctx context.Context, by user, id int64) (ticket, error) {
	closed := ticket{ID: id}
	err := d.inTransaction(ctx, func(tx *sql.Tx, guard *apguard.Guard) error {
		var proposal int64
		err := tx.QueryRowContext(ctx,
			"UPDATE tickets SET open = 0 WHERE id = ? AND team_id = ? AND open = 1 RETURNING content, proposal_id",
			id, by.team.id,
		).Scan(&closed.Content, &proposal)
		if errors.Is(err, sql.ErrNoRows) {
			return errTicketNotFound
		}
		if err != nil {
			return err
		}
		_, err = guard.Reviews.Review(ctx, report.ReviewRequest{
			Scope:      report.InOrganization(by.team.id),
			ProposalID: proposal,
			Status:     report.ReviewApprove,
			Actor:      by.id,
		})
		return err
	})
	return closed, err
}

// tickets returns the tickets of a team, newest first.
func (d desk) tickets(ctx context.Context, of team) ([]ticket, error) {
	rows, err := d.db.QueryContext(ctx, "SELECT id, content, open FROM tickets WHERE team_id = ? ORDER BY id DESC", of.id)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err has the error
	list := []ticket{}
	for rows.Next() {
		var t ticket
		if err := rows.Scan(&t.ID, &t.Content, &t.Open); err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, rows.Err()
}
