package client

import (
	"context"

	"github.com/apguard/apguard/asset"
)

// ReportRequest files a report of the key's organization.
type ReportRequest struct {
	Title       string `json:"title,omitzero"`
	Description string `json:"description,omitzero"`
	// Proposals are at most 100. Each names another asset.
	Proposals []ProposalRequest `json:"proposals"`
	// IdempotencyKey has 1 to 255 visible ASCII characters. If it is empty, the call has a key of its
	// own.
	IdempotencyKey string `json:"-"`
}

// ProposalRequest proposes a status for an asset.
type ProposalRequest struct {
	// Content is the asset, in any spelling.
	Content        string       `json:"content"`
	ProposedStatus asset.Status `json:"proposedStatus"`
}

// CreatedReport is a new report.
type CreatedReport struct {
	Report
	// Replayed reports whether the request was executed before, with the same key.
	Replayed bool `json:"-"`
}

func (r *CreatedReport) validate() error { return r.Report.validate() }

// CreateReport files a report of the key's organization. The reporter is the user of the key. The
// error matches [ErrNotFound] if the request was executed before, with the same key, and its report
// was removed since.
func (c *Client) CreateReport(ctx context.Context, req ReportRequest) (CreatedReport, error) {
	if req.Proposals == nil {
		req.Proposals = []ProposalRequest{}
	}
	call, err := write("/report/create", req.IdempotencyKey, req)
	if err != nil {
		return CreatedReport{}, err
	}
	return fetch(ctx, c.sender, call, func(r *response) CreatedReport { return CreatedReport{Replayed: isReplay(r)} })
}
