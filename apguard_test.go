package apguard_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// newGuard returns a service in which it is noon of one more day at each look at
// the clock, beginning with the 5th of January 2025.
func newGuard(t *testing.T, opts apguard.Options) *apguard.Guard {
	t.Helper()
	now := time.Date(2025, 1, 4, 12, 0, 0, 0, time.UTC)
	opts.Clock = func() time.Time {
		now = now.AddDate(0, 0, 1)
		return now
	}
	return apguard.New(memory.New(), opts)
}

func setStatus(t *testing.T, guard *apguard.Guard, content string, status asset.Status) {
	t.Helper()
	_, err := guard.SetStatus(t.Context(), content, status, asset.Origin{})
	require.NoError(t, err)
}

// contents returns what the query chooses, in its order.
func contents(t *testing.T, guard *apguard.Guard, query apguard.ChangelogQuery) []string {
	t.Helper()
	changes, err := guard.Changelog(t.Context(), query)
	require.NoError(t, err)
	list := []string{}
	for change, err := range changes {
		require.NoError(t, err)
		list = append(list, change.Content)
	}
	return list
}

func TestChangelog(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	setStatus(t, guard, "https://a.example", asset.StatusBlocked)  // 5th
	setStatus(t, guard, "@b", asset.StatusBlocked)                 // 6th
	setStatus(t, guard, "HTTPS://A.example/", asset.StatusAllowed) // 7th

	cases := map[string]struct {
		query apguard.ChangelogQuery
		want  []string
	}{
		"everything, newest first":            {apguard.ChangelogQuery{}, []string{"https://a.example", "x.com/b", "https://a.example"}},
		"one type":                            {apguard.ChangelogQuery{Type: asset.TypeTwitter}, []string{"x.com/b"}},
		"content is matched by identity":      {apguard.ChangelogQuery{Content: " https://x.com/B "}, []string{"x.com/b"}},
		"blank content means any":             {apguard.ChangelogQuery{Content: " \t", FromStatus: asset.StatusBlocked}, []string{"https://a.example"}},
		"content that no rule recognizes":     {apguard.ChangelogQuery{Content: "no asset"}, []string{}},
		"content of another type":             {apguard.ChangelogQuery{Content: "@b", Type: asset.TypeURL}, []string{}},
		"the status before":                   {apguard.ChangelogQuery{FromStatus: asset.StatusBlocked}, []string{"https://a.example"}},
		"the status after":                    {apguard.ChangelogQuery{ToStatus: asset.StatusBlocked}, []string{"x.com/b", "https://a.example"}},
		"from a day on":                       {apguard.ChangelogQuery{StartDate: "2025-01-06"}, []string{"https://a.example", "x.com/b"}},
		"up to a day":                         {apguard.ChangelogQuery{EndDate: "2025-01-06"}, []string{"x.com/b", "https://a.example"}},
		"a single day":                        {apguard.ChangelogQuery{StartDate: "2025-01-06", EndDate: "2025-01-06"}, []string{"x.com/b"}},
		"all together":                        {apguard.ChangelogQuery{Type: asset.TypeURL, Content: "https://a.example", FromStatus: asset.StatusUnknown, ToStatus: asset.StatusBlocked, StartDate: "2025-01-05", EndDate: "2025-01-05"}, []string{"https://a.example"}},
		"nothing chosen is no error":          {apguard.ChangelogQuery{StartDate: "2030-01-01"}, []string{}},
		"the content of an asset that is not": {apguard.ChangelogQuery{Content: "https://unheard.example"}, []string{}},
	}
	for reason, c := range cases {
		require.Equal(t, c.want, contents(t, guard, c.query), reason)
	}
}

