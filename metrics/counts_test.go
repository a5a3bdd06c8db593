package metrics_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/metrics"
	"github.com/apguard/apguard/observe"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/webhook"
	"github.com/apguard/apguard/webhook/deliver"
)

// blockingList blocks one asset.
type blockingList string

func (blockingList) Name() string { return "test" }

func (l blockingList) Status(_ context.Context, identity asset.Identity) (asset.Status, error) {
	if identity.Canonical == string(l) {
		return asset.StatusBlocked, nil
	}
	return asset.StatusUnknown, nil
}

func TestCounts_End(t *testing.T) {
	t.Parallel()
	counts := metrics.NewCounts(nil)
	guard := apguard.New(accounttest.Organizations(t, memory.New(), 1), apguard.Options{
		Observers:     []observe.Observer{counts},
		ExternalLists: check.ExternalLists{blockingList("https://listed.example.com")},
		RefuseBlocked: true,
	})
	_, err := guard.SetStatus(t.Context(), "bad.example.com", asset.StatusBlocked, asset.Origin{})
	require.NoError(t, err)
	added, err := guard.Allowlist.Add(t.Context(), allowlist.AddRequest{OrganizationID: 1, Items: []allowlist.Item{
		{Content: "good.example.com"}, {Content: "good.example.com"}, {Content: "www.good.example.com"}, {Content: "bad.example.com"}, {Content: " "},
	}})
	require.NoError(t, err)
	_, err = guard.Allowlist.Remove(t.Context(), allowlist.RemoveRequest{
		OrganizationID: 1, AssetIDs: []int64{added.Results[2].AssetID, added.Results[3].AssetID},
	})
	require.NoError(t, err)
	contents := []string{"https://good.example.com/x", "https://bad.example.com", "https://listed.example.com", "https://new.example.com", "0x12"}
	_, err = guard.Checks.CheckBatch(t.Context(), contents)
	require.NoError(t, err)
	_, err = guard.Checks.Check(t.Context(), "https://bad.example.com")
	require.NoError(t, err)
	_, err = guard.Checks.Check(t.Context(), "0x12")
	require.ErrorIs(t, err, asset.ErrInvalid)
	_, err = guard.Checks.Check(ended(t), "https://bad.example.com")
	require.ErrorIs(t, err, context.Canceled)

	require.Equal(t, map[string]float64{
		"apguard_checks_total ALLOWED ASSET":              1,
		"apguard_checks_total BLOCKED ASSET":              2,
		"apguard_checks_total BLOCKED LIST":               1,
		"apguard_checks_total UNKNOWN NONE":               1,
		"apguard_checks_refused_total HEX_LENGTH":         2,
		"apguard_changes_total ALLOWED":                   2,
		"apguard_changes_total BLOCKED":                   1,
		"apguard_changes_total UNKNOWN":                   1,
		"apguard_allowlist_items_total add NONE":          2,
		"apguard_allowlist_items_total add EXISTS":        1,
		"apguard_allowlist_items_total add BLOCKED":       1,
		"apguard_allowlist_items_total add EMPTY":         1,
		"apguard_allowlist_items_total remove NONE":       1,
		"apguard_allowlist_items_total remove NOT_LISTED": 1,
		"apguard_webhook_messages_total":                  0,
		"apguard_webhook_lost_total":                      0,
		"apguard_webhook_errors_total":                    0,
	}, read(t, counts, metrics.Sources{}, ""))
}

// A service that has done nothing has all counts that have no reason, and those of webhooks.
func TestNewCounts(t *testing.T) {
	t.Parallel()
	got := read(t, metrics.NewCounts(nil), metrics.Sources{}, "")
	require.Len(t, got, 4+3+2+3)
	for sample, value := range got {
		require.Zero(t, value, sample)
	}
}

