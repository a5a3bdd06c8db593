package plantest

import (
	"time"

	"github.com/apguard/apguard/asset"
)

// ChangeList is a list of changes and the index from which its pages are read in order.
type ChangeList struct {
	Filter asset.ChangeFilter
	Index  string
	// Ambiguous lists are also read in order, without many other changes, from another
	// index. A database with statistics may choose it.
	Ambiguous bool
}

// ChangeLists returns lists with all kinds of filters. They suit a database in which most
// changes are those of URLs from UNKNOWN to ALLOWED.
func ChangeLists() map[string]ChangeList {
	type filter = asset.ChangeFilter
	var (
		identity = Identity()
		period   = asset.Period{Since: time.UnixMilli(5_000), Before: time.UnixMilli(9_000)}
	)
	const ambiguous = true
	return map[string]ChangeList{
		"all":                   {filter{}, "apguard_changes_time", !ambiguous},
		"a type":                {filter{Type: asset.TypeEmail}, "apguard_changes_type", !ambiguous},
		"a common type":         {filter{Type: asset.TypeURL}, "apguard_changes_type", ambiguous},
		"a period":              {filter{Period: period}, "apguard_changes_time", !ambiguous},
		"an old status":         {filter{From: asset.StatusBlocked}, "apguard_changes_statuses", !ambiguous},
		"a new status":          {filter{To: asset.StatusBlocked}, "apguard_changes_statuses", !ambiguous},
		"both statuses":         {filter{From: asset.StatusUnknown, To: asset.StatusBlocked}, "apguard_changes_statuses", ambiguous},
		"a type and old status": {filter{Type: asset.TypeEmail, From: asset.StatusUnknown}, "apguard_changes_type", ambiguous},
		"a type and new status": {filter{Type: asset.TypeURL, To: asset.StatusAllowed}, "apguard_changes_type", ambiguous},
		"a type and statuses":   {filter{Type: asset.TypeEmail, From: asset.StatusUnknown, To: asset.StatusBlocked}, "apguard_changes_type", ambiguous},
		"a type and period":     {filter{Type: asset.TypeEmail, Period: period}, "apguard_changes_type", ambiguous},
		"a period and status":   {filter{Period: period, To: asset.StatusBlocked}, "apguard_changes_statuses", !ambiguous},
		"an asset":              {filter{Identity: identity}, "apguard_changes_asset", !ambiguous},
		"an asset and a type":   {filter{Identity: identity, Type: asset.TypeURL}, "apguard_changes_asset", !ambiguous},
		"an asset and statuses": {filter{Identity: identity, From: asset.StatusUnknown, To: asset.StatusAllowed}, "apguard_changes_asset", !ambiguous},
		"an asset and a period": {filter{Identity: identity, Period: period}, "apguard_changes_asset", !ambiguous},
		"every field": {filter{
			Type: asset.TypeURL, Identity: identity, From: asset.StatusUnknown, To: asset.StatusAllowed, Period: period,
		}, "apguard_changes_asset", !ambiguous},
	}
}

// Identity returns the asset of the filters for one asset.
func Identity() asset.Identity {
	return asset.Identity{Type: asset.TypeURL, Canonical: "c7"}
}
