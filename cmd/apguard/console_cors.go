package main

import "net/http"

// allowOrigin lets pages of another origin call an API. They send keys in a header. Cookies are for the
// page of this server, so credentials are not allowed. An empty origin allows none.
func allowOrigin(origin string, api http.Handler) http.Handler {
	if origin == "" {
		return api
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Add("Vary", "Origin")
		if r.Header.Get("Origin") != origin {
			api.ServeHTTP(w, r)
			return
		}
		header.Set("Access-Control-Allow-Origin", origin)
		header.Set("Access-Control-Expose-Headers", "Idempotency-Replayed, Retry-After, X-Request-Id")
		if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
			api.ServeHTTP(w, r)
			return
		}
		header.Set("Access-Control-Allow-Methods", "GET, POST")
		header.Set("Access-Control-Allow-Headers", "Content-Type, Idempotency-Key, X-API-Key")
		header.Set("Access-Control-Max-Age", "600")
		w.WriteHeader(http.StatusNoContent)
	})
}
