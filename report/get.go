package report

import "context"

// Get returns the report with the ID. The error is an [*asset.InputError] if the scope
// is invalid, or [ErrNotFound] if the scope does not contain the report.
func (s *Service) Get(ctx context.Context, scope Scope, id int64) (Report, error) {
	if err := scope.Validate(); err != nil {
		return Report{}, err
	}
	return s.store.ReportByID(ctx, scope, id)
}
