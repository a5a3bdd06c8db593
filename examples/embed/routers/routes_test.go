package routers_test

import (
	"slices"
	"testing"

	"github.com/gorilla/mux"
	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/examples/embed/routers"
)

// Without a route for each operation, the API's fallback below the base would still answer,
// but the router's own lists, metrics and middleware would have only one route.
func TestRouters_ListOperations(t *testing.T) {
	t.Parallel()
	api := newAPI(t, seeded(t))
	want := make([]string, 0, len(api.Routes()))
	for _, route := range api.Routes() {
		want = append(want, route.Method+" /api/v2"+route.Path)
	}

	known := []string{}
	for _, route := range routers.Echo(api, "/api/v2").(*echo.Echo).Routes() {
		known = append(known, route.Method+" "+route.Path)
	}
	require.Subset(t, known, want)

	known = known[:0]
	err := routers.GorillaByMethod(api, "/api/v2").(*mux.Router).Walk(func(route *mux.Route, _ *mux.Router, _ []*mux.Route) error {
		path, err := route.GetPathTemplate()
		methods, _ := route.GetMethods() // fails for a prefix, which has none
		for method := range slices.Values(methods) {
			known = append(known, method+" "+path)
		}
		return err
	})
	require.NoError(t, err)
	require.Subset(t, known, want)
}