func TestCounts_Observe(t *testing.T) {
	t.Parallel()
	counts := metrics.NewCounts(nil)
	for _, info := range []httpapi.RequestInfo{
		{Operation: "/a", Method: "POST", Status: 200, Received: 10, Sent: 100, Duration: time.Millisecond},
		{Operation: "/a", Method: "POST", Status: 500, Err: errors.New("down"), Duration: time.Millisecond + 1},
		{Operation: "/a", Method: "POST", Aborted: true, ClientGone: true, Duration: time.Hour},
		{Status: 404, Sent: 7},
	} {
		counts.Observe(t.Context(), info)
	}
	require.Equal(t, map[string]float64{
		"apguard_requests_total /a POST 200":       1,
		"apguard_requests_total /a POST 500":       1,
		"apguard_requests_total /a POST 0":         1,
		"apguard_requests_total other other 404":   1,
		"apguard_requests_aborted_total /a":        1,
		"apguard_requests_aborted_total other":     0,
		"apguard_requests_client_gone_total /a":    1,
		"apguard_requests_client_gone_total other": 0,
		"apguard_request_errors_total /a":          1,
		"apguard_request_errors_total other":       0,
		"apguard_request_body_bytes_total /a":      10,
		"apguard_request_body_bytes_total other":   0,
		"apguard_request_duration_seconds /a":      3600.002000001,
		"apguard_request_duration_seconds other":   0,
	}, read(t, counts, metrics.Sources{}, "apguard_request"))
	require.Equal(t, map[string]float64{"apguard_reply_body_bytes_total /a": 100, "apguard_reply_body_bytes_total other": 7},
		read(t, counts, metrics.Sources{}, "apguard_reply"))

	families, err := counts.Read(t.Context(), metrics.Sources{})
	require.NoError(t, err)
	for _, family := range families {
		if family.Kind == metrics.Histogram {
			require.Len(t, family.Samples, 2)
			require.Equal(t, []int64{1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, family.Samples[0].Buckets)
			require.Len(t, family.Bounds, len(family.Samples[0].Buckets)-1)
		}
	}
}

func TestCounts_Delivered(t *testing.T) {
	t.Parallel()
	counts := metrics.NewCounts(nil)
	for _, event := range []deliver.Event{
		{Kind: deliver.EventDelivered, EndpointID: 1, Events: 100},
		{Kind: deliver.EventDelivered, EndpointID: 2, Events: 1},
		{Kind: deliver.EventRefused, EndpointID: 3, Outcome: webhook.Outcome{Failure: webhook.FailureTimeout}},
		{Kind: deliver.EventDisabled, EndpointID: 4, Outcome: webhook.Outcome{Failure: webhook.FailureTimeout}},
		{Kind: deliver.EventLost, EndpointID: 5},
		{Kind: deliver.EventFailed, Err: errors.New("disk")},
	} {
		counts.Delivered(event)
	}
	require.Equal(t, map[string]float64{
		"apguard_webhook_messages_total":        2,
		"apguard_webhook_refused_total TIMEOUT": 2,
		"apguard_webhook_lost_total":            1,
		"apguard_webhook_errors_total":          1,
	}, read(t, counts, metrics.Sources{}, "apguard_webhook"))
}

func TestCounts_Published(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.January, 5, 10, 0, 0, 0, time.UTC)
	counts := metrics.NewCounts(func() time.Time { return now })
	age := func(at time.Time) map[string]float64 {
		now = at
		return read(t, counts, metrics.Sources{Publishes: true}, "apguard_published")
	}
	began := now
	require.Empty(t, read(t, counts, metrics.Sources{}, "apguard_published"), "a server that does not publish")
	require.Equal(t, map[string]float64{"apguard_published_age_seconds": 60}, age(began.Add(time.Minute)), "since the start")
	counts.Published(began.Add(time.Minute))
	require.Equal(t, map[string]float64{"apguard_published_age_seconds": 1.5}, age(began.Add(61500*time.Millisecond)))
	require.Equal(t, map[string]float64{"apguard_published_age_seconds": 0}, age(began), "a clock that was set back")
}
