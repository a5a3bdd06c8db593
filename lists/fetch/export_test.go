package fetch

import (
	"context"
	"net/netip"
)

// SetPublic replaces the rule for addresses.
func (f *Fetcher) SetPublic(public func(netip.Addr) bool) { f.public = public }

// Round fetches all lists that are due.
func (f *Fetcher) Round(ctx context.Context) error { return f.round(ctx) }
