package client_test

import (
	"io"
	"iter"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/client"
)

const (
	fuzzedChange = `{"assetId":1,"type":"PAGE","content":"x.dev","fromStatus":"UNKNOWN","toStatus":"BLOCKED","updatedAt":"2025-01-05T10:00:00.000Z"}`
	fuzzedAsset  = `{"id":1,"type":"PAGE","content":"x.dev","canonical":"x.dev","status":"BLOCKED","updatedAt":null}`
)

// ended requires that a sequence ends, with at most one error at its end, and returns how many items it
// has and whether it is complete.
func ended[T any](t *testing.T, items iter.Seq2[T, error]) (count int, complete bool) {
	t.Helper()
	complete = true
	for _, err := range items {
		require.True(t, complete, "nothing comes after an error")
		if complete = err == nil; complete {
			count++
		}
	}
	return count, complete
}

// What a complete changelog is cut off from is not complete.
func FuzzArrayItems(f *testing.F) {
	for _, text := range []string{
		``, `{}`, `{"changelog":[]}`, `{"changelog":[` + fuzzedChange + `]}`, `{"changelog":[` + fuzzedChange + `,{}]}`, `{"changelog":null}`,
		`{"x":{"changelog":[]},"changelog":[]}`, `[1]`, `{"changelog":[]}{}`, `{"changelog":[],"changelog":[]}`, `{"changelog"`, `{"CHANGELOG":[]}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		count, complete := ended(t, client.ArrayItems(strings.NewReader(text)))
		if !complete {
			return
		}
		for _, end := range []int{1, len(text) / 2} {
			cut := strings.TrimRight(text, " \t\r\n")
			cut = cut[:max(len(cut)-end, 0)]
			fewer, complete := ended(t, client.ArrayItems(strings.NewReader(cut)))
			require.False(t, complete)
			require.LessOrEqual(t, fewer, count)
		}
	})
}

func FuzzLineItems(f *testing.F) {
	for _, text := range []string{"", "\n", fuzzedAsset + "\n", fuzzedAsset, fuzzedAsset + "\n" + fuzzedAsset + "\n", "{}\n", "null\n", "[]\n", "{}\r\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		count, complete := ended(t, client.LineItems(strings.NewReader(text)))
		require.LessOrEqual(t, count, strings.Count(text, "\n"))
		if complete {
			require.Equal(t, strings.Count(text, "\n"), count)
		}
	})
}

// transport answers every request in the same way.
type transport func() *http.Response

func (f transport) RoundTrip(*http.Request) (*http.Response, error) { return f(), nil }

// Whatever the server answers, an operation returns an answer that it has checked, or an error.
func FuzzClient(f *testing.F) {
	f.Add(200, "application/json", "0", fuzzedChange)
	f.Add(200, "application/json", "1", `{"changes":[`+fuzzedChange+`],"cursor":"c"}`)
	f.Add(400, "application/json", "", `{"code":"BAD_REQUEST","message":"Invalid input data","issues":[{"message":"cursor: malformed cursor"}]}`)
	f.Add(429, "application/json", "5", `{"error":{"code":"TOO_MANY_REQUESTS","message":"Too many requests"}}`)
	f.Add(502, "text/html", "", `<html>`)
	f.Add(200, "application/json", "", `{"results":[{"content":"x.dev","success":true,"id":1}],"successCount":1,"errorCount":0}`)
	f.Add(200, "application/x-ndjson", "c", fuzzedAsset+"\n")
	f.Fuzz(func(t *testing.T, status int, mediaType, header, body string) {
		reply := func() *http.Response {
			return &http.Response{
				StatusCode: status, ProtoMajor: 1, ProtoMinor: 1, ContentLength: int64(len(body)),
				Header: http.Header{
					"Content-Type": {mediaType}, "Age": {header}, "Retry-After": {header}, "X-Request-Id": {header}, "Feed-Cursor": {header},
				},
				Body: io.NopCloser(strings.NewReader(body)),
			}
		}
		c := newClient(t, "https://example.com", client.Options{Key: "apg_fuzzed", HTTPClient: &http.Client{Transport: transport(reply)}})
		requireChecked := func(err error, valid func() bool) {
			if err == nil {
				require.True(t, valid())
				return
			}
			failed := failure(t, err)
			require.Less(t, len(failed.Error()), 3000)
			require.NotContains(t, failed.Error(), "\n")
			require.False(t, failed.IdempotencyKey == "" && failed.OutcomeUnknown)
		}
		verdict, err := c.Check(t.Context(), "x.dev")
		requireChecked(err, func() bool { return verdict.Status.Valid() && verdict.Content == "x.dev" })
		results, err := c.CheckBatch(t.Context(), []string{"x.dev"})
		requireChecked(err, func() bool {
			return len(results) == 1 && (results[0].Err == nil) == results[0].Status.Valid()
		})
		page, err := c.Feed(t.Context(), client.FeedRequest{})
		requireChecked(err, func() bool { return page.Age >= 0 && (page.Cursor != "" || len(page.Changes) == 0) })
		added, err := c.AddToAllowlist(t.Context(), client.AddRequest{Assets: []client.Item{{Content: "x.dev"}}})
		requireChecked(err, func() bool {
			return len(added.Results) == 1 && added.Results[0].Success == (added.Results[0].Error == "")
		})
		created, err := c.CreateDispute(t.Context(), client.DisputeRequest{Content: "x.dev"})
		requireChecked(err, func() bool { return created.ID > 0 })
		own, err := c.GetDispute(t.Context(), 1)
		requireChecked(err, func() bool { return own.ID > 0 && own.Asset.ID > 0 && own.State != "" })
		filed, err := c.CreateReport(t.Context(), client.ReportRequest{})
		requireChecked(err, func() bool { return filed.ID > 0 })
		for listed, err := range c.Assets(t.Context(), client.AssetsRequest{}) {
			requireChecked(err, func() bool { return listed.ID > 0 && listed.Status.Valid() })
			break
		}
		for report, err := range c.Reports(t.Context(), client.ReportsRequest{}) {
			requireChecked(err, func() bool { return report.ID > 0 })
			break
		}
		o := newOperator(t, "https://example.com", client.Options{Key: "apg_fuzzed", HTTPClient: &http.Client{Transport: transport(reply)}})
		set, err := o.SetStatus(t.Context(), client.SetStatusRequest{Content: "x.dev", Status: asset.StatusBlocked})
		requireChecked(err, func() bool { return set.ID > 0 && set.Status.Valid() })
		explanation, err := o.Explain(t.Context(), "x.dev")
		requireChecked(err, func() bool { return explanation.Asset.Status.Valid() })
		for dispute, err := range o.Disputes(t.Context(), client.DisputesRequest{}) {
			requireChecked(err, func() bool { return dispute.ID > 0 && dispute.State != "" })
			break
		}
		if export, err := c.Export(t.Context(), client.ExportRequest{}); err == nil {
			for listed, err := range export.Assets() {
				requireChecked(err, func() bool { return listed.ID > 0 && listed.Status.Valid() })
			}
			require.NoError(t, export.Close())
		}
	})
}
