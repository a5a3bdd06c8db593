package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/report"
)

func TestService_File(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	require.NoError(t, f.accounts.PutUser(t.Context(), account.User{ID: 7, FullName: "Ada", Email: "ada@acme.example", Automation: true}))
	filed, err := f.File(t.Context(), report.FileRequest{
		OrganizationID: acme, Title: "Fake shop", Description: "A copy.", BrandID: 3, ReporterID: 7,
		Proposals: []report.ProposalRequest{
			{Content: " https://Bad.example/ ", ProposedStatus: asset.StatusBlocked},
			{Content: "@acme", ProposedStatus: asset.StatusAllowed},
		},
	})
	require.NoError(t, err)
	want := report.Report{
		ID: filed.ID, OrganizationID: acme, Title: "Fake shop", Description: "A copy.", Status: report.StatusTodo, BrandID: 3,
		Reporter:  report.Reporter{ID: 7, FullName: "Ada", Email: "ada@acme.example", Automation: true},
		CreatedAt: noon, UpdatedAt: noon,
		Proposals: []report.Proposal{
			{ID: filed.Proposals[0].ID, Content: "https://Bad.example/", ProposedStatus: asset.StatusBlocked, Asset: asset.Asset{
				ID: filed.Proposals[0].Asset.ID, Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://bad.example"},
				Status: asset.StatusUnknown,
			}},
			{ID: filed.Proposals[1].ID, Content: "@acme", ProposedStatus: asset.StatusAllowed, Asset: asset.Asset{
				ID: filed.Proposals[1].Asset.ID, Identity: asset.Identity{Type: asset.TypeTwitter, Canonical: "x.com/acme"},
				Status: asset.StatusUnknown,
			}},
		},
	}
	require.Equal(t, report.Filed{Report: want}, filed)
	page, err := f.List(t.Context(), report.ListRequest{Scope: report.InOrganization(acme), Limit: 1})
	require.NoError(t, err)
	require.Equal(t, report.Page{Reports: []report.Report{want}}, page)
}

