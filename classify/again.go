package classify

import "github.com/apguard/apguard/asset"

// Again returns the identity that the rules give to the canonical form of an asset that was
// stored under other rules. It reports false if they do not recognize the form.
func Again(stored asset.Identity) (asset.Identity, bool) {
	result, err := Classify(stored.Canonical)
	if err != nil {
		return stored, false
	}
	return result.Identity, true
}
