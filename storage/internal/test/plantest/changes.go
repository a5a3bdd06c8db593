package plantest

import (
	"fmt"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
)

// ChangeList is a list of changes and how its pages are read in order.
type ChangeList struct {
	Filter asset.ChangeFilter
	// Index is the index of the list, and Parts is the number of its ranges.
	Index string
	Parts int
	// Columns are those of the index that have one value in each range.
	Columns []string
}

// ChangeLists returns lists with all combinations of filters. They suit a database in which
// most changes are those of URLs from UNKNOWN to ALLOWED.
func ChangeLists() map[string]ChangeList {
	const none = ""
	lists := map[string]ChangeList{}
	for _, identity := range []asset.Identity{{}, Identity()} {
		for _, kind := range []asset.Type{none, asset.TypeURL} {
			for _, from := range []asset.Status{none, asset.StatusUnknown, asset.StatusBlocked} {
				for _, to := range []asset.Status{none, asset.StatusAllowed, asset.StatusBlocked} {
					if from == to && from != none {
						continue // the list is empty
					}
					for _, period := range periods() {
						filter := asset.ChangeFilter{Identity: identity, Type: kind, From: from, To: to, Period: period}
						list := changeList(filter)
						lists[fmt.Sprintf("%s in %v %v %q %q %v", list.Index, identity != asset.Identity{}, kind, from, to, period)] = list
					}
				}
			}
		}
	}
	return lists
}

// UpperLimits returns how many upper limits of the time a statement has. With two in one range,
// SQLite reads the range from the later one.
func UpperLimits(statement Statement) int {
	return strings.Count(statement.SQL, "c.changed_at <") + strings.Count(statement.SQL, "(c.changed_at, c.id) <")
}

func periods() []asset.Period {
	since, before := time.UnixMilli(5_000), time.UnixMilli(9_000)
	return []asset.Period{{}, {Since: since}, {Before: before}, {Since: since, Before: before}}
}

func changeList(filter asset.ChangeFilter) ChangeList {
	statuses := []string{"from_status", "to_status"}
	switch {
	case filter.Identity != asset.Identity{}:
		return ChangeList{filter, "apguard_changes_asset", 1, []string{"asset_id"}}
	case filter.Type != "":
		return ChangeList{filter, "apguard_changes_type", pairs(filter), append([]string{"type"}, statuses...)}
	case filter.From != "" || filter.To != "":
		return ChangeList{filter, "apguard_changes_statuses", pairs(filter), statuses}
	default:
		return ChangeList{filter, "apguard_changes_time", 1, nil}
	}
}

// pairs returns the number of pairs of statuses that a filter matches.
func pairs(filter asset.ChangeFilter) int {
	others := len(asset.Statuses()) - 1
	switch {
	case filter.From == "" && filter.To == "":
		return (others + 1) * others
	case filter.From == "" || filter.To == "":
		return others
	default:
		return 1
	}
}

// Identity returns the asset of the filters for one asset.
func Identity() asset.Identity {
	return asset.Identity{Type: asset.TypeURL, Canonical: "c7"}
}
