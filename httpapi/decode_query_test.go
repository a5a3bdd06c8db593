package httpapi_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQuery_Hostile(t *testing.T) {
	t.Parallel()
	e := serveLive(t)
	asked := 0
	for reason, c := range map[string]struct {
		query  string
		status int
		issue  string
	}{
		"a surrogate":               {"searchQuery=%ED%A0%80", 400, "searchQuery: must be valid UTF-8 without NUL"},
		"two surrogates":            {"reporterQuery=%ED%A0%BD%ED%B8%80", 400, "reporterQuery: must be valid UTF-8 without NUL"},
		"NUL":                       {"searchQuery=a%00", 400, "searchQuery: must be valid UTF-8 without NUL"},
		"invalid UTF-8":             {"searchQuery=%FF", 400, "searchQuery: must be valid UTF-8 without NUL"},
		"invalid UTF-8, unescaped":  {"searchQuery=\xff", 400, "searchQuery: must be valid UTF-8 without NUL"},
		"an overlong encoding":      {"searchQuery=%C0%AF", 400, "searchQuery: must be valid UTF-8 without NUL"},
		"a status of surrogates":    {"status=%ED%A0%80", 400, "status: must be valid UTF-8 without NUL"},
		"a date of surrogates":      {"startDate=%ED%A0%80&endDate=2025-01-01", 400, "startDate: must be valid UTF-8 without NUL"},
		"a list of surrogates":      {"reviewStatuses=SKIP,%ED%A0%80", 400, "reviewStatuses[1]: must be valid UTF-8 without NUL"},
		"a number of invalid UTF-8": {"limit=%FF", 400, "limit: must be a whole number from 1 to 100"},
		"a number in Arabic":        {"limit=%D9%A1", 400, "limit: must be a whole number from 1 to 100"},
		"a number with NUL":         {"limit=1%00", 400, "limit: must be a whole number from 1 to 100"},
		"a flag of invalid UTF-8":   {"onlyRejected=%FF", 400, "onlyRejected: must be true or false"},
		"a cursor without end":      {"cursor=1" + strings.Repeat("0", 100_000), 200, ""},
		"a name of invalid UTF-8":   {"a%FF=1", 400, "a\ufffd: unknown field"},
		"a value of another name":   {"x=%ED%A0%80", 400, "x: unknown field"},
		"a broken escape":           {"searchQuery=%zz", 400, "the query must be parameters in URL encoding"},
		"half an escape":            {"searchQuery=%f", 400, "the query must be parameters in URL encoding"},
		"a semicolon":               {"limit=1;cursor=1", 400, "the query must be parameters in URL encoding"},
		"a parameter twice":         {"limit=1&limit=1", 400, "limit: must be given once"},
		"300,000 parameters":        {strings.Repeat("a&", 300_000), 400, "the query must be parameters in URL encoding"},
		"300,000 separators":        {strings.Repeat("&", 300_000), 400, "the query must be parameters in URL encoding"},
		"300,000 commas":            {"brandIds=" + strings.Repeat(",", 300_000), 200, ""},
		"a list that is too long":   {"brandIds=" + strings.Repeat("1,", 300_000), 400, "brandIds: must hold at most 1000 elements"},
	} {
		asked++
		client := e.dial(t)
		_, err := fmt.Fprintf(client, "GET %s?%s HTTP/1.1\r\nHost: test\r\nX-API-KEY: %s\r\nConnection: close\r\n\r\n", newReports, c.query, acmeKey)
		require.NoError(t, err, reason)
		resp, err := http.ReadResponse(bufio.NewReader(client), nil)
		require.NoError(t, err, reason)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, c.status, resp.StatusCode, "%s: %s", reason, body)
		if c.status == http.StatusBadRequest {
			require.Equal(t, invalid(c.issue), string(body), reason)
		}
	}
	e.requireNoFailures(t, asked)
}
