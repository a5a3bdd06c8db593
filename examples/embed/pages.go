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

// maxBody is how many bytes the desk reads of a request. The operations have a
// bound of their own.
const maxBody = 64 << 10

// pages are the desk's own routes.
type pages struct {
	desk   desk
	logger *slog.Logger
}

// page answers a request of a person. What it returns becomes a JSON reply.
type page func(r *http.Request, by person) (status int, reply any, err error)

// forPeople returns a handler that answers people with one of the roles.
func (p pages) forPeople(answer page, roles ...role) http.HandlerFunc {
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
		_ = json.NewEncoder(w).Encode(reply) // fails when the client is gone
	}
}

// errRole says that the person's role does not go that far.
var errRole = errors.New("your role may not do this")

func (p pages) ask(r *http.Request, answer page, roles []role) (status int, reply any, err error) {
	by, err := p.desk.caller(r)
	if err != nil {
		return 0, nil, err
	}
	for _, allowed := range roles {
		if by.role == allowed {
			return answer(r, by)
		}
	}
	return 0, nil, errRole
}

// errBody says that the body of a request is not what the page reads.
var errBody = errors.New("the body must be a JSON object with a content")

func (p pages) openTicket(r *http.Request, by person) (status int, reply any, err error) {
	var body struct {
		Content string `json:"content"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return 0, nil, errBody
	}
	opened, err := p.desk.open(r.Context(), by, body.Content)
	return http.StatusCreated, opened, err
}

func (p pages) blockTicket(r *http.Request, by person) (status int, reply any, err error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return 0, nil, errNoTicket
	}
	closed, err := p.desk.block(r.Context(), by, id)
	return http.StatusOK, closed, err
}

func (p pages) listTickets(r *http.Request, by person) (status int, reply any, err error) {
	list, err := p.desk.tickets(r.Context(), by.team)
	return http.StatusOK, list, err
}

// problem returns what an error means to the client. What is no doing of theirs is
// logged with the name of the request, and they learn nothing of its cause.
func (p pages) problem(ctx context.Context, id string, err error) (status int, reply any) {
	type problem struct {
		Error string `json:"error"`
	}
	switch {
	case errors.Is(err, errNobody):
		return http.StatusUnauthorized, problem{err.Error()}
	case errors.Is(err, errRole):
		return http.StatusForbidden, problem{err.Error()}
	case errors.Is(err, errNoTicket):
		return http.StatusNotFound, problem{err.Error()}
	case errors.Is(err, errBody), errors.Is(err, asset.ErrInvalid):
		return http.StatusBadRequest, problem{err.Error()}
	default:
		p.logger.ErrorContext(ctx, "page failed", "id", id, "error", err)
		return http.StatusInternalServerError, problem{"internal error"}
	}
}

// home is the front page.
func home(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("The help desk. Tickets are at /tickets, the asset protection service at " + base + ".\n"))
}
