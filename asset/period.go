package asset

import "time"

// Period is a span of time from Since (included) to Before (not included). A zero Since
// or Before leaves that end open.
type Period struct {
	Since  time.Time
	Before time.Time
}

// Contains reports whether t is within the period.
func (p Period) Contains(t time.Time) bool {
	return (p.Since.IsZero() || !t.Before(p.Since)) && (p.Before.IsZero() || t.Before(p.Before))
}

// Backwards reports whether Before is set but is not after Since. The period then
// contains no time.
func (p Period) Backwards() bool {
	return !p.Before.IsZero() && !p.Since.Before(p.Before)
}

// ParseDays parses the date filter of the changelog: the first and last day in UTC,
// written YYYY-MM-DD, both included. An empty text leaves that end open.
//
// The error is an [*InputError] that names startDate, endDate or both.
func ParseDays(startDate, endDate string) (Period, error) {
	var (
		period Period
		issues Issues
	)
	if startDate != "" {
		day, ok := parseDay(startDate)
		issues.Check(ok, "startDate", "must be an existing date, written YYYY-MM-DD")
		period.Since = day
	}
	if endDate != "" {
		day, ok := parseDay(endDate)
		issues.Check(ok, "endDate", "must be an existing date, written YYYY-MM-DD")
		period.Before = day.AddDate(0, 0, 1)
	}
	if len(issues) == 0 {
		issues.Check(!period.Backwards(), "startDate", "must not be after endDate")
	}
	return period, issues.Err()
}

// parseDay parses a date of the form YYYY-MM-DD and returns the start of that day in UTC.
// It returns false for any other form and for a date that does not exist, such as
// 2025-02-30 or a date in the year 0.
func parseDay(date string) (time.Time, bool) {
	day, err := time.Parse(time.DateOnly, date)
	return day, err == nil && day.Year() > 0
}
