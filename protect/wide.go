package protect

import (
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// minExaminedSite is the minimum number of assets of a site that [Service.Wide] examines, however many sites there are.
const minExaminedSite = 100

// Wide says why nobody should allow an asset by accident: it is a whole host, and a status ALLOWED would let through
// what others put there, unless that is BLOCKED by itself.
type Wide struct {
	// Protection says why the host is protected, or is empty if it is not.
	Protection asset.ProtectionReason
	// BlockedBelow is the number of BLOCKED assets that the asset covers, as far as they were examined. They stay
	// BLOCKED.
	BlockedBelow int
}

// Wide returns those of the assets that are whole hosts, as [asset.WholeHost] says, and that are protected by the
// [Rule] or cover BLOCKED assets. What allowlists protect does not count, and neither does a public suffix, because it
// covers no domain below it.
//
// Of each site, it examines 10,000 assets, divided by the number of the sites, but at least 100. The error is that of
// the store.
func (s *Service) Wide(ctx context.Context, identities []asset.Identity) (map[asset.Identity]Wide, error) {
	wide := make(map[asset.Identity]Wide)
	hosts := make(map[asset.Identity]bool)
	sites := make(map[string]struct{})
	req := NearRequest{Blocked: true}
	for _, identity := range identities {
		if _, whole := asset.WholeHost(identity); !whole || hosts[identity] {
			continue
		}
		hosts[identity] = true
		sites[classify.Site(identity)] = struct{}{}
		req.Identities = append(req.Identities, identity)
		if why, protected := s.rule.Why(identity); protected && why.Reason != asset.ProtectedSuffix {
			wide[identity] = Wide{Protection: why.Reason}
		}
	}
	if len(hosts) == 0 {
		return wide, nil
	}
	req.Limit = max(maxExaminedSite/len(sites), minExaminedSite)
	blocked, err := s.store.AssetsNear(ctx, req)
	if err != nil {
		return nil, err
	}
	counted := make(map[asset.Identity]bool)
	for _, one := range blocked {
		if counted[one] {
			continue
		}
		counted[one] = true
		for _, cover := range classify.Covering(one) {
			if cover.Step > 0 && cover.Effect == classify.CoverDecides && hosts[cover.Identity] {
				above := wide[cover.Identity]
				above.BlockedBelow++
				wide[cover.Identity] = above
			}
		}
	}
	return wide, nil
}
