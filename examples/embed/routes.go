package main

import (
	"log/slog"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/apguard/apguard/httpapi"
)

// base is the base path of the operations.
const base = "/api/v2"

// newHandler registers the desk's handlers and the operations on one router with the same
// middleware. The operations authenticate requests themselves, after they check the
// method, so that all their errors have the bodies of the specification. Middleware must
// not authenticate in front of them. stopping is closed when the server stops.
func newHandler(d desk, logger *slog.Logger, stopping <-chan struct{}) (http.Handler, error) {
	api, err := httpapi.New(d.guard, d, httpapi.Options{
		Logger:         logger.With("part", "operations"),
		Stopping:       stopping,
		Challenge:      challenge,
		SecurityScheme: httpapi.SecurityScheme{Name: "deskToken", Definition: `{"type": "http", "scheme": "bearer"}`},
	})
	if err != nil {
		return nil, err
	}
	handlers := handlers{desk: d, logger: logger}
	router := chi.NewRouter()
	router.Use(logRequests(logger), middleware.Recoverer)
	router.Get("/", home)
	router.Get("/tickets", handlers.forRoles(handlers.listTickets, agent, reader))
	router.Post("/tickets", handlers.forRoles(handlers.openTicket, agent))
	router.Post("/tickets/{id}/block", handlers.forRoles(handlers.blockTicket, agent))
	router.Route(base, func(r chi.Router) {
		api.Mount(r, "")
		r.NotFound(api.NotFound().ServeHTTP)
	})
	return router, nil
}
