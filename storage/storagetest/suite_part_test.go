package storagetest_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/storagetest"
	"github.com/apguard/apguard/webhook"
)

// Names for the store interfaces that can be embedded beside each other.
type (
	accountStore   = account.Store
	keyStore       = account.KeyStore
	assetStore     = asset.Store
	historyStore   = asset.HistoryStore
	feedStore      = asset.FeedStore
	allowlistStore = allowlist.Store
	disputeStore   = dispute.Store
	queueStore     = dispute.QueueStore
	eventStore     = dispute.EventStore
	reportStore    = report.Store
	reviewStore    = report.ReviewStore
	listStore      = lists.Store
	webhookStore   = webhook.Store
)

// base is deeper than the interfaces that are embedded beside it, so they take
// precedence over its methods.
type base struct{ storage.Store }

// Close does nothing.
func (base) Close() error { return nil }

// allowlistPart has the interfaces of the part for allowlists. Two of them have AssetsByIdentity.
type allowlistPart struct {
	base
	accountStore
	assetStore
	allowlistStore
}

func (p allowlistPart) AssetsByIdentity(ctx context.Context, identities []asset.Identity) ([]asset.Known, error) {
	return p.assetStore.AssetsByIdentity(ctx, identities)
}

// partial returns a store that implements only the interfaces of a part.
func partial(part storagetest.Part, s storage.Store) storage.Store {
	switch part {
	case storagetest.Accounts:
		return struct {
			base
			accountStore
		}{accountStore: s}
	case storagetest.Keys:
		return struct {
			base
			accountStore
			keyStore
		}{accountStore: s, keyStore: s}
	case storagetest.Assets:
		return struct {
			base
			assetStore
		}{assetStore: s}
	case storagetest.History:
		return struct {
			base
			historyStore
		}{historyStore: s}
	case storagetest.Feed:
		return struct {
			base
			historyStore
			feedStore
		}{historyStore: s, feedStore: s}
	case storagetest.Allowlist:
		return allowlistPart{accountStore: s, assetStore: s, allowlistStore: s}
	case storagetest.Disputes:
		return struct {
			base
			assetStore
			disputeStore
			queueStore
		}{assetStore: s, disputeStore: s, queueStore: s}
	case storagetest.DisputeEvents:
		return struct {
			base
			historyStore
			feedStore
			disputeStore
			queueStore
			eventStore
		}{historyStore: s, feedStore: s, disputeStore: s, queueStore: s, eventStore: s}
	case storagetest.Reports:
		return struct {
			base
			accountStore
			assetStore
			reportStore
		}{accountStore: s, assetStore: s, reportStore: s}
	case storagetest.Reviews:
		return struct {
			base
			accountStore
			historyStore
			reviewStore
		}{accountStore: s, historyStore: s, reviewStore: s}
	case storagetest.Lists:
		return struct {
			base
			assetStore
			listStore
		}{assetStore: s, listStore: s}
	case storagetest.Webhooks:
		return struct {
			base
			webhookStore
		}{webhookStore: s}
	default:
		return base{}
	}
}

func TestRunPart(t *testing.T) {
	t.Parallel()
	for _, part := range storagetest.Parts() {
		t.Run(string(part), func(t *testing.T) {
			t.Parallel()
			storagetest.RunPart(t, part, func(*testing.T) storage.Store { return partial(part, memory.New()) })
		})
	}
}

func TestRunPart_NamesLackingMethods(t *testing.T) {
	t.Parallel()
	require.ErrorContains(t, storagetest.Lacking(t.Context(), base{})["Changes"], "unimplemented store method: Changes panics")
	for method, err := range storagetest.Lacking(t.Context(), memory.New()) {
		if err != nil {
			require.NotContains(t, err.Error(), "unimplemented", method)
		}
	}
}
