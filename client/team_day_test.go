package client_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/client"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/report"
)

// member is a person of a team, with the clients of both APIs.
type member struct {
	user int64
	*client.Operator
	public *client.Client
}

// newMember creates the user and the key of a person.
func newMember(t *testing.T, o origin, name string) member {
	t.Helper()
	admin := o.operator(t)
	user, err := admin.CreateUser(t.Context(), account.UserRequest{FullName: name})
	require.NoError(t, err)
	key, err := admin.CreateKey(t.Context(), client.KeyRequest{
		OrganizationID: 1, UserID: user.ID, Name: name,
		Scopes: slices.Concat(account.Scopes(), account.OperatorScopes(), []account.Scope{account.ScopeOperatorAdmin}),
	})
	require.NoError(t, err)
	options := client.Options{Key: key.Secret}
	return member{user.ID, newOperator(t, o.operators, options), newClient(t, o.url, options)}
}

// lines returns what a person has decided, oldest first, and then administered.
func (m member) lines(t *testing.T) []string {
	t.Helper()
	var lines, administered []string
	for change, err := range m.Decisions(t.Context(), client.DecisionsRequest{UserID: m.user}) {
		require.NoError(t, err)
		lines = append(lines, fmt.Sprintf("%s %s: %s to %s by %s", change.Cause, change.Content, change.From, change.To, change.Actor.FullName))
	}
	for entry, err := range m.Audit(t.Context(), client.AuditRequest{UserID: m.user}) {
		require.NoError(t, err)
		administered = append(administered, fmt.Sprintf("%s %s by %s", entry.Kind, entry.Action, entry.Actor.User.FullName))
	}
	slices.Reverse(lines)
	slices.Reverse(administered)
	return append(lines, administered...)
}

// A team of three works for a day with clients alone.
func TestTeamDay(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	o := newOrigin(t, httpapi.Options{}, nil)
	ada, bea, cyd := newMember(t, o, "Ada"), newMember(t, o, "Bea"), newMember(t, o, "Cyd")

	// Ada blocks links with three requests. Bea makes a mistake, sees why it is one, and takes it back.
	for part := range slices.Chunk(links(2500), asset.MaxItems) {
		results, err := ada.SetStatuses(ctx, client.SetStatusesRequest{Items: part, Reason: asset.ReasonPhishing, Reference: "case 7"})
		require.NoError(t, err)
		for _, result := range results {
			require.True(t, result.Changed(), result.Content)
		}
	}
	popular := client.SetStatusRequest{Content: "google.com", Status: asset.StatusBlocked}
	_, err := bea.SetStatus(ctx, popular)
	require.ErrorIs(t, err, asset.ErrProtected)
	require.ErrorContains(t, err, "google.com is a popular host")
	preview, err := bea.Preview(ctx, popular.Content, popular.Status)
	require.NoError(t, err)
	require.Equal(t, asset.ProtectedPopular, preview.Protection.Reason)
	popular.ConfirmProtected = true
	_, err = bea.SetStatus(ctx, popular)
	require.NoError(t, err)
	requireStatus(t, cyd.public, "https://google.com/search", asset.StatusBlocked)
	_, err = bea.Withdraw(ctx, client.WithdrawRequest{Content: popular.Content, Reference: "my mistake"})
	require.NoError(t, err)
	requireStatus(t, cyd.public, "https://google.com/search", asset.StatusUnknown)

	// Cyd reports a shop. Ada reviews the report, and Bea, who saw it before, is told.
	filed, err := cyd.public.CreateReport(ctx, client.ReportRequest{
		Title: "A fake shop", Proposals: []client.ProposalRequest{{Content: "fake-shop.com", ProposedStatus: asset.StatusBlocked}},
	})
	require.NoError(t, err)
	review := client.ReviewRequest{ProposalID: filed.Proposals[0].ID, Status: report.ReviewApprove}
	_, err = ada.ReviewProposal(ctx, review)
	require.NoError(t, err)
	_, err = bea.ReviewProposal(ctx, review)
	require.ErrorIs(t, err, asset.ErrChanged)

	// The owner disputes, and Bea resolves it.
	disputed, err := cyd.public.CreateDispute(ctx, client.DisputeRequest{Content: "fake-shop.com", Email: "owner@fake-shop.com"})
	require.NoError(t, err)
	_, err = bea.StartDisputeReview(ctx, client.TransitionRequest{ID: disputed.ID})
	require.NoError(t, err)
	_, err = bea.ResolveDispute(ctx, client.ResolveRequest{
		ID: disputed.ID, State: dispute.StateAccepted, AssetStatus: asset.StatusUnknown, Reason: "It is a shop.",
	})
	require.NoError(t, err)
	own, err := cyd.public.GetDispute(ctx, disputed.ID)
	require.NoError(t, err)
	require.Equal(t, dispute.StateAccepted, own.State)
	requireStatus(t, cyd.public, "fake-shop.com", asset.StatusUnknown)

	// Cyd leaves.
	revoked, err := ada.RevokeAllKeys(ctx, cyd.user)
	require.NoError(t, err)
	require.Equal(t, 1, revoked)
	_, err = ada.DeactivateUser(ctx, cyd.user)
	require.NoError(t, err)
	_, err = cyd.public.Check(ctx, "fake-shop.com")
	require.ErrorIs(t, err, client.ErrUnauthorized)

	done := ada.lines(t)
	require.Equal(t, "MANUAL https://login-0.evil-bank.com/start: UNKNOWN to BLOCKED by Ada", done[0])
	require.Equal(t, []string{
		"MANUAL https://login-2499.evil-bank.com/start: UNKNOWN to BLOCKED by Ada",
		"REVIEW fake-shop.com: UNKNOWN to BLOCKED by Ada",
		"KEY REVOKED by Ada",
		"USER DEACTIVATED by Ada",
	}, done[2499:])
	require.Equal(t, []string{
		"MANUAL google.com: UNKNOWN to BLOCKED by Bea",
		"WITHDRAWAL google.com: BLOCKED to UNKNOWN by Bea",
		"DISPUTE fake-shop.com: BLOCKED to UNKNOWN by Bea",
	}, bea.lines(t))
}

// links returns items that block links of a site.
func links(n int) []client.StatusItem {
	items := make([]client.StatusItem, n)
	for i := range items {
		items[i] = client.StatusItem{Content: fmt.Sprintf("https://login-%d.evil-bank.com/start", i), Status: asset.StatusBlocked}
	}
	return items
}

func requireStatus(t *testing.T, c *client.Client, content string, want asset.Status) {
	t.Helper()
	verdict, err := c.Check(t.Context(), content)
	require.NoError(t, err)
	require.Equal(t, want, verdict.Status)
}
