package client_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/httpapi"
)

// The key goes to the server of the base URL only, and is in no text.
func TestClient_key(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") }))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, given := range []*http.Client{nil, {CheckRedirect: func(*http.Request, []*http.Request) error { return nil }}} {
			c := serve(t, client.Options{Key: "apg_secret", HTTPClient: given}, func(w http.ResponseWriter, r *http.Request) {
				if got := r.Header.Get("X-Api-Key"); got != "apg_secret" {
					t.Errorf("the key is %q", got)
				}
				http.Redirect(w, r, other.URL, status)
			})
			_, err := c.Check(t.Context(), "x.dev")
			require.ErrorIs(t, err, client.ErrResponse)
			for _, text := range []string{err.Error(), fmt.Sprintf("%v %+v %#v %s", c, c, c, c), fmt.Sprintf("%+v %#v", err, err), fmt.Sprintf("%+v", *c)} {
				require.NotContains(t, text, "secret")
			}
		}
	}
}

func TestOperator_key(t *testing.T) {
	t.Parallel()
	_, err := client.NewOperator("https://ada:secret@example.com", client.Options{})
	require.ErrorIs(t, err, client.ErrOptions)
	o := newOperator(t, "https://example.com/operator", client.Options{Key: "apg_secret"})
	require.Equal(t, "operator's client of https://example.com/operator", o.String())
	for _, text := range []string{fmt.Sprintf("%v %+v %#v %s", o, o, o, o), fmt.Sprintf("%+v", *o)} {
		require.NotContains(t, text, "secret")
	}
}

// respond returns a client of a server that answers everything in the same way.
func respond(t *testing.T, mediaType, body string) *client.Client {
	t.Helper()
	return serve(t, client.Options{Retries: -1}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaType)
		w.Header().Set("Feed-Cursor", "c")
		w.Header().Set("Age", "0")
		_, _ = io.WriteString(w, body)
	})
}

