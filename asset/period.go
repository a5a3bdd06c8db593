package asset

import "time"

// Period is a span of time from Since, included, to Before, not included. The
// zero value of either leaves that end open.
type Period struct {
	Since  time.Time
	Before time.Time
}

// Contains reports whether t lies within the period.
func (p Period) Contains(t time.Time) bool {
	return (p.Since.IsZero() || !t.Before(p.Since)) && (p.Before.IsZero() || t.Before(p.Before))
}

// Backwards reports whether the period ends before it begins, so that no moment
// can lie within it.
func (p Period) Backwards() bool {
	return !p.Before.IsZero() && !p.Since.Before(p.Before)
}

// ParseDays reads the two ends of the changelog's date filter: whole days in
// UTC, written YYYY-MM-DD, both included. An empty text leaves its end open.
//
// The error is an [*InputError] that names startDate, endDate or both.
func ParseDays(startDate, endDate string) (Period, error) {
	var (
		period Period
		issues Issues
	)
	if startDate != "" {
		day, ok := ParseDay(startDate)
		issues.Check(ok, "startDate", "must be an existing date, written YYYY-MM-DD")
		period.Since = day
	}
	if endDate != "" {
		day, ok := ParseDay(endDate)
		issues.Check(ok, "endDate", "must be an existing date, written YYYY-MM-DD")
		period.Before = day.AddDate(0, 0, 1)
	}
	if len(issues) == 0 {
		issues.Check(!period.Backwards(), "startDate", "must not be after endDate")
	}
	return period, issues.Err()
}

// ParseDay reads a date of the form YYYY-MM-DD and returns the moment in UTC at
// which that day begins. It reports false for any other form and for a date
// that the calendar does not have, such as 2025-02-30 or anything in a year 0.
func ParseDay(date string) (time.Time, bool) {
	day, err := time.Parse(time.DateOnly, date)
	return day, err == nil && day.Year() > 0
}
