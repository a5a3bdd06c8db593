package storagetest

import (
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
)

func reportFilterChecks() []requirement {
	return []requirement{
		{"pages find matching reports with distant IDs", needs("Import", sparseMatches)},
		{"the oldest reports first are the newest first in reverse, each with its proposals in order", func(p *probe) {
			for i := range 5 {
				p.file(fileCommand("report", i, i+1, i+2))
			}
			want := p.reports(1, report.Filter{})
			slices.Reverse(want)
			require.Equal(p, want, p.reportPage(report.ListRequest{Scope: report.InOrganization(1), OldestFirst: true, Limit: noLimit}).Reports)
		}},
		{"a search ignores letter case in every script", searchCases},
		{"a search does not match across two fields", func(p *probe) {
			f := fileCommand("one", 1, 2)
			f.Description = "two"
			f.Proposals[0].Identity.Canonical, f.Proposals[1].Identity.Canonical = "three", "four"
			p.putUser(account.User{ID: 1, FullName: "five", Email: "six"})
			f.ReporterID = 1
			p.file(f)
			for _, query := range []string{"onetwo", "one two", "one\ntwo", "twothree", "two three", "threefour", "three four", "three,four", "three\nfour"} {
				require.Empty(p, p.reports(1, report.Filter{SearchQuery: query}), "query %q", query)
			}
			for _, query := range []string{"fivesix", "five six", "five\nsix"} {
				require.Empty(p, p.reports(1, report.Filter{ReporterQuery: query}), "query %q", query)
			}
		}},
		{"queries may be very long", func(p *probe) {
			long := strings.Repeat("needle ", 20_000)
			f := fileCommand("report")
			f.Description = long
			p.file(f)
			require.Len(p, p.reports(1, report.Filter{SearchQuery: long}), 1)
			require.Empty(p, p.reports(1, report.Filter{SearchQuery: long + "x"}))
			require.Empty(p, p.reports(1, report.Filter{ReporterQuery: long}))
		}},
		{"a filter may have 70,000 brands and review statuses", needs("AddReviews", func(p *probe) {
			f := fileCommand("branded", 1)
			f.BrandID = 70_000
			filed := p.file(f)
			p.review(report.Review{ProposalID: filed.Proposals[0].ID, Status: report.ReviewSkip, ReviewedAt: at(1)})
			p.file(fileCommand("other", 1))
			filter := report.Filter{BrandIDs: ids(70_000)}
			for range 70_000 {
				filter.ReviewStatuses = append(filter.ReviewStatuses, report.ReviewReject)
			}
			require.Empty(p, p.reports(1, filter))
			filter.ReviewStatuses = append(filter.ReviewStatuses, report.ReviewSkip)
			require.Equal(p, []string{"branded"}, titles(p.reports(1, filter)))
		})},
	}
}

