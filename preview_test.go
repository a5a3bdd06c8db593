package apguard_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
)

func preview(t *testing.T, guard *apguard.Guard, content string, status asset.Status) apguard.Preview {
	t.Helper()
	result, err := classify.Classify(content)
	require.NoError(t, err)
	got, err := guard.Preview(t.Context(), apguard.PreviewRequest{Identity: result.Identity, Status: status})
	require.NoError(t, err)
	return got
}

func TestGuard_Preview(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	setStatus(t, guard, "example.com", asset.StatusBlocked)
	setStatus(t, guard, "other.example.com", asset.StatusBlocked)
	setStatus(t, guard, "app.shop.example.com", asset.StatusAllowed)
	setStatus(t, guard, "https://shop.example.com/x", asset.StatusUnknown)
	_, err := guard.Allowlist.Add(t.Context(), allowlist.AddRequest{
		OrganizationID: 1, Items: []allowlist.Item{{Content: "shop.example.com"}},
	})
	require.NoError(t, err)
	_, err = guard.Disputes.Create(t.Context(), dispute.CreateRequest{
		Content: "shop.example.com", Email: "ada@acme.test", Description: "It is ours.",
	})
	require.NoError(t, err)
	for _, content := range []string{"shop.example.com", "app.shop.example.com", "shop.example.com/pay"} {
		_, err = guard.Reports.File(t.Context(), report.FileRequest{
			OrganizationID: 1, Title: "Shop", ReporterID: 1,
			Proposals: []report.ProposalRequest{{Content: content, ProposedStatus: asset.StatusBlocked}},
		})
		require.NoError(t, err)
	}
	before, err := guard.Assets.List(t.Context(), asset.ListRequest{})
	require.NoError(t, err)

	got := preview(t, guard, "shop.example.com", asset.StatusBlocked)
	identity := asset.Identity{Type: asset.TypePage, Canonical: "shop.example.com"}
	require.Equal(t, asset.Asset{ID: 5, Identity: identity, Status: asset.StatusAllowed}, got.Asset)
	require.Equal(t, asset.StatusBlocked, got.After.Status)
	require.Equal(t, asset.SourceOperator, got.After.By)
	require.Equal(t, asset.StatusBlocked, got.Verdict.Status)
	require.Equal(t, got.After, got.Verdict.Match.Known)
	require.Equal(t, &asset.Protection{Reason: asset.ProtectedEntry, By: "shop.example.com"}, got.Protection)
	require.Equal(t, []string{"example.com"}, canonicals(got.Above))
	require.Equal(t, 1, got.AboveCount)
	require.Equal(t, apguard.Count{Number: 3}, got.BelowCount)
	require.Equal(t, "app.shop.example.com", got.Below[0].Canonical)
	require.Equal(t, got.Below[:1], got.Exceptions.Assets)
	require.Equal(t, apguard.Count{Number: 1}, got.AllowedBy)
	require.Equal(t, apguard.Count{Number: 1}, got.OpenDisputes)
	require.Equal(t, apguard.Count{Number: 1}, got.OpenReports, "not those of other assets with the name")

	got = preview(t, guard, "shop.example.com", asset.StatusUnknown)
	require.Equal(t, asset.StatusUnknown, got.After.Status)
	require.Equal(t, "example.com", got.Verdict.Match.Canonical, "the domain decides then")
	require.Empty(t, got.Exceptions)

	got = preview(t, guard, "new.example.com", asset.StatusAllowed)
	require.Zero(t, got.Asset.ID)
	require.Equal(t, asset.StatusUnknown, got.Asset.Status)
	require.Equal(t, asset.StatusAllowed, got.Verdict.Status)
	require.Nil(t, got.Protection)
	require.Zero(t, got.AllowedBy)

	after, err := guard.Assets.List(t.Context(), asset.ListRequest{})
	require.NoError(t, err)
	require.Equal(t, before, after, "nothing is stored")
}

func canonicals(matches []check.Match) []string {
	texts := make([]string, len(matches))
	for i, match := range matches {
		texts[i] = match.Canonical
	}
	return texts
}

func TestGuard_Preview_limits(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{})
	for n := range apguard.MaxPreviewed + 2 {
		setStatus(t, guard, fmt.Sprintf("a%d.example.com", n), asset.StatusBlocked)
	}
	got := preview(t, guard, "example.com", asset.StatusBlocked)
	require.Len(t, got.Below, apguard.MaxPreviewed)
	require.Equal(t, apguard.Count{Number: apguard.MaxPreviewed + 2}, got.BelowCount)

	result, err := classify.Classify("https://a.a.a.example.net/a/a/a?a")
	require.NoError(t, err)
	covers := classify.Covering(result.Identity)
	for _, cover := range covers {
		_, err := guard.Assets.SetStatus(t.Context(), asset.SetStatusRequest{Identity: cover.Identity, Status: asset.StatusBlocked})
		require.NoError(t, err)
	}
	got = preview(t, guard, "https://a.a.a.example.net/a/a/a?a", asset.StatusBlocked)
	require.Len(t, got.Above, apguard.MaxPreviewed)
	require.Equal(t, len(covers)-1, got.AboveCount)
	require.Equal(t, covers[1].Identity, got.Above[0].Identity, "the most specific one first")

	long := "https://example.com/" + strings.Repeat("é", report.MaxQuery)
	setStatus(t, guard, long, asset.StatusUnknown)
	require.Zero(t, preview(t, guard, long, asset.StatusBlocked).OpenReports, "longer than a search")
}

// External lists count where no asset decides.
func TestGuard_Preview_lists(t *testing.T) {
	t.Parallel()
	guard := newGuard(t, apguard.Options{ExternalLists: check.ExternalLists{phishing{}}})
	require.Equal(t, check.SourceList, preview(t, guard, "phish.example.com", asset.StatusUnknown).Verdict.Source)
}

func TestGuard_Preview_invalid(t *testing.T) {
	t.Parallel()
	_, err := newGuard(t, apguard.Options{}).Preview(t.Context(), apguard.PreviewRequest{})
	require.ErrorIs(t, err, asset.ErrInvalid)
}
