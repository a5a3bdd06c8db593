package report_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

func sample() report.Report {
	return report.Report{
		ID: 1, OrganizationID: 1, Title: "Fake SHOP", Description: "100% copied_page",
		Status: report.StatusInProgress, BrandID: 3, CreatedAt: noon,
		Reporter: report.Reporter{ID: 7, FullName: "Ada Łovelace", Email: "ada@acme.example", Automation: true},
		Proposals: []report.Proposal{
			{Asset: asset.Asset{Identity: asset.Identity{Canonical: "https://bad.example"}}, ReviewStatus: report.ReviewApprove, ReviewedBy: 5},
			{Asset: asset.Asset{Identity: asset.Identity{Canonical: "@СКАМ"}}, ReviewStatus: report.ReviewReject, ReviewedBy: 6},
			{Asset: asset.Asset{Identity: asset.Identity{Canonical: "https://new.example"}}},
		},
	}
}

func TestFilterMatch(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		filter report.Filter
		want   bool
	}{
		"the zero filter matches everything":          {report.Filter{}, true},
		"the status":                                  {report.Filter{Status: report.StatusInProgress}, true},
		"another status":                              {report.Filter{Status: report.StatusTodo}, false},
		"a blank search asks for nothing":             {report.Filter{SearchQuery: " \t"}, true},
		"a part of the title in another letter case":  {report.Filter{SearchQuery: "e sho"}, true},
		"a part of the description":                   {report.Filter{SearchQuery: "COPIED"}, true},
		"the content of an asset":                     {report.Filter{SearchQuery: "BAD.example"}, true},
		"letter case in another script":               {report.Filter{SearchQuery: "скам"}, true},
		"a percent sign is itself":                    {report.Filter{SearchQuery: "100% "}, true},
		"a percent sign is no wild card":              {report.Filter{SearchQuery: "fake%shop"}, false},
		"an underscore is itself":                     {report.Filter{SearchQuery: "d_p"}, true},
		"an underscore is no wild card":               {report.Filter{SearchQuery: "fake_shop"}, false},
		"a search does not run over two fields":       {report.Filter{SearchQuery: "SHOP100"}, false},
		"the reporter is not searched":                {report.Filter{SearchQuery: "ada"}, false},
		"the reporter's name":                         {report.Filter{ReporterQuery: "łOVE"}, true},
		"the reporter's e-mail":                       {report.Filter{ReporterQuery: "@ACME"}, true},
		"another reporter":                            {report.Filter{ReporterQuery: "bob"}, false},
		"automation is left out":                      {report.Filter{ExcludeAutomation: true}, false},
		"there is a rejected proposal":                {report.Filter{OnlyRejected: true}, true},
		"one of the reviews":                          {report.Filter{ReviewStatuses: []report.ReviewStatus{report.ReviewSkip, report.ReviewApprove}}, true},
		"none of the reviews":                         {report.Filter{ReviewStatuses: []report.ReviewStatus{report.ReviewSkip}}, false},
		"an empty list filters nothing":               {report.Filter{ReviewStatuses: []report.ReviewStatus{}, BrandIDs: []int64{}}, true},
		"a reviewer":                                  {report.Filter{ReviewedBy: 6}, true},
		"nobody's reviewer":                           {report.Filter{ReviewedBy: 7}, false},
		"the brand":                                   {report.Filter{BrandIDs: []int64{1, 3}}, true},
		"another brand":                               {report.Filter{BrandIDs: []int64{1}}, false},
		"the first moment of the period":              {report.Filter{Created: asset.Period{Since: noon}}, true},
		"the moment after the period":                 {report.Filter{Created: asset.Period{Before: noon}}, false},
		"filters combine with and":                    {report.Filter{OnlyRejected: true, BrandIDs: []int64{1}}, false},
		"different proposals may hold different ones": {report.Filter{OnlyRejected: true, ReviewedBy: 5}, true},
	}
	for reason, c := range cases {
		require.Equal(t, c.want, c.filter.Match(sample()), reason)
	}
}

