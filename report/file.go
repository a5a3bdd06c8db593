package report

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/step"
)

// The limits of a report.
const (
	// MaxTitle and MaxDescription are the maximum lengths of the texts, in bytes.
	MaxTitle       = 500
	MaxDescription = 10_000
	// MaxProposals is the maximum number of proposals.
	MaxProposals = 100
)

// FileRequest is the request of [Service.File].
type FileRequest struct {
	OrganizationID int64
	// Title and Description may be empty. They have at most [MaxTitle] and
	// [MaxDescription] bytes.
	Title       string
	Description string
	// BrandID and ReporterID are 0 if they are unknown.
	BrandID    int64
	ReporterID int64
	// Proposals may be empty. There are at most [MaxProposals].
	Proposals []ProposalRequest
	// Idempotency is the key with which the request can be sent again; see package
	// idempotency. The zero key is none. It belongs to the organization and the reporter.
	Idempotency idempotency.Key
}

// ProposalRequest proposes a status for the asset that the content names.
type ProposalRequest struct {
	Content        string
	ProposedStatus asset.Status
}

// Validate returns an [*asset.InputError] that names every invalid field: an ID out of
// range, text that is too long or cannot be stored, too many proposals, content that no rule
// recognizes, an unknown status, a second proposal for the same asset, or an invalid key. It does not check
// that the organization, the brand and the reporter exist.
func (req FileRequest) Validate() error {
	_, err := req.command(time.Time{})
	return err
}

// Filed is the result of [Service.File].
type Filed struct {
	// Report is the new report.
	Report
	// Replayed reports whether the request was executed before, with the same key. The report
	// is as it was then, apart from the names and texts that it shows.
	Replayed bool
}

// File stores a new report and returns it. Assets that do not exist are registered as
// UNKNOWN. An organization may report the same asset any number of times.
//
// The error is an [*asset.InputError]. With a key, it can be [idempotency.ErrReused] or
// [idempotency.ErrInProgress], or [ErrNotFound] if the report of the first time was pruned.
func (s *Service) File(ctx context.Context, req FileRequest) (Filed, error) {
	cmd, err := req.command(s.clock())
	if err != nil {
		return Filed{}, err
	}
	filed, err := s.store.FileReport(ctx, cmd)
	filed, replayed, err := orReplay(ctx, s.store, nil, InOrganization(req.OrganizationID), filed, err)
	return Filed{Report: filed, Replayed: replayed}, err
}

func (req FileRequest) command(at time.Time) (FileCommand, error) {
	var issues asset.Issues
	issues.CheckID("organizationId", req.OrganizationID)
	issues.CheckTextLength("title", req.Title, MaxTitle)
	issues.CheckTextLength("description", req.Description, MaxDescription)
	issues.Check(req.BrandID == 0 || asset.ValidID(req.BrandID), "brandId", "must be a brand's id")
	issues.CheckUser("reporterId", req.ReporterID)
	proposals := recognize(req.Proposals, &issues)
	issues.CheckIdempotency(req.Idempotency)
	return FileCommand{
		OrganizationID: req.OrganizationID,
		Title:          req.Title,
		Description:    req.Description,
		BrandID:        req.BrandID,
		ReporterID:     req.ReporterID,
		Proposals:      proposals,
		At:             at,
		Claim:          claim(req.Idempotency, "report.file", InOrganization(req.OrganizationID), req.ReporterID, at, req.fields),
	}, issues.Err()
}

// fields returns the fields of the request for a fingerprint.
func (req FileRequest) fields() []string {
	fields := append(make([]string, 0, 3+2*len(req.Proposals)), req.Title, req.Description, strconv.FormatInt(req.BrandID, 10))
	for _, p := range req.Proposals {
		fields = append(fields, p.Content, string(p.ProposedStatus))
	}
	return fields
}

// recognize returns the proposals with the identities of their assets, and adds an
// issue for each invalid one. It looks at none if there are too many.
func recognize(requests []ProposalRequest, issues *asset.Issues) []ProposedAsset {
	if len(requests) > MaxProposals {
		issues.Add("proposals", fmt.Sprintf("must hold at most %d elements", MaxProposals))
		return nil
	}
	proposals := make([]ProposedAsset, 0, len(requests))
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
		proposals = append(proposals, ProposedAsset{
			Identity:       result.Identity,
			Content:        result.Content,
			ProposedStatus: req.ProposedStatus,
		})
	}
	return proposals
}

// FileCommand is a valid report to store.
type FileCommand struct {
	OrganizationID int64
	Title          string
	Description    string
	// BrandID and ReporterID are 0 if they are unknown.
	BrandID    int64
	ReporterID int64
	// No two Proposals have the same Identity.
	Proposals []ProposedAsset
	At        time.Time
	// Claim is zero for a request without a key.
	Claim idempotency.Claim
}

// ProposedAsset is a proposal of a [FileCommand].
type ProposedAsset struct {
	Identity       asset.Identity
	Content        string
	ProposedStatus asset.Status
}

// Record returns the record that the store keeps with the new report if cmd.Claim is not zero.
func (cmd FileCommand) Record(filed Report) idempotency.Record { return record(cmd.Claim, filed) }

// Report returns the new report without the data that the store adds. The store adds the
// IDs of the report and its proposals, the ID and status of each asset, and the reporter's
// name, e-mail address and automation flag.
func (cmd FileCommand) Report() Report {
	r := Report{
		OrganizationID: cmd.OrganizationID,
		Title:          cmd.Title,
		Description:    cmd.Description,
		BrandID:        cmd.BrandID,
		Reporter:       Reporter{ID: cmd.ReporterID},
		CreatedAt:      step.TruncateTime(cmd.At),
	}
	for _, p := range cmd.Proposals {
		r.Proposals = append(r.Proposals, Proposal{
			Asset:          asset.Asset{Identity: p.Identity},
			Content:        p.Content,
			ProposedStatus: p.ProposedStatus,
		})
	}
	return r.Updated(cmd.At)
}
