package webhook

import (
	"fmt"
	"slices"

	"github.com/apguard/apguard/asset"
)

// Filter selects events. A change must match both fields, and an event of a dispute the first one. An
// empty field matches every event. Acts match every filter.
type Filter struct {
	// Types are the types of the assets.
	Types []asset.Type `json:"types,omitzero"`
	// Statuses are the statuses after the change.
	Statuses []asset.Status `json:"statuses,omitzero"`
}

// Matches reports whether the filter selects the change.
func (f Filter) Matches(change asset.Change) bool {
	return f.MatchesType(change.Type) && (len(f.Statuses) == 0 || slices.Contains(f.Statuses, change.To))
}

// MatchesType reports whether the filter selects events of assets of the type.
func (f Filter) MatchesType(kind asset.Type) bool {
	return len(f.Types) == 0 || slices.Contains(f.Types, kind)
}

// check adds issues for values that are unknown or repeated.
func (f Filter) check(issues *asset.Issues) {
	checkEach(issues, "filter.types", f.Types, asset.Type.Valid)
	checkEach(issues, "filter.statuses", f.Statuses, asset.Status.Valid)
}

// checkEach adds an issue for the first value that is unknown or repeated.
func checkEach[T comparable](issues *asset.Issues, field string, values []T, valid func(T) bool) {
	for i, value := range values {
		at := fmt.Sprintf("%s[%d]", field, i)
		switch {
		case !valid(value):
			issues.Add(at, "unknown value")
			return
		case slices.Contains(values[:i], value):
			issues.Add(at, "must not be repeated")
			return
		}
	}
}
