package main

import (
	"bufio"
	"errors"
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

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/webhook"
)

// webhookDesk runs commands on the webhooks of a database.
type webhookDesk struct {
	*testing.T
	db string
}

// newWebhookDesk creates an empty database.
func newWebhookDesk(t *testing.T) webhookDesk {
	t.Helper()
	db := filepath.Join(t.TempDir(), "webhooks.db")
	store, err := openFile(t.Context(), db)
	require.NoError(t, err)
	require.NoError(t, store.Close())
	return webhookDesk{t, db}
}

func (d webhookDesk) run(command string, args ...string) (stdout, stderr string, err error) {
	d.Helper()
	return runProgram(d.T, noVariables, append([]string{"webhooks", command, "-db", d.db}, args...)...)
}

// quiet runs a command that prints nothing.
func (d webhookDesk) quiet(command string, args ...string) {
	d.Helper()
	stdout, stderr, err := d.run(command, args...)
	require.NoError(d, err)
	require.Empty(d, stdout+stderr)
}

// secret runs a command that prints a secret.
func (d webhookDesk) secret(command string, args ...string) string {
	d.Helper()
	secret, told, err := d.run(command, args...)
	require.NoError(d, err)
	require.Regexp(d, `^whsec_[A-Za-z0-9+/]{43}=\n$`, secret, "the secret alone, for a script")
	require.Regexp(d, `^The secret of webhook \d+ is shown only once\.\n$`, told)
	return strings.TrimSpace(secret)
}

func (d webhookDesk) list() []string {
	d.Helper()
	printed, _, err := d.run("list")
	require.NoError(d, err)
	require.Regexp(d, `^ID +STATE +LAST +LAST AT +FAILURES +NEXT +EVENTS +TYPES +STATUSES +CREATED +URL\n`, printed)
	return table(printed)
}

// get returns the only webhook of the database, with its secrets.
func (d webhookDesk) get(guard *apguard.Guard) webhook.Endpoint {
	d.Helper()
	attempt, err := guard.Webhooks.TestAttempt(d.Context(), 1)
	require.NoError(d, err)
	return attempt.Endpoint
}

func TestRunWebhooks(t *testing.T) {
	t.Parallel()
	d := newWebhookDesk(t)
	require.Empty(t, d.list())
	first := d.secret("create", "-url", "https://a.example/hook")
	d.secret("create", "-url", "https://b.example/a b", "-events", "asset.status_changed", "-types", "URL,PAGE", "-statuses", "BLOCKED")
	rows := d.list()
	require.Len(t, rows, 2)
	require.Regexp(t, `^1\|active\|-\|-\|0\|-\|asset\.status_changed\|-\|-\|`+minutePattern+`\|https://a\.example/hook$`, rows[0])
	require.Regexp(t, `^2\|active\|-\|-\|0\|-\|asset\.status_changed\|URL,PAGE\|BLOCKED\|`+minutePattern+`\|"https://b\.example/a b"$`, rows[1])

	guard := openGuard(t, d.db)
	require.Equal(t, first, d.get(guard).Secret.Reveal())
	second := d.secret("rotate", "1")
	require.NotEqual(t, first, second)
	e := d.get(guard)
	require.Equal(t, []string{second, first}, []string{e.Secret.Reveal(), e.OldSecret.Reveal()})

	d.quiet("pause", "1")
	require.Contains(t, d.list()[0], "1|paused|")
	d.quiet("resume", "1")
	require.Contains(t, d.list()[0], "1|active|")
	d.quiet("remove", "2")
	require.Len(t, d.list(), 1)
}

