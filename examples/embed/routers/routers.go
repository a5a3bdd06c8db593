// Package routers shows how routers of Go programs take the operations of
// httpapi.API, each beside a page of the host's own. Its tests send the same
// requests to all of them, over real connections.
//
// What they differ in is who answers a method that an operation does not have
// (405), and a path below the base that is none (404). As it is done here, the API
// answers both, with the body that the specification gives to errors, unless the
// comment of a function says otherwise.
//
// # What middleware must do
//
// A middleware that puts its own [http.ResponseWriter] in front of the connection
// should have the method Unwrap, with which [http.ResponseController] finds the
// connection. Without it every reply still arrives whole, and a changelog still
// leaves in parts, as they are larger than what net/http holds back. But no part
// gets a deadline of its own: the WriteTimeout of the [http.Server] cuts off a
// long changelog, and without one a client that does not read holds its request
// for ever. [Echo] and the Compress of chi, see [ChiBeside], ask for more.
//
// A middleware that recovers from panics must let [http.ErrAbortHandler] pass, by
// which the API breaks the connection when a changelog fails on the way. Those of
// chi and of echo do.
//
// A middleware that holds a reply back until it is whole, as the one of
// [http.TimeoutHandler] does, keeps a whole changelog in memory.
//
// A middleware that authenticates in front of the operations answers before the
// API does, in its own way. An httpapi.Authenticator leaves it to the API.
package routers

import "net/http"

// home is the host's own page.
func home(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("the host's own page"))
}
