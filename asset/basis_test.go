package asset_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

// settledBasis returns the basis of what is held on the asset.
func settledBasis(h asset.Held) asset.Basis {
	h, _, _ = h.Settle(noon, asset.Origin{})
	return h.Basis
}

func TestHeld_Settle_basis(t *testing.T) {
	t.Parallel()
	operators := &asset.Decision{
		Status: asset.StatusBlocked, Reason: asset.ReasonScam, Note: "a shop", Since: minutes(5),
		Origin: asset.Origin{Actor: 7, Reference: "ticket"},
	}
	lists := []asset.ListDecision{
		{ListID: 1, Status: asset.StatusBlocked, Reason: asset.ReasonPhishing, Since: minutes(6)},
		{ListID: 2, Status: asset.StatusBlocked, Reason: asset.ReasonDrainer, Since: minutes(4)},
	}
	by := func(organizations asset.Basis) asset.Known { return asset.Known{Basis: organizations} }
	since := asset.Basis{By: asset.SourceOrganization, Since: minutes(1)}
	for reason, c := range map[string]struct {
		held asset.Held
		want asset.Basis
	}{
		"nothing is held": {asset.Held{}, asset.Basis{}},
		"nothing is held any more": {
			asset.Held{Known: by(asset.Basis{By: asset.SourceList, ListID: 2, Reason: asset.ReasonScam, Since: minutes(1)})}, asset.Basis{},
		},
		"operators": {
			asset.Held{Operators: operators},
			asset.Basis{By: asset.SourceOperator, Reason: asset.ReasonScam, Note: "a shop", Since: minutes(5)},
		},
		"operators who say UNKNOWN": {
			asset.Held{Operators: decision(asset.StatusUnknown, 2), Lists: lists},
			asset.Basis{By: asset.SourceOperator, Since: minutes(2)},
		},
		"an organization": {
			asset.Held{LastEntry: minutes(3)}, asset.Basis{By: asset.SourceOrganization, Since: minutes(3)},
		},
		"an organization, after operators": {
			asset.Held{Operators: operators, LastEntry: minutes(6)}, asset.Basis{By: asset.SourceOrganization, Since: minutes(6)},
		},
		"a later entry does not move Since": {
			asset.Held{Known: by(since), LastEntry: minutes(8)}, since,
		},
		"the end of the last entry does not move Since either": {
			asset.Held{Known: by(since), LastEntry: minutes(-9)}, since,
		},
		"a list": {
			asset.Held{Lists: lists[:1]},
			asset.Basis{By: asset.SourceList, ListID: 1, Reason: asset.ReasonPhishing, Since: minutes(6)},
		},
		"of two lists, the first": {
			asset.Held{Lists: lists},
			asset.Basis{By: asset.SourceList, ListID: 2, Reason: asset.ReasonDrainer, Since: minutes(4)},
		},
		"of two lists, the one after the last entry": {
			asset.Held{Known: by(since), Lists: lists, LastEntry: minutes(5)},
			asset.Basis{By: asset.SourceList, ListID: 1, Reason: asset.ReasonPhishing, Since: minutes(6)},
		},
		"organizations count again after a list": {
			asset.Held{
				Known:     by(asset.Basis{By: asset.SourceList, ListID: 1, Reason: asset.ReasonPhishing, Since: minutes(6)}),
				LastEntry: minutes(5),
			},
			asset.Basis{By: asset.SourceOrganization, Since: minutes(5)},
		},
	} {
		require.Equal(t, c.want, settledBasis(c.held), reason)
	}
}

func TestHeld_Settle_basisAlone(t *testing.T) {
	t.Parallel()
	identity := asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example"}
	scam := asset.ListDecision{ListID: 1, Status: asset.StatusBlocked, Reason: asset.ReasonScam, Since: minutes(1)}
	listed := asset.Basis{By: asset.SourceList, ListID: 1, Reason: asset.ReasonScam, Since: minutes(1)}
	held := asset.Held{
		Known:     asset.Known{Asset: asset.Asset{ID: 3, Identity: identity, Status: asset.StatusBlocked}, Basis: listed},
		ChangedAt: minutes(2),
		Lists:     []asset.ListDecision{scam},
	}
	_, _, changed := held.Settle(minutes(9), asset.Origin{})
	require.False(t, changed, "what stays is no change")
	named := held
	named.List = "phantom"
	_, _, changed = named.Settle(minutes(9), asset.Origin{})
	require.False(t, changed, "the name of a list is not held")
	zoned := held
	zoned.Since = zoned.Since.In(time.FixedZone("", 3600))
	_, _, changed = zoned.Settle(minutes(9), asset.Origin{})
	require.False(t, changed, "the same time in another zone")

	for reason, c := range map[string]struct {
		act  func(asset.Held) (asset.Held, bool)
		want asset.Basis
	}{
		"a list has another reason, and its Since stays": {
			func(h asset.Held) (asset.Held, bool) {
				return h.DecideList(asset.ListDecision{ListID: 1, Status: asset.StatusBlocked, Reason: asset.ReasonDrainer}, minutes(9))
			},
			asset.Basis{By: asset.SourceList, ListID: 1, Reason: asset.ReasonDrainer, Since: minutes(1)},
		},
		"operators confirm what a list holds": {
			func(h asset.Held) (asset.Held, bool) {
				return h.Decide(asset.Decision{Status: asset.StatusBlocked, Reason: asset.ReasonScam, Note: "a shop"}, minutes(9))
			},
			asset.Basis{By: asset.SourceOperator, Reason: asset.ReasonScam, Note: "a shop", Since: minutes(9)},
		},
	} {
		after, stores := c.act(held)
		require.True(t, stores, reason)
		after, change, changed := after.Settle(minutes(9), asset.Origin{Actor: 7})
		require.True(t, changed, reason)
		require.False(t, change.OfStatus(), reason)
		require.Equal(t, asset.Change{
			AssetID: 3, Type: identity.Type, Content: identity.Canonical, From: asset.StatusBlocked, To: asset.StatusBlocked,
			At: minutes(9), Origin: asset.Origin{Actor: 7}, Basis: c.want,
		}, change, reason)
		require.Equal(t, change.Known(), after.Known, reason)
		require.Equal(t, minutes(9), after.ChangedAt, reason)
	}

	later, stores := held.DecideList(asset.ListDecision{ListID: 2, Status: asset.StatusBlocked, Reason: asset.ReasonDrainer}, minutes(9))
	require.True(t, stores)
	_, _, changed = later.Settle(minutes(9), asset.Origin{})
	require.False(t, changed, "a list that does not count is no change")
}

func TestSource_Valid(t *testing.T) {
	t.Parallel()
	for _, source := range []asset.Source{asset.SourceOperator, asset.SourceOrganization, asset.SourceList} {
		require.True(t, source.Valid(), source)
	}
	for _, source := range []asset.Source{"", "operator", "LISTS"} {
		require.False(t, source.Valid(), source)
	}
}

func TestChangeFilter_Match_basisAlone(t *testing.T) {
	t.Parallel()
	change := asset.Change{From: asset.StatusBlocked, To: asset.StatusBlocked}
	for _, filter := range []asset.ChangeFilter{{}, {From: asset.StatusBlocked}, {To: asset.StatusBlocked}} {
		require.False(t, filter.Match(change), "the changelog has changes of the status alone")
	}
	change.To = asset.StatusAllowed
	require.True(t, asset.ChangeFilter{}.Match(change))
}
