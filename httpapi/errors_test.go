package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage"
)

func TestAPIErrorOf_FailureOfTheStore(t *testing.T) {
	t.Parallel()
	for path, body := range posts {
		s := startWith(t, setup{wrap: failing})
		requireError(t, s.post(path, acmeKey, body), path, http.StatusInternalServerError, "INTERNAL_SERVER_ERROR", "Internal server error")
		require.Contains(t, s.log.String(), "level=ERROR")
		require.Contains(t, s.log.String(), "method=POST path="+path+" ")
		require.Contains(t, s.log.String(), `error="disk failure"`)
		require.NotContains(t, s.log.String(), acmeKey)
	}
	s := startWith(t, setup{wrap: failing})
	requireError(t, s.get(newReports, acmeKey), newReports, http.StatusInternalServerError, "INTERNAL_SERVER_ERROR", "Internal server error")
}

func TestItemMessage_UnknownError(t *testing.T) {
	t.Parallel()
	odd := func(store storage.Store) storage.Store { return unknownErrorStore{store} }
	s := startWith(t, setup{wrap: odd})
	requireError(t, s.post(assetsPath, acmeKey, posts[assetsPath]), assetsPath, http.StatusInternalServerError, "INTERNAL_SERVER_ERROR", "Internal server error")
	require.Contains(t, s.log.String(), "disk failure")
}

type unknownErrorStore struct{ storage.Store }

func (unknownErrorStore) AddToAllowlist(_ context.Context, _ allowlist.AddCommand) ([]allowlist.Outcome, error) {
	return []allowlist.Outcome{{Err: errDisk}}, nil
}

func TestIssueTexts_Limit(t *testing.T) {
	t.Parallel()
	s := start(t)
	elements := strings.TrimSuffix(strings.Repeat(`"x",`, 10_000), ",")
	got := s.post(oldReports, acmeKey, `{"slug":"acme","limit":1,"brandIds":[`+elements+`]}`)
	require.Equal(t, http.StatusBadRequest, got.Status)
	require.Equal(t, 101, strings.Count(got.Body, `{"message"`))
	require.Contains(t, got.Body, `"brandIds[99]: must be a whole number from 1 to 2^53-1"},{"message":"there are more issues, which are not listed"}]`)

	got = s.get(newReports+"?brandIds="+strings.Repeat("x,", 200), acmeKey)
	require.Equal(t, 101, strings.Count(got.Body, `{"message"`))

	got = s.post(assetsPath, acmeKey, `{"assets":[`+strings.TrimSuffix(strings.Repeat(`1,`, 1000), ",")+`]}`)
	require.Equal(t, http.StatusBadRequest, got.Status)
	require.True(t, strings.HasSuffix(got.Body, `assets[99] must be an object; there are more issues, which are not listed"}}`), got.Body)

	got = s.post(assetsPath, acmeKey, `{"assets":[`+strings.TrimSuffix(strings.Repeat(`1,`, 100), ",")+`]}`)
	require.True(t, strings.HasSuffix(got.Body, `assets[99] must be an object"}}`), got.Body)
}

func TestAPIErrorOf_Unavailable(t *testing.T) {
	t.Parallel()
	for reason, err := range map[string]error{
		"the store is away":            fmt.Errorf("select: %w", asset.ErrUnavailable),
		"the store is closed":          storage.ErrClosed,
		"a deadline of the store":      fmt.Errorf("select: %w", context.DeadlineExceeded),
		"with an error of the service": errors.Join(errDisk, asset.ErrUnavailable),
	} {
		for path, body := range posts {
			s := startWith(t, setup{wrap: func(store storage.Store) storage.Store { return &failingStore{Store: store, err: err} }})
			got := s.post(path, acmeKey, body)
			requireError(t, got, path, http.StatusServiceUnavailable, "SERVICE_UNAVAILABLE", "Service unavailable")
			require.Equal(t, "5", got.Header.Get("Retry-After"), reason)
			require.Contains(t, s.log.String(), "level=ERROR")
			require.Contains(t, s.log.String(), "status=503")
			require.Contains(t, s.log.String(), "error=")
		}
		s := startWith(t, setup{wrap: func(store storage.Store) storage.Store { return lockedKeys{store, err} }})
		got := s.get(newReports, acmeKey)
		requireError(t, got, newReports, http.StatusServiceUnavailable, "SERVICE_UNAVAILABLE", "Service unavailable")
		require.Contains(t, s.log.String(), "level=ERROR", "authentication fails")
	}
}

// A client that is told nothing else would not know that a repetition needs its key.
func TestAPIErrorOf_OutcomeUnknown(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("add: %w", asset.ErrOutcomeUnknown)
	for _, path := range []string{assetsPath, disputePath} {
		s := startWith(t, setup{wrap: func(store storage.Store) storage.Store { return &failingStore{Store: store, err: err} }})
		got := s.post(path, acmeKey, posts[path])
		requireError(t, got, path, http.StatusServiceUnavailable, "SERVICE_UNAVAILABLE",
			"The request may have been executed; repeat it with the same Idempotency-Key to find out")
		require.Equal(t, "5", got.Header.Get("Retry-After"))
		require.Contains(t, s.log.String(), "level=ERROR")
	}
}

// A client that tries again later would get the same response.
func TestAPIErrorOf_ReadOnly(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("add: %w", asset.ErrReadOnly)
	for _, path := range []string{assetsPath, disputePath} {
		s := startWith(t, setup{wrap: func(store storage.Store) storage.Store { return &failingStore{Store: store, err: err} }})
		got := s.post(path, acmeKey, posts[path])
		requireError(t, got, path, http.StatusServiceUnavailable, "SERVICE_UNAVAILABLE",
			"This server is read-only; send the request to one that writes")
		require.Empty(t, got.Header.Get("Retry-After"))
		require.NotContains(t, s.log.String(), "level=ERROR")
	}
}

// lockedKeys is a store that cannot look up keys.
type lockedKeys struct {
	storage.Store
	err error
}

func (s lockedKeys) KeyByHash(context.Context, [32]byte) (account.KeyRecord, error) {
	return account.KeyRecord{}, s.err
}
