package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/testsize"
)

func TestParsePrefix(t *testing.T) {
	t.Parallel()
	const invalid, everybody = "must be IP addresses or prefixes", "must not trust all addresses"
	for text, c := range map[string]struct{ want, wantErr string }{
		"10.0.0.7":                      {"10.0.0.7/32", ""},
		"10.0.0.0/8":                    {"10.0.0.0/8", ""},
		"10.1.2.3/8":                    {"10.0.0.0/8", ""},
		"::1":                           {"::1/128", ""},
		"fd00::/8":                      {"fd00::/8", ""},
		"::ffff:10.0.0.7":               {"10.0.0.7/32", ""},
		"fe80::1%eth0":                  {"", invalid},
		"10.0.0.7, 10.1.0.0/16,fd00::1": {"10.0.0.7/32,10.1.0.0/16,fd00::1/128", ""},
		"":                              {"", invalid},
		"10.0.0.7,":                     {"", invalid},
		"proxy.example":                 {"", invalid},
		"10.0.0.7:80":                   {"", invalid},
		"10.0.0.0/33":                   {"", invalid},
		"::ffff:10.0.0.0/104":           {"", invalid},
		"fe80::%eth0/64":                {"", invalid},
		"0.0.0.0/0":                     {"", everybody},
		"10.0.0.7,::/0":                 {"", everybody},
	} {
		_, _, err := runProgram(t, noVariables, "serve", "-trust-proxy", text, "-base", "invalid")
		var flag prefixes
		if c.wantErr != "" {
			require.ErrorContains(t, flag.Set(text), c.wantErr, text)
			require.ErrorContains(t, err, "-trust-proxy: "+c.wantErr, text)
			continue
		}
		require.NoError(t, flag.Set(text))
		require.Equal(t, c.want, flag.String())
		require.ErrorContains(t, err, "-base", "the flag is valid")
	}
}

const twoKeys = `{
	"organizations": [{"id": 7, "slug": "globex", "name": "Globex"}],
	"keys": [
		{"key": "apg_first", "organization": "globex", "scopes": ["changelog"]},
		{"key": "apg_second", "organization": "globex", "scopes": ["changelog"]}
	]
}`

func TestLimits_Rate(t *testing.T) {
	t.Parallel()
	s := start(t, "-db", "memory", "-seed", writeFile(t, twoKeys), "-rate", "0.001", "-burst", "3")
	for range 3 {
		status, body := request(t, s.url, "apg_first", oneChange)
		require.Equal(t, http.StatusOK, status, body)
	}
	status, header, body := send(t, http.MethodPost, s.url, "apg_first", oneChange)
	require.Equal(t, http.StatusTooManyRequests, status)
	require.Contains(t, body, `"code":"TOO_MANY_REQUESTS"`)
	require.NotEmpty(t, header.Get("Retry-After"))
	require.Contains(t, header.Get("RateLimit"), ";r=0;t=")
	status, _ = request(t, s.url, "apg_second", oneChange)
	require.Equal(t, http.StatusOK, status, "another key")
}

func TestLimits_None(t *testing.T) {
	t.Parallel()
	s := start(t, "-db", "memory", "-seed", writeFile(t, twoKeys), "-rate", "0", "-burst", "1")
	for range 3 * failedBurst {
		status, _ := request(t, s.url, "apg_wrong", oneChange)
		require.Equal(t, http.StatusUnauthorized, status)
	}
	for range 3 {
		status, _ := request(t, s.url, "apg_first", oneChange)
		require.Equal(t, http.StatusOK, status)
	}
}

func TestLimits_Defaults(t *testing.T) {
	t.Parallel()
	c := configOf(t)
	require.Equal(t, limits{rate: 100, burst: 1000}, c.limits)
	require.Equal(t, 1000, c.maxConnections)
}

// forwarded sends a request that a proxy has forwarded, and returns its status.
func forwarded(t *testing.T, s server, key, addresses string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+oneChange.path, strings.NewReader(oneChange.body))
	require.NoError(t, err)
	req.Header.Set("X-API-KEY", key)
	req.Header.Set("Content-Type", "application/json")
	if addresses != "" {
		req.Header.Set("X-Forwarded-For", addresses)
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode
}

// exhaust guesses keys until the server refuses to look them up.
func exhaust(t *testing.T, s server, addresses string) {
	t.Helper()
	for range 100 * failedBurst {
		if status := forwarded(t, s, "apg_wrong", addresses); status == http.StatusTooManyRequests {
			return
		}
	}
	require.Fail(t, "there is no limit")
}

func TestLimits_FailedAuthentication(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	s := start(t, "-db", "memory", "-seed", writeFile(t, twoKeys))
	exhaust(t, s, "")
	exhaust(t, s, "192.0.2.1")
	exhaust(t, s, "192.0.2.2")
	require.Equal(t, 1, strings.Count(s.logged(), "set -trust-proxy"), "one warning")
	require.NotContains(t, s.logged(), "client=192.0.2", "the header of a stranger is not believed")
	eventuallyLogged(t, s, "client=127.0.0.1")
}

func TestLimits_FailedAuthenticationBehindProxy(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	s := start(t, "-db", "memory", "-seed", writeFile(t, twoKeys), "-trust-proxy", "127.0.0.1,10.0.0.0/8")
	exhaust(t, s, "192.0.2.1")
	require.Equal(t, http.StatusOK, forwarded(t, s, "apg_first", "192.0.2.2"), "another client")
	require.Equal(t, http.StatusUnauthorized, forwarded(t, s, "apg_wrong", "192.0.2.2, 10.0.0.7"), "another client, through two proxies")
	// The client has written the beginning of the header.
	for _, lie := range []string{"192.0.2.2, 192.0.2.1", "10.0.0.7, 192.0.2.1", "nonsense, 192.0.2.1, 10.0.0.7"} {
		exhaust(t, s, lie)
	}
	eventuallyLogged(t, s, "client=192.0.2.1")
	eventuallyLogged(t, s, "client=192.0.2.2")
	require.NotContains(t, s.logged(), "set -trust-proxy")
}
