package storage_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// goodSeed uses every field.
const goodSeed = `{
  "organizations": [
    {"id": 1, "slug": "acme", "name": "Acme", "groups": [{"id": 5, "name": "Sites"}, {"id": 4, "name": "Handles"}]},
    {"id": 2, "slug": "other", "name": "Other"}
  ],
  "users": [
    {"id": 1, "fullName": "Ada", "email": "ada@acme.example", "automation": false},
    {"id": 2, "fullName": "Robot", "email": "", "automation": true}
  ],
  "keys": [
    {"key": "apg_one", "organization": "acme", "user": 1, "name": "Crawler", "scopes": ["changelog", "reports"], "createdAt": "2025-01-01T00:00:00Z", "expiresAt": "2026-01-01T01:00:00.1239+01:00"},
    {"key": "apg_two", "scopes": []}
  ],
  "assets": [
    {"content": " https://BAD.example ", "status": "BLOCKED", "changedAt": "2025-01-05T11:00:00.1239+01:00"},
    {"content": "acme.com"},
    {"content": "https://good.example", "status": "ALLOWED", "changedAt": "2025-01-04T10:00:00Z"},
    {"content": "https://known.example", "status": "UNKNOWN"}
  ],
  "reports": [
    {
      "id": 12, "organization": "other", "title": "Title", "description": "Description", "brandId": 3, "reporter": 7,
      "createdAt": "2025-01-05T10:00:00Z",
      "proposals": [
        {"content": "https://bad.example/", "proposedStatus": "BLOCKED", "reviewStatus": "APPROVE", "reviewedBy": 1, "reviewedAt": "2025-01-05T11:00:00Z"},
        {"content": "https://new.example", "proposedStatus": "ALLOWED", "reviewStatus": "SKIP"},
        {"content": "acme.com", "proposedStatus": "UNKNOWN"}
      ]
    },
    {"id": 3, "organization": "acme", "title": "", "description": "", "createdAt": "2025-01-06T00:00:00Z",
      "proposals": [{"content": "https://new.example", "proposedStatus": "BLOCKED", "reviewStatus": "REJECT", "reviewedAt": "2025-01-05T00:00:00Z"}]}
  ]
}`

func day(dayOfMonth, hour int) time.Time {
	return time.Date(2025, time.January, dayOfMonth, hour, 0, 0, 0, time.UTC)
}

