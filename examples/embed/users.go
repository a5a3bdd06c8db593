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

// role determines what a user may do.
type role string

const (
	// agent may do everything.
	agent role = "agent"
	// reader may only read.
	reader role = "reader"
)

// scopes returns the scopes of the role in the service.
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

// team is a team of the desk, and an organization of the service.
type team struct {
	id         int64
	slug, name string
}

// user is a user of the desk.
type user struct {
	id          int64
	name, email string
	role        role
	team        team
}

// errUnknownToken reports that no user has the token.
var errUnknownToken = errors.New("unknown token")

// userByToken returns the user with the token, or errUnknownToken.
func (d desk) userByToken(ctx context.Context, token string) (user, error) {
	var p user
	err := d.db.QueryRowContext(ctx, `
		SELECT users.id, users.name, users.email, users.role, teams.id, teams.slug, teams.name
		FROM users JOIN teams ON teams.id = users.team_id
		WHERE users.token_hash = ?`, hashToken(token),
	).Scan(&p.id, &p.name, &p.email, &p.role, &p.team.id, &p.team.slug, &p.team.name)
	if errors.Is(err, sql.ErrNoRows) {
		return user{}, errUnknownToken
	}
	return p, err
}

// addUser adds a user to the desk and to the service, whose reports show the name of the
// reporter. It returns a new token, which is not stored.
func addUser(ctx context.Context, tx *sql.Tx, guard *apguard.Guard, p user) (string, error) {
	token := "desk_" + rand.Text()
	_, err := tx.ExecContext(ctx, "INSERT INTO users (id, team_id, name, email, role, token_hash) VALUES (?, ?, ?, ?, ?, ?)",
		p.id, p.team.id, p.name, p.email, p.role, hashToken(token))
	if err != nil {
		return "", err
	}
	return token, guard.Accounts.PutUser(ctx, account.User{ID: p.id, FullName: p.name, Email: p.email})
}

// hashToken returns the hash of a token that is stored. One round of SHA-256 is enough for
// a random token, but not for a password.
func hashToken(token string) []byte {
	hash := sha256.Sum256([]byte(token))
	return hash[:]
}