// A response that is not what the operation returns is never an answer.
func TestClient_unusable(t *testing.T) {
	t.Parallel()
	const (
		plain   = "application/json"
		lines   = "application/x-ndjson"
		verdict = `{"content":"x.dev","type":"PAGE","canonical":"x.dev","status":"ALLOWED","source":"NONE","match":null,"lists":[],"listsFailed":[]}`
		change  = `{"assetId":1,"type":"PAGE","content":"x.dev","fromStatus":"UNKNOWN","toStatus":"BLOCKED","updatedAt":"2025-01-05T10:00:00.000Z"}`
		listed  = `{"id":1,"type":"PAGE","content":"x.dev","canonical":"x.dev","status":"BLOCKED","updatedAt":null}`
	)
	check := func(c *client.Client) error { _, err := c.Check(t.Context(), "x.dev"); return err }
	batch := func(c *client.Client) error { _, err := c.CheckBatch(t.Context(), []string{"x.dev"}); return err }
	changelog := func(c *client.Client) error {
		_, err := last(t, c.Changelog(t.Context(), client.ChangelogRequest{}))
		return err
	}
	feed := func(c *client.Client) error { _, err := c.Feed(t.Context(), client.FeedRequest{}); return err }
	follow := func(c *client.Client) error { _, err := last(t, c.Follow(t.Context(), "c")); return err }
	list := func(c *client.Client) error {
		_, err := last(t, c.Assets(t.Context(), client.AssetsRequest{}))
		return err
	}
	allowlist := func(c *client.Client) error {
		_, err := last(t, c.Allowlist(t.Context(), client.AllowlistRequest{}))
		return err
	}
	reports := func(c *client.Client) error {
		_, err := last(t, c.Reports(t.Context(), client.ReportsRequest{}))
		return err
	}
	export := func(c *client.Client) error {
		e, err := c.Export(t.Context(), client.ExportRequest{})
		if err != nil {
			return err
		}
		defer e.Close() //nolint:errcheck // it is only read
		_, err = last(t, e.Assets())
		return err
	}
	add := func(c *client.Client) error {
		_, err := c.AddToAllowlist(t.Context(), client.AddRequest{Assets: []client.Item{{Content: "x.dev"}}})
		return err
	}
	remove := func(c *client.Client) error {
		_, err := c.RemoveFromAllowlist(t.Context(), client.RemoveRequest{IDs: []int64{1}})
		return err
	}
	dispute := func(c *client.Client) error {
		_, err := c.CreateDispute(t.Context(), client.DisputeRequest{Content: "x.dev"})
		return err
	}
	getDispute := func(c *client.Client) error { _, err := c.GetDispute(t.Context(), 12); return err }
	report := func(c *client.Client) error {
		_, err := c.CreateReport(t.Context(), client.ReportRequest{})
		return err
	}
	for reason, c := range map[string]struct {
		call      func(*client.Client) error
		mediaType string
		body      string
		good      bool
	}{
		"verdict":                        {check, plain, verdict, true},
		"a later version has more":       {check, plain + "; charset=utf-8", strings.Replace(verdict, "{", `{"new":{},`, 1), true},
		"another media type":             {check, "text/html", verdict, false},
		"no media type":                  {check, "", verdict, false},
		"empty body":                     {check, plain, "", false},
		"no verdict":                     {check, plain, "{}", false},
		"null":                           {check, plain, "null", false},
		"another content":                {check, plain, strings.Replace(verdict, "x.dev", "y.dev", 1), false},
		"unknown status":                 {check, plain, strings.Replace(verdict, "ALLOWED", "FINE", 1), false},
		"a number instead of a text":     {check, plain, strings.Replace(verdict, `"ALLOWED"`, "1", 1), false},
		"text after it":                  {check, plain, verdict + "{}", false},
		"batch":                          {batch, plain, `{"results":[` + verdict + `]}`, true},
		"batch without results":          {batch, plain, `{"results":[]}`, false},
		"batch with too many":            {batch, plain, `{"results":[` + verdict + "," + verdict + `]}`, false},
		"batch with an empty result":     {batch, plain, `{"results":[{"content":"x.dev"}]}`, false},
		"refused, with a verdict":        {batch, plain, `{"results":[` + strings.Replace(verdict, "{", `{"error":"no",`, 1) + `]}`, false},
		"changelog":                      {changelog, plain, `{"x":[{}],"changelog":[` + change + `],"y":1}`, true},
		"changelog that ends":            {changelog, plain, `{"changelog":[` + change, false},
		"changelog without its end":      {changelog, plain, `{"changelog":[` + change + `]`, false},
		"changelog with a bad change":    {changelog, plain, `{"changelog":[` + change + `,{}]}`, false},
		"two changelogs":                 {changelog, plain, `{"changelog":[],"changelog":[]}`, false},
		"no changelog":                   {changelog, plain, `{}`, false},
		"changelog that is null":         {changelog, plain, `{"changelog":null}`, false},
		"text after a changelog":         {changelog, plain, `{"changelog":[]}]`, false},
		"changelog with a large item":    {changelog, plain, `{"changelog":["` + strings.Repeat("x", 2*client.MaxItem) + `"]}`, false},
		"changelog with white space":     {changelog, plain, `{"changelog":[` + strings.Repeat(" ", 4*client.MaxItem) + `]}`, false},
		"feed":                           {feed, plain, `{"changes":[` + change + `],"cursor":"c"}`, true},
		"feed without a cursor":          {feed, plain, `{"changes":[` + change + `],"cursor":""}`, false},
		"feed with a bad change":         {feed, plain, `{"changes":[{"assetId":1}],"cursor":"c"}`, false},
		"feed whose cursor stays":        {follow, plain, `{"changes":[` + change + `],"cursor":"c"}`, false},
		"list":                           {list, plain, `{"assets":[` + listed + `],"nextCursor":null}`, true},
		"list whose cursor stays":        {list, plain, `{"assets":[` + listed + `],"nextCursor":"7"}`, false},
		"list with a negative cursor":    {list, plain, `{"assets":[],"nextCursor":"-7"}`, false},
		"list with a bad asset":          {list, plain, `{"assets":[{}],"nextCursor":null}`, false},
		"allowlist":                      {allowlist, plain, `{"assets":[],"nextCursor":null}`, true},
		"allowlist with a bad entry":     {allowlist, plain, `{"assets":[{}],"nextCursor":null}`, false},
		"reports":                        {reports, plain, `{"reports":[],"nextCursor":null}`, true},
		"reports with a bad report":      {reports, plain, `{"reports":[{}],"nextCursor":null}`, false},
		"export":                         {export, lines, listed + "\n" + listed + "\n", true},
		"empty export":                   {export, lines, "", true},
		"export that ends within a line": {export, lines, listed + "\n" + listed[:20], false},
		"export without its last break":  {export, lines, listed + "\n" + listed, false},
		"export with an empty line":      {export, lines, listed + "\n\n", false},
		"export with a bad asset":        {export, lines, listed + "\n{}\n", false},
		"export with a large line":       {export, lines, `{"id":1,"x":"` + strings.Repeat("x", 2*client.MaxItem) + "\"}\n", false},
		"export as JSON":                 {export, plain, listed + "\n", false},
		"addition":                       {add, plain, `{"results":[{"content":"x.dev","success":true,"id":1}],"successCount":1,"errorCount":0}`, true},
		"addition without results":       {add, plain, `{}`, false},
		"addition without an ID":         {add, plain, `{"results":[{"content":"x.dev","success":true}]}`, false},
		"addition that does nothing":     {add, plain, `{"results":[{"content":"x.dev"}]}`, false},
		"addition that was a dry run":    {add, plain, `{"results":[{"content":"x.dev","success":true,"id":1}],"dryRun":true}`, false},
		"removal without results":        {remove, plain, `{"results":[]}`, false},
		"removal that does nothing":      {remove, plain, `{"results":[{"id":1}]}`, false},
		"dispute":                        {dispute, plain, `{"id":"12","content":"x.dev"}`, true},
		"dispute without an ID":          {dispute, plain, `{"content":"x.dev"}`, false},
		"dispute with a number":          {dispute, plain, `{"id":12,"content":"x.dev"}`, false},
		"own dispute":                    {getDispute, plain, `{"id":"12","asset":{"id":1,"type":"PAGE","content":"x.dev","status":"BLOCKED"},"state":"OPEN","reason":null,"closedAt":null}`, true},
		"own dispute without an ID":      {getDispute, plain, `{"asset":{"id":1},"state":"OPEN"}`, false},
		"own dispute without an asset":   {getDispute, plain, `{"id":"12","state":"OPEN"}`, false},
		"own dispute without a state":    {getDispute, plain, `{"id":"12","asset":{"id":1}}`, false},
		"own dispute with a bad time":    {getDispute, plain, `{"id":"12","asset":{"id":1},"state":"OPEN","closedAt":"now"}`, false},
		"report":                         {report, plain, `{"id":5,"status":"TODO","proposals":[]}`, true},
		"report without an ID":           {report, plain, `{"status":"TODO"}`, false},
		"report without a status":        {report, plain, `{"id":5}`, false},
	} {
		err := c.call(respond(t, c.mediaType, c.body))
		if c.good {
			require.NoError(t, err, reason)
			continue
		}
		require.ErrorIs(t, err, client.ErrResponse, reason)
		require.Less(t, len(err.Error()), 300, reason)
		require.Equal(t, reason != "feed whose cursor stays" && reason != "list whose cursor stays", failure(t, err).Status == http.StatusOK, reason)
	}
}