func TestSeed_Records(t *testing.T) {
	t.Parallel()
	seed, err := storage.ReadSeed(strings.NewReader(goodSeed))
	require.NoError(t, err)
	got, err := seed.Records()
	require.NoError(t, err)

	url := func(canonical string) asset.Identity {
		return asset.Identity{Type: asset.TypeURL, Canonical: canonical}
	}
	badBasis := asset.Basis{By: asset.SourceOperator, Reason: asset.ReasonOther, Since: day(5, 10).Add(123 * time.Millisecond)}
	goodBasis := asset.Basis{By: asset.SourceOperator, Since: day(4, 10)}
	bad := asset.Asset{ID: 1, Identity: url("https://bad.example"), Status: asset.StatusBlocked}
	acme := asset.Asset{ID: 2, Identity: asset.Identity{Type: asset.TypePage, Canonical: "acme.com"}, Status: asset.StatusUnknown}
	good := asset.Asset{ID: 3, Identity: url("https://good.example"), Status: asset.StatusAllowed}
	known := asset.Asset{ID: 4, Identity: url("https://known.example"), Status: asset.StatusUnknown}
	unlisted := asset.Asset{ID: 5, Identity: url("https://new.example"), Status: asset.StatusUnknown}
	imported := asset.Origin{Cause: asset.CauseImport}

	require.Equal(t, storage.Records{
		Organizations: []account.Organization{{ID: 1, Slug: "acme", Name: "Acme"}, {ID: 2, Slug: "other", Name: "Other"}},
		Groups:        []account.Group{{ID: 5, OrganizationID: 1, Name: "Sites"}, {ID: 4, OrganizationID: 1, Name: "Handles"}},
		Users: []account.User{
			{ID: 1, FullName: "Ada", Email: "ada@acme.example"},
			{ID: 2, FullName: "Robot", Automation: true},
		},
		Keys: []account.Key{
			{
				Hash:           account.HashKey("apg_one"),
				OrganizationID: 1,
				UserID:         1,
				Name:           "Crawler",
				Scopes:         []account.Scope{account.ScopeChangelog, account.ScopeReports},
				CreatedAt:      day(1, 0),
				ExpiresAt:      time.Date(2026, time.January, 1, 0, 0, 0, 123_000_000, time.UTC),
			},
			{Hash: account.HashKey("apg_two")},
		},
		Assets: []asset.Held{
			{
				Known:     asset.Known{Asset: bad, Basis: badBasis},
				ChangedAt: day(5, 10).Add(123 * time.Millisecond),
				Operators: &asset.Decision{Status: asset.StatusBlocked, Reason: asset.ReasonOther, Since: day(5, 10).Add(123 * time.Millisecond), Origin: imported},
			},
			{Known: asset.Known{Asset: acme}},
			{Known: asset.Known{Asset: good, Basis: goodBasis}, ChangedAt: day(4, 10), Operators: &asset.Decision{Status: asset.StatusAllowed, Since: day(4, 10), Origin: imported}},
			{Known: asset.Known{Asset: known}},
			{Known: asset.Known{Asset: unlisted}},
		},
		Changes: []asset.Change{
			{ID: 1, AssetID: 1, Type: asset.TypeURL, Content: bad.Canonical, From: asset.StatusUnknown, To: asset.StatusBlocked, At: day(5, 10).Add(123 * time.Millisecond), Origin: imported, Basis: badBasis},
			{ID: 2, AssetID: 3, Type: asset.TypeURL, Content: good.Canonical, From: asset.StatusUnknown, To: asset.StatusAllowed, At: day(4, 10), Origin: imported, Basis: goodBasis},
		},
		Reports: []report.Report{
			{
				ID:             12,
				OrganizationID: 2,
				Title:          "Title",
				Description:    "Description",
				Status:         report.StatusInProgress,
				BrandID:        3,
				Reporter:       report.Reporter{ID: 7},
				Proposals: []report.Proposal{
					{ID: 1, Asset: bad, Content: "https://bad.example/", ProposedStatus: asset.StatusBlocked, ReviewID: 1, ReviewStatus: report.ReviewApprove, ReviewedBy: 1, ReviewedAt: day(5, 11)},
					{ID: 2, Asset: unlisted, Content: "https://new.example", ProposedStatus: asset.StatusAllowed, ReviewID: 2, ReviewStatus: report.ReviewSkip},
					{ID: 3, Asset: acme, Content: "acme.com", ProposedStatus: asset.StatusUnknown},
				},
				CreatedAt: day(5, 10),
				UpdatedAt: day(5, 11),
			},
			{
				ID:             3,
				OrganizationID: 1,
				Status:         report.StatusClosed,
				Proposals: []report.Proposal{
					{ID: 4, Asset: unlisted, Content: "https://new.example", ProposedStatus: asset.StatusBlocked, ReviewID: 3, ReviewStatus: report.ReviewReject, ReviewedAt: day(5, 0)},
				},
				CreatedAt: day(6, 0),
				UpdatedAt: day(6, 0),
			},
		},
		Reviews: []report.Review{
			{ID: 1, ProposalID: 1, Status: report.ReviewApprove, ReviewedBy: 1, ReviewedAt: day(5, 11)},
			{ID: 2, ProposalID: 2, Status: report.ReviewSkip},
			{ID: 3, ProposalID: 4, Status: report.ReviewReject, ReviewedAt: day(5, 0)},
		},
	}, got)
}

func TestSeed_Records_SharesNothing(t *testing.T) {
	t.Parallel()
	seed := storage.Seed{Keys: []storage.SeedKey{{Key: "apg_one", Scopes: []account.Scope{account.ScopeReports}}}}
	records, err := seed.Records()
	require.NoError(t, err)
	seed.Keys[0].Scopes[0] = account.ScopeDispute
	require.Equal(t, account.ScopeReports, records.Keys[0].Scopes[0])
}

