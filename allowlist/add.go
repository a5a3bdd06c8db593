package allowlist

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/protect"
)

// MaxItems is the maximum number of items of an [AddRequest] and of a [RemoveRequest].
const MaxItems = 1000

// AddRequest is the request of [Service.Add].
type AddRequest struct {
	// OrganizationID is an organization that exists.
	OrganizationID int64
	// Actor is the user who asks, or 0 if unknown. It is recorded with the changes
	// of status.
	Actor int64
	// Items are the assets, from 1 to [MaxItems].
	Items []Item
	// Idempotency is the key with which the request can be sent again; see package
	// idempotency. It belongs to OrganizationID and Actor. The zero key is none.
	Idempotency idempotency.Key
	// DryRun asks for the results without storing anything. The key is validated and
	// otherwise ignored.
	DryRun bool
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
		item.checkTexts(&issues, i)
	}
	issues.CheckIdempotency(req.Idempotency)
	return issues.Err()
}

// Added is the result of [Service.Add].
type Added struct {
	// Results has one result for each item, in the order of the items.
	Results []Result
	// Replayed reports whether the request was executed before, with the same key. The
	// results are those of the first time, without the statuses.
	Replayed bool
}

// Result is what [Service.Add] did with one [Item].
type Result struct {
	// Content is the item's content exactly as it was submitted.
	Content string
	// Outcome has the asset and the error. Besides the errors of [Outcome], Err can be that of
	// [classify.Classify], [ErrInvalidGroupID] or [ErrInvalidExpiry]. AssetID is then 0, and Status
	// empty.
	Outcome
	// Verdict is what a check says about the asset now, by the asset itself, its covers and
	// external lists. It is nil unless the request is a dry run, and for an item that is refused
	// before any store is asked, whose AssetID is 0.
	Verdict *check.Verdict
	// Wide says why nobody should add the asset by accident. It is nil unless the request is a dry run that would add
	// the asset, and for most assets; see [protect.Service.Wide].
	Wide *protect.Wide
}

// Outcome is what an [AddCommand] did with one entry.
type Outcome struct {
	// AssetID is the ID of the asset, whether it was added or refused. It is 0 on a dry run if
	// the asset does not exist.
	AssetID int64
	// Status is the status that the asset had before. It is empty if it did not exist.
	Status asset.Status
	// Err is nil if the asset was added, else [ErrExists] or [ErrBlocked].
	Err error
}

// Add adds the items of the request to the organization's allowlist. Some items can be
// added while others are refused. The additions are one atomic step: after a crash,
// either all of them are stored or none.
//
// If the request is a retry of one that succeeded with the same key, Add stores nothing and
// returns the results of the first one. If it is a dry run, Add stores nothing and returns
// the results that it would return otherwise, with the verdicts.
//
// If Add returns an error, the whole request is refused and nothing is stored. The
// error is an [*asset.InputError], [account.ErrOrganizationNotFound], a [*GroupNotFoundError],
// [idempotency.ErrReused] or [idempotency.ErrInProgress], or it comes from the store or the
// context. For more than [MaxItems] items, it matches [ErrTooMany].
func (s *Service) Add(ctx context.Context, req AddRequest) (Added, error) {
	if err := req.Validate(); err != nil {
		return Added{}, err
	}
	cmd, err := s.addCommand(ctx, req)
	if err != nil {
		return Added{}, err
	}
	outcomes, err := s.store.AddToAllowlist(ctx, cmd)
	var replay *idempotency.ReplayError
	switch {
	case errors.As(err, &replay):
		return req.replay(cmd, replay.Answer)
	case err != nil:
		return Added{}, err
	}
	var (
		verdicts []check.Result
		wide     map[asset.Identity]protect.Wide
	)
	if req.DryRun && len(cmd.Entries) > 0 {
		if verdicts, err = s.checks.CheckAssets(ctx, cmd.Identities()); err != nil {
			return Added{}, err
		}
		if wide, err = s.hosts.Wide(ctx, cmd.Identities()); err != nil {
			return Added{}, err
		}
	}
	results := make([]Result, len(req.Items))
	for i, item := range req.Items {
		place := cmd.Places[i]
		results[i] = Result{Content: item.Content, Outcome: outcomeAt(place, outcomes)}
		if !req.DryRun || place.Err != nil {
			continue
		}
		results[i].Verdict = &verdicts[place.Index].Verdict
		if one, is := wide[cmd.Entries[place.Index].Asset.Identity]; is && results[i].Err == nil {
			results[i].Wide = &one
		}
	}
	return Added{Results: results}, nil
}

// addCommand returns the command of a valid request.
func (s *Service) addCommand(ctx context.Context, req AddRequest) (AddCommand, error) {
	at := s.clock()
	batch := entriesOf(req.Items, at)
	cmd := AddCommand{
		OrganizationID: req.OrganizationID,
		GroupIDs:       groupIDs(req.Items),
		Entries:        batch.Unique,
		Places:         batch.Places,
		DryRun:         req.DryRun,
		At:             at,
		Origin: asset.Origin{
			Cause:     asset.CauseAllowlist,
			Actor:     req.Actor,
			Reference: organizationReference(req.OrganizationID),
		},
	}
	if !req.DryRun {
		cmd.Claim = req.Idempotency.Claim("allowlist.add", req.OrganizationID, req.Actor, at, req.fields)
	}
	var err error
	cmd.RefuseBlocked = s.conditional(req.Items, batch)
	cmd.CoverBlocks, err = s.coverBlocks(ctx, cmd)
	return cmd, err
}

// organizationReference returns the reference of changes that an allowlist makes.
func organizationReference(id int64) string {
	return fmt.Sprintf("organization/%d", id)
}

// AddCommand is what [Store.AddToAllowlist] executes.
type AddCommand struct {
	OrganizationID int64
	// GroupIDs are the valid group IDs of all items, without duplicates. They include
	// those of refused items. All of these groups must belong to the organization.
	GroupIDs []int64
	// Entries are the entries to add, without the time. Each has a different asset, with only its
	// identity, and ends after At or never.
	Entries []Entry
	// Places has the place of each item of the request in Entries, for Record.
	Places []asset.Place
	// RefuseBlocked has the assets that are refused if they are BLOCKED. CoverBlocks has those of them
	// that another asset makes BLOCKED.
	RefuseBlocked map[asset.Identity]bool
	CoverBlocks   map[asset.Identity]bool
	// DryRun makes the store return the outcomes and store nothing.
	DryRun bool
	// At is the time of the additions, and Origin the origin of the changes to ALLOWED.
	At     time.Time
	Origin asset.Origin
	// Claim is zero for a request without a key.
	Claim idempotency.Claim
}

// Identities returns the identities of the assets of the entries.
func (cmd AddCommand) Identities() []asset.Identity {
	identities := make([]asset.Identity, len(cmd.Entries))
	for i, entry := range cmd.Entries {
		identities[i] = entry.Asset.Identity
	}
	return identities
}