func TestRunWebhooks_list(t *testing.T) {
	t.Parallel()
	d := newWebhookDesk(t)
	store, err := openFile(t.Context(), d.db)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	at := time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)
	events := []webhook.EventType{webhook.EventStatusChanged}
	for _, e := range []webhook.Endpoint{
		{State: webhook.StateActive, Last: webhook.Outcome{Status: 204}, LastAt: at},
		{State: webhook.StateActive, Last: webhook.OutcomeOf(503, "", at), LastAt: at, Failures: 2, DueAt: at.Add(time.Minute)},
		{State: webhook.StateDisabled, DisabledBy: webhook.ReasonFailing, Last: webhook.Outcome{Failure: webhook.FailureTimeout}, LastAt: at, Failures: 9, DueAt: at},
	} {
		e.URL, e.Events, e.CreatedAt = "https://a.example", events, at
		_, err := store.AddEndpoint(t.Context(), e, audit.Entry{})
		require.NoError(t, err)
	}
	const rest = `|asset.status_changed|-|-|2025-06-01T12:00Z|https://a.example`
	require.Equal(t, []string{
		"1|active|204|2025-06-01T12:00Z|0|-" + rest,
		"2|active|503|2025-06-01T12:00Z|2|2025-06-01T12:01Z" + rest,
		"3|disabled:failing|TIMEOUT|2025-06-01T12:00Z|9|-" + rest,
	}, d.list())
}

func TestRunWebhooks_replay(t *testing.T) {
	t.Parallel()
	d := newWebhookDesk(t)
	d.secret("create", "-url", "https://a.example")
	guard := openGuard(t, d.db)
	block(t, guard)
	require.NoError(t, guard.Feed.Publish(t.Context()))
	for _, c := range []struct {
		args []string
		want int64
	}{
		{[]string{"-from", "2999-01-01", "1"}, 1},
		{[]string{"-from", "2025-06-01T12:00:00+02:00", "1"}, 0},
		{[]string{"-from", "2999-01-01T00:00:00Z", "1"}, 1},
		{[]string{"1"}, 0},
	} {
		d.quiet("replay", c.args...)
		require.Equal(t, c.want, d.get(guard).Place.Position, c.args)
	}
}

func TestRunWebhooks_test(t *testing.T) {
	t.Parallel()
	status := http.StatusNoContent
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	t.Cleanup(receiver.Close)
	d := newWebhookDesk(t)
	d.secret("create", "-private-webhooks", "-url", receiver.URL)
	stdout, stderr, err := d.run("test", "-private-webhooks", "1")
	require.NoError(t, err)
	require.Equal(t, "The receiver has accepted the test message: 204\n", stdout+stderr)
	status = http.StatusTeapot
	_, _, err = d.run("test", "-private-webhooks", "1")
	require.EqualError(t, err, "the test message was not accepted: CONNECTION", "no more is told of a private receiver")
	_, _, err = d.run("test", "1")
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
	d := webhookDesk{t, filepath.Join(t.TempDir(), "live.db")}
	start(t, "-db", d.db, "-private-webhooks")
	d.secret("create", "-private-webhooks", "-url", receiver.URL, "-statuses", string(asset.StatusBlocked))
	block(t, openGuard(t, d.db))
	first := <-received
	d.quiet("replay", "1")
	require.NotEqual(t, first, <-received)
}