func TestFilterMatchWithoutRejectedProposals(t *testing.T) {
	t.Parallel()
	r := sample()
	r.Proposals = r.Proposals[:1]
	require.False(t, report.Filter{OnlyRejected: true}.Match(r))
	r.Reporter.Automation = false
	require.True(t, report.Filter{ExcludeAutomation: true}.Match(r))
}

func TestFilterValidate(t *testing.T) {
	t.Parallel()
	require.NoError(t, report.Filter{}.Validate())
	require.NoError(t, report.Filter{Status: report.StatusTodo, ReviewStatuses: report.ReviewStatuses(), ReviewedBy: 1}.Validate())
	require.NoError(t, report.Filter{BrandIDs: manyBrands()}.Validate())
	require.EqualError(t, report.Filter{BrandIDs: append(manyBrands(), 1)}.Validate(), "invalid input: brandIds: must hold at most 1000 elements")
	require.EqualError(t, report.Filter{BrandIDs: []int64{1, 0}}.Validate(), "invalid input: brandIds: must be brands' ids",
		"0 stands for no brand and can be no one's choice")
	long := strings.Repeat("x", report.MaxQuery)
	require.NoError(t, report.Filter{SearchQuery: long, ReporterQuery: long}.Validate())
	require.EqualError(t, report.Filter{
		SearchQuery: long + "x", ReporterQuery: long + "x", ReviewStatuses: slices.Repeat(report.ReviewStatuses(), 251),
	}.Validate(), "invalid input: searchQuery: must be at most 1000 bytes long; "+
		"reporterQuery: must be at most 1000 bytes long; reviewStatuses: must hold at most 1000 elements")
	err := report.Filter{
		Status: "todo", SearchQuery: "\x00", ReporterQuery: "\xff", ReviewStatuses: []report.ReviewStatus{"APPROVE", "OK", "NO"},
		ReviewedBy: -1, Created: asset.Period{Since: noon, Before: noon},
	}.Validate()
	require.EqualError(t, err, "invalid input: status: must be TODO, IN_PROGRESS or CLOSED; "+
		"searchQuery: must be valid UTF-8 without NUL; reporterQuery: must be valid UTF-8 without NUL; "+
		"reviewStatuses: must be APPROVE, REJECT, SKIP or ESCALATE; "+
		"reviewedByUserId: must be a user's id; startDate: must not be after endDate")
}

// manyBrands returns as many brands as a filter may have.
func manyBrands() []int64 {
	return slices.Repeat([]int64{7}, report.MaxValues)
}

func TestFold(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		a, b string
		want bool
	}{
		"ASCII letters":                                {"aBc", "AbC", true},
		"the Kelvin sign is a K":                       {"\u212a", "k", true},
		"the three sigmas of Greek":                    {"ΣΣ", "σς", true},
		"the long s is an s":                           {"\u017f", "S", true},
		"a sharp s is not two":                         {"ß", "ss", false},
		"a sharp s and its capital":                    {"ß", "\u1e9e", true},
		"a dotted capital I is a letter of its own":    {"\u0130", "i", false},
		"an accent counts":                             {"e", "é", false},
		"composed and decomposed stay different":       {"\u00e9", "e\u0301", false},
		"letters beyond the first plane":               {"\U00010400", "\U00010428", true},
		"signs that are no letters stay what they are": {"100%_\U0001F600", "100%_\U0001F600", true},
	} {
		require.Equal(t, c.want, report.Fold(c.a) == report.Fold(c.b), reason)
	}
}

