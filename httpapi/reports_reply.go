package httpapi

import (
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// The replies of the listings. The specification does not show a report; what is
// not known of one is null, so that every report has all fields.

type reportsReply struct {
	Reports    []reportReply `json:"reports"`
	NextCursor *int64        `json:"nextCursor"`
}

type reportReply struct {
	ID          int64           `json:"id"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Status      report.Status   `json:"status"`
	CreatedAt   string          `json:"createdAt"`
	UpdatedAt   string          `json:"updatedAt"`
	BrandID     *int64          `json:"brandId"`
	Reporter    *reporterReply  `json:"reporter"`
	Proposals   []proposalReply `json:"proposals"`
}

type reporterReply struct {
	ID         int64   `json:"id"`
	FullName   *string `json:"fullName"`
	Email      *string `json:"email"`
	Automation bool    `json:"automation"`
}

type proposalReply struct {
	ID             int64                `json:"id"`
	Asset          assetReply           `json:"asset"`
	ProposedStatus asset.Status         `json:"proposedStatus"`
	ReviewStatus   *report.ReviewStatus `json:"reviewStatus"`
	ReviewedBy     *int64               `json:"reviewedBy"`
	ReviewedAt     *string              `json:"reviewedAt"`
}

type assetReply struct {
	ID      int64        `json:"id"`
	Type    asset.Type   `json:"type"`
	Content string       `json:"content"`
	Status  asset.Status `json:"status"`
}

func newReportsReply(page report.Page) reportsReply {
	reply := reportsReply{
		Reports:    make([]reportReply, len(page.Reports)),
		NextCursor: known(page.NextCursor),
	}
	for i, r := range page.Reports {
		reply.Reports[i] = newReportReply(r)
	}
	return reply
}

func newReportReply(r report.Report) reportReply {
	reply := reportReply{
		ID:          r.ID,
		Title:       r.Title,
		Description: r.Description,
		Status:      r.Status,
		CreatedAt:   timestamp(r.CreatedAt),
		UpdatedAt:   timestamp(r.UpdatedAt),
		BrandID:     known(r.BrandID),
		Proposals:   make([]proposalReply, len(r.Proposals)),
	}
	if r.Reporter.ID != 0 {
		reply.Reporter = &reporterReply{
			ID:         r.Reporter.ID,
			FullName:   known(r.Reporter.FullName),
			Email:      known(r.Reporter.Email),
			Automation: r.Reporter.Automation,
		}
	}
	for i, p := range r.Proposals {
		reply.Proposals[i] = newProposalReply(p)
	}
	return reply
}

func newProposalReply(p report.Proposal) proposalReply {
	return proposalReply{
		ID: p.ID,
		Asset: assetReply{
			ID:      p.Asset.ID,
			Type:    p.Asset.Type,
			Content: p.Asset.Canonical,
			Status:  p.Asset.Status,
		},
		ProposedStatus: p.ProposedStatus,
		ReviewStatus:   known(p.ReviewStatus),
		ReviewedBy:     known(p.ReviewedBy),
		ReviewedAt:     knownTime(p.ReviewedAt),
	}
}

// known returns v, or null for the zero value, which stands for what is not known.
func known[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

func knownTime(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := timestamp(t)
	return &text
}