func TestSeed_Records_Empty(t *testing.T) {
	t.Parallel()
	seed, err := storage.ReadSeed(strings.NewReader("{}"))
	require.NoError(t, err)
	records, err := seed.Records()
	require.NoError(t, err)
	require.Zero(t, records)
}

// issuesOf returns the issues of an error, one line each.
func issuesOf(t *testing.T, err error) []string {
	t.Helper()
	require.ErrorIs(t, err, asset.ErrInvalid)
	var input *asset.InputError
	require.ErrorAs(t, err, &input)
	lines := make([]string, len(input.Issues))
	for i, issue := range input.Issues {
		lines[i] = issue.String()
	}
	return lines
}

func TestReadSeed_ErrorsNameTheLine(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		text   string
		want   string
	}{
		{"no text", "", "line 1: unexpected end of text"},
		{"a truncated object", "{\n\"users\": [", "line 2 (users): unexpected end of text"},
		{"text after the object", "{}\n\n{}", "line 3: invalid character '{' after top-level value"},
		{"a byte order mark", "\ufeff{}", "line 1: invalid character '\\ufeff' at start of value"},
		{"a trailing comma", "{\"users\": [\n{\"id\": 1},\n]}", "line 2 (users): invalid character ',' at start of value"},
		{"invalid UTF-8", "{\n\"users\": [{\"email\": \"\xff\"}]}", "line 2 (users[0].email): invalid UTF-8"},
		{"a name given twice", "{\"users\": [{\"id\": 1,\n\"id\": 2}]}", "line 2 (users[0].id): duplicate object member name"},
		{"a misspelled list", "{\n\"organisations\": []}", "line 2 (organisations): unknown field"},
		{"a misspelled field", "{\"assets\": [{}, {\n\"contents\": \"acme.com\"}]}", "line 2 (assets[1].contents): unknown field"},
		{"a name in another letter case", "{\"Users\": []}", "line 1 (Users): unknown field"},
		{"an array as the seed", "[]", "line 1: must be an object"},
		{"an object as a list", "{\"users\": {}}", "line 1 (users): must be an array"},
		{"a string as an element", "{\"users\": [\"Ada\"]}", "line 1 (users[0]): must be an object"},
		{"a string as an ID", "{\"users\": [\n{\"id\": \"1\"}]}", "line 2 (users[0].id): must be a whole number"},
		{"a fraction as an ID", "{\"users\": [{\"id\": 1.5}]}", "line 1 (users[0].id): must be a whole number"},
		{"an ID of more than 64 bits", "{\"users\": [{\"id\": 9223372036854775808}]}", "line 1 (users[0].id): must be a whole number"},
		{"a number as a string", "{\"organizations\": [{\"groups\": [{\"name\": 1}]}]}", "line 1 (organizations[0].groups[0].name): must be a string"},
		{"a number as a status", "{\"assets\": [{\"status\": 1}]}", "line 1 (assets[0].status): must be a string"},
		{"a number as a boolean", "{\"users\": [{\"automation\": 1}]}", "line 1 (users[0].automation): must be true or false"},
		{"a date as an expiry", "{\"keys\": [\n{\"expiresAt\": \"2025-01-05\"}]}", "line 2 (keys[0].expiresAt): must be an RFC 3339 time, such as \"2025-01-05T10:00:00Z\""},
		{"a number as the name of a key", "{\"keys\": [{\"name\": 1}]}", "line 1 (keys[0].name): must be a string"},
		{"a time without a zone", "{\"assets\": [{\"changedAt\": \"2025-01-05T10:00:00\"}]}", "line 1 (assets[0].changedAt): must be an RFC 3339 time, such as \"2025-01-05T10:00:00Z\""},
		{"a date that does not exist", "{\"assets\": [{\"changedAt\": \"2025-02-30T10:00:00Z\"}]}", "line 1 (assets[0].changedAt): must be an RFC 3339 time, such as \"2025-01-05T10:00:00Z\""},
	} {
		t.Run(test.reason, func(t *testing.T) {
			t.Parallel()
			_, err := storage.ReadSeed(strings.NewReader(test.text))
			require.Equal(t, []string{test.want}, issuesOf(t, err))
		})
	}
}

