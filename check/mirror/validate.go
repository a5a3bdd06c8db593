package mirror

import (
	"errors"
	"fmt"

	"github.com/apguard/apguard/asset"
)

// errSource reports that a source returned something that it must not return. The copy does not
// have it.
var errSource = errors.New("invalid data from the source")

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

// validateChanges returns an error unless the changes can come after the cursor.
func validateChanges(changes Changes, cursor string) error {
	for _, a := range changes.Assets {
		if err := validateAsset(a.Asset); err != nil {
			return err
		}
	}
	switch {
	case changes.Age < 0:
		return fmt.Errorf("%w: the age of the feed is negative", errSource)
	case len(changes.Assets) == 0 && changes.More:
		return fmt.Errorf("%w: there are more changes, but none was returned", errSource)
	case len(changes.Assets) > 0 && changes.Cursor == cursor:
		return fmt.Errorf("%w: the cursor does not move on", errSource)
	}
	return nil
}
