package memory

import (
	"cmp"
	"context"
	"slices"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// reportRow is a report. What belongs to other rows is not in it: of the
// reporter it has the ID alone, and the proposals stand beside it.
type reportRow struct {
	report    report.Report
	proposals []*proposalRow
}

// proposalRow is a proposal; its asset and its reviews stand beside it.
type proposalRow struct {
	proposal report.Proposal
	asset    *assetRow
	report   *reportRow
	reviews  []*reviewRow // ordered by ID
	effect   report.Effect
}

// FileReport implements [report.Store].
func (s *Store) FileReport(ctx context.Context, filing report.Filing) (report.Report, error) {
	if err := s.beginWrite(ctx); err != nil {
		return report.Report{}, err
	}
	defer s.mu.Unlock()

	if s.tables.lastReport == asset.MaxID {
		return report.Report{}, errNoID
	}
	at := asset.TruncateTime(filing.At)
	row := s.tables.addReport(report.Report{
		ID:             s.tables.lastReport + 1,
		OrganizationID: filing.OrganizationID,
		Title:          filing.Title,
		Description:    filing.Description,
		Status:         report.StatusTodo,
		BrandID:        filing.BrandID,
		Reporter:       report.Reporter{ID: filing.ReporterID},
		CreatedAt:      at,
		UpdatedAt:      at,
	})
	for _, filed := range filing.Proposals {
		proposal := report.Proposal{ID: int64(len(s.tables.proposals)) + 1, ProposedStatus: filed.ProposedStatus}
		s.tables.addProposal(row, proposal, s.tables.register(filed.Identity))
	}
	return s.tables.show(row), nil
}

// addReport adds a report without proposals, at the end of its organization's.
func (t *tables) addReport(r report.Report) *reportRow {
	row := &reportRow{report: r}
	t.reports[r.OrganizationID] = append(t.reports[r.OrganizationID], row)
	t.reportsByID[r.ID] = row
	t.lastReport = max(t.lastReport, r.ID)
	return row
}

func (t *tables) addProposal(row *reportRow, proposal report.Proposal, proposed *assetRow) {
	added := &proposalRow{proposal: proposal, asset: proposed, report: row}
	row.proposals = append(row.proposals, added)
	t.proposals[proposal.ID] = added
}

// show returns the report as its reporter and its assets are now.
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

// ReportByID implements [report.Store].
func (s *Store) ReportByID(ctx context.Context, organizationID, id int64) (report.Report, error) {
	if err := s.beginRead(ctx); err != nil {
		return report.Report{}, err
	}
	defer s.mu.RUnlock()

	row, known := s.tables.reportOf(organizationID, id)
	if !known {
		return report.Report{}, report.ErrNotFound
	}
	return s.tables.show(row), nil
}

// reportOf returns the report with that identifier, if the organization has it.
func (t *tables) reportOf(organizationID, id int64) (*reportRow, bool) {
	row, known := t.reportsByID[id]
	return row, known && report.Visible(row.report.OrganizationID, organizationID)
}

// Reports implements [report.Store].
func (s *Store) Reports(ctx context.Context, organizationID int64, filter report.Filter, cursor int64, limit int) ([]report.Report, error) {
	if err := s.beginRead(ctx); err != nil {
		return nil, err
	}
	defer s.mu.RUnlock()

	rows := s.tables.reports[organizationID]
	end := len(rows)
	if cursor != 0 {
		end, _ = slices.BinarySearchFunc(rows, cursor, func(row *reportRow, id int64) int {
			return cmp.Compare(row.report.ID, id)
		})
	}
	var page []report.Report
	for i := end - 1; i >= 0 && len(page) < limit; i-- {
		if err := scanned(ctx, end-i); err != nil {
			return nil, err
		}
		if shown := s.tables.show(rows[i]); filter.Match(shown) {
			page = append(page, shown)
		}
	}
	return page, nil
}
