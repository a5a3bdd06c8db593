package allowlist

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/idempotency"
)

// The limits of an [AddRequest].
const (
	// MaxItems is the maximum number of items.
	MaxItems = 1000
	// MaxName and MaxDescription are the maximum lengths of the texts of an item, in
	// bytes.
	MaxName        = 200
	MaxDescription = 10_000
)

// AddRequest is the request of [Service.Add].
type AddRequest struct {
	OrganizationID int64
	// Actor is the user who asks, or 0 if unknown. It is recorded with the changes
	// of status.
	Actor int64
	// Items are the assets, from 1 to [MaxItems].
	Items []Item
	// Idempotency is the key with which the request can be repeated; see package
	// idempotency. It belongs to OrganizationID and Actor. The zero key is none.
	Idempotency idempotency.Key
	// DryRun asks for the results without storing anything. The key is validated and
	// otherwise ignored.
	DryRun bool
}

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
}

// Validate returns an [*asset.InputError] that names every invalid field. If there are
// too many items, the error matches [ErrTooMany], and Validate checks nothing else. It
// never checks Content, GroupID and ExpiresAt, because an invalid one refuses only its item,
// not the request.
func (req AddRequest) Validate() error {
	var issues asset.Issues
	if len(req.Items) > MaxItems {
		issues.AddCause("assets", ErrTooMany)
		return issues.Err()
	}
	issues.Check(len(req.Items) > 0, "assets", fmt.Sprintf("must hold 1 to %d elements", MaxItems))
	issues.CheckID("organizationId", req.OrganizationID)
	issues.CheckUser("actor", req.Actor)
	for i, item := range req.Items {
		if !validText(item.Name, MaxName) || !validText(item.Description, MaxDescription) {
			issues.CheckTextLength(fmt.Sprintf("assets[%d].name", i), item.Name, MaxName)
			issues.CheckTextLength(fmt.Sprintf("assets[%d].description", i), item.Description, MaxDescription)
		}
	}
	return asset.JoinInput(issues.Err(), req.Idempotency.Validate())
}

// validText avoids formatting the name of a field that has no issue.
func validText(text string, maxBytes int) bool {
	return len(text) <= maxBytes && asset.ValidText(text)
}

// Added is the result of [Service.Add].
type Added struct {
	// Results has one result for each item, in the order of the items.
	Results []Result
	// Replayed reports whether the request was executed before, with the same key. The
	// results are those of the first time.
	Replayed bool
}

// Result is what [Service.Add] did with one [Item].
type Result struct {
	// Content is the item's content exactly as it was submitted.
	Content string
	// Outcome has the ID of the asset and the error. Besides the errors of [Outcome],
	// Err can be that of [classify.Classify], [ErrInvalidGroupID] or [ErrInvalidExpiry]; AssetID
	// is then 0. On a dry run, AssetID is also 0 if the asset does not exist.
	Outcome
	// Status is the present status of the asset on a dry run. It is empty if the asset
	// does not exist, or Err refuses the item itself.
	Status asset.Status
}

// Add adds the items of the request to the organization's allowlist. Some items can be
// added while others are refused. The additions are one atomic step: after a crash,
// either all of them are stored or none.
//
// If the request repeats one that succeeded with the same key, Add stores nothing and
// returns the results of the first one. If it is a dry run, Add stores nothing and returns
// the results that it would return otherwise.
//
// If Add returns an error, the whole request is refused and nothing is stored. The
// error is an [*asset.InputError], a [*GroupNotFoundError], [idempotency.ErrReused] or
// [idempotency.ErrInProgress], or it comes from the store or the context. For more than
// [MaxItems] items, it matches [ErrTooMany].
func (s *Service) Add(ctx context.Context, req AddRequest) (Added, error) {
	if err := req.Validate(); err != nil {
		return Added{}, err
	}
	cmd, err := s.addCommand(ctx, req)
	if err != nil {
		return Added{}, err
	}
	if req.DryRun {
		return s.preview(ctx, req, cmd)
	}
	outcomes, err := s.store.AddToAllowlist(ctx, cmd)
	var repeat *idempotency.RepeatError
	switch {
	case errors.As(err, &repeat):
		return req.replay(cmd, repeat.Answer)
	case err != nil:
		return Added{}, err
	}
	return Added{Results: req.results(cmd, outcomes)}, nil
}

// addCommand returns the command of a valid request.
func (s *Service) addCommand(ctx context.Context, req AddRequest) (AddCommand, error) {
	at := s.clock()
	candidates, places := recognize(req.Items, at)
	if s.refuseBlocked {
		if err := s.checkCovers(ctx, candidates); err != nil {
			return AddCommand{}, err
		}
	}
	return AddCommand{
		OrganizationID: req.OrganizationID,
		GroupIDs:       groupIDs(req.Items),
		Candidates:     candidates,
		Places:         places,
		RefuseBlocked:  s.refuseBlocked,
		Status:         asset.StatusAllowed,
		At:             at,
		Origin: asset.Origin{
			Cause:     asset.CauseAllowlist,
			Actor:     req.Actor,
			Reference: organizationReference(req.OrganizationID),
		},
		Claim: req.claim(at),
	}, nil
}

