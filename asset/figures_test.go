package asset_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

func TestChange_IsBlock(t *testing.T) {
	t.Parallel()
	block := func(change func(*asset.Change)) asset.Change {
		c := asset.Change{From: asset.StatusUnknown, To: asset.StatusBlocked}
		c.Origin.Cause, c.By = asset.CauseManual, asset.SourceOperator
		change(&c)
		return c
	}
	for reason, c := range map[string]struct {
		change asset.Change
		want   bool
	}{
		"a status that was set": {block(func(*asset.Change) {}), true},
		"an approved review":    {block(func(c *asset.Change) { c.Origin.Cause = asset.CauseReview }), true},
		"a block that stays":    {block(func(c *asset.Change) { c.From = asset.StatusBlocked }), false},
		"another status":        {block(func(c *asset.Change) { c.To = asset.StatusAllowed }), false},
		"a list that blocks":    {block(func(c *asset.Change) { c.By = asset.SourceList }), false},
		"an import":             {block(func(c *asset.Change) { c.Origin.Cause = asset.CauseImport }), false},
		"one that stands again": {block(func(c *asset.Change) { c.Origin.Cause = asset.CauseWithdrawal }), false},
		"nothing is known":      {asset.Change{}, false},
	} {
		require.Equal(t, c.want, c.change.IsBlock(), reason)
	}
}

func TestChange_Lifts(t *testing.T) {
	t.Parallel()
	lifts := asset.Change{From: asset.StatusBlocked, To: asset.StatusUnknown, Origin: asset.Origin{Cause: asset.CauseDispute}}
	manual, allowed := lifts, lifts
	manual.Origin.Cause, allowed.From = asset.CauseManual, asset.StatusAllowed
	block := asset.Change{Basis: asset.Basis{By: asset.SourceOperator}, Origin: asset.Origin{Cause: asset.CauseManual}}
	list, imported := block, block
	list.By, imported.Origin.Cause = asset.SourceList, asset.CauseImport
	for reason, c := range map[string]struct {
		change, previous asset.Change
		want             bool
	}{
		"an accepted dispute":                {lifts, block, true},
		"another decision":                   {manual, block, false},
		"an accepted dispute about no block": {allowed, block, false},
		"a block of a list":                  {lifts, list, false},
		"an imported block":                  {lifts, imported, false},
		"a change that was pruned":           {lifts, asset.Change{}, false},
	} {
		require.Equal(t, c.want, c.change.Lifts(c.previous), reason)
	}
}

func TestHistoryService_CountBlocks_backwards(t *testing.T) {
	t.Parallel()
	_, err := asset.NewHistoryService(nil).CountBlocks(t.Context(), asset.Period{Since: second(1), Before: second(0)}) // the store is not called
	require.ErrorIs(t, err, asset.ErrInvalid)
}