func TestChangelogTellsEverythingThatIsWrong(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	changes, err := guard.Changelog(t.Context(), apguard.ChangelogQuery{
		Type: "url", Content: "\x00", FromStatus: "X", ToStatus: "Y", StartDate: "2025-02-30", EndDate: "today",
	})
	require.Nil(t, changes)
	require.EqualError(t, err, "invalid input: startDate: must be an existing date, written YYYY-MM-DD; "+
		"endDate: must be an existing date, written YYYY-MM-DD; type: must be an asset type; "+
		"fromStatus: must be UNKNOWN, ALLOWED or BLOCKED; toStatus: must be UNKNOWN, ALLOWED or BLOCKED; "+
		"content: must be valid UTF-8 without NUL")
}

func TestAsset(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	setStatus(t, guard, "https://a.example", asset.StatusBlocked)

	got, err := guard.Asset(t.Context(), " HTTPS://a.EXAMPLE/ ")
	require.NoError(t, err)
	require.Equal(t, asset.StatusBlocked, got.Status)
	require.Equal(t, "https://a.example", got.Canonical)

	for reason, content := range map[string]string{
		"an asset that nobody knows":      "https://b.example",
		"content that no rule recognizes": "no asset",
	} {
		_, err := guard.Asset(t.Context(), content)
		require.ErrorIs(t, err, asset.ErrNotFound, reason)
	}
	_, err = guard.Asset(t.Context(), "no asset")
	require.ErrorIs(t, err, classify.ErrRefused, "why it is none can be told")
}

func TestReadyIsWhatTheStoreSays(t *testing.T) {
	t.Parallel()
	store := memory.New()
	guard := apguard.New(store, apguard.Options{})
	require.NoError(t, guard.Ready(t.Context()))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, guard.Ready(ended), context.Canceled)
	require.NoError(t, store.Close())
	require.ErrorIs(t, guard.Ready(t.Context()), storage.ErrClosed)
	require.NoError(t, guard.With(memory.New()).Ready(t.Context()), "the other store is asked")
}

func TestSetStatusRefusesWhatIsNoAsset(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	_, err := guard.SetStatus(t.Context(), "no asset", asset.StatusBlocked, asset.Origin{})
	var input *asset.InputError
	require.ErrorAs(t, err, &input)
	require.Equal(t, "content", input.Issues[0].Field)
	require.ErrorIs(t, err, classify.ErrRefused, "why it is none can be told")
}

func TestRefuseBlockedReachesTheAllowlist(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{RefuseBlocked: true})
	setStatus(t, guard, "https://bad.example", asset.StatusBlocked)
	results, err := guard.Allowlist.Add(t.Context(), allowlist.Request{
		OrganizationID: 1, Items: []allowlist.Item{{Content: "https://bad.example"}},
	})
	require.NoError(t, err)
	require.ErrorIs(t, results[0].Err, allowlist.ErrBlocked)
}

// TestTheServicesShareOneStore follows an asset through all of them.
func TestTheServicesShareOneStore(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	filed, err := guard.Reports.File(t.Context(), report.FileRequest{
		OrganizationID: 1, Proposals: []report.ProposalRequest{{Content: "https://a.example", ProposedStatus: asset.StatusBlocked}},
	})
	require.NoError(t, err)
	_, err = guard.Reviews.Review(t.Context(), report.ReviewRequest{
		Scope: report.InOrganization(1), ProposalID: filed.Proposals[0].ID, Status: report.ReviewApprove,
	})
	require.NoError(t, err)
	_, err = guard.Disputes.Create(t.Context(), dispute.CreateRequest{Content: "https://a.example", Email: "ada@a.example"})
	require.NoError(t, err)
	_, err = guard.Allowlist.Add(t.Context(), allowlist.Request{OrganizationID: 1, Items: []allowlist.Item{{Content: "https://a.example"}}})
	require.NoError(t, err)

	changes, err := guard.Changelog(t.Context(), apguard.ChangelogQuery{Content: "https://a.example"})
	require.NoError(t, err)
	var causes []asset.Cause
	for change, err := range changes {
		require.NoError(t, err)
		causes = append(causes, change.Origin.Cause)
	}
	require.Equal(t, []asset.Cause{asset.CauseAllowlist, asset.CauseReview}, causes)
}