func TestReadSeed_ReaderError(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken pipe")
	_, err := storage.ReadSeed(iotest.ErrReader(broken))
	require.ErrorIs(t, err, broken)
	require.NotErrorIs(t, err, asset.ErrInvalid)
}

func TestSeed_Records_ErrorsNameTheField(t *testing.T) {
	t.Parallel()
	const outOfYears = "must be in the years 1 to 9999, in UTC"
	year0 := time.Date(0, time.December, 31, 23, 59, 59, 0, time.UTC)
	year10000 := time.Date(10000, time.January, 1, 0, 0, 0, 0, time.UTC)
	acme := []storage.SeedOrganization{{ID: 1, Slug: "acme"}}
	proposing := func(proposals ...storage.SeedProposal) storage.Seed {
		return storage.Seed{Organizations: acme, Reports: []storage.SeedReport{
			{ID: 1, Organization: "acme", CreatedAt: day(1, 0), Proposals: proposals},
		}}
	}
	for _, test := range []struct {
		reason string
		seed   storage.Seed
		want   []string
	}{
		{
			"an empty organization",
			storage.Seed{Organizations: []storage.SeedOrganization{{}}},
			[]string{"organizations[0].id: must be from 1 to 2^53-1", "organizations[0].slug: must not be blank"},
		},
		{
			"a blank slug",
			storage.Seed{Organizations: []storage.SeedOrganization{{ID: 1, Slug: " "}}},
			[]string{"organizations[0].slug: must not be blank"},
		},
		{
			"equal organizations",
			storage.Seed{Organizations: []storage.SeedOrganization{{ID: 1, Slug: "acme"}, {ID: 1, Slug: "acme"}}},
			[]string{
				"organizations[1].id: must not be the same as organizations[0].id",
				"organizations[1].slug: must not be the same as organizations[0].slug",
			},
		},
		{
			"groups without ID, with an invalid ID, and of two organizations",
			storage.Seed{Organizations: []storage.SeedOrganization{
				{ID: 1, Slug: "acme", Groups: []storage.SeedGroup{{}, {ID: -1}, {ID: 5}}},
				{ID: 2, Slug: "other", Groups: []storage.SeedGroup{{ID: 5, Name: "\x00"}}},
			}},
			[]string{
				"organizations[0].groups[0].id: must be from 1 to 2^53-1",
				"organizations[0].groups[1].id: must be from 1 to 2^53-1",
				"organizations[1].groups[0].name: must be valid UTF-8 without NUL",
				"organizations[1].groups[0].id: must not be the same as organizations[0].groups[2].id",
			},
		},
		{
			"users with the same ID and with a large one",
			storage.Seed{Users: []account.User{{ID: 1}, {ID: 1}, {ID: asset.MaxID + 1}}},
			[]string{
				"users[1].id: must not be the same as users[0].id",
				"users[2].id: must be from 1 to 2^53-1",
			},
		},
		{
			"an empty key",
			storage.Seed{Keys: []storage.SeedKey{{}}},
			[]string{"keys[0].key: must be 1 to 256 visible ASCII characters"},
		},
		{
			"a key given twice",
			storage.Seed{Keys: []storage.SeedKey{{Key: "secret"}, {Key: "secret"}}},
			[]string{"keys[1].key: must not be the same as keys[0].key"},
		},
		{
			"a key with an unknown organization, user and scope",
			storage.Seed{Organizations: acme, Keys: []storage.SeedKey{{Key: "secret", Organization: "Acme", User: 1, Scopes: []account.Scope{"admin"}, CreatedAt: year0}}},
			[]string{
				"keys[0].createdAt: " + outOfYears,
				"keys[0].organization: must be the slug of an organization of the seed",
				"keys[0].user: must be a user of the seed",
				"keys[0].scopes[0]: must be changelog, dispute, allowlist, reports, report:write, check, operator:read, operator:write or operator:admin",
			},
		},
		{
			"keys with invalid names and expiries",
			storage.Seed{Keys: []storage.SeedKey{
				{Key: "a", Name: "\x00"},
				{Key: "b", Name: strings.Repeat("n", 256)},
				{Key: "c", ExpiresAt: year0},
				{Key: "d", ExpiresAt: year10000},
				{Key: "e", ExpiresAt: time.Time{}.Add(time.Microsecond)},
			}},
			[]string{
				"keys[0].name: must be valid UTF-8 without NUL",
				"keys[1].name: must be at most 255 bytes long",
				"keys[2].expiresAt: " + outOfYears,
				"keys[3].expiresAt: " + outOfYears,
				"keys[4].expiresAt: " + outOfYears,
			},
		},
		{
			"an empty asset",
			storage.Seed{Assets: []storage.SeedAsset{{}}},
			[]string{"assets[0].content: empty content"},
		},
		{
			"unrecognized content and an unknown status",
			storage.Seed{Assets: []storage.SeedAsset{{Content: "not an asset!", Status: "blocked", ChangedAt: day(1, 0)}}},
			[]string{
				"assets[0].status: must be UNKNOWN, ALLOWED or BLOCKED",
				"assets[0].content: inner white space, control character or invisible direction mark",
			},
		},
		{
			"equal assets in two spellings",
			storage.Seed{Assets: []storage.SeedAsset{{Content: "acme.com"}, {Content: "https://acme.com"}, {Content: "ACME.com"}}},
			[]string{"assets[2].content: must not be the same asset as assets[0]"},
		},
		{
			"a status without the time of its change",
			storage.Seed{Assets: []storage.SeedAsset{{Content: "acme.com", Status: asset.StatusBlocked}}},
			[]string{"assets[0].changedAt: is required with a status other than UNKNOWN"},
		},
		{
			"a change before year 1",
			storage.Seed{Assets: []storage.SeedAsset{{Content: "acme.com", Status: asset.StatusBlocked, ChangedAt: year0}}},
			[]string{"assets[0].changedAt: " + outOfYears},
		},
		{
			"an empty report",
			storage.Seed{Reports: []storage.SeedReport{{}}},
			[]string{
				"reports[0].organization: must be the slug of an organization of the seed",
				"reports[0].id: must be from 1 to 2^53-1",
				"reports[0].createdAt: is required",
			},
		},
		{
			"a report with every field invalid",
			storage.Seed{Organizations: acme, Reports: []storage.SeedReport{{
				ID:           -1,
				Organization: "acme",
				Title:        "\x00",
				Description:  "\xff",
				BrandID:      -1,
				Reporter:     asset.MaxID + 1,
				CreatedAt:    year10000,
			}}},
			[]string{
				"reports[0].createdAt: " + outOfYears,
				"reports[0].id: must be from 1 to 2^53-1",
				"reports[0].title: must be valid UTF-8 without NUL",
				"reports[0].description: must be valid UTF-8 without NUL",
				"reports[0].brandId: must be from 1 to 2^53-1",
				"reports[0].reporter: must be from 1 to 2^53-1",
			},
		},
		{
			"a report with texts that are too long",
			storage.Seed{Organizations: acme, Reports: []storage.SeedReport{{
				ID: 1, Organization: "acme", CreatedAt: day(1, 0), Title: strings.Repeat("t", 501), Description: strings.Repeat("d", 10_001),
			}}},
			[]string{
				"reports[0].title: must be at most 500 bytes long",
				"reports[0].description: must be at most 10000 bytes long",
			},
		},
		{
			"two reports with the same ID",
			storage.Seed{Organizations: acme, Reports: []storage.SeedReport{
				{ID: 1, Organization: "acme", CreatedAt: day(1, 0)},
				{ID: 1, Organization: "acme", CreatedAt: day(2, 0)},
			}},
			[]string{"reports[1].id: must not be the same as reports[0].id"},
		},
		{
			"an empty proposal",
			proposing(storage.SeedProposal{}),
			[]string{
				"reports[0].proposals[0].proposedStatus: must be UNKNOWN, ALLOWED or BLOCKED",
				"reports[0].proposals[0].content: empty content",
			},
		},
		{
			"one asset proposed twice",
			proposing(
				storage.SeedProposal{Content: "acme.com", ProposedStatus: asset.StatusBlocked},
				storage.SeedProposal{Content: "ACME.com", ProposedStatus: asset.StatusAllowed},
			),
			[]string{"reports[0].proposals[1].content: must not be the same as reports[0].proposals[0].content"},
		},
		{
			"a reviewer without a review",
			proposing(storage.SeedProposal{Content: "acme.com", ProposedStatus: asset.StatusBlocked, ReviewedBy: 1}),
			[]string{"reports[0].proposals[0].reviewStatus: is required with reviewedBy or reviewedAt"},
		},
		{
			"a review time without a review",
			proposing(storage.SeedProposal{Content: "acme.com", ProposedStatus: asset.StatusBlocked, ReviewedAt: day(1, 0)}),
			[]string{"reports[0].proposals[0].reviewStatus: is required with reviewedBy or reviewedAt"},
		},
		{
			"an invalid review status, reviewer and time",
			proposing(storage.SeedProposal{Content: "acme.com", ProposedStatus: asset.StatusBlocked, ReviewStatus: "approve", ReviewedBy: -1, ReviewedAt: year0}),
			[]string{
				"reports[0].proposals[0].reviewedAt: " + outOfYears,
				"reports[0].proposals[0].reviewedBy: must be from 1 to 2^53-1",
				"reports[0].proposals[0].reviewStatus: must be APPROVE, REJECT, SKIP or ESCALATE",
			},
		},
		{
			"issues in several parts",
			storage.Seed{Users: []account.User{{}}, Assets: []storage.SeedAsset{{}}, Reports: []storage.SeedReport{{ID: 1, CreatedAt: day(1, 0)}}},
			[]string{
				"users[0].id: must be from 1 to 2^53-1",
				"assets[0].content: empty content",
				"reports[0].organization: must be the slug of an organization of the seed",
			},
		},
	} {
		t.Run(test.reason, func(t *testing.T) {
			t.Parallel()
			records, err := test.seed.Records()
			require.Equal(t, test.want, issuesOf(t, err))
			require.Zero(t, records)
		})
	}
}

