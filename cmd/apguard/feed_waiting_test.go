package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/internal/test/testsize"
)

// TestFeed_Waiting lets 1,000 followers wait. They must not take more than 64 MiB of resident memory,
// and all of them must hear of a change.
func TestFeed_Waiting(t *testing.T) {
	t.Parallel()
	testsize.Measurement(t)
	const followers, keys = 1000, 4
	s := startMeasured(t, "-db", filepath.Join(t.TempDir(), "feed.db"), "-rate", "0", "-max-connections", "10000", "-seed", writeFile(t, seedWithKeys(keys)))
	origin, err := client.New(s.url, client.Options{Key: "apg_globex"})
	require.NoError(t, err)
	end, err := origin.Feed(t.Context(), client.FeedRequest{Cursor: client.FeedEnd})
	require.NoError(t, err)
	checks := func() time.Duration {
		began := time.Now()
		for range 200 {
			_, err := origin.ListAllowlist(t.Context(), client.AllowlistRequest{})
			require.NoError(t, err)
		}
		return time.Since(began) / 200
	}
	idleCall, idle := checks(), s.resident(t)

	address, err := url.Parse(s.url)
	require.NoError(t, err)
	connections := make([]net.Conn, followers)
	for i := range connections {
		connections[i], err = new(net.Dialer).DialContext(t.Context(), "tcp", address.Host)
		require.NoError(t, err)
		defer connections[i].Close() //nolint:errcheck // the server may have closed it
		_, err = fmt.Fprintf(connections[i], "GET %s/asset/feed?wait=30&cursor=%s HTTP/1.1\r\nHost: test\r\nX-API-KEY: apg_follower-%d\r\n\r\n",
			address.Path, end.Cursor, i%keys)
		require.NoError(t, err)
		if i%50 == 0 { // until they wait, requests count as running ones, of which a server takes fewer
			_, err = origin.ListAllowlist(t.Context(), client.AllowlistRequest{})
			require.NoError(t, err)
		}
	}
	call := checks()
	used := s.mostResident(t) - idle
	t.Logf("%.1f MiB for %d followers; a call takes %v, and %v while they wait", used, followers, idleCall, call)
	require.Less(t, used, 64.0)

	_, err = origin.AddToAllowlist(t.Context(), client.AddRequest{Assets: []client.Item{{Content: "https://new.example"}}})
	require.NoError(t, err)
	for _, connection := range connections {
		response, err := http.ReadResponse(bufio.NewReader(connection), nil)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, response.StatusCode)
		require.Greater(t, response.ContentLength, int64(100), "the change")
		require.NoError(t, response.Body.Close())
	}
}

// seedWithKeys returns the seed with so many keys for followers.
func seedWithKeys(number int) string {
	var keys strings.Builder
	for i := range number {
		fmt.Fprintf(&keys, `{"key": "apg_follower-%d", "organization": "globex", "scopes": ["changelog"]}, `, i)
	}
	return strings.Replace(seed, `"keys": [`, `"keys": [`+keys.String(), 1)
}
