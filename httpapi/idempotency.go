package httpapi

import (
	"context"
	"net/http"

	"github.com/apguard/apguard/internal/request"
)

const (
	idempotencyKeyHeader      = "Idempotency-Key"
	idempotencyReplayedHeader = "Idempotency-Replayed"
)

// announceReplay tells the client that the response is that of an earlier call.
func announceReplay(header http.Header, replayed bool) {
	if replayed {
		header.Set(idempotencyReplayedHeader, "true")
	}
}

// answerUpdate is answerJSON for an operation whose request can have an idempotency key. The
// function body also reports whether the result is that of an earlier call.
func answerUpdate[Request, Result, Body any](
	decode func(request.Call) (Request, error),
	serve func(context.Context, Request) (Result, error),
	body func(Result) (Body, bool),
) func(*responseWriter, call) error {
	return answerCompleted(decode, serve, body, func(*responseWriter, call, Body) {})
}

// answerCompleted is answerUpdate with a function that completes the body before it is written.
func answerCompleted[Request, Result, Body any](
	decode func(request.Call) (Request, error),
	serve func(context.Context, Request) (Result, error),
	body func(Result) (Body, bool),
	complete func(*responseWriter, call, Body),
) func(*responseWriter, call) error {
	return func(w *responseWriter, c call) error {
		req, err := decode(c.request())
		if err != nil {
			return err
		}
		result, err := serve(c.Context(), req)
		if err != nil {
			return err
		}
		response, replayed := body(result)
		complete(w, c, response)
		announceReplay(w.Header(), replayed)
		return w.writeJSON(response)
	}
}