func TestSeed_Records_ErrorsContainNoSecrets(t *testing.T) {
	t.Parallel()
	_, err := storage.Seed{Keys: []storage.SeedKey{{Key: "secret key"}, {Key: "secret key"}}}.Records()
	require.Error(t, err)
	require.NotContains(t, err.Error(), "secret")
}

func FuzzSeed(f *testing.F) {
	f.Add([]byte(goodSeed))
	f.Add([]byte(`{"organizations":[{"id":1,"slug":"a"}],"reports":[{"id":1,"organization":"a","createdAt":"0000-01-01T00:00:00Z"}]}`))
	f.Add([]byte(`{"keys":[{"key":"k","organization":"nobody","user":9007199254740993,"scopes":["x"]}]}`))
	f.Add([]byte("{\"users\":[{\"id\":1,\"email\":\"\xff\\u0000\\ud800\"}]} null"))
	f.Fuzz(func(t *testing.T, text []byte) {
		seed, err := storage.ReadSeed(bytes.NewReader(text))
		if err != nil {
			require.ErrorIs(t, err, asset.ErrInvalid)
			return
		}
		records, err := seed.Records()
		if err != nil {
			require.ErrorIs(t, err, asset.ErrInvalid)
			require.Zero(t, records)
			return
		}
		store := memory.New()
		require.NoError(t, store.Import(t.Context(), seed))
		for _, want := range records.Assets {
			got, err := asset.NewService(store, asset.Options{}).Get(t.Context(), want.Identity)
			require.NoError(t, err)
			require.Equal(t, want.Asset, got)
		}
		var changes []asset.Change
		for entry, err := range asset.NewFeedService(store).Follow(t.Context(), asset.FeedCursor{}) {
			require.NoError(t, err)
			changes = append(changes, entry.Change)
		}
		require.ElementsMatch(t, records.Changes, changes, "the feed must have every change")
	})
}