// infinite is a body without an end.
func infinite(w http.ResponseWriter, r *http.Request, prefix, part string) {
	_, _ = io.WriteString(w, prefix)
	for r.Context().Err() == nil {
		_, _ = io.WriteString(w, part)
	}
}

// Bodies and headers without an end end in an error.
func TestClient_endless(t *testing.T) {
	t.Parallel()
	spaces := strings.Repeat(" ", 64<<10)
	for reason, status := range map[string]int{"body": 200, "error body": 400} {
		c := serve(t, client.Options{Retries: -1}, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			infinite(w, r, "{", spaces)
		})
		_, err := c.Check(t.Context(), "x.dev")
		require.Equal(t, status, failure(t, err).Status, reason)
		require.Equal(t, status == 200, failure(t, err).Err != nil, reason)
	}
	c := serve(t, client.Options{Retries: -1}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Long", strings.Repeat("x", 1<<20))
	})
	_, err := c.Check(t.Context(), "x.dev")
	require.ErrorIs(t, err, client.ErrUnavailable, "headers")
}

// A connection that breaks off within a stream is an error, after all items that came before.
func TestClient_brokenStream(t *testing.T) {
	t.Parallel()
	const n = 2000
	o := newOrigin(t, httpapi.Options{}, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(&cut{ResponseWriter: w, left: 100_000}, r)
		})
	})
	fill(t, o, n)
	c := o.client(t, acmeKey)
	changes, err := last(t, c.Changelog(t.Context(), client.ChangelogRequest{}))
	require.ErrorIs(t, err, client.ErrResponse)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Greater(t, changes, 100)
	export, err := c.Export(t.Context(), client.ExportRequest{})
	require.NoError(t, err)
	assets, err := last(t, export.Assets())
	require.ErrorIs(t, err, client.ErrResponse)
	require.Greater(t, assets, 100)
	require.Less(t, assets, n)
	require.NoError(t, export.Close())
}

