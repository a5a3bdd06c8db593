package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"errors"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
)

// role is what a person may do at the desk.
type role string

const (
	// agents do everything.
	agent role = "agent"
	// readers look at what others do.
	reader role = "reader"
)

// scopes returns what the role may do in the service.
func (r role) scopes() []account.Scope {
	switch r {
	case agent:
		return account.Scopes()
	case reader:
		return []account.Scope{account.ScopeChangelog, account.ScopeReports}
	default:
		return nil
	}
}

// team is what the service calls an organisation.
type team struct {
	id         int64
	slug, name string
}

// person is somebody who uses the desk.
type person struct {
	id          int64
	name, email string
	role        role
	team        team
}

// errNobody says that no person has the token.
var errNobody = errors.New("nobody has this token")

// personByToken returns who has the token, or errNobody.
func (d desk) personByToken(ctx context.Context, token string) (person, error) {
	var p person
	err := d.db.QueryRowContext(ctx, `
		SELECT people.id, people.name, people.email, people.role, teams.id, teams.slug, teams.name
		FROM people JOIN teams ON teams.id = people.team_id
		WHERE people.token_hash = ?`, hashToken(token),
	).Scan(&p.id, &p.name, &p.email, &p.role, &p.team.id, &p.team.slug, &p.team.name)
	if errors.Is(err, sql.ErrNoRows) {
		return person{}, errNobody
	}
	return p, err
}

// hire writes down a person and returns their token, which is shown once. The
// service learns their name, as its reports tell who filed them.
func hire(ctx context.Context, tx *sql.Tx, guard *apguard.Guard, p person) (string, error) {
	token := "desk_" + rand.Text()
	_, err := tx.ExecContext(ctx, "INSERT INTO people (id, team_id, name, email, role, token_hash) VALUES (?, ?, ?, ?, ?, ?)",
		p.id, p.team.id, p.name, p.email, p.role, hashToken(token))
	if err != nil {
		return "", err
	}
	return token, guard.Accounts.PutUser(ctx, account.User{ID: p.id, FullName: p.name, Email: p.email})
}

// hashToken returns what is stored of a token. It is too random to be guessed, so
// that one round is enough, which no password could do with.
func hashToken(token string) []byte {
	hash := sha256.Sum256([]byte(token))
	return hash[:]
}
