package report

import (
	"regexp"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
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

// rfc3339 is the format of RFC 3339, section 5.6. time.Parse accepts more, such as an
// hour of one digit.
var rfc3339 = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// parseMoment returns the period that the text stands for. A date stands for the whole
// day, and a time for its millisecond.
func parseMoment(text string) (asset.Period, bool) {
	if day, err := asset.ParseDays(text, text); err == nil && text != "" {
		return day, true
	}
	text = strings.ToUpper(text) // RFC 3339 allows t and z
	moment, err := time.Parse(time.RFC3339, text)
	if err != nil || !rfc3339.MatchString(text) || moment.UTC().Year() < 1 {
		return asset.Period{}, false
	}
	return asset.Period{Since: moment, Before: asset.TruncateTime(moment).Add(time.Millisecond)}, true
}

func dateMessage(text string) string {
	if text == "" {
		return "is required when the other end of the period is given"
	}
	return "must be an existing date, written YYYY-MM-DD or as RFC 3339 has it"
}