// cut is a response whose connection breaks off.
type cut struct {
	http.ResponseWriter
	left int
}

func (c *cut) Write(p []byte) (int, error) {
	if c.left -= len(p); c.left < 0 {
		panic(http.ErrAbortHandler)
	}
	return c.ResponseWriter.Write(p)
}

func (c *cut) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// A body that ends with the connection, as in HTTP/1.0, can be cut off without a trace.
func TestClient_Export_withoutLength(t *testing.T) {
	t.Parallel()
	c := serve(t, client.Options{}, func(w http.ResponseWriter, _ *http.Request) {
		connection, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.WriteString(connection, "HTTP/1.0 200 OK\r\nContent-Type: application/x-ndjson\r\nFeed-Cursor: c\r\n\r\n")
		_ = connection.Close()
	})
	_, err := c.Export(t.Context(), client.ExportRequest{})
	require.ErrorIs(t, err, client.ErrResponse)
	require.ErrorContains(t, err, "where it ends")
}

func TestClient_wrongHeaders(t *testing.T) {
	t.Parallel()
	for _, age := range []string{"", "-1", "soon", "99999999999999"} {
		c := serve(t, client.Options{}, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Age", age)
			_, _ = io.WriteString(w, `{"changes":[],"cursor":""}`)
		})
		_, err := c.Feed(t.Context(), client.FeedRequest{})
		require.ErrorIs(t, err, client.ErrResponse, age)
	}
	c := serve(t, client.Options{}, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "application/x-ndjson") })
	_, err := c.Export(t.Context(), client.ExportRequest{})
	require.ErrorIs(t, err, client.ErrResponse)
	require.ErrorContains(t, err, "it has no cursor")

	c = serve(t, client.Options{}, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", map[string]string{"/asset/feed": "application/json", "/asset/export/jsonl": "application/x-ndjson"}[r.URL.Path])
		w.Header().Set("Feed-Cursor", "c")
		w.Header().Set("Age", "0")
		w.Header().Set("Rules-Version", "new")
		_, _ = io.WriteString(w, `{"changes":[],"cursor":""}`+"\n")
	})
	_, err = c.Feed(t.Context(), client.FeedRequest{})
	require.ErrorIs(t, err, client.ErrResponse)
	require.ErrorContains(t, err, "its version of the rules is not a number")
	_, err = c.Export(t.Context(), client.ExportRequest{})
	require.ErrorIs(t, err, client.ErrResponse)
	require.ErrorContains(t, err, "its version of the rules is not a number")
}

// A server that does not wait is not asked again at once.
func TestClient_Follow_earlyEnd(t *testing.T) {
	t.Parallel()
	c := respond(t, "application/json", `{"changes":[],"cursor":"c"}`)
	sleeps := 0
	client.SetSleep(c, func(_ context.Context, delay time.Duration) error {
		require.LessOrEqual(t, delay, time.Second)
		if sleeps++; sleeps == 3 {
			return io.EOF
		}
		return nil
	})
	pages, err := last(t, c.Follow(t.Context(), "c"))
	require.ErrorIs(t, err, io.EOF)
	require.Zero(t, pages)
}
