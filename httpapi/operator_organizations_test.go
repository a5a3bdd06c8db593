package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOperator_GetOrganization(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	got := s.read("/organization/get?id=2")
	require.Equal(t, http.StatusOK, got.Status, got.Body)
	require.JSONEq(t, `{"id":2,"slug":"globex","name":"Globex"}`, got.Body)
	require.Equal(t, http.StatusNotFound, s.read("/organization/get?id=99").Status)
	requireInvalid(t, s.read("/organization/get"), "id: is required")
}
