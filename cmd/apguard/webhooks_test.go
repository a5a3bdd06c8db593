package main

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/webhook"
)

func TestPrinter_Webhooks(t *testing.T) {
	t.Parallel()
	const others = `"events":["asset.status_changed"],"filter":{"types":[],"statuses":[]},"createdAt":"2025-06-01T12:00:00.000Z",` +
		`"lastAt":"2025-06-01T12:00:00.000Z","url":"https://a.example","dueAt":"2025-06-01T12:01:00.000Z"`
	var printed strings.Builder
	out := printerOf(t, "webhooks list", &printed)
	require.NoError(t, out.response(strings.NewReader(`{"webhooks":[
		{"id":1,"state":"ACTIVE","disabledBy":null,"last":{"status":204,"failure":null},"failures":0,`+others+`},
		{"id":2,"state":"ACTIVE","disabledBy":null,"last":{"status":503,"failure":null},"failures":2,`+others+`},
		{"id":3,"state":"DISABLED","disabledBy":"FAILING","last":{"status":null,"failure":"TIMEOUT"},"failures":9,`+others+`}
	],"nextCursor":null}`)))
	require.NoError(t, out.end())
	require.Equal(t, `ID  STATE             LAST     LAST AT               FAILURES  NEXT                  EVENTS                TYPES  STATUSES  CREATED               URL
1   active            204      2025-06-01T12:00:00Z  0         -                     asset.status_changed  -      -         2025-06-01T12:00:00Z  https://a.example
2   active            503      2025-06-01T12:00:00Z  2         2025-06-01T12:01:00Z  asset.status_changed  -      -         2025-06-01T12:00:00Z  https://a.example
3   disabled:failing  TIMEOUT  2025-06-01T12:00:00Z  9         -                     asset.status_changed  -      -         2025-06-01T12:00:00Z  https://a.example
`, printed.String())
}

func TestRunWebhooks_test(t *testing.T) {
	t.Parallel()
	status := http.StatusNoContent
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	t.Cleanup(receiver.Close)
	db := newDatabase(t)
	mustRun(t, noVariables, "webhooks", "create", "-db", db, "-private-webhooks", "-url", receiver.URL)
	stdout, stderr := mustRun(t, noVariables, "webhooks", "test", "-db", db, "-private-webhooks", "1")
	require.Equal(t, "status: 204\nfailure: -\n", stdout+stderr)
	status = http.StatusTeapot
	_, _, err := runProgram(t, noVariables, "webhooks", "test", "-db", db, "-private-webhooks", "1")
	require.EqualError(t, err, "the test message was not accepted: CONNECTION", "no more is told of a private receiver")
	_, _, err = runProgram(t, noVariables, "webhooks", "test", "-db", db, "1")
	require.EqualError(t, err, "the test message was not accepted: ADDRESS")
}

// A server that is running sends what a command has changed.
func TestRunWebhooks_runningServer(t *testing.T) {
	t.Parallel()
	received := make(chan string, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		received <- r.Header.Get(webhook.HeaderID)
	}))
	t.Cleanup(receiver.Close)
	db := filepath.Join(t.TempDir(), "live.db")
	start(t, "-db", db, "-private-webhooks")
	mustRun(t, noVariables, "webhooks", "create", "-db", db, "-private-webhooks", "-url", receiver.URL, "-statuses", "BLOCKED")
	block(t, openGuard(t, db))
	first := <-received
	mustRun(t, noVariables, "webhooks", "replay", "-db", db, "1")
	require.NotEqual(t, first, <-received)
}

// The commands of docs/webhooks.md work, and the signature of its message is valid.
func TestRunWebhooks_page(t *testing.T) {
	t.Parallel()
	const page, create, receive = "docs/webhooks.md", "## Create one", "## Receive messages"
	db := newDatabase(t)
	commands := regexp.MustCompile(`(?m)^\./apguard webhooks (\w+) ?(.*)$`).FindAllStringSubmatch(codeBlocks(t, page, create, "sh")[0], -1)
	require.Len(t, commands, 7)
	for _, command := range commands {
		mustRun(t, noVariables, append([]string{"webhooks", command[1], "-db", db}, strings.Fields(command[2])...)...)
	}
	listed, _ := mustRun(t, noVariables, "webhooks", "list", "-db", db)
	require.Equal(t, 1, strings.Count(listed, "\n"), "the last command removes the webhook")

	text, err := os.ReadFile("../../" + page)
	require.NoError(t, err)
	secret, err := webhook.ParseSecret(regexp.MustCompile(`whsec_[A-Za-z0-9+/]+=`).FindString(string(text)))
	require.NoError(t, err)
	shown := codeBlocks(t, page, receive, "http")[0]
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(shown)))
	require.NoError(t, err)
	_, body, _ := strings.Cut(shown, "\n\n")
	seconds, err := strconv.ParseInt(r.Header.Get(webhook.HeaderTimestamp), 10, 64)
	require.NoError(t, err)
	message := webhook.Message{ID: r.Header.Get(webhook.HeaderID), Body: []byte(strings.TrimSpace(body))}
	for name, value := range message.Headers(time.Unix(seconds, 0), secret) {
		require.Equal(t, value, r.Header.Get(name), name)
	}
}
