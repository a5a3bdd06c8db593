package deliver_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/webhook"
	"github.com/apguard/apguard/webhook/deliver"
)

// A message has the changes exactly as the feed over HTTP has them, but only those of a status.
func TestSender_ChangesAsInTheFeed(t *testing.T) {
	t.Parallel()
	guard := apguard.New(memory.New(), apguard.Options{PrivateWebhooks: true})
	require.NoError(t, guard.Accounts.PutOrganization(t.Context(), account.Organization{ID: 1, Slug: "acme"}))
	require.NoError(t, guard.Accounts.PutUser(t.Context(), account.User{ID: 1, Email: "ada@acme.example"}))
	key, err := guard.Keys.Create(t.Context(), account.KeyRequest{OrganizationID: 1, UserID: 1, Scopes: account.Scopes()})
	require.NoError(t, err)
	r := newReceiver(t, nil)
	_, _, err = guard.Webhooks.Create(t.Context(), webhook.CreateRequest{URL: r.URL, Events: []webhook.EventType{webhook.EventStatusChanged}})
	require.NoError(t, err)
	for _, reason := range []asset.Reason{asset.ReasonScam, asset.ReasonPhishing} {
		_, err = guard.Assets.SetStatus(t.Context(), asset.SetStatusRequest{
			Identity: asset.Identity{Type: asset.TypeURL, Canonical: `https://a.example/?a=<b>&c="d"`},
			Status:   asset.StatusBlocked, Reason: reason, Note: `"cheap" <b>shoes</b>`,
		})
		require.NoError(t, err)
	}

	delivered := make(chan deliver.Event, 10)
	sender := deliver.New(guard.Webhooks, deliver.Options{OnEvent: func(e deliver.Event) { delivered <- e }})
	f := newFixture(t, true)
	f.run(sender)
	require.Equal(t, deliver.EventDelivered, (<-delivered).Kind)

	api, err := httpapi.New(guard, httpapi.APIKeys(guard.Keys), httpapi.Options{})
	require.NoError(t, err)
	req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/asset/feed", nil)
	req.Header.Set("X-API-KEY", key)
	response := httptest.NewRecorder()
	api.ServeHTTP(response, req)
	var feed struct {
		Changes []json.RawMessage `json:"changes"`
	}
	require.NoError(t, json.Unmarshal(response.Body.Bytes(), &feed), response.Body.String())
	var message struct {
		Data struct {
			Changes []json.RawMessage `json:"changes"`
		} `json:"data"`
	}
	require.NoError(t, json.Unmarshal([]byte(r.requests()[0].body), &message))
	require.Len(t, message.Data.Changes, 1)
	require.Len(t, feed.Changes, 2, response.Body.String())
	require.Equal(t, string(feed.Changes[0]), string(message.Data.Changes[0]))
}