func TestService_File_invalid(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.File(t.Context(), report.FileRequest{
		Title: "\x00", Description: "\xff", BrandID: -1, ReporterID: 1 << 53,
		Proposals: []report.ProposalRequest{
			{Content: "https://a.example", ProposedStatus: asset.StatusBlocked},
			{Content: "HTTPS://A.example/", ProposedStatus: asset.StatusBlocked},
			{Content: "no asset", ProposedStatus: "blocked"},
		},
	})
	var input *asset.InputError
	require.ErrorAs(t, err, &input)
	require.ErrorIs(t, err, classify.ErrInvalidFormat, "a program learns why a content is none")
	fields := make([]string, 0, len(input.Issues))
	for _, issue := range input.Issues {
		fields = append(fields, issue.Field)
	}
	require.Equal(t, []string{
		"organizationId", "title", "description", "brandId", "reporterId",
		"proposals[1].content", "proposals[2].proposedStatus", "proposals[2].content",
	}, fields)
	_, err = f.assets.Get(t.Context(), asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example"})
	require.ErrorIs(t, err, asset.ErrNotFound, "nothing was stored")
}

// A retry gets the report of the first time, whatever has happened since.
func TestService_File_retry(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	req := report.FileRequest{
		OrganizationID: acme, Title: "Fake shop", Description: "A copy.", BrandID: 3, ReporterID: 7, Idempotency: idempotency.Key{Text: "key"},
		Proposals: []report.ProposalRequest{{Content: "https://bad.example", ProposedStatus: asset.StatusBlocked}},
	}
	first, err := f.File(t.Context(), req)
	require.NoError(t, err)
	require.False(t, first.Replayed)
	f.review(t, first.Proposals[0], approve)
	again, err := f.File(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, report.Filed{Report: first.Report, Replayed: true}, again)

	for field, change := range map[string]func(*report.FileRequest){
		"title":           func(r *report.FileRequest) { r.Title += "s" },
		"description":     func(r *report.FileRequest) { r.Description = "" },
		"brand":           func(r *report.FileRequest) { r.BrandID = 0 },
		"fewer proposals": func(r *report.FileRequest) { r.Proposals = nil },
		"content":         func(r *report.FileRequest) { r.Proposals[0].Content += "/" },
		"proposed status": func(r *report.FileRequest) { r.Proposals[0].ProposedStatus = asset.StatusUnknown },
		"fingerprint":     func(r *report.FileRequest) { r.Idempotency.Fingerprint = idempotency.FingerprintOf() },
	} {
		other := req
		other.Proposals = slices.Clone(req.Proposals)
		change(&other)
		got, err := f.File(t.Context(), other)
		require.ErrorIs(t, err, idempotency.ErrReused, field)
		require.Zero(t, got, field)
	}
	for reason, change := range map[string]func(*report.FileRequest){
		"another organization": func(r *report.FileRequest) { r.OrganizationID = globex },
		"another reporter":     func(r *report.FileRequest) { r.ReporterID = 8 },
		"no reporter":          func(r *report.FileRequest) { r.ReporterID = 0 },
		"no key":               func(r *report.FileRequest) { r.Idempotency = idempotency.Key{} },
	} {
		other := req
		change(&other)
		got, err := f.File(t.Context(), other)
		require.NoError(t, err, reason)
		require.False(t, got.Replayed, reason)
	}
	page, err := f.List(t.Context(), report.ListRequest{Scope: report.AnyOrganization()})
	require.NoError(t, err)
	require.Len(t, page.Reports, 5, "a report of the same asset is another report")
}

// A request that is refused can be corrected and sent again with its key. A report that was pruned
// is not filed again.
func TestService_File_retryErrors(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	req := report.FileRequest{OrganizationID: acme, Title: strings.Repeat("t", report.MaxTitle+1), Idempotency: idempotency.Key{Text: "key"}}
	_, err := f.File(t.Context(), req)
	require.ErrorIs(t, err, asset.ErrInvalid)
	req.Title = ""
	req.Proposals = []report.ProposalRequest{{Content: "https://bad.example", ProposedStatus: asset.StatusBlocked}}
	filed, err := f.File(t.Context(), req)
	require.NoError(t, err)
	require.False(t, filed.Replayed)
	f.review(t, filed.Proposals[0], reject)
	removed, err := f.reviews.Prune(t.Context(), report.AnyOrganization(), noon.AddDate(1, 0, 0))
	require.NoError(t, err)
	require.EqualValues(t, 1, removed)
	_, err = f.File(t.Context(), req)
	require.ErrorIs(t, err, report.ErrNotFound)
}

func TestFileRequest_Validate(t *testing.T) {
	t.Parallel()
	require.NoError(t, report.FileRequest{OrganizationID: acme}.Validate())
	longest := report.FileRequest{OrganizationID: acme, Title: strings.Repeat("t", 500), Description: strings.Repeat("d", 10_000)}
	require.NoError(t, longest.Validate())
	err := report.FileRequest{OrganizationID: acme, Title: longest.Title + "t", Description: longest.Description + "d"}.Validate()
	require.EqualError(t, err, "invalid input: title: must be at most 500 bytes long; description: must be at most 10000 bytes long")
	err = report.FileRequest{OrganizationID: acme, Proposals: []report.ProposalRequest{{Content: "https://a.example"}}}.Validate()
	require.EqualError(t, err, "invalid input: proposals[0].proposedStatus: must be UNKNOWN, ALLOWED or BLOCKED")
	err = report.FileRequest{OrganizationID: acme, Idempotency: idempotency.Key{Text: "a b"}}.Validate()
	require.EqualError(t, err, "invalid input: Idempotency-Key: must be 1 to 255 visible ASCII characters")
}

func TestFileRequest_Validate_proposals(t *testing.T) {
	t.Parallel()
	req := report.FileRequest{OrganizationID: acme}
	for i := range report.MaxProposals {
		req.Proposals = append(req.Proposals, report.ProposalRequest{Content: fmt.Sprintf("https://%d.example", i), ProposedStatus: asset.StatusBlocked})
	}
	require.NoError(t, req.Validate())
	req.Proposals = append(req.Proposals, report.ProposalRequest{})
	require.EqualError(t, req.Validate(), "invalid input: proposals: must hold at most 100 elements", "the proposals are not looked at")
}

func TestFileCommand_Report(t *testing.T) {
	t.Parallel()
	identity := asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example"}
	cmd := report.FileCommand{
		OrganizationID: acme, Title: "Title", Description: "Description", BrandID: 3, ReporterID: 7, At: noon.Add(time.Microsecond),
		Proposals: []report.ProposedAsset{{Identity: identity, Content: "A.example", ProposedStatus: asset.StatusBlocked}},
	}
	require.Equal(t, report.Report{
		OrganizationID: acme, Title: "Title", Description: "Description", Status: report.StatusTodo, BrandID: 3,
		Reporter: report.Reporter{ID: 7}, CreatedAt: noon, UpdatedAt: noon,
		Proposals: []report.Proposal{{Asset: asset.Asset{Identity: identity}, Content: "A.example", ProposedStatus: asset.StatusBlocked}},
	}, cmd.Report())
}
