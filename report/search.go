package report

import (
	"slices"
	"strings"
	"unicode"
)

// SearchTerm returns the query after [FoldCase], or "" if the query is blank. It keeps
// surrounding white space, which may be part of the text to find.
func SearchTerm(query string) string {
	if strings.TrimSpace(query) == "" {
		return ""
	}
	return FoldCase(query)
}

// FoldCase returns a form of the text that is the same for all texts that differ only in
// letter case, in any script. Letters that are equal under Unicode's simple case folding
// are replaced by the one with the smallest code point. Stores store the result together
// with the text that they search, because databases differ in how they ignore letter case.
func FoldCase(text string) string {
	return strings.Map(foldRune, text)
}

// foldRune returns the smallest of the runes that differ from r only in letter case.
func foldRune(r rune) rune {
	smallest := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		smallest = min(smallest, other)
	}
	return smallest
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
	return strings.Contains(FoldCase(text), term)
}
