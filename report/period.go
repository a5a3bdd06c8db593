package report

import (
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// ParseCreated parses the date filter of a list. Each end is a date, written YYYY-MM-DD,
// or a time in the format of RFC 3339. A date means the whole day in UTC. Both ends are
// included. If both texts are empty, it returns the zero Period.
//
// The error is an [*asset.InputError] that names startDate, endDate or both. If only one
// of the texts is empty, it is invalid.
func ParseCreated(startDate, endDate string) (asset.Period, error) {
	if startDate == "" && endDate == "" {
		return asset.Period{}, nil
	}
	start, startOK := parseMoment(startDate)
	end, endOK := parseMoment(endDate)
	period := asset.Period{Since: start.Since, Before: end.Before}

	var issues asset.Issues
	issues.Check(startOK, "startDate", dateMessage(startDate))
	issues.Check(endOK, "endDate", dateMessage(endDate))
	if startOK && endOK {
		issues.Check(!period.Backwards(), "startDate", "must not be after endDate")
	}
	return period, issues.Err()
}

// parseMoment returns the period that the text stands for. A date stands for the whole
// day, and a time for its millisecond.
func parseMoment(text string) (asset.Period, bool) {
	if day, err := asset.ParseDays(text, text); err == nil && text != "" {
		return day, true
	}
	moment, ok := asset.ParseTime(text)
	if !ok {
		return asset.Period{}, false
	}
	return asset.Period{Since: moment, Before: step.TruncateTime(moment).Add(time.Millisecond)}, true
}

func dateMessage(text string) string {
	if text == "" {
		return "is required when the other end of the period is given"
	}
	return "must be an existing date, written YYYY-MM-DD or as RFC 3339 has it"
}
