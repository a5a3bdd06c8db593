package allowlist

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/classify"
)

// clearSteps is the number of steps of a call of [Service.Clear]. Each removes at most [MaxItems] entries.
const clearSteps = 10

// ClearRequest is the request of [Service.Clear].
type ClearRequest struct {
	// OrganizationID is that of the allowlist. The organization may be deactivated or removed.
	OrganizationID int64
	// Filter selects the entries. The zero Filter selects all. Its prefix has at most [classify.MaxContent] bytes.
	Filter Filter
	// Cursor is the NextCursor of the previous call, or 0 for the first one.
	Cursor int64
	// DryRun asks what would be removed. Nothing is stored.
	DryRun bool
}

// Validate returns an [*asset.InputError] that names every invalid field.
func (req ClearRequest) Validate() error {
	var issues asset.Issues
	issues.Check(len(req.Filter.Prefix) <= classify.MaxContent, "prefix", fmt.Sprintf("must be at most %d bytes long", classify.MaxContent))
	return asset.JoinInput(issues.Err(), req.list().Validate())
}

// list returns the request for the entries of a step.
func (req ClearRequest) list() ListRequest {
	return ListRequest{OrganizationID: req.OrganizationID, Filter: req.Filter, Cursor: req.Cursor, Limit: MaxItems}
}

// Cleared is the result of [Service.Clear].
type Cleared struct {
	// Removed is the number of entries that were removed, or would be.
	Removed int
	// Changed is the number of assets whose status became, or would become, another one.
	Changed int
	// NextCursor is where the next call continues. It is 0 if this one was the last.
	NextCursor int64
}

// Clear removes entries of an organization's allowlist, as [Service.Remove] does, but for operators and not all
// at once: a call examines at most ten pages of [Service.List] in atomic steps of at most [MaxItems] entries.
// The changes have the operator of ctx as their actor; see [audit.WithActor]. The first removal of a call is recorded
// in the audit trail. Removed entries cannot be restored.
//
// A call that is repeated removes nothing more. An entry that the organization adds again while Clear runs may be
// removed, even if the filter no longer selects it.
//
// Clear returns what it has removed, even if it fails. The error is an [*asset.InputError] if the request is invalid.
func (s *Service) Clear(ctx context.Context, req ClearRequest) (Cleared, error) {
	if err := req.Validate(); err != nil {
		return Cleared{}, err
	}
	at := s.clock()
	cmd := RemoveCommand{
		OrganizationID: req.OrganizationID,
		At:             at,
		Origin:         removalOrigin(req.OrganizationID, audit.ActorOf(ctx).UserID),
		DryRun:         req.DryRun,
		Audit:          audit.New(ctx, at, audit.KindOrganization, audit.ActionCleared).On(req.OrganizationID),
	}
	cmd.Audit.Detail = req.Filter.detail()
	result := Cleared{NextCursor: req.Cursor}
	for range clearSteps {
		page, err := s.store.AllowlistEntries(ctx, req.list(), at)
		if err != nil {
			return result, err
		}
		removed, err := s.removeEntries(ctx, cmd, page.Entries)
		if err != nil {
			return result, err
		}
		if len(removed) > 0 {
			cmd.Audit = audit.Entry{}
		}
		result.add(removed)
		result.NextCursor, req.Cursor = page.NextCursor, page.NextCursor
		if page.NextCursor == 0 {
			break
		}
	}
	return result, nil
}

// removeEntries is a step of Clear.
func (s *Service) removeEntries(ctx context.Context, cmd RemoveCommand, entries []Entry) ([]RemovedEntry, error) {
	if len(entries) == 0 {
		return nil, nil
	}
	for _, entry := range entries {
		cmd.AssetIDs = append(cmd.AssetIDs, entry.Asset.ID)
	}
	return s.store.RemoveFromAllowlist(ctx, cmd)
}

func (c *Cleared) add(removed []RemovedEntry) {
	c.Removed += len(removed)
	for _, one := range removed {
		if one.From != one.To {
			c.Changed++
		}
	}
}

// detail describes the filter for the audit trail.
func (f Filter) detail() string {
	var parts []string
	if f.Status != "" {
		parts = append(parts, "status="+string(f.Status))
	}
	if f.GroupID != 0 {
		parts = append(parts, fmt.Sprintf("group=%d", f.GroupID))
	}
	if f.Prefix != "" {
		parts = append(parts, "prefix="+f.Prefix)
	}
	if !f.AddedSince.IsZero() {
		parts = append(parts, "addedSince="+f.AddedSince.UTC().Format(time.RFC3339Nano))
	}
	if !f.AddedBefore.IsZero() {
		parts = append(parts, "addedBefore="+f.AddedBefore.UTC().Format(time.RFC3339Nano))
	}
	return strings.Join(parts, " ")
}
