package allowlist

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
)

// Store is the storage that a [Service] needs. All methods may be called
// concurrently, each is one atomic step, and each returns the context's error
// when the context ends first.
type Store interface {
	// AddToAllowlist carries out the addition as one step: all of it is stored,
	// or nothing when it returns an error. It returns one outcome for each
	// candidate, in their order.
	//
	// When a group of the addition is not the organization's, it returns a
	// *GroupNotFoundError that names the first such group.
	//
	// A candidate whose asset exists is refused when Addition.Refusal says so, as
	// things stand when its turn comes. Any other candidate is added: an
	// asset that does not exist yet is registered as UNKNOWN, and every added
	// asset that is not ALLOWED becomes ALLOWED, which is recorded as a change.
	// Changes get their IDs in the order of the candidates.
	AddToAllowlist(ctx context.Context, addition Addition) ([]Outcome, error)

	// AllowlistEntries returns the organization's entries whose asset ID is above
	// after, ordered by asset ID, at most limit of them.
	AllowlistEntries(ctx context.Context, organizationID, after int64, limit int) ([]Entry, error)

	// AllowlistHolders returns the organizations whose ID is above after and that
	// have the asset on their allowlist, ordered by ID, at most limit of them.
	AllowlistHolders(ctx context.Context, assetID, after int64, limit int) ([]Holder, error)
}

// Addition is what [Store.AddToAllowlist] carries out.
type Addition struct {
	OrganizationID int64
	// GroupIDs are all groups that must be the organization's, in the order in
	// which they are to be looked for. A candidate's group is among them.
	GroupIDs []int64
	// Candidates are the assets to add. No two have the same identity.
	Candidates    []Candidate
	RefuseBlocked bool
	At            time.Time
	Origin        asset.Origin
}

// Refusal returns why an asset of that status is not added, or nil. It depends on
// whether the asset is on the organization's allowlist already. Stores ask it for
// each candidate whose asset exists.
func (a Addition) Refusal(status asset.Status, listed bool) error {
	switch {
	case listed:
		return ErrExists
	case a.RefuseBlocked && status == asset.StatusBlocked:
		return ErrBlocked
	default:
		return nil
	}
}

// Candidate is one asset of an [Addition].
type Candidate struct {
	Identity    asset.Identity
	Content     string
	Name        string
	Description string
	// GroupID is 0 for no group.
	GroupID int64
}

// Outcome says what became of one [Candidate].
type Outcome struct {
	// AssetID is the identifier of the asset, also when it was refused.
	AssetID int64
	// Err is nil, ErrExists or ErrBlocked.
	Err error
}
