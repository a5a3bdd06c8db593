// Package allowlist adds assets to the allowlists of organizations and removes them, up
// to 1,000 at once, and lists them.
//
// [Service.Add] implements the specification's "Organization asset batch add". Each asset of a request is
// added or refused by itself, and each refusal has a reason. Adding an asset makes it ALLOWED for every
// organization, because all organizations share the status of an asset. Even a BLOCKED asset becomes
// ALLOWED, unless RefuseBlocked of [Options] or of the [Item] is set. [Service.Remove] removes assets. What
// else is held on an asset then gives it its status; see [asset.Held].
package allowlist

import (
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/protect"
	"github.com/apguard/apguard/step"
)

// Entry is an asset on an organization's allowlist.
type Entry struct {
	// Asset is the asset with its current status. Other organizations and operators
	// may have changed the status since the asset was added.
	Asset asset.Asset `json:"asset"`
	// Content is the text that the organization submitted, without outer white space.
	// It is confidential to the organization.
	Content string `json:"content"`
	// Name and Description come from the organization. Both may be empty.
	Name        string `json:"name"`
	Description string `json:"description"`
	// GroupID is the organization's group, or 0 for none.
	GroupID int64 `json:"groupId,omitzero"`
	// AddedAt is in UTC, truncated to milliseconds.
	AddedAt time.Time `json:"addedAt"`
	// ExpiresAt is the end of the entry, or zero for none. It is in UTC, truncated to
	// milliseconds.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
}

// PageBytes implements [step.PageItem].
func (e Entry) PageBytes() int {
	return step.PageBytes(e.Asset.Canonical, e.Content, e.Name, e.Description)
}

// Options configures a [Service]. The zero value is ready to use.
type Options struct {
	// RefuseBlocked refuses with [ErrBlocked] what is BLOCKED: an asset with that status, and
	// one that is UNKNOWN while a cover of it, such as its domain, is BLOCKED. Without it they
	// become ALLOWED.
	RefuseBlocked bool
	// Protected says which hosts nobody should allow by accident, for dry runs. The zero value protects platforms and
	// popular hosts.
	Protected protect.Rule
	// ExternalLists are asked for the verdicts of dry runs, in this order.
	ExternalLists check.ExternalLists
	// Clock returns the current time. Nil means time.Now.
	Clock func() time.Time
}

// Service adds assets to allowlists, removes them and lists them. It is safe for concurrent use.
type Service struct {
	store Store
	// checks answers as a check does, and covers without the external lists.
	checks, covers *check.Service
	hosts          *protect.Service
	refuseBlocked  bool
	clock          func() time.Time
}

// NewService returns a Service that uses the store.
func NewService(store Store, opts Options) *Service {
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	return &Service{
		store:         store,
		checks:        check.NewService(store, check.Options{ExternalLists: opts.ExternalLists}),
		covers:        check.NewService(store, check.Options{}),
		hosts:         protect.NewService(store, opts.Protected),
		refuseBlocked: opts.RefuseBlocked,
		clock:         opts.Clock,
	}
}
