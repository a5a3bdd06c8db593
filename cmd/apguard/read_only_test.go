package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A read-only server answers from the database of another one.
func TestRun_ReadOnly(t *testing.T) {
	t.Parallel()
	db := postgresSchema(t)
	_, _, err := runProgram(t, noVariables, "serve", "-db", db, "-read-only")
	require.ErrorContains(t, err, "database schema is older", "it creates no tables")
	writing := startDemo(t, noVariables, "-db", db, "-hashes")
	key := keyOf(t, writing)
	reading := start(t, "-db", db, "-read-only", "-hashes", "-metrics", "127.0.0.1:0", "-operator", "127.0.0.1:0")
	require.Contains(t, reading.printed, "This server only reads.")

	for _, c := range []call{
		{path: "/asset/check", body: `{"content":"https://login.bad.example/x"}`},
		{path: "/asset/check/batch", body: `{"contents":["bad.example"]}`},
		{path: "/asset/changelog", body: `{}`},
		{path: "/asset/list"},
		{path: "/asset/feed"},
		{path: "/organization/assets"},
		{path: "/organization/reports"},
	} {
		_, want := request(t, writing.url, key, c)
		status, got := request(t, reading.url, key, c)
		require.Equal(t, http.StatusOK, status, got)
		require.Equal(t, want, got, c.path)
	}
	for _, c := range []call{
		{path: "/organization/assets", body: `{"assets":[{"content":"https://new.example"}]}`},
		{path: "/dispute/create", body: `{"content":"https://login.bad.example/x","email":"a@b.example","description":"x"}`},
		{path: "/report/create", body: `{"proposals":[{"content":"https://new.example","proposedStatus":"BLOCKED"}]}`},
	} {
		status, header, body := send(t, http.MethodPost, reading.url, key, c)
		require.Equal(t, http.StatusServiceUnavailable, status, body)
		require.Contains(t, body, "This server is read-only")
		require.Empty(t, header.Get("Retry-After"))
	}
	operators := operatorsOn.FindStringSubmatch(reading.printed)[1]
	sent, _ := request(t, operators, "", call{path: "/webhook/test", body: `{"id":1}`})
	require.Equal(t, http.StatusNotFound, sent, "it sends nothing")
	written := hashesOf(t, writing.url, key)
	require.NotEmpty(t, written.State().Version)
	require.Equal(t, written.State().Version, hashesOf(t, reading.url, key).State().Version)
	root := strings.TrimSuffix(reading.url, "/api/v2")
	status, _ := request(t, root, "", call{path: readyPath})
	require.Equal(t, http.StatusOK, status)
	_, metrics := request(t, metricsOn.FindStringSubmatch(reading.printed)[1], "", call{path: metricsPath})
	require.Contains(t, scrape(t, metrics), "apguard_feed_behind_seconds")
	require.NotContains(t, reading.logged(), "level=ERROR")
}
