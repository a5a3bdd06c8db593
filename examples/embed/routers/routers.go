// Package routers shows how to mount the operations of httpapi.API on common routers,
// beside a page of the host. Its tests send the same requests to all of them, over real
// connections.
//
// The routers differ in who answers a method that an operation does not have (405), and an
// unknown path below the base (404). Here the API answers both, with the error bodies of
// the specification, unless the comment of a function says otherwise.
//
// # Requirements for middleware
//
// A [http.ResponseWriter] of middleware should have the method Unwrap, with which
// [http.ResponseController] finds the connection. Without it, replies are still complete,
// and a changelog is still sent in parts, because these exceed the buffer of net/http. But
// the parts have no deadlines: the WriteTimeout of the [http.Server] cuts off a long
// changelog, and without one, a client that does not read blocks its request forever.
// [Echo] and chi's Compress have further requirements; see [ChiBeside].
//
// Middleware that recovers from panics must pass on [http.ErrAbortHandler], with which the
// API aborts the connection when a changelog fails midway. The recoverers of chi and echo
// do.
//
// Middleware that buffers the whole reply, such as [http.TimeoutHandler], holds a whole
// changelog in memory.
//
// Middleware that authenticates in front of the operations answers before the API does, in
// its own way. Use an httpapi.Authenticator instead, so that the API answers.
package routers

import "net/http"

// home serves the host's page.
func home(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("the host's own page"))
}
