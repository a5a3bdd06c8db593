package report

import (
	"slices"
	"strings"

	"github.com/apguard/apguard/asset"
)

// SearchTerm returns the query after [asset.FoldCase], or "" if the query is blank. It keeps
// surrounding white space, which may be part of the text to find.
func SearchTerm(query string) string {
	if strings.TrimSpace(query) == "" {
		return ""
	}
	return asset.FoldCase(query)
}

func (f Filter) matchSearch(r Report) bool {
	term := SearchTerm(f.SearchQuery)
	return term == "" || contains(r.Title, term) || contains(r.Description, term) ||
		slices.ContainsFunc(r.Proposals, func(p Proposal) bool { return contains(p.Asset.Canonical, term) })
}

func (f Filter) matchReporter(r Reporter) bool {
	term := SearchTerm(f.ReporterQuery)
	return term == "" || contains(r.FullName, term) || contains(r.Email, term)
}

func contains(text, term string) bool {
	return strings.Contains(asset.FoldCase(text), term)
}
