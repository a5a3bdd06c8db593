package client_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/client"
)

// ErrPartial comes after the changes of a site with too many assets.
func TestOperator_Changes_partial(t *testing.T) {
	t.Parallel()
	s := server{mediaType: "application/json", responses: [][]byte{[]byte(`{"changes":[],"partial":true,"nextCursor":null}`)}}
	op := newOperator(t, "https://example.com", client.Options{HTTPClient: &http.Client{Transport: &s}})
	n, err := last(t, op.Changes(t.Context(), client.ChangesRequest{Under: "x.dev"}))
	require.ErrorIs(t, err, client.ErrPartial)
	require.NotErrorIs(t, err, client.ErrUnavailable)
	require.Zero(t, n)
}
