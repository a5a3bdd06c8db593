package upgradetest

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/webhook"
)

// fill stores rows in every table, some with a text in every column, and publishes their changes.
func fill(tb testing.TB, store storage.Store) {
	tb.Helper()
	fixtures.Fill(tb, store)
	fixtures.FillRemovable(tb, store)
	fillTexts(tb, store)
	for more := true; more; {
		var err error
		more, err = store.PublishChanges(tb.Context(), 100)
		require.NoError(tb, err)
	}
}

// fillTexts stores records whose texts are set, with quotes, line feeds and letters beyond ASCII.
func fillTexts(tb testing.TB, store storage.Store) {
	tb.Helper()
	const text = "O'Brien \"Straße\" \\ 東京\n🙂"
	ctx, act, at := tb.Context(), fixtures.Act(), fixtures.Time()
	require.NoError(tb, store.PutOrganization(ctx, account.Organization{ID: 3, Slug: "texts", Name: text}, act))
	require.NoError(tb, store.PutUser(ctx, account.User{ID: 3, FullName: text, Email: "Zoë@Texts.example", Automation: true}, act))
	group, err := store.PutGroup(ctx, account.Group{OrganizationID: 1, Name: text}, act)
	require.NoError(tb, err)
	require.NoError(tb, store.PutKey(ctx, account.Key{
		Hash: [32]byte{9}, OrganizationID: 1, UserID: 3, Name: text, Scopes: account.Scopes(),
		CreatedAt: at, ExpiresAt: at.AddDate(9, 0, 0), LastUsedAt: at.Add(time.Millisecond),
	}, act))
	add := fixtures.AddCommand("texts")
	add.Entries[0].Content, add.Entries[0].Name, add.Entries[0].Description = "HTTPS://Texts.Example/", text, text
	add.Entries[0].GroupID, add.GroupIDs = group.ID, []int64{group.ID}
	_, err = store.AddToAllowlist(ctx, add)
	require.NoError(tb, err)
	disputed := fixtures.DisputeCommand("texts", text)
	disputed.Content, disputed.Description = "HTTPS://Texts.Example/", text
	disputed.OrganizationID, disputed.CreatedBy = 1, 3
	created, err := store.CreateDispute(ctx, disputed)
	require.NoError(tb, err)
	transition := dispute.Transition{
		TransitionRequest: dispute.TransitionRequest{Actor: 3, Reason: text}, To: dispute.StateUnderReview, At: at,
	}
	_, err = store.UpdateDispute(ctx, dispute.UpdateCommand{DisputeID: created.ID, Apply: transition.Apply})
	require.NoError(tb, err)
	filed := fixtures.FileCommand("texts")
	filed.Title, filed.Description, filed.ReporterID, filed.BrandID = text, text, 3, 7
	filed.Proposals[0].Content = "HTTPS://Texts.Example/"
	_, err = store.FileReport(ctx, filed)
	require.NoError(tb, err)
	ending := asset.SetStatusesCommand{
		Items:  []asset.StatusItem{{Identity: fixtures.Identity("texts"), Status: asset.StatusBlocked, ExpiresAt: at.AddDate(1, 0, 0)}},
		Reason: asset.ReasonMalware, Note: strings.ReplaceAll(text, "\n", " "), ReviewAt: at.Add(time.Hour),
		Origin: asset.Origin{Cause: asset.CauseManual, Actor: 3, Reference: text}, At: at,
	}
	_, err = store.SetAssetStatuses(ctx, ending)
	require.NoError(tb, err)
	list := lists.List{Format: lists.Hosts, Status: asset.StatusBlocked, Reason: asset.ReasonMalware, CreatedAt: at, Begun: 2, Entries: 7}
	list.SyncedAt, list.FailedAt, list.Error, list.Removing = at, at.Add(time.Millisecond), text, true
	list.URL, list.Every, list.Failures, list.NextAt, list.ETag, list.LastModified = text, time.Hour, 3, at.Add(time.Hour), text, text
	_, err = store.PutList(ctx, "texts", fixtures.PutList(list))
	require.NoError(tb, err)
	secret, err := webhook.ParseSecret("whsec_" + strings.Repeat("AAAA", 11))
	require.NoError(tb, err)
	_, err = store.AddEndpoint(ctx, webhook.Endpoint{
		URL: "https://texts.example/hook?a='b'", Events: webhook.EventTypes(), State: webhook.StatePaused, CreatedAt: at,
		Filter: webhook.Filter{Types: []asset.Type{asset.TypeURL, asset.TypePage}, Statuses: []asset.Status{asset.StatusBlocked}},
		Secret: secret, OldSecret: secret, OldSecretUntil: at, Failures: 2, FailingSince: at, LastAt: at, LastSuccessAt: at, DueAt: at,
	}, act)
	require.NoError(tb, err)
}