// The commands of docs/webhooks.md work, and the signature of its message is valid.
func TestRunWebhooks_page(t *testing.T) {
	t.Parallel()
	const page, create, receive = "docs/webhooks.md", "## Create one", "## Receive messages"
	d := newWebhookDesk(t)
	commands := regexp.MustCompile(`(?m)^\./apguard webhooks (\w+) ?(.*)$`).FindAllStringSubmatch(codeBlocks(t, page, create, "sh")[0], -1)
	require.Len(t, commands, 7)
	for _, command := range commands {
		_, _, err := d.run(command[1], strings.Fields(command[2])...)
		require.NoError(t, err, command[0])
	}
	require.Empty(t, d.list(), "the last command removes the webhook")

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

func TestRunWebhooks_error(t *testing.T) {
	t.Parallel()
	d := newWebhookDesk(t)
	const missing = "missing ID; give that of one webhook"
	for reason, c := range map[string]struct {
		args  []string
		usage bool
		want  string
	}{
		"an unknown command":               {[]string{"webhooks", "secret"}, true, "webhooks: unknown command"},
		"a flag of another command":        {[]string{"webhooks", "list", "-url", "x"}, true, "not defined: -url"},
		"no URL":                           {[]string{"webhooks", "create", "-db", d.db}, true, "url: must start with https://"},
		"an http URL":                      {[]string{"webhooks", "create", "-db", d.db, "-url", "http://a.example/secret"}, true, "url: must start with https://"},
		"port 0":                           {[]string{"webhooks", "create", "-db", d.db, "-url", "https://secret.example:0/"}, true, "url: must have a port from 1 to 65535"},
		"a number as the host":             {[]string{"webhooks", "create", "-db", d.db, "-url", "https://0/secret"}, true, "url: must have a name or an IP address as its host"},
		"localhost":                        {[]string{"webhooks", "create", "-db", d.db, "-url", "https://localhost/secret"}, true, "url: must not have the host localhost, which is the server itself; -private-webhooks allows it"},
		"an address that is not public":    {[]string{"webhooks", "create", "-db", d.db, "-url", "https://0.0.0.0/secret"}, true, "url: must not have an address that is not public; -private-webhooks allows it"},
		"an unknown event":                 {[]string{"webhooks", "create", "-db", d.db, "-url", "https://a.example/secret", "-events", "x"}, true, "events[0]: unknown value"},
		"no events":                        {[]string{"webhooks", "create", "-db", d.db, "-url", "https://a.example/secret", "-events", ""}, true, "events[0]: unknown value"},
		"an unknown type":                  {[]string{"webhooks", "create", "-db", d.db, "-url", "https://a.example/secret", "-types", "URL,x"}, true, "filter.types[1]: unknown value"},
		"an unknown status":                {[]string{"webhooks", "create", "-db", d.db, "-url", "https://a.example/secret", "-statuses", ","}, true, "filter.statuses[0]: unknown value"},
		"a URL that is not a flag":         {[]string{"webhooks", "create", "-db", d.db, "https://a.example/secret"}, true, "unexpected argument"},
		"no ID":                            {[]string{"webhooks", "pause", "-db", d.db}, true, missing},
		"two IDs":                          {[]string{"webhooks", "resume", "-db", d.db, "1", "2"}, true, missing},
		"a URL instead of its ID":          {[]string{"webhooks", "remove", "-db", d.db, "https://a.example/secret"}, true, missing},
		"ID 0":                             {[]string{"webhooks", "rotate", "-db", d.db, "0"}, true, missing},
		"a duration instead of a time":     {[]string{"webhooks", "replay", "-db", d.db, "-from", "24h", "1"}, true, "must be a day or a time such as 2025-06-01T12:00:00Z"},
		"an empty time":                    {[]string{"webhooks", "replay", "-db", d.db, "-from", "", "1"}, true, "must be a day or a time"},
		"an unknown webhook to pause":      {[]string{"webhooks", "pause", "-db", d.db, "9"}, false, "unknown webhook 9; use webhooks list to see all"},
		"an unknown webhook to rotate":     {[]string{"webhooks", "rotate", "-db", d.db, "9"}, false, "unknown webhook 9"},
		"an unknown webhook to test":       {[]string{"webhooks", "test", "-db", d.db, "9"}, false, "unknown webhook 9"},
		"an unknown webhook to replay":     {[]string{"webhooks", "replay", "-db", d.db, "9"}, false, "unknown webhook 9"},
		"an unknown webhook to remove":     {[]string{"webhooks", "remove", "-db", d.db, "9"}, false, "unknown webhook 9"},
		"an unexpected argument of a list": {[]string{"webhooks", "list", "-db", d.db, "secret"}, true, "unexpected argument"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, err := runProgram(t, noVariables, c.args...)
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "secret")
			require.Equal(t, c.usage, errors.As(err, new(usageError)))
			require.Empty(t, stdout+stderr)
		})
	}
}
