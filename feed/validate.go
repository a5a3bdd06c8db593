package feed

import (
	"errors"
	"fmt"

	"github.com/apguard/apguard/asset"
)

// errSource reports that a source returned something that it must not return. The copies do not
// have it.
var errSource = errors.New("invalid data from the source")

// validateList returns an error unless the changes after the start can be followed.
func validateList(list List) error {
	if list.Start == (asset.FeedCursor{}) {
		return nil
	}
	if _, err := list.Feed.Position(list.Start); err != nil {
		return fmt.Errorf("%w: the list does not start in its feed: %w", errSource, err)
	}
	return nil
}

// validateListed returns an error unless the asset can be in a list.
func validateListed(a asset.Asset) error {
	if a.Status == asset.StatusUnknown {
		return fmt.Errorf("%w: asset %d is listed as UNKNOWN", errSource, a.ID)
	}
	return validateAsset(a)
}

// validateAsset returns an error unless the asset can be in a store.
func validateAsset(a asset.Asset) error {
	switch {
	case !asset.ValidID(a.ID):
		return fmt.Errorf("%w: %d is not the ID of an asset", errSource, a.ID)
	case !a.Type.Valid():
		return fmt.Errorf("%w: asset %d has an unknown type", errSource, a.ID)
	case !a.Status.Valid():
		return fmt.Errorf("%w: asset %d has an unknown status", errSource, a.ID)
	case a.Canonical == "" || !asset.ValidText(a.Canonical):
		return fmt.Errorf("%w: asset %d has no canonical form", errSource, a.ID)
	}
	return nil
}

// validate returns an error unless the changes can come after the copies.
func (c *copies) validate(changes Changes) error {
	if store := changes.Cursor.Store(); !isZero(store) && !isZero(c.feed.Store) && store != c.feed.Store {
		return asset.ErrForeignCursor // the start of the feed is the same in all stores
	}
	if err := validateEntries(changes, c.cursor); err != nil {
		return err
	}
	switch {
	case changes.Age < 0:
		return fmt.Errorf("%w: the age of the feed is negative", errSource)
	case len(changes.Entries) == 0 && changes.More:
		return fmt.Errorf("%w: there are more changes, but none was returned", errSource)
	case len(changes.Entries) > 0 && !c.cursor.Before(changes.Cursor):
		return fmt.Errorf("%w: the cursor does not move on", errSource)
	case !changes.More && changes.Cursor.Before(c.feed.End()):
		// The store was replaced by an empty one, or a server is behind the one that listed the assets.
		return asset.ErrFutureCursor
	}
	return nil
}

// validateEntries returns an error unless the changes are valid and in order after a cursor.
func validateEntries(changes Changes, after asset.FeedCursor) error {
	for _, entry := range changes.Entries {
		if err := validateAsset(entry.Change.Known().Asset); err != nil {
			return err
		}
		if !entry.Change.From.Valid() {
			return fmt.Errorf("%w: asset %d had an unknown status", errSource, entry.Change.AssetID)
		}
		if entry.Cursor == (asset.FeedCursor{}) {
			continue
		}
		if !after.Before(entry.Cursor) {
			return fmt.Errorf("%w: the changes are not in order", errSource)
		}
		after = entry.Cursor
	}
	if changes.Cursor.Before(after) {
		return fmt.Errorf("%w: the cursor is before the changes", errSource)
	}
	return nil
}

func isZero(store asset.StoreID) bool { return store == asset.StoreID{} }
