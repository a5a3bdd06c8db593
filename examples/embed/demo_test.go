package main

import (
	"net/http"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// printedCall matches a command that the program prints.
var printedCall = regexp.MustCompile(`(?m)^curl -s( -X POST)? "\$DESK(\S+)" -H "Authorization: Bearer \$(\w+)"(?: -H '[^']*')?(?: -d '(.*)')?$`)

func TestDemo_PrintedCommands(t *testing.T) {
	t.Parallel()
	p := start(t, newFile(t))
	want := []int{http.StatusCreated, http.StatusOK, http.StatusOK, http.StatusOK, http.StatusForbidden}
	calls := printedCall.FindAllStringSubmatch(p.printed, -1)
	require.Len(t, calls, len(want), p.printed)
	for i, c := range calls {
		method := http.MethodGet
		if c[1] != "" || c[4] != "" {
			method = http.MethodPost
		}
		status, _, reply := p.call(t, method, c[2], p.token(t, c[3]), c[4])
		require.Equal(t, want[i], status, "%s\n%s", c[0], reply)
	}
	require.Contains(t, p.printed, "export DESK="+p.url+"\n")
	p.stop() // waits for the rest of the log
	for _, secret := range []string{p.token(t, "AGENT"), p.token(t, "READER")} {
		require.NotContains(t, p.log.String(), secret)
	}
	require.Contains(t, p.log.String(), "method=POST path=/api/v2/dispute/create status=403 bytes=110 ")
}

func TestDemo_SecondStart(t *testing.T) {
	t.Parallel()
	file := newFile(t)
	first := start(t, file)
	ada := first.token(t, "AGENT")
	_, _, _ = first.call(t, "POST", "/tickets", ada, bad)
	first.stop()

	second := start(t, file)
	require.Equal(t, "listening on "+second.url+"\n", second.printed, "the demo is created only once")
	status, _, reply := second.call(t, "GET", "/tickets", ada, "")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, reply, "https://bad.example")
	_, err := os.Stat(file)
	require.NoError(t, err)
}