func TestParseCreated(t *testing.T) {
	t.Parallel()
	at := func(text string) time.Time {
		moment, err := time.Parse(time.RFC3339Nano, text)
		require.NoError(t, err)
		return moment
	}
	cases := map[string]struct {
		start, end string
		first      string // the first millisecond that is included
		last       string // the last one
	}{
		"whole days":                          {"2025-01-05", "2025-01-06", "2025-01-05T00:00:00Z", "2025-01-06T23:59:59.999Z"},
		"one day":                             {"2025-01-05", "2025-01-05", "2025-01-05T00:00:00Z", "2025-01-05T23:59:59.999Z"},
		"moments, both included":              {"2025-01-05T10:00:00Z", "2025-01-05T11:00:00Z", "2025-01-05T10:00:00Z", "2025-01-05T11:00:00Z"},
		"one moment":                          {"2025-01-05T10:00:00.5Z", "2025-01-05T10:00:00.5Z", "2025-01-05T10:00:00.5Z", "2025-01-05T10:00:00.5Z"},
		"small letters, as RFC 3339 has them": {"2025-01-05t10:00:00z", "2025-01-05t10:00:00z", "2025-01-05T10:00:00Z", "2025-01-05T10:00:00Z"},
		"a moment in another zone":            {"2025-01-05T10:00:00+02:00", "2025-01-05", "2025-01-05T08:00:00Z", "2025-01-05T23:59:59.999Z"},
		"finer than a millisecond":            {"2025-01-05T10:00:00.0004Z", "2025-01-05T10:00:00.0018Z", "2025-01-05T10:00:00.001Z", "2025-01-05T10:00:00.001Z"},
		"a day and a moment of it":            {"2025-01-05", "2025-01-05T10:00:00Z", "2025-01-05T00:00:00Z", "2025-01-05T10:00:00Z"},
		"the first year":                      {"0001-01-01T10:00:00Z", "0001-01-01T10:00:00Z", "0001-01-01T10:00:00Z", "0001-01-01T10:00:00Z"},
		"the largest year of a date":          {"9999-12-31", "9999-12-31", "9999-12-31T00:00:00Z", "9999-12-31T23:59:59.999Z"},
	}
	for reason, c := range cases {
		period, err := report.ParseCreated(c.start, c.end)
		require.NoError(t, err, reason)
		require.True(t, period.Contains(at(c.first)), reason)
		require.True(t, period.Contains(at(c.last)), reason)
		require.False(t, period.Contains(at(c.first).Add(-time.Millisecond)), reason)
		require.False(t, period.Contains(at(c.last).Add(time.Millisecond)), reason)
	}
	period, err := report.ParseCreated("", "")
	require.NoError(t, err)
	require.Zero(t, period, "no dates are all time")
}

func TestParseCreatedRefuses(t *testing.T) {
	t.Parallel()
	const (
		form     = "must be an existing date, written YYYY-MM-DD or as RFC 3339 has it"
		required = "is required when the other end of the period is given"
	)
	cases := map[string]struct {
		start, end string
		want       string
	}{
		"a start alone":               {"2025-01-05", "", "endDate: " + required},
		"an end alone":                {"", "2025-01-05", "startDate: " + required},
		"a day that does not exist":   {"2025-02-30", "2025-03-01", "startDate: " + form},
		"a moment without a zone":     {"2025-01-05", "2025-01-05T10:00:00", "endDate: " + form},
		"a moment before the year 1":  {"0001-01-01T00:00:00+01:00", "2025-01-05", "startDate: " + form},
		"both are told of":            {"x", "y", "startDate: " + form + "; endDate: " + form},
		"a start after the end":       {"2025-01-06", "2025-01-05", "startDate: must not be after endDate"},
		"a moment after its own day":  {"2025-01-06T00:00:00Z", "2025-01-05", "startDate: must not be after endDate"},
		"a moment after another":      {"2025-01-05T10:00:00.002Z", "2025-01-05T10:00:00.001Z", "startDate: must not be after endDate"},
		"an hour of one digit":        {"2025-01-05T1:00:00Z", "2025-01-06", "startDate: " + form},
		"a comma before the fraction": {"2025-01-05T10:00:00,5Z", "2025-01-06", "startDate: " + form},
		"an offset of a whole day":    {"2025-01-05T10:00:00+24:00", "2025-01-06", "startDate: " + form},
		"an offset that is no offset": {"2025-01-05T10:00:00+99:99", "2025-01-06", "startDate: " + form},
	}
	for reason, c := range cases {
		_, err := report.ParseCreated(c.start, c.end)
		require.EqualError(t, err, "invalid input: "+c.want, reason)
		require.ErrorIs(t, err, asset.ErrInvalid, reason)
	}
}
