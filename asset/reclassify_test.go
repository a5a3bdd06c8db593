package asset_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

func TestReclassifyCommand_Reforms(t *testing.T) {
	t.Parallel()
	named := func(text string) asset.Identity { return asset.Identity{Type: asset.TypeURL, Canonical: text} }
	cmd := asset.ReclassifyCommand{Form: func(stored asset.Identity) (asset.Identity, bool) {
		switch stored.Canonical {
		case "old 1", "old 2":
			return named("new"), true
		case "former":
			return named("held"), true
		case "refused":
			return asset.Identity{}, false
		}
		return stored, true
	}}
	held := asset.Asset{ID: 9, Identity: named("held"), Status: asset.StatusAllowed}
	first := asset.Asset{ID: 1, Identity: named("old 1"), Status: asset.StatusAllowed}
	second := asset.Asset{ID: 2, Identity: named("old 2"), Status: asset.StatusBlocked}
	former := asset.Asset{ID: 3, Identity: named("former"), Status: asset.StatusUnknown}
	refused := asset.Asset{ID: 4, Identity: named("refused"), Status: asset.StatusBlocked}
	same := asset.Asset{ID: 5, Identity: named("same"), Status: asset.StatusBlocked}
	holders := map[asset.Identity]asset.Asset{held.Identity: held}

	reforms := cmd.Reforms([]asset.Asset{first, second, former, refused, same}, holders)
	require.Equal(t, []asset.Reform{
		{Asset: first, To: named("new")},
		{Asset: second, To: named("new"), Into: asset.Asset{ID: 1, Identity: named("new"), Status: asset.StatusAllowed}},
		{Asset: former, To: held.Identity, Into: held},
		{Asset: refused, To: refused.Identity},
	}, reforms)
	require.True(t, reforms[0].Moved())
	require.True(t, reforms[1].Merged())
	require.True(t, reforms[3].Unrecognized())
	require.Equal(t, asset.StatusBlocked, holders[named("new")].Status, "a third one merges with both")
}

func TestMergedStatus(t *testing.T) {
	t.Parallel()
	const unknown, blocked, allowed = asset.StatusUnknown, asset.StatusBlocked, asset.StatusAllowed
	for reason, test := range map[string]struct{ a, b, want asset.Status }{
		"neither is known":   {unknown, unknown, unknown},
		"one is ALLOWED":     {unknown, allowed, allowed},
		"one is BLOCKED":     {blocked, unknown, blocked},
		"BLOCKED is first":   {allowed, blocked, blocked},
		"no status is known": {"", "", unknown},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, asset.MergedStatus(test.a, test.b))
			require.Equal(t, test.want, asset.MergedStatus(test.b, test.a))
		})
	}
}
