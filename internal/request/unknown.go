package request

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/apguard/apguard/asset"
)

// nameRule has the names of the fields of an object or a query, and decides about other names.
type nameRule struct {
	fields []string
	// open ignores unknown names, as the operations of the specification do. Those that are
	// nearly a field are refused all the same: the caller would not learn that the field is
	// ignored.
	open bool
	// contents is the path to the contents of a batch. A malformed string there refuses only its
	// element. See [withoutMalformed].
	contents []string
}

// checkNames adds an issue for each name that the rule refuses. It stops after too many issues.
func (r nameRule) checkNames(issues *asset.Issues, names ...string) {
	for _, name := range names {
		if message := r.refusal(name); message != "" && len(*issues) <= MaxIssues {
			issues.Add(shortened(name), message)
		}
	}
}

// refusal returns the issue of a name, or an empty string.
func (r nameRule) refusal(name string) string {
	if slices.Contains(r.fields, name) {
		return ""
	}
	for _, field := range r.fields {
		if nearlyEqual(name, field) {
			return "unknown field, did you mean " + field + "?"
		}
	}
	if r.open {
		return ""
	}
	return "unknown field"
}

// nearlyEqual reports whether two names differ only in letter case, "_" and "-".
func nearlyEqual(a, b string) bool {
	return strings.EqualFold(withoutMarks(a), withoutMarks(b))
}

func withoutMarks(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "_", ""), "-", "")
}

// queryIssues returns the issues of the parameters that the rule refuses, in the order of their
// names.
func (r nameRule) queryIssues(parameters url.Values) asset.Issues {
	var issues asset.Issues
	r.checkNames(&issues, slices.Sorted(maps.Keys(parameters))...)
	return issues
}
