package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/apguard/apguard/asset"
)

// maxBody is the maximum size of a request body. The operations have their own limit.
const maxBody = 64 << 10

// handlers answer the desk's own routes.
type handlers struct {
	desk   desk
	logger *slog.Logger
}

// handler answers a request of a user. The reply is encoded as JSON.
type handler func(r *http.Request, by user) (status int, reply any, err error)

// forRoles returns an HTTP handler for users with one of the roles.
func (p handlers) forRoles(answer handler, roles ...role) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		status, reply, err := p.ask(r, answer, roles)
		if err != nil {
			status, reply = p.problem(r.Context(), w.Header().Get("X-Request-Id"), err)
		}
		w.Header().Set("Content-Type", "application/json")
		if status == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", challenge)
		}
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(reply) // fails if the client has disconnected
	}
}

// errForbidden reports that the role of the user lacks the permission.
var errForbidden = errors.New("your role does not permit this")

func (p handlers) ask(r *http.Request, answer handler, roles []role) (status int, reply any, err error) {
	by, err := p.desk.caller(r)
	if err != nil {
		return 0, nil, err
	}
	for _, allowed := range roles {
		if by.role == allowed {
			return answer(r, by)
		}
	}
	return 0, nil, errForbidden
}

// errBody reports that the body of a request is invalid.
var errBody = errors.New("the body must be a JSON object with the key content")

func (p handlers) openTicket(r *http.Request, by user) (status int, reply any, err error) {
	var body struct {
		Content string `json:"content"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return 0, nil, errBody
	}
	opened, err := p.desk.open(r.Context(), by, body.Content)
	return http.StatusCreated, opened, err
}

func (p handlers) blockTicket(r *http.Request, by user) (status int, reply any, err error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return 0, nil, errTicketNotFound
	}
	closed, err := p.desk.block(r.Context(), by, id)
	return http.StatusOK, closed, err
}

func (p handlers) listTickets(r *http.Request, by user) (status int, reply any, err error) {
	list, err := p.desk.tickets(r.Context(), by.team)
	return http.StatusOK, list, err
}

// problem returns the reply for an error. It logs internal errors with the request ID; the
// reply does not contain their cause.
func (p handlers) problem(ctx context.Context, id string, err error) (status int, reply any) {
	type problem struct {
		Error string `json:"error"`
	}
	switch {
	case errors.Is(err, errUnknownToken):
		return http.StatusUnauthorized, problem{err.Error()}
	case errors.Is(err, errForbidden):
		return http.StatusForbidden, problem{err.Error()}
	case errors.Is(err, errTicketNotFound):
		return http.StatusNotFound, problem{err.Error()}
	case errors.Is(err, errBody), errors.Is(err, asset.ErrInvalid):
		return http.StatusBadRequest, problem{err.Error()}
	default:
		p.logger.ErrorContext(ctx, "request failed", "id", id, "error", err)
		return http.StatusInternalServerError, problem{"internal error"}
	}
}

// home serves the front page.
func home(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("The help desk. Tickets are at /tickets, the asset protection service at " + base + ".\n"))
}
