package allowlist

import "github.com/apguard/apguard/asset"

// CheckGroups returns a [*GroupNotFoundError] with the first ID in cmd.GroupIDs that
// owned does not contain, or nil. The caller sets owned to those of cmd.GroupIDs that
// belong to the organization, in any order.
func (cmd AddCommand) CheckGroups(owned []int64) error {
	isOwned := make(map[int64]bool, len(owned))
	for _, id := range owned {
		isOwned[id] = true
	}
	for _, id := range cmd.GroupIDs {
		if !isOwned[id] {
			return &GroupNotFoundError{GroupID: id}
		}
	}
	return nil
}

// groupIDs returns the valid group IDs of the items, each once, in their order. They
// include those of refused items.
func groupIDs(items []Item) []int64 {
	var ids []int64
	seen := make(map[int64]bool)
	for _, item := range items {
		if asset.ValidID(item.GroupID) && !seen[item.GroupID] {
			seen[item.GroupID] = true
			ids = append(ids, item.GroupID)
		}
	}
	return ids
}
