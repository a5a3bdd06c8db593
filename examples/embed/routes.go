package main

import (
	"log/slog"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/apguard/apguard/httpapi"
)

// base is where the operations are.
const base = "/api/v2"

// newHandler puts the desk's pages and the operations on one router. Both pass the
// desk's middleware. The operations authenticate by themselves, after they looked
// at the method, so that each of their refusals has the body that the
// specification gives it; no middleware of the desk's does it before them.
func newHandler(d desk, logger *slog.Logger) (http.Handler, error) {
	api, err := httpapi.New(d.guard, d, httpapi.Options{Logger: logger.With("part", "operations")})
	if err != nil {
		return nil, err
	}
	pages := pages{desk: d, logger: logger}
	router := chi.NewRouter()
	router.Use(logRequests(logger), middleware.Recoverer)
	router.Get("/", home)
	router.Get("/tickets", pages.forPeople(pages.listTickets, agent, reader))
	router.Post("/tickets", pages.forPeople(pages.openTicket, agent))
	router.Post("/tickets/{id}/block", pages.forPeople(pages.blockTicket, agent))
	router.Route(base, func(r chi.Router) {
		api.Mount(r, "")
		r.NotFound(api.NotFound().ServeHTTP)
	})
	return router, nil
}
