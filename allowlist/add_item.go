package allowlist

import (
	"fmt"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/step"
)

// Item is one asset of an [AddRequest].
type Item struct {
	// Content is the submitted text, such as a URL, an address or a handle.
	Content string
	// Name and Description are stored with the entry. Both may be empty. They have at
	// most [MaxName] and [MaxDescription] bytes.
	Name        string
	Description string
	// GroupID is a group of the organization, or 0 for none. An item with a negative
	// GroupID, or one above [asset.MaxID], is refused.
	GroupID int64
	// ExpiresAt is the end of the entry, or zero for none. It is truncated to
	// milliseconds. An item whose end is not in the future, or after year 9999, is
	// refused.
	ExpiresAt time.Time
	// RefuseBlocked refuses the item as [Options].RefuseBlocked does. If several items have the same
	// asset, the first one decides.
	RefuseBlocked bool
}

// The limits of an [Item], in bytes.
const (
	MaxName        = 200
	MaxDescription = 10_000
)

// checkTexts adds issues for texts that refuse the whole request. The item has the given
// index.
func (item Item) checkTexts(issues *asset.Issues, index int) {
	if !validText(item.Name, MaxName) || !validText(item.Description, MaxDescription) {
		issues.CheckTextLength(fmt.Sprintf("assets[%d].name", index), item.Name, MaxName)
		issues.CheckTextLength(fmt.Sprintf("assets[%d].description", index), item.Description, MaxDescription)
	}
}

// validText avoids formatting the name of a field that has no issue.
func validText(text string, maxBytes int) bool {
	return len(text) <= maxBytes && asset.ValidText(text)
}

// entry returns the entry for the item at the given time, or why the item is refused. The
// content is checked before the group, and the group before the end.
func (item Item) entry(at time.Time) (Entry, error) {
	result, err := classify.Classify(item.Content)
	switch {
	case err != nil:
		return Entry{}, err
	case item.GroupID != 0 && !asset.ValidID(item.GroupID):
		return Entry{}, ErrInvalidGroupID
	case !validExpiry(item.ExpiresAt, at):
		return Entry{}, ErrInvalidExpiry
	}
	return Entry{
		Asset:       asset.Asset{Identity: result.Identity},
		Content:     result.Content,
		Name:        item.Name,
		Description: item.Description,
		GroupID:     item.GroupID,
		ExpiresAt:   step.TruncateTime(item.ExpiresAt),
	}, nil
}

// validExpiry reports whether an entry that is added at the given time can have the end.
func validExpiry(expiresAt, at time.Time) bool {
	return expiresAt.IsZero() || asset.ValidTime(expiresAt) && step.TruncateTime(expiresAt).After(at)
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

// entriesOf returns the entries for the items, one for each asset.
func entriesOf(items []Item, at time.Time) asset.Batch[Entry] {
	batch := asset.NewBatch[Entry](len(items))
	for _, item := range items {
		entry, err := item.entry(at)
		if err != nil {
			batch.Refuse(err)
			continue
		}
		batch.Add(entry.Asset.Identity, entry)
	}
	return batch
}

// outcomeAt returns the outcome of the item with the place, given those of the entries. Only
// the first item with an asset can add it.
func outcomeAt(place asset.Place, outcomes []Outcome) Outcome {
	if place.Err != nil {
		return Outcome{Err: place.Err}
	}
	outcome := outcomes[place.Index]
	if place.Duplicate && outcome.Err == nil {
		outcome.Err = ErrExists
	}
	return outcome
}
