package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// reportRow is a report. Its proposals are in the rows beside it, and of its reporter it
// has only the ID.
type reportRow struct {
	report    report.Report
	proposals []*proposalRow
}

// proposalRow is a proposal. Its asset is in the row beside it.
type proposalRow struct {
	proposal report.Proposal
	asset    *assetRow
	report   *reportRow
	reviews  []*reviewRow // ordered by ID
}

// FileReport implements [report.Store].
func (s *Store) FileReport(ctx context.Context, cmd report.FileCommand) (report.Report, error) {
	if err := s.beginWrite(ctx); err != nil {
		return report.Report{}, err
	}
	defer s.mu.Unlock()

	if s.tables.lastReport == asset.MaxID {
		return report.Report{}, errNoID
	}
	filed := cmd.Report()
	filed.ID = s.tables.lastReport + 1
	proposals := filed.Proposals
	filed.Proposals = nil
	row := s.tables.addReport(filed)
	for _, p := range proposals {
		p.ID = int64(len(s.tables.proposals)) + 1
		s.tables.addProposal(row, p, s.tables.register(p.Asset.Identity))
	}
	return s.tables.show(row), nil
}

// addReport adds a report without proposals after the others of its organization.
func (t *tables) addReport(r report.Report) *reportRow {
	row := &reportRow{report: r}
	t.reports = append(t.reports, row)
	t.reportsByOrganization[r.OrganizationID] = append(t.reportsByOrganization[r.OrganizationID], row)
	t.reportsByID[r.ID] = row
	t.lastReport = max(t.lastReport, r.ID)
	return row
}

func (t *tables) addProposal(row *reportRow, proposal report.Proposal, proposed *assetRow) {
	added := &proposalRow{proposal: proposal, asset: proposed, report: row}
	row.proposals = append(row.proposals, added)
	t.proposals[proposal.ID] = added
}

// show returns the report with its reporter and assets as they are now.
func (t *tables) show(row *reportRow) report.Report {
	shown := row.report
	if user, known := t.users[shown.Reporter.ID]; known {
		shown.Reporter = report.Reporter{
			ID:         user.ID,
			FullName:   user.FullName,
			Email:      user.Email,
			Automation: user.Automation,
		}
	}
	for _, p := range row.proposals {
		proposal := p.proposal
		proposal.Asset = p.asset.asset
		shown.Proposals = append(shown.Proposals, proposal)
	}
	return shown
}

// update stores the status and the time of update that follow from the report's
// proposals, and returns the report.
func (t *tables) update(row *reportRow, at time.Time) report.Report {
	updated := t.show(row).Updated(at)
	row.report.Status, row.report.UpdatedAt = updated.Status, updated.UpdatedAt
	return updated
}

// ReportByID implements [report.Store].
func (s *Store) ReportByID(ctx context.Context, scope report.Scope, id int64) (report.Report, error) {
	if err := s.beginRead(ctx); err != nil {
		return report.Report{}, err
	}
	defer s.mu.RUnlock()

	row, known := s.tables.reportOf(scope, id)
	if !known {
		return report.Report{}, report.ErrNotFound
	}
	return s.tables.show(row), nil
}

// reportOf returns the report with the ID if the scope contains it.
func (t *tables) reportOf(scope report.Scope, id int64) (*reportRow, bool) {
	row, known := t.reportsByID[id]
	return row, known && scope.Contains(row.report.OrganizationID)
}

// Reports implements [report.Store].
func (s *Store) Reports(ctx context.Context, req report.ListRequest) ([]report.Report, error) {
	if err := s.beginRead(ctx); err != nil {
		return nil, err
	}
	defer s.mu.RUnlock()

	rows := s.tables.reports
	if organizationID, one := req.Scope.OrganizationID(); one {
		rows = s.tables.reportsByOrganization[organizationID]
	}
	end := len(rows)
	if req.Cursor != 0 {
		end, _ = slices.BinarySearchFunc(rows, req.Cursor, func(row *reportRow, id int64) int {
			return cmp.Compare(row.report.ID, id)
		})
	}
	var page []report.Report
	for i := end - 1; i >= 0 && len(page) < req.Limit; i-- {
		if err := scanned(ctx, end-i); err != nil {
			return nil, err
		}
		if shown := s.tables.show(rows[i]); req.Filter.Match(shown) {
			page = append(page, shown)
		}
	}
	return page, nil
}
