package routers

import (
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"github.com/apguard/apguard/httpapi"
)

// Echo uses github.com/labstack/echo, version 4, with the operations from
// [httpapi.API.Routes]. The base must not be empty.
//
// The last route answers all other requests below the base: unknown paths and other
// methods. Otherwise echo would answer them itself, even OPTIONS with 204.
//
// Echo's writer panics on a flush if the writer beneath it has neither Flush nor Unwrap.
// The API flushes every reply. So a writer of middleware outside echo, or one that
// replaces the writer of echo's response, must have Unwrap or Flush.
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
