package protect

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// maxExaminedSite is the maximum number of assets of a site that a [Service] examines for those on allowlists,
// besides the asset itself. Sites of shared hosts, such as those below github.io, have more.
const maxExaminedSite = 10_000

// Store is the storage that a [Service] needs. It may be called concurrently.
type Store interface {
	// AssetsNear returns the assets that the request selects and that have one of the identities, or the site of one,
	// as classify.Site returns it. Of the assets of each site, it examines at most req.Limit. They are in any order, and
	// may be repeated.
	AssetsNear(ctx context.Context, req NearRequest) ([]asset.Identity, error)
}

// NearRequest is the request of [Store].AssetsNear.
type NearRequest struct {
	// Identities has at least one.
	Identities []asset.Identity
	// Blocked selects the assets that are BLOCKED. Without it, the request selects those that an organization has on
	// its allowlist, with an entry that has not ended At.
	Blocked bool
	At      time.Time
	// Limit is positive.
	Limit int
}

// Service is the [asset.Protector] of a complete service. It protects what its [Rule] does, and each asset on an
// allowlist with the assets that cover it, whoever the organization is. It is safe for concurrent use if its store
// is.
type Service struct {
	store Store
	rule  Rule
}

// NewService returns a Service on the store.
func NewService(store Store, rule Rule) *Service { return &Service{store: store, rule: rule} }

// Protections implements [asset.Protector]. What is added to an allowlist at the same time does not count. Of a
// site with more than 10,000 assets, divided by the number of the sites of the identities, an asset below an
// identity may not be seen. The error is that of the store.
func (s *Service) Protections(ctx context.Context, identities []asset.Identity, at time.Time) (asset.Protections, error) {
	protections := make(asset.Protections)
	var rest []asset.Identity
	sites := make(map[string]struct{})
	for _, identity := range identities {
		if why, protected := s.rule.Why(identity); protected {
			protections[identity] = why
			continue
		}
		rest = append(rest, identity)
		sites[classify.Site(identity)] = struct{}{}
	}
	if len(rest) == 0 {
		return protections, nil
	}
	entries, err := s.store.AssetsNear(ctx, NearRequest{Identities: rest, At: at, Limit: maxExaminedSite / len(sites)})
	if err != nil || len(entries) == 0 {
		return protections, err
	}
	wanted := make(map[asset.Identity]bool, len(rest))
	for _, identity := range rest {
		wanted[identity] = true
	}
	for _, entry := range entries {
		for _, cover := range classify.Covering(entry) {
			if _, known := protections[cover.Identity]; wanted[cover.Identity] && !known && cover.Effect != classify.CoverWithholds {
				protections[cover.Identity] = asset.Protection{Reason: asset.ProtectedEntry, By: entry.Canonical}
			}
		}
	}
	return protections, nil
}
