package allowlist

import (
	"context"
	"fmt"
	"time"

	"github.com/apguard/apguard/asset"
)

// MaxPage is the largest number of entries that one call of [Service.List]
// returns.
const MaxPage = 1000

// Options are the optional parts of a [Service]. The zero value works.
type Options struct {
	// RefuseBlocked refuses assets that are BLOCKED at the moment, with
	// ErrBlocked, instead of setting them to ALLOWED.
	RefuseBlocked bool
	// Clock tells the time at which assets are added. Nil means time.Now.
	Clock func() time.Time
}

// Service adds assets to allowlists and lists them. It is safe for concurrent
// use when its store is.
type Service struct {
	store         Store
	refuseBlocked bool
	clock         func() time.Time
}

// NewService returns a Service on the store.
func NewService(store Store, opts Options) *Service {
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	return &Service{store: store, refuseBlocked: opts.RefuseBlocked, clock: opts.Clock}
}

// Add puts the items of the request on the organization's allowlist and returns
// a result for each, in their order. Some may be added while others are refused;
// what is added is stored as one step, so that a crash leaves all of it or none.
//
// An error refuses the whole request, and nothing is stored: [ErrTooMany],
// [ErrGroupNotFound], or an [*asset.InputError] for a request without items or
// with text that cannot be stored.
func (s *Service) Add(ctx context.Context, req Request) ([]Result, error) {
	if err := req.validate(); err != nil {
		return nil, err
	}
	batch := sortOut(req.Items)
	outcomes, err := s.store.AddToAllowlist(ctx, Addition{
		OrganizationID: req.OrganizationID,
		GroupIDs:       groupIDs(req.Items),
		Candidates:     batch.candidates,
		RefuseBlocked:  s.refuseBlocked,
		At:             asset.TruncateTime(s.clock()),
		Origin: asset.Origin{
			Cause:     asset.CauseAllowlist,
			Actor:     req.Actor,
			Reference: fmt.Sprintf("organization/%d", req.OrganizationID),
		},
	})
	if err != nil {
		return nil, err
	}
	return batch.results(req.Items, outcomes), nil
}

// List returns the entries of an organization's allowlist in the order of their
// asset IDs: at most limit of those whose asset ID is above after. A page with
// fewer entries than limit is the last.
//
// The error is an [*asset.InputError] when the limit is not from 1 to [MaxPage], or
// the organization cannot be.
func (s *Service) List(ctx context.Context, organizationID, after int64, limit int) ([]Entry, error) {
	var issues asset.Issues
	issues.Check(asset.ValidID(organizationID), "organization", "must be an organization's id")
	checkPage(&issues, limit)
	if err := issues.Err(); err != nil {
		return nil, err
	}
	return s.store.AllowlistEntries(ctx, organizationID, after, limit)
}

// Holders returns the organizations that have the asset on their allowlist, in the
// order of their IDs: at most limit of those whose ID is above after. A page with
// fewer of them than limit is the last. It is for whoever runs the service: no
// organization may learn what another one allows.
//
// The error is an [*asset.InputError] when the limit is not from 1 to [MaxPage], or
// the asset cannot be.
func (s *Service) Holders(ctx context.Context, assetID, after int64, limit int) ([]Holder, error) {
	var issues asset.Issues
	issues.Check(asset.ValidID(assetID), "asset", "must be an asset's id")
	checkPage(&issues, limit)
	if err := issues.Err(); err != nil {
		return nil, err
	}
	return s.store.AllowlistHolders(ctx, assetID, after, limit)
}

func checkPage(issues *asset.Issues, limit int) {
	issues.Check(1 <= limit && limit <= MaxPage, "limit", fmt.Sprintf("must be from 1 to %d", MaxPage))
}

func (req Request) validate() error {
	if len(req.Items) > MaxItems {
		return ErrTooMany
	}
	var issues asset.Issues
	issues.Check(len(req.Items) > 0, "assets", fmt.Sprintf("must hold 1 to %d elements", MaxItems))
	issues.Check(asset.ValidID(req.OrganizationID), "organization", "must be an organization's id")
	issues.CheckUser("actor", req.Actor)
	for i, item := range req.Items {
		if !asset.ValidText(item.Name) || !asset.ValidText(item.Description) {
			issues.CheckText(fmt.Sprintf("assets[%d].name", i), item.Name)
			issues.CheckText(fmt.Sprintf("assets[%d].description", i), item.Description)
		}
	}
	return issues.Err()
}
