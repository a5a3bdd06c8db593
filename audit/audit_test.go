package audit_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/audit"
)

func TestNew(t *testing.T) {
	t.Parallel()
	at := time.Date(2025, time.January, 5, 12, 0, 0, 0, time.UTC)
	ada := audit.Actor{Channel: audit.ChannelAPI, UserID: 7, Key: "0123456789ab"}
	for reason, c := range map[string]struct {
		actors []audit.Actor
		want   audit.Actor
	}{
		"no actor":       {nil, audit.Actor{Channel: audit.ChannelApplication}},
		"an actor":       {[]audit.Actor{ada}, ada},
		"the last actor": {[]audit.Actor{{UserID: 9}, ada}, ada},
		"no channel":     {[]audit.Actor{{UserID: 9}}, audit.Actor{Channel: audit.ChannelApplication, UserID: 9}},
	} {
		ctx := t.Context()
		for _, actor := range c.actors {
			ctx = audit.WithActor(ctx, actor)
		}
		require.Equal(t, audit.Entry{At: at, Actor: c.want, Kind: audit.KindKey, Action: audit.ActionRevoked},
			audit.New(ctx, at, audit.KindKey, audit.ActionRevoked), reason)
	}
}

func TestStored(t *testing.T) {
	t.Parallel()
	type record struct{ ID int }
	created := audit.Entry{Kind: audit.KindUser, Action: audit.ActionCreated}
	changed := audit.Entry{Kind: audit.KindUser, Action: audit.ActionChanged}
	for reason, c := range map[string]struct {
		entry       audit.Entry
		old, record record
		want        audit.Entry
	}{
		"a new record":        {created, record{}, record{1}, created},
		"another one":         {created, record{1}, record{2}, changed},
		"the same":            {created, record{1}, record{1}, audit.Entry{}},
		"no entry":            {audit.Entry{}, record{}, record{1}, audit.Entry{}},
		"no entry for a 2nd":  {audit.Entry{}, record{1}, record{2}, audit.Entry{}},
		"a record of nothing": {created, record{}, record{}, audit.Entry{}},
	} {
		require.Equal(t, c.want, audit.Stored(c.entry, c.old, c.record), reason)
	}
}

func TestEntry_On(t *testing.T) {
	t.Parallel()
	require.Equal(t, audit.Entry{Kind: audit.KindUser, Subject: "7"}, audit.Entry{Kind: audit.KindUser}.On(7))
	require.True(t, audit.Entry{}.On(7).IsZero(), "no entry stays none")
}

func TestEntry_About(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		entry              audit.Entry
		organization, user int64
	}{
		"an organization":            {audit.Entry{Kind: audit.KindOrganization, Subject: "7"}, 7, 0},
		"a user":                     {audit.Entry{Kind: audit.KindUser, Subject: "9007199254740991"}, 0, 1<<53 - 1},
		"a key":                      {audit.Entry{Kind: audit.KindKey, Subject: "000000000005", OrganizationID: 7, UserID: 8}, 7, 8},
		"a key without a user":       {audit.Entry{Kind: audit.KindKey, Subject: "000000000005", OrganizationID: 7}, 7, 0},
		"a group":                    {audit.Entry{Kind: audit.KindGroup, Subject: "5", OrganizationID: 7}, 7, 0},
		"a webhook":                  {audit.Entry{Kind: audit.KindWebhook, Subject: "5"}, 0, 0},
		"an import without a record": {audit.Entry{Kind: audit.KindImport}, 0, 0},
	} {
		organization, user := c.entry.About()
		require.Equal(t, c.organization, organization, reason)
		require.Equal(t, c.user, user, reason)
	}
}

func TestKind_Valid(t *testing.T) {
	t.Parallel()
	for _, kind := range audit.Kinds() {
		require.True(t, kind.Valid(), kind)
	}
	require.False(t, audit.Kind("").Valid())
	require.False(t, audit.Kind("key").Valid(), "kinds are case-sensitive")
	audit.Kinds()[0] = "changed"
	require.True(t, audit.KindKey.Valid(), "the slice is a copy")
}

// The words of entries are those of a fixed list, which callers cannot change.
func TestWords(t *testing.T) {
	t.Parallel()
	actions, channels := audit.Actions(), audit.Channels()
	require.Contains(t, actions, audit.ActionErased)
	require.Equal(t, []audit.Channel{audit.ChannelApplication, audit.ChannelAPI, audit.ChannelCommandLine}, channels)
	actions[0], channels[0] = "changed", "changed"
	require.Equal(t, audit.ActionCreated, audit.Actions()[0])
	require.Equal(t, audit.ChannelApplication, audit.Channels()[0])
}

func TestEntry_PageBytes(t *testing.T) {
	t.Parallel()
	require.Equal(t, audit.Entry{}.PageBytes()+3, audit.Entry{Subject: "7", Detail: "ab"}.PageBytes())
}
