package report

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// The limits of a page of reports.
const (
	// MaxLimit is the largest page.
	MaxLimit = 100
	// DefaultLimit is the page of a listing that asks for no size.
	DefaultLimit = 50
	// MaxDeprecatedLimit is the largest page of the deprecated listing, which the
	// specification keeps smaller.
	MaxDeprecatedLimit = 20
)

// Options are the optional parts of a [Service]. The zero value works.
type Options struct {
	// Clock tells the time of what is filed, reviewed, withdrawn or escalated, which
	// must not be the zero time. Nil means time.Now.
	Clock func() time.Time
}

// Service files, reviews and lists reports. It is safe for concurrent use when
// its store is.
type Service struct {
	store Store
	clock func() time.Time
}

// NewService returns a Service on the store.
func NewService(store Store, opts Options) *Service {
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	return &Service{store: store, clock: opts.Clock}
}

// FileRequest asks for a report to be filed.
type FileRequest struct {
	OrganizationID int64
	Title          string
	Description    string
	// BrandID and ReporterID are 0 when not known.
	BrandID    int64
	ReporterID int64
	// Proposals may be empty.
	Proposals []ProposalRequest
}

// ProposalRequest proposes a status for one asset.
type ProposalRequest struct {
	Content        string
	ProposedStatus asset.Status
}

// File stores a new report and returns it. Assets that are not known yet are
// registered as UNKNOWN.
//
// The error is an [*asset.InputError] that names every wrong field: an
// identifier out of range, text that cannot be stored, content that no rule
// recognizes, a status that does not exist, or the same asset proposed twice.
func (s *Service) File(ctx context.Context, req FileRequest) (Report, error) {
	filing := Filing{
		OrganizationID: req.OrganizationID,
		Title:          req.Title,
		Description:    req.Description,
		BrandID:        req.BrandID,
		ReporterID:     req.ReporterID,
		At:             asset.TruncateTime(s.clock()),
	}
	var issues asset.Issues
	issues.Check(asset.ValidID(req.OrganizationID), "organization", "must be an organization's id")
	issues.CheckText("title", req.Title)
	issues.CheckText("description", req.Description)
	issues.Check(req.BrandID == 0 || asset.ValidID(req.BrandID), "brandId", "must be a brand's id")
	issues.CheckUser("reporter", req.ReporterID)
	filing.Proposals = propose(req.Proposals, &issues)
	if err := issues.Err(); err != nil {
		return Report{}, err
	}
	return s.store.FileReport(ctx, filing)
}

// propose recognizes the asset of each proposal and notes what is wrong.
func propose(requests []ProposalRequest, issues *asset.Issues) []FiledProposal {
	proposals := make([]FiledProposal, 0, len(requests))
	seen := make(map[asset.Identity]bool, len(requests))
	for i, req := range requests {
		field := fmt.Sprintf("proposals[%d]", i)
		issues.Check(req.ProposedStatus.Valid(), field+".proposedStatus", "must be UNKNOWN, ALLOWED or BLOCKED")
		result, err := classify.Classify(req.Content)
		if err != nil {
			issues.AddCause(field+".content", err)
			continue
		}
		issues.Check(!seen[result.Identity], field+".content", "must not be proposed twice in a report")
		seen[result.Identity] = true
		proposals = append(proposals, FiledProposal{
			Identity:       result.Identity,
			Content:        strings.TrimSpace(req.Content),
			ProposedStatus: req.ProposedStatus,
		})
	}
	return proposals
}

// ListRequest asks for a page of an organization's reports.
type ListRequest struct {
	OrganizationID int64
	Filter         Filter
	// Cursor is the NextCursor of the page before, or 0 for the first page.
	Cursor int64
	// Limit is the size of the page, from 1 to [MaxLimit].
	Limit int
}

// Page is a part of a listing, newest report first.
type Page struct {
	Reports []Report
	// NextCursor continues the listing. It is 0 on the last page.
	NextCursor int64
}

// List returns a page of the organization's reports, by ID, descending.
//
// The error is an [*asset.InputError].
func (s *Service) List(ctx context.Context, req ListRequest) (Page, error) {
	if err := req.Validate(); err != nil {
		return Page{}, err
	}
	reports, err := s.store.Reports(ctx, req.OrganizationID, req.Filter, req.Cursor, req.Limit+1)
	if err != nil {
		return Page{}, err
	}
	if len(reports) <= req.Limit {
		return Page{Reports: reports}, nil
	}
	reports = reports[:req.Limit]
	return Page{Reports: reports, NextCursor: reports[req.Limit-1].ID}, nil
}

// Validate returns an [*asset.InputError] that names every wrong field.
func (req ListRequest) Validate() error {
	var issues asset.Issues
	issues.Check(asset.ValidID(req.OrganizationID), "organization", "must be an organization's id")
	issues.Check(1 <= req.Limit && req.Limit <= MaxLimit, "limit", fmt.Sprintf("must be from 1 to %d", MaxLimit))
	issues.Check(req.Cursor >= 0, "cursor", "must be a whole number from 1")
	return asset.JoinInput(issues.Err(), req.Filter.Validate())
}