// organizationReference returns the reference of changes that an allowlist makes.
func organizationReference(id int64) string {
	return fmt.Sprintf("organization/%d", id)
}

// results returns the results of the items after the command.
func (req AddRequest) results(cmd AddCommand, outcomes []Outcome) []Result {
	results := make([]Result, len(req.Items))
	for i, outcome := range cmd.itemOutcomes(outcomes) {
		results[i] = Result{Content: req.Items[i].Content, Outcome: outcome}
	}
	return results
}

// recognize returns the candidates of the items, each asset once, and the place of every
// item.
func recognize(items []Item, at time.Time) ([]Candidate, []Place) {
	var candidates []Candidate
	places := make([]Place, len(items))
	indexes := make(map[asset.Identity]int, len(items))
	for i, item := range items {
		candidate, err := item.candidate(at)
		if err != nil {
			places[i].Err = err
			continue
		}
		index, repeated := indexes[candidate.Identity]
		if !repeated {
			index = len(candidates)
			indexes[candidate.Identity] = index
			candidates = append(candidates, candidate)
		}
		places[i].Candidate = index
	}
	return candidates, places
}

// candidate returns the item with its asset, or why the item is refused. The content
// is checked before the group, and the group before the end.
func (item Item) candidate(at time.Time) (Candidate, error) {
	result, err := classify.Classify(item.Content)
	switch {
	case err != nil:
		return Candidate{}, err
	case item.GroupID != 0 && !asset.ValidID(item.GroupID):
		return Candidate{}, ErrInvalidGroupID
	case !validExpiry(item.ExpiresAt, at):
		return Candidate{}, ErrInvalidExpiry
	}
	item.Content = result.Content
	return Candidate{Identity: result.Identity, Item: item}, nil
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

// AddCommand is what [Store.AddToAllowlist] executes.
type AddCommand struct {
	OrganizationID int64
	// GroupIDs are the valid group IDs of all items, without duplicates. They include
	// those of refused items. All of these groups must belong to the organization.
	GroupIDs []int64
	// Candidates are the assets to add. Each has a different identity.
	Candidates []Candidate
	// Places has the place of each item of the request, for Record.
	Places        []Place
	RefuseBlocked bool
	// Status is the status that every added asset gets.
	Status asset.Status
	At     time.Time
	Origin asset.Origin
	// Claim is zero for a request without a key.
	Claim idempotency.Claim
}

// Place says which candidate an item of the request is.
type Place struct {
	// Candidate is the index of the candidate. Several items can have the same.
	Candidate int
	// Err, unless nil, refuses the item, which then has no candidate.
	Err error
}

// Candidate is an asset to add.
type Candidate struct {
	Identity asset.Identity
	// Item is the first item of the request with that asset, a valid GroupID and a valid
	// ExpiresAt. Its Content is not empty and has no outer white space.
	Item
	// CoverBlocks reports whether a cover of the asset other than itself, such as its domain,
	// makes it BLOCKED. It is set only if the command refuses BLOCKED assets.
	CoverBlocks bool
}

// Outcome is what [Store.AddToAllowlist] did with one [Candidate].
type Outcome struct {
	// AssetID is the ID of the asset, whether it was added or refused.
	AssetID int64
	// Err is nil if the asset was added, else [ErrExists] or [ErrBlocked].
	Err error
}

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

// Refusal returns [ErrExists] or [ErrBlocked] if the asset of a candidate must not be added, or
// nil. Its other arguments are the asset's status and whether the organization's allowlist
// already contains it. For an asset that does not exist, they are UNKNOWN or empty and false.
func (cmd AddCommand) Refusal(candidate Candidate, status asset.Status, listed bool) error {
	covered := candidate.CoverBlocks && status != asset.StatusAllowed // its own status decides first
	switch {
	case listed:
		return ErrExists
	case cmd.RefuseBlocked && (status == asset.StatusBlocked || covered):
		return ErrBlocked
	default:
		return nil
	}
}

// StatusOfNew returns the status that the asset of a candidate has after the command if it did
// not exist before.
func (cmd AddCommand) StatusOfNew(candidate Candidate) asset.Status {
	if cmd.Refusal(candidate, asset.StatusUnknown, false) != nil {
		return asset.StatusUnknown
	}
	return cmd.Status
}

// itemOutcomes yields the outcome of each item of the request, given those of the
// candidates. Only the first item with an asset can add it.
func (cmd AddCommand) itemOutcomes(outcomes []Outcome) iter.Seq2[int, Outcome] {
	return func(yield func(int, Outcome) bool) {
		added := make([]bool, len(outcomes))
		for i, place := range cmd.Places {
			outcome := Outcome{Err: place.Err}
			if place.Err == nil {
				outcome = outcomes[place.Candidate]
				if added[place.Candidate] {
					outcome.Err = ErrExists
				}
				added[place.Candidate] = outcome.Err == nil || added[place.Candidate]
			}
			if !yield(i, outcome) {
				return
			}
		}
	}
}
