package lists_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
)

func TestList_MarshalJSON(t *testing.T) {
	t.Parallel()
	at := time.Date(2025, 6, 1, 14, 0, 0, 123_000_000, time.FixedZone("", 2*60*60))
	for reason, c := range map[string]struct {
		list lists.List
		want string
	}{
		"a new list": {
			lists.List{ID: 1, Name: "a", Format: lists.Domains, Status: asset.StatusAllowed, CreatedAt: at},
			`{"name":"a","format":"domains","status":"ALLOWED","reason":null,"entries":0,"createdAt":"2025-06-01T12:00:00.123Z","syncedAt":null,"failedAt":null,"error":null,"failures":0,"url":null,"every":null,"nextAt":null,"removing":false}`,
		},
		"a list with everything": {
			lists.List{
				ID: 2, Name: "b", Format: lists.Hosts, Status: asset.StatusBlocked, Reason: asset.ReasonPhishing,
				CreatedAt: at, Begun: 3, SyncedAt: at.Add(time.Hour), Entries: 7, FailedAt: at.Add(2 * time.Hour), Error: "no file",
				Failures: 2, URL: "https://lists.example/b", Every: time.Hour, NextAt: at.Add(3 * time.Hour), ETag: "a", LastModified: "b", Removing: true,
			},
			`{"name":"b","format":"hosts","status":"BLOCKED","reason":"PHISHING","entries":7,"createdAt":"2025-06-01T12:00:00.123Z","syncedAt":"2025-06-01T13:00:00.123Z","failedAt":"2025-06-01T14:00:00.123Z","error":"no file","failures":2,"url":"https://lists.example/b","every":"1h","nextAt":"2025-06-01T15:00:00.123Z","removing":true}`,
		},
	} {
		got, err := json.Marshal(c.list)
		require.NoError(t, err, reason)
		require.JSONEq(t, c.want, string(got), reason)
	}
}

func TestList_MarshalJSON_every(t *testing.T) {
	t.Parallel()
	for every, want := range map[time.Duration]string{
		time.Minute: "1m", 90 * time.Second: "1m30s", 10 * time.Minute: "10m", time.Hour: "1h", 90 * time.Minute: "1h30m",
		20 * time.Hour: "20h", time.Hour + 10*time.Second: "1h0m10s", 30 * 24 * time.Hour: "720h",
	} {
		text, err := json.Marshal(lists.List{Every: every})
		require.NoError(t, err)
		require.Contains(t, string(text), `"every":"`+want+`"`)
		parsed, err := time.ParseDuration(want)
		require.NoError(t, err)
		require.Equal(t, every, parsed)
	}
}
