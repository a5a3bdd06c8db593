package plantest

import (
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

// DisputeList is a list of disputes and the index from which its pages are read in order.
type DisputeList struct {
	Filter dispute.Filter
	Index  string
	// Parts is how often the index is read: once for each state of the filter.
	Parts int
	// Few reports that the list has few disputes. A database with statistics may sort them
	// instead of reading them in order.
	Few bool
}

// DisputeLists returns lists with all kinds of filters. They suit a database in which few
// disputes are OPEN.
func DisputeLists() map[string]DisputeList {
	type filter = dispute.Filter
	var (
		all      = len(dispute.States())
		identity = Identity()
		email    = "key 7"
		open     = []dispute.State{dispute.StateOpen}
		two      = []dispute.State{dispute.StateOpen, dispute.StateRejected}
		frequent = []dispute.State{dispute.StateAccepted, dispute.StateRejected}
		period   = asset.Period{Since: time.UnixMilli(100_000), Before: time.UnixMilli(500_000)}
	)
	const (
		few     = true
		byState = "apguard_disputes_state"
		byAsset = "apguard_disputes_asset"
		byEmail = "apguard_disputes_email"
		byUser  = "apguard_disputes_assignee"
		byBoth  = "apguard_disputes_asset_email"
	)
	return map[string]DisputeList{
		"all":                              {filter{}, byState, all, !few},
		"a period":                         {filter{Created: period}, byState, all, !few},
		"a state":                          {filter{States: open}, byState, 1, !few},
		"two states":                       {filter{States: two}, byState, 2, !few},
		"frequent states":                  {filter{States: frequent}, byState, 2, !few},
		"a state and a period":             {filter{States: open, Created: period}, byState, 1, !few},
		"an asset":                         {filter{Identity: identity}, byAsset, all, !few},
		"an asset and a period":            {filter{Identity: identity, Created: period}, byAsset, all, !few},
		"an asset and two states":          {filter{Identity: identity, States: two}, byAsset, 2, !few},
		"an asset and frequent states":     {filter{Identity: identity, States: frequent}, byAsset, 2, !few},
		"an asset, a state and a period":   {filter{Identity: identity, States: open, Created: period}, byAsset, 1, few},
		"an email":                         {filter{Email: email}, byEmail, all, !few},
		"an email and a period":            {filter{Email: email, Created: period}, byEmail, all, !few},
		"an email and two states":          {filter{Email: email, States: two}, byEmail, 2, !few},
		"an email and frequent states":     {filter{Email: email, States: frequent}, byEmail, 2, !few},
		"an email, a state and a period":   {filter{Email: email, States: open, Created: period}, byEmail, 1, few},
		"an assignee":                      {filter{Assignee: 7}, byUser, all, !few},
		"an assignee and two states":       {filter{Assignee: 7, States: two}, byUser, 2, !few},
		"an asset and an email":            {filter{Identity: identity, Email: email}, byBoth, 1, !few},
		"every field, with several states": {filter{Identity: identity, Email: email, States: two, Created: period}, byBoth, 1, !few},
	}
}
