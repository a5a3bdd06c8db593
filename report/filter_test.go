package report_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

var bad = asset.Identity{Type: asset.TypeURL, Canonical: "https://bad.example"}

func sample() report.Report {
	return report.Report{
		ID: 1, OrganizationID: 1, Title: "Fake SHOP", Description: "100% copied_page",
		Status: report.StatusInProgress, BrandID: 3, CreatedAt: noon,
		Reporter: report.Reporter{ID: 7, FullName: "Ada Łovelace", Email: "ada@acme.example", Automation: true},
		Proposals: []report.Proposal{
			{Asset: asset.Asset{Identity: bad}, ReviewStatus: report.ReviewApprove, ReviewedBy: 5},
			{Asset: asset.Asset{Identity: asset.Identity{Canonical: "@СКАМ"}}, ReviewStatus: report.ReviewReject, ReviewedBy: 6},
			{Asset: asset.Asset{Identity: asset.Identity{Canonical: "https://new.example"}}},
		},
	}
}

func TestFilter_Match(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		filter report.Filter
		want   bool
	}{
		"the zero filter matches everything":          {report.Filter{}, true},
		"the status":                                  {report.Filter{Status: report.StatusInProgress}, true},
		"another status":                              {report.Filter{Status: report.StatusTodo}, false},
		"a proposed asset":                            {report.Filter{Identity: bad}, true},
		"another type of asset":                       {report.Filter{Identity: asset.Identity{Type: asset.TypeIPFS, Canonical: bad.Canonical}}, false},
		"an asset that begins like a proposed one":    {report.Filter{Identity: asset.Identity{Type: asset.TypeURL, Canonical: bad.Canonical + "/a"}}, false},
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

func TestFilter_Match_singleProposal(t *testing.T) {
	t.Parallel()
	r := sample()
	r.Proposals = r.Proposals[:1]
	require.False(t, report.Filter{OnlyRejected: true}.Match(r))
	r.Reporter.Automation = false
	require.True(t, report.Filter{ExcludeAutomation: true}.Match(r))
}

func TestFilter_Validate(t *testing.T) {
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
		Status: "todo", Identity: asset.Identity{Canonical: "\x00"}, SearchQuery: "\x00", ReporterQuery: "\xff", ReviewStatuses: []report.ReviewStatus{"APPROVE", "OK", "NO"},
		ReviewedBy: -1, Created: asset.Period{Since: noon, Before: noon},
	}.Validate()
	require.EqualError(t, err, "invalid input: status: must be TODO, IN_PROGRESS or CLOSED; "+
		"content: must be of an asset type; content: must be valid UTF-8 without NUL; searchQuery: must be valid UTF-8 without NUL; reporterQuery: must be valid UTF-8 without NUL; "+
		"reviewStatuses: must be APPROVE, REJECT, SKIP or ESCALATE; "+
		"reviewedByUserId: must be a user's id; startDate: must not be after endDate")
}

// manyBrands returns as many brands as a filter may have.
func manyBrands() []int64 {
	return slices.Repeat([]int64{7}, report.MaxValues)
}