// searchCases files reports, each with a text, and searches with queries that match it and
// queries that do not.
func searchCases(p *probe) {
	for i, test := range []struct {
		reason string
		text   string
		found  []string
		missed []string
	}{
		{"characters of pattern languages match only themselves", "100% of a_b*c?[d]", []string{"100%", "0% OF", "a_b", "_", "%", "*", "C?[D]"}, []string{"a%b", "1__%", "a-b", "a.b", "o%a", "[a-z]", "%%"}},
		{"a percent sign does not match a text without one", "plain", []string{"pl", "N"}, []string{"%", "_", "p%n", "plai_", "\\", "p\\lain"}},
		{"quotes and backslashes", "C:\\dir 'x' \"y\"", []string{"c:\\DIR", "'X'", "\"Y\"", "\\"}, []string{"c:dir", "''x", "\\\\"}},
		{"white space is significant", "two  words", []string{"TWO  W", "o ", " w", "  "}, []string{"two words", " two", "words "}},
		{"the Kelvin sign is a K", "\u212aelvin", []string{"KELVIN", "kelvin", "\u212aELVIN"}, []string{"elvins"}},
		{"a K is a Kelvin sign", "kilo", []string{"\u212aILO", "K"}, nil},
		{"the long s is an s", "mi\u017ft", []string{"MIST", "mist"}, nil},
		{"the three Greek sigmas are equal", "\u039f\u0394\u03a5\u03a3\u03a3\u0395\u03a5\u03a3 \u1f40\u03b4\u03c5\u03c3\u03c3\u03b5\u03cd\u03c2", []string{"\u03bf\u03b4\u03c5\u03c3\u03c3\u03b5\u03c5\u03c2", "\u03c3", "\u03c2", "\u03a3", "\u1f48\u0394\u03a5\u03a3\u03a3\u0395\u038e\u03a3"}, []string{"\u03bf\u03b4\u03c5\u03c3\u03b5\u03c5\u03c2"}},
		{"a sharp s is not a double s", "Stra\u00dfe", []string{"stra\u00dfe", "STRA\u1e9eE", "\u1e9e"}, []string{"strasse", "STRASSE", "ss"}},
		{"a dotted capital I is neither i nor I", "\u0130stanbul", []string{"\u0130STANBUL", "stanbul"}, []string{"istanbul", "ISTANBUL", "i\u0307stanbul"}},
		{"a dotless i is neither i nor I", "d\u0131\u015f", []string{"D\u0131\u015e"}, []string{"dis", "DI\u015e"}},
		{"an i is not a dotted capital I", "istanbul", []string{"ISTANBUL"}, []string{"\u0130stanbul", "\u0131stanbul"}},
		{"a ligature is not a pair of letters", "\ufb01nd", []string{"\ufb01ND"}, []string{"find", "f"}},
		{"letters of more than two cases are equal", "\u01c5 \u00b5 \u1e9b \u0345", []string{"\u01c4", "\u01c6", "\u03bc", "\u039c", "\u1e61", "\u1e60", "\u0399"}, []string{"dz", "s"}},
		{"combining marks are significant", "caf\u00e9", []string{"CAF\u00c9", "caf"}, []string{"cafe", "cafe\u0301"}},
		{"Cyrillic, Armenian, Georgian and Cherokee", "\u041c\u043e\u0441\u043a\u0432\u0430 \u0535\u0580 \u10d7\u10d1 \u13e3\u13b3", []string{"\u043c\u041e\u0421\u041a\u0412\u0410", "\u0565\u0550", "\u1c97\u1c91", "\uabb3\uab83"}, []string{"mockba"}},
		{"letters beyond the basic plane", "\U00010400\U0001e900", []string{"\U00010428\U0001e922"}, []string{"\U00010429"}},
		{"emoji and scripts without letter case", "\u65e5\u672c\u8a9e \U0001f600\ufe0f", []string{"\u672c", "\U0001f600"}, []string{"\U0001f601", "\u672c\u65e5"}},
	} {
		f := fileCommand(test.text)
		f.OrganizationID = int64(i + 1)
		f.ReporterID = f.OrganizationID
		p.putUser(account.User{ID: f.ReporterID, FullName: test.text})
		p.file(f)
		for _, query := range test.found {
			require.Len(p, p.reports(f.OrganizationID, report.Filter{SearchQuery: query}), 1, "%s: %q must find %q", test.reason, query, test.text)
			require.Len(p, p.reports(f.OrganizationID, report.Filter{ReporterQuery: query}), 1, "%s: %q must find the reporter %q", test.reason, query, test.text)
		}
		for _, query := range test.missed {
			require.Empty(p, p.reports(f.OrganizationID, report.Filter{SearchQuery: query}), "%s: %q must not find %q", test.reason, query, test.text)
			require.Empty(p, p.reports(f.OrganizationID, report.Filter{ReporterQuery: query}), "%s: %q must not find the reporter %q", test.reason, query, test.text)
		}
	}
}

// sparseMatches lists reports in clusters with distant IDs, because a store may search
// range by range.
func sparseMatches(p *probe) {
	seed := storage.Seed{Organizations: []storage.SeedOrganization{{ID: 1, Slug: "acme"}}}
	var want []int64 // the reports of brand 1, newest first
	for cluster := range int64(5) {
		for i := range int64(12) {
			id := cluster*100_000 + i*7 + 1
			seed.Reports = append(seed.Reports, storage.SeedReport{
				ID: id, Organization: "acme", BrandID: 1 + i%2, CreatedAt: at(int(id)),
				Proposals: []storage.SeedProposal{{
					Content: site(2 + int(i%2)).Canonical, ProposedStatus: asset.StatusBlocked, ReviewStatus: report.ReviewSkip, ReviewedBy: 1 + i%2,
				}},
			})
			if i%2 == 0 {
				want = append(want, id)
			}
		}
	}
	slices.Reverse(want)
	p.importSeed(seed)
	for name, filter := range map[string]report.Filter{
		"a brand":                {BrandIDs: []int64{1}},
		"an asset":               {Identity: site(2)},
		"a reviewer":             {ReviewedBy: 1},
		"a reviewer and a brand": {BrandIDs: []int64{1, 3}, ReviewedBy: 1, ReviewStatuses: []report.ReviewStatus{report.ReviewSkip}},
	} {
		for _, limit := range []int{1, 5, 6, 7, 13, 29, 30, 31} {
			var got []int64
			for _, r := range p.allReports(report.ListRequest{Scope: report.InOrganization(1), Filter: filter, Limit: limit}) {
				got = append(got, r.ID)
			}
			require.Equal(p, want, got, "%s, in pages of %d", name, limit)
		}
	}
}
