package memory

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// reportRow is a report with its proposals. The report itself has no proposals, and only
// the ID of its reporter.
type reportRow struct {
	report    report.Report
	proposals []*proposalRow
}

// proposalRow is a proposal with its reviews. The Asset of the proposal is outdated.
type proposalRow struct {
	proposal report.Proposal
	asset    *assetRow
	report   *reportRow
	reviews  []*reviewRow // ordered by ID
}

// FileReport implements [report.Store].
func (s *Store) FileReport(ctx context.Context, cmd report.FileCommand) (report.Report, error) {
	return writeOnce(ctx, s, cmd.Claim, cmd.Record, func(t *tables) (report.Report, error) {
		if t.lastReport == asset.MaxID {
			return report.Report{}, errNoID
		}
		filed := cmd.Report()
		filed.ID = t.lastReport + 1
		row := t.addReport(filed)
		for _, proposal := range filed.Proposals {
			proposal.ID = t.lastProposal + 1
			t.addProposal(row, proposal, t.register(proposal.Asset.Identity))
		}
		return t.fullReport(row), nil
	})
}

// addReport adds a report without its proposals. Its ID must be above those of the other
// reports.
func (t *tables) addReport(r report.Report) *reportRow {
	r.Proposals = nil
	row := &reportRow{report: r}
	t.reports[r.ID] = row
	t.reportsByID = append(t.reportsByID, row)
	t.reportsByOrganization[r.OrganizationID] = append(t.reportsByOrganization[r.OrganizationID], row)
	t.lastReport = r.ID
	return row
}

func (t *tables) addProposal(row *reportRow, proposal report.Proposal, proposed *assetRow) {
	added := &proposalRow{proposal: proposal, asset: proposed, report: row}
	row.proposals = append(row.proposals, added)
	t.proposals[proposal.ID] = added
	t.lastProposal = max(t.lastProposal, proposal.ID)
}

// fullReport returns the report with its proposals, and with its reporter and assets as
// they are now.
func (t *tables) fullReport(row *reportRow) report.Report {
	full := row.report
	if user, known := t.users[full.Reporter.ID]; known {
		full.Reporter = report.Reporter{
			ID:         user.ID,
			FullName:   user.FullName,
			Email:      user.Email,
			Automation: user.Automation,
		}
	}
	for _, p := range row.proposals {
		proposal := p.proposal
		proposal.Asset = p.asset.Asset
		full.Proposals = append(full.Proposals, proposal)
	}
	return full
}

// updateReport updates the report after its proposals were reviewed, and returns it.
func (t *tables) updateReport(row *reportRow, at time.Time) report.Report {
	updated := t.fullReport(row).Updated(at)
	row.report.Status, row.report.UpdatedAt = updated.Status, updated.UpdatedAt
	return updated
}

// ReportByID implements [report.Store].
func (s *Store) ReportByID(ctx context.Context, scope report.Scope, id int64) (report.Report, error) {
	return read(ctx, s, func(t *tables) (report.Report, error) {
		row, err := t.reportIn(scope, id)
		if err != nil {
			return report.Report{}, err
		}
		return t.fullReport(row), nil
	})
}

// Proposal implements [report.ReviewStore].
func (s *Store) Proposal(ctx context.Context, scope report.Scope, id int64) (report.Proposal, error) {
	return read(ctx, s, func(t *tables) (report.Proposal, error) {
		row, err := t.proposalIn(scope, id)
		if err != nil {
			return report.Proposal{}, err
		}
		proposal := row.proposal
		proposal.Asset = row.asset.Asset
		return proposal, nil
	})
}

// reportIn returns the report with the ID, or ErrNotFound if the scope does not contain it.
func (t *tables) reportIn(scope report.Scope, id int64) (*reportRow, error) {
	row, known := t.reports[id]
	if !known || !scope.Contains(row.report.OrganizationID) {
		return nil, report.ErrNotFound
	}
	return row, nil
}

// proposalIn returns the proposal with the ID, or ErrProposalNotFound if the scope does not
// contain it.
func (t *tables) proposalIn(scope report.Scope, id int64) (*proposalRow, error) {
	row, known := t.proposals[id]
	if !known || !scope.Contains(row.report.report.OrganizationID) {
		return nil, report.ErrProposalNotFound
	}
	return row, nil
}
