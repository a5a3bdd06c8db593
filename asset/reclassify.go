package asset

import "time"

// ReclassifyLimit is the number of assets of one step of a reclassification.
const ReclassifyLimit = 1000

// ReclassifyCommand gives assets that were stored under other rules their new identities. The next
// assets after the one with the ID After are read, at most Limit.
type ReclassifyCommand struct {
	After int64
	Limit int
	At    time.Time
	// Form returns the identity that an asset has now. It reports false for an asset that the
	// rules do not recognize, which is kept as it is.
	Form func(Identity) (Identity, bool)
	// Version is the version of the rules. The step that finds no more assets stores it.
	Version int
	// DryRun stores nothing.
	DryRun bool
	// Planned has the assets that the steps before have moved or merged into, by their new identity. The
	// step adds to it. It is nil unless DryRun is set.
	Planned map[Identity]Asset
}

// ReclassifyStep is what one step has done.
type ReclassifyStep struct {
	// Assets is the number of assets that were read, and Last the ID of the last of them.
	Assets int
	Last   int64
	// Done reports whether there are no more assets.
	Done bool
	// Reforms are the assets whose identity differs, and those that are not recognized.
	Reforms []Reform
	// Entries is the number of allowlist entries that were removed, as their organization has an older
	// one for the same asset. Disputes is the number of disputes that were erased, as the same
	// person has an older one about the same asset.
	Entries, Disputes int
}

// Reform is what a reclassification does with an asset.
type Reform struct {
	// Asset is the asset as it was.
	Asset
	// To is its new identity. It equals the old one if the rules do not recognize that.
	To Identity
	// Into is the asset that has the new identity already, as it was. It is zero if none has.
	Into Asset
}

// Moved reports whether the asset keeps its ID and gets the new identity.
func (r Reform) Moved() bool { return r.To != r.Identity && r.Into.ID == 0 }

// Merged reports whether the records of the asset become those of another one.
func (r Reform) Merged() bool { return r.Into.ID != 0 }

// Unrecognized reports whether the asset is kept as it is.
func (r Reform) Unrecognized() bool { return r.To == r.Identity }

// MergedStatus returns the status of an asset that two assets become: BLOCKED if one of them is,
// else ALLOWED if one of them is, else UNKNOWN.
func MergedStatus(a, b Status) Status {
	for _, status := range [...]Status{StatusBlocked, StatusAllowed} {
		if a == status || b == status {
			return status
		}
	}
	return StatusUnknown
}

// Reforms returns what happens to a page of assets. The holders are the assets that have one of
// the new identities, and those that the function has moved or merged into, which it keeps there.
// A later asset with the same new identity is so merged into the first.
func (cmd ReclassifyCommand) Reforms(page []Asset, holders map[Identity]Asset) []Reform {
	var reforms []Reform
	for _, one := range page {
		to, recognized := cmd.Form(one.Identity)
		if !recognized {
			reforms = append(reforms, Reform{Asset: one, To: one.Identity})
			continue
		}
		if to == one.Identity {
			continue
		}
		into, held := holders[to]
		reforms = append(reforms, Reform{Asset: one, To: to, Into: into})
		if !held {
			into = Asset{ID: one.ID, Identity: to, Status: one.Status}
		}
		into.Status = MergedStatus(into.Status, one.Status)
		holders[to] = into
	}
	return reforms
}
