package routers

import (
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"github.com/apguard/apguard/httpapi"
)

// Echo is github.com/labstack/echo, version 4, which takes the operations from
// [httpapi.API.Routes]. The base is not "".
//
// The last route answers what is left below the base: paths that nobody has, and
// methods that a path does not have, which echo would otherwise answer itself, an
// OPTIONS even with 204.
//
// Echo's writer panics when it is flushed and what is beneath it can neither be
// flushed nor unwrapped. The API flushes every reply, so that a middleware outside
// echo, or one that sets the writer of echo's response, must have Unwrap or Flush
// in its writer.
func Echo(api *httpapi.API, base string) http.Handler {
	router := echo.New()
	router.Use(middleware.Recover())
	router.GET("/", echo.WrapHandler(http.HandlerFunc(home)))
	operations := router.Group(base)
	for _, route := range api.Routes() {
		operations.Add(route.Method, route.Path, echo.WrapHandler(route.Handler))
	}
	operations.RouteNotFound("/*", echo.WrapHandler(http.StripPrefix(base, api)))
	return router
}
