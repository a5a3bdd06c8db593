package apguard_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/protect"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/memory"
)

// What is protected, with the reason.
var protectedContents = map[string]asset.ProtectionReason{
	"google.com":                    asset.ProtectedPopular,
	"x.com":                         asset.ProtectedPlatform,
	"github.io":                     asset.ProtectedSuffix,
	"bank.com":                      asset.ProtectedName,
	"https://shop.example.com/cart": asset.ProtectedEntry,
	"shop.example.com":              asset.ProtectedEntry,
}

// doors are the ways to block a content. Each returns the refusal.
var doors = map[string]func(t *testing.T, guard *apguard.Guard, content string, confirmed bool) error{
	"SetStatus": func(t *testing.T, guard *apguard.Guard, content string, confirmed bool) error {
		t.Helper()
		_, err := guard.Assets.SetStatus(t.Context(), asset.SetStatusRequest{
			Identity: identityOf(t, content), Status: asset.StatusBlocked, Origin: asset.Origin{Actor: 1}, ConfirmProtected: confirmed,
		})
		return err
	},
	"SetStatuses": func(t *testing.T, guard *apguard.Guard, content string, confirmed bool) error {
		t.Helper()
		results, err := guard.Assets.SetStatuses(t.Context(), asset.SetStatusesRequest{
			Items:  []asset.StatusItem{{Identity: identityOf(t, content), Status: asset.StatusBlocked}},
			Origin: asset.Origin{Actor: 1}, ConfirmProtected: confirmed,
		})
		require.NoError(t, err)
		return results[0].Err
	},
	"a review": func(t *testing.T, guard *apguard.Guard, content string, confirmed bool) error {
		t.Helper()
		filed, err := guard.Reports.File(t.Context(), report.FileRequest{
			OrganizationID: 1, Proposals: []report.ProposalRequest{{Content: content, ProposedStatus: asset.StatusBlocked}},
		})
		require.NoError(t, err)
		_, err = guard.Reviews.Review(t.Context(), report.ReviewRequest{
			Scope: report.AnyOrganization(), ProposalID: filed.Proposals[0].ID, Status: report.ReviewApprove, Actor: 1, ConfirmProtected: confirmed,
		})
		return err
	},
	"an import": func(t *testing.T, guard *apguard.Guard, content string, confirmed bool) error {
		t.Helper()
		var refused error
		_, err := lists.Import(t.Context(), guard.Assets, func(yield func(lists.Entry, error) bool) {
			yield(lists.Entry{StatusItem: asset.StatusItem{Identity: identityOf(t, content), Status: asset.StatusBlocked}}, nil)
		}, lists.ImportOptions{
			ConfirmProtected: confirmed, Origin: asset.Origin{Actor: 1}, Refused: func(e lists.Entry) { refused = e.Err },
		})
		require.NoError(t, err)
		return refused
	},
}

func identityOf(t *testing.T, content string) asset.Identity {
	t.Helper()
	result, err := classify.Classify(content)
	require.NoError(t, err)
	return result.Identity
}

// newProtected returns a guard with an organization that has a link on its allowlist.
func newProtected(t *testing.T, fourEyes bool) *apguard.Guard {
	t.Helper()
	guard := apguard.New(memory.New(), apguard.Options{FourEyes: fourEyes, Protected: protect.Names([]string{"bank.com"})})
	require.NoError(t, guard.Accounts.PutOrganization(t.Context(), account.Organization{ID: 1, Slug: "acme", Name: "Acme"}))
	_, err := guard.Allowlist.Add(t.Context(), allowlist.AddRequest{
		OrganizationID: 1, Items: []allowlist.Item{{Content: "https://shop.example.com/cart"}},
	})
	require.NoError(t, err)
	return guard
}

// Through every door, what is protected is refused with its reason, blocked with the confirmation, and with four eyes
// never blocked by one operator.
func TestProtected(t *testing.T) {
	t.Parallel()
	for name, door := range doors {
		for content, reason := range protectedContents {
			t.Run(name+" of "+content, func(t *testing.T) {
				t.Parallel()
				for _, fourEyes := range []bool{false, true} {
					guard := newProtected(t, fourEyes)
					before := statusIn(t, guard, content)
					err := door(t, guard, content, false)
					require.ErrorIs(t, err, asset.ErrProtected)
					var refusal *asset.ProtectedError
					require.ErrorAs(t, err, &refusal)
					require.Equal(t, reason, refusal.Reason)
					require.Equal(t, before, statusIn(t, guard, content))

					err = door(t, guard, content, true)
					switch {
					case !fourEyes:
						require.NoError(t, err)
						require.Equal(t, asset.StatusBlocked, statusIn(t, guard, content))
						continue
					case name == "an import": // which cannot wait
						require.ErrorIs(t, err, asset.ErrProtected)
					default:
						require.ErrorIs(t, err, asset.ErrPending)
					}
					require.Equal(t, before, statusIn(t, guard, content))
				}
			})
		}
	}
}

// A sync never blocks a protected host, and counts it. The allowlists of organizations do not protect from lists.
func TestProtected_sync(t *testing.T) {
	t.Parallel()
	guard := newProtected(t, false)
	_, err := guard.Lists.Add(t.Context(), lists.List{Name: "feed", Format: lists.Lines, Reason: asset.ReasonPhishing})
	require.NoError(t, err)
	var file strings.Builder
	for content := range protectedContents {
		file.WriteString(content + "\n")
	}
	result, err := guard.Lists.Sync(t.Context(), lists.SyncRequest{Name: "feed", File: strings.NewReader(file.String())})
	require.NoError(t, err)
	require.Equal(t, lists.SyncResult{Added: 2, Protected: 4}, result)
	for content, reason := range protectedContents {
		require.Equal(t, reason == asset.ProtectedEntry, statusIn(t, guard, content) == asset.StatusBlocked, content)
	}
}

func statusIn(t *testing.T, guard *apguard.Guard, content string) asset.Status {
	t.Helper()
	explained, err := guard.Explain(t.Context(), content)
	if errors.Is(err, asset.ErrNotFound) {
		return asset.StatusUnknown
	}
	require.NoError(t, err)
	return explained.Asset.Status
}
