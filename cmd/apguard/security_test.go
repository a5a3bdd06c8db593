package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/webhook/deliver"
)

// SECURITY.md lists every limit of a server without flags, with its value in the program.
func TestSecurity_Limits(t *testing.T) {
	t.Parallel()
	c := configOf(t)
	var options httpapi.Options
	require.NoError(t, c.limits.setOptions(&options, c.maxConnections))
	server, connections := newServer(nil, silentLogger()), newConnections(c.maxConnections)
	ofClient := 0
	for connections.mayRun(ofClient + 1) {
		ofClient++
	}

	page, err := os.ReadFile("../../SECURITY.md")
	require.NoError(t, err)
	_, section, _ := strings.Cut(string(page), "\n### Limits\n")
	section, _, _ = strings.Cut(section, "\n## ")
	const mib = 1 << 20
	parts := func(all int64, unit string) string {
		part := func(quarters int64) string { return strconv.FormatInt((all*quarters+3)/4, 10) + unit }
		return strings.Join([]string{part(4), part(1), part(2), part(3)}, " | ")
	}
	refused := options.MaxRequests / 4
	for limit, values := range map[string]string{
		"requests, from the end of the head to the end of the reply":                      parts(options.MaxRequests, ""),
		"costly requests among them":                                                      parts(httpapi.DefaultMaxCostly, ""),
		"requests that wait for changes of the feed":                                      parts(options.MaxWaiting, ""),
		"requests that are refused slowly":                                                fmt.Sprintf("%d | | | %d", refused, (3*refused+3)/4),
		"memory of bodies in flight":                                                      parts(httpapi.DefaultMaxBodyBytes/mib, " MiB"),
		"connections with a running request":                                              fmt.Sprintf("%d | | | %d", c.maxConnections, ofClient),
		"requests of a caller":                                                            fmt.Sprintf("%.0f a second, %d at once", c.limits.rate, c.limits.burst),
		"failed authentications of a client address":                                      fmt.Sprintf("%d a second, %d at once", failedRate, failedBurst),
		"body of `POST /organization/assets`, its `remove` and `POST /asset/check/batch`": fmt.Sprintf("%d MiB", httpapi.DefaultMaxBatchBody/mib),
		"time of an operation":                                                            httpapi.DefaultTimeout.String(),
		"time of a client to send or accept a part of a body":                             httpapi.DefaultClientTimeout.String(),
		"speed of a client that sends or reads a body, after that time":                   fmt.Sprintf("%d bytes a second on average", httpapi.DefaultMinClientRate),
		"delay of a 429":                                                                  httpapi.DefaultRefusalDelay.String(),
		"requests to receivers of webhooks at the same time":                              fmt.Sprintf("%d, and %d to those that take longer than 200ms", deliver.DefaultConcurrency, 4*deliver.DefaultConcurrency),
		"head of a request":                                                               fmt.Sprintf("%d KiB, in %s", server.MaxHeaderBytes>>10, server.ReadHeaderTimeout),
		"connections":                                                                     strconv.Itoa(c.maxConnections),
	} {
		require.Contains(t, section, "\n| "+limit+" | "+values+" | ", "SECURITY.md must have this row")
	}
	for constant, file := range map[string]string{
		"maxReading = 128 << 20":             "feed/hashes/reading.go",
		"maxTurns = 16":                      "feed/hashes/responses.go",
		"slowAfter = 200 * time.Millisecond": "webhook/deliver/slots.go",
		"slowFactor = 4":                     "webhook/deliver/slots.go",
	} {
		source, err := os.ReadFile(filepath.Join("../..", file))
		require.NoError(t, err)
		require.Contains(t, string(source), constant, "SECURITY.md has this value")
	}
	for field := range reflect.TypeFor[httpapi.Options]().Fields() {
		if field.Type.Kind() == reflect.Int64 { // a number or a time.Duration
			require.Contains(t, section, "`"+field.Name+"`", "SECURITY.md must list what sets a limit")
		}
	}
	require.Less(t, options.MaxRequests+refused+options.MaxWaiting, int64(ofClient), "some connections are always left")
	require.Less(t, ofClient, c.maxConnections)
}
